"""``husk bulk`` on Dask: extracts the content of every page in a crawl.

    from husk import dask as husk_dask

    rows = husk_dask.strip(dask.dataframe.read_parquet("pages"), url="url", html="html")
    rows.to_parquet("out")

docs/engines.md describes what it does and needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

try:
    import dask
    import dask.dataframe as dd
    import pandas as pd
    import pyarrow as pa
except ImportError as cause:
    from .crawls.missing import not_installed

    raise not_installed("Dask", "husk-web[dask]", cause) from cause

from .crawls import batches, plan
from .crawls.batches import ROWS
from .crawls.plan import Learned, Source, Stage, learn, update_store
from .crawls.readers import ArchiveReader, Opener, TableReader
from .crawls.stages import LargeSite, Settings

__all__ = ["ROWS", "LargeSite", "Learned", "Settings", "Source", "archives", "learn", "strip", "table", "update_store"]

_MAX_TEMPLATE_BYTES = 256 << 20
_NUMBERS = pa.schema([("number", pa.int64())])


def archives(paths: list[str], open_archive: Opener | None = None) -> Source:
    """Pages of WARC files. Workers open the files: ``open_archive`` replaces the default way, local paths and fsspec."""
    reader = ArchiveReader.of(list(paths), open_archive)
    numbers = dd.from_map(_number, range(len(reader.paths)), meta=_frame(_NUMBERS.empty_table()))
    return Source(_DaskEngine(), numbers, reader)


def _number(number: int) -> Any:
    return _frame(pa.table([[number]], schema=_NUMBERS))


def table(
    frame: Any,
    url: str = "url",
    html: str = "html",
    date: str | None = None,
    charset: str | None = None,
    id: str | None = None,
) -> Source:
    """Pages of a DataFrame with columns for URL and HTML (text or bytes). Rows without either, rows that are not HTML, and
    pages of more than 16 MiB are skipped. ``id`` names a column of ids, which the rows get, to join them with other columns."""
    # What objects are shows when they are there.
    known = [(name, pa.null() if dtype == object else _arrow_type(dtype)) for name, dtype in frame.dtypes.items()]
    reader = TableReader.of(pa.schema(known), url=url, html=html, date=date, charset=charset, id=id)
    return Source(_DaskEngine(), frame[list(dict.fromkeys(reader.columns.values()))], reader)


def _arrow_type(dtype: Any) -> Any:
    """The type of a column."""
    return pa.Array.from_pandas(pd.Series([], dtype=dtype)).type


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
    """A DataFrame with one row per page and the columns of ``husk bulk``, with Arrow types: see `ROWS`.

    ``pages`` is a DataFrame, whose columns are named as for `table`, or what `archives` or `table` returned. Learns first
    unless ``learned`` is given, which computes. The rows are computed when they are used.
    """
    source = pages if isinstance(pages, Source) else table(pages, url, html, date, charset, id)
    return plan.strip(source, learned, **settings)


class _DaskEngine:
    """Tables are DataFrames with Arrow types."""

    def map(self, table: Any, stage: Stage, schema: Any) -> Any:
        return _map_partitions(table, stage, schema, [])

    def map_sites(self, table: Any, keys: list[str], order: list[str], stage: Stage, schema: Any, tasks: int) -> Any:
        shuffled = table.shuffle(on=keys, npartitions=max(tasks, table.npartitions))
        return _map_partitions(shuffled, stage, schema, [*keys, *order])

    def union(self, table: Any, other: Any) -> Any:
        return dd.concat([table, other])

    def collect(self, table: Any) -> Iterable[tuple[Any, ...]]:
        return batches.tuples(_arrow(table.compute()).to_batches())

    def keep(self, table: Any, name: str, settings: Settings) -> Any:
        return table.persist()

    def release(self, table: Any) -> None:
        """Dask frees what nobody refers to."""

    def max_template_bytes(self) -> int:
        return _MAX_TEMPLATE_BYTES


def _map_partitions(table: Any, stage: Stage, schema: Any, order: list[str]) -> Any:
    # Once in the graph, not in every task.
    shared = dask.delayed(stage, traverse=False)
    return table.map_partitions(
        _run, shared, schema, order, meta=_frame(schema.empty_table()), clear_divisions=True, enforce_metadata=False
    )


def _run(partition: Any, stage: Stage, schema: Any, order: list[str]) -> Any:
    arrow = _arrow(partition)
    read = batches.sorted_by(arrow, order) if order else arrow.to_batches(max_chunksize=256)
    return _frame(pa.Table.from_batches(stage(read), schema))


def _arrow(partition: Any) -> Any:
    return pa.Table.from_pandas(partition, preserve_index=False)


_frame = partial(pa.Table.to_pandas, types_mapper=pd.ArrowDtype)
