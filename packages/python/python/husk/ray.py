"""``husk bulk`` on Ray Data: extracts the content of every page in a crawl.

    from husk import ray as husk_ray

    rows = husk_ray.strip(ray.data.read_parquet("pages"), url="url", html="html")
    rows.write_parquet("out")

docs/engines.md describes what it does and needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

try:
    import pyarrow as pa
    import ray
    import ray.data
except ImportError as cause:
    from .crawls.missing import not_installed

    raise not_installed("Ray Data", "husk-web[ray]", cause) from cause

from .crawls import batches, plan
from .crawls.batches import ROWS
from .crawls.plan import Learned, Source, Stage, learn, update_store
from .crawls.readers import ArchiveReader, Opener, TableReader
from .crawls.stages import LargeSite, Settings

__all__ = ["ROWS", "LargeSite", "Learned", "Settings", "Source", "archives", "learn", "strip", "table", "update_store"]

_MAX_TEMPLATE_BYTES = 256 << 20


def archives(paths: list[str], open_archive: Opener | None = None) -> Source:
    """Pages of WARC files. Workers open the files: ``open_archive`` replaces the default way, local paths and fsspec."""
    reader = ArchiveReader.of(list(paths), open_archive)
    count = len(reader.paths)
    return Source(_RayEngine(), ray.data.range(count, override_num_blocks=count), reader)


def table(
    dataset: Any,
    url: str = "url",
    html: str = "html",
    date: str | None = None,
    charset: str | None = None,
    id: str | None = None,
) -> Source:
    """Pages of a dataset with columns for URL and HTML (text or bytes). Rows without either, rows that are not HTML, and pages
    of more than 16 MiB are skipped. ``id`` names a column of ids, which the rows get, to join them with other columns."""
    found = dataset.schema()
    schema = pa.schema(list(zip(found.names, found.types))) if found else pa.schema([])
    reader = TableReader.of(schema, url=url, html=html, date=date, charset=charset, id=id)
    return Source(_RayEngine(), dataset.select_columns(list(dict.fromkeys(reader.columns.values()))), reader)


def strip(
    pages: Any,
    learned: Learned | None = None,
    *,
    url: str = "url",
    html: str = "html",
    date: str | None = None,
    charset: str | None = None,
    id: str | None = None,
    **settings: Any,
) -> Any:
    """A dataset with one row per page and the columns of ``husk bulk``: see `ROWS`.

    ``pages`` is a dataset, whose columns are named as for `table`, or what `archives` or `table` returned. Learns first unless
    ``learned`` is given, which runs the dataset. The rows are computed when they are used.
    """
    source = pages if isinstance(pages, Source) else table(pages, url, html, date, charset, id)
    return plan.strip(source, learned, **settings)


class _RayEngine:
    """Tables are datasets, and their partitions blocks."""

    def map(self, table: Any, stage: Stage, schema: Any) -> Any:
        return _map_blocks(table, stage, schema, _batches)

    def map_sites(self, table: Any, keys: list[str], order: list[str], stage: Stage, schema: Any, tasks: int) -> Any:
        usual = ray.data.DataContext.get_current().default_hash_shuffle_parallelism
        shuffled = table.repartition(max(tasks, usual), keys=keys)
        return _map_blocks(shuffled, stage, schema, lambda block: batches.sorted_by(block, [*keys, *order]))

    def union(self, table: Any, other: Any) -> Any:
        return table.union(other)

    def collect(self, table: Any) -> Iterable[tuple[Any, ...]]:
        for block in ray.get(table.to_arrow_refs()):
            yield from batches.tuples(block.to_batches())

    def keep(self, table: Any, name: str, settings: Settings) -> Any:
        return table.materialize()

    def release(self, table: Any) -> None:
        """Ray frees what nobody refers to."""

    def max_template_bytes(self) -> int:
        return _MAX_TEMPLATE_BYTES


def _map_blocks(table: Any, stage: Stage, schema: Any, read: Callable[[Any], list[Any]]) -> Any:
    # In the object store once, not in every task.
    shared = ray.put(stage)

    def run(block: Any) -> Iterator[Any]:
        for batch in _stage(shared)(read(block)):
            yield pa.Table.from_batches([batch])
        # A block without rows needs a schema, too.
        yield schema.empty_table()

    return table.map_batches(run, batch_size=None, batch_format="pyarrow", zero_copy_batch=True)


@lru_cache(maxsize=1)
def _stage(shared: Any) -> Stage:
    stage: Stage = ray.get(shared)
    return stage


def _batches(block: Any) -> list[Any]:
    found: list[Any] = block.to_batches(max_chunksize=256)
    return found
