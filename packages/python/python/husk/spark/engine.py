"""Spark for the plan of `husk.crawls.plan`. Uses nothing that Spark Connect lacks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_type

from .._husk import __version__
from ..crawls import plan
from ..crawls.plan import Learned, Source, Stage
from ..crawls.readers import ArchiveReader, Opener, TableReader
from ..crawls.stages import Settings
from ..errors import InputError, OptionError

_MAX_TEMPLATE_BYTES = 256 << 20
# Half of what a message of Spark Connect may have.
_MAX_MESSAGE_BYTES = 64 << 20
_GIB = 1 << 30


def archives(
    spark: Any, paths: list[str], open_archive: Opener | None = None, partitions: int | None = None
) -> Source:
    """Pages of WARC files. Workers open the files: ``open_archive`` replaces the default way, local paths and fsspec. A
    partition is a file, unless fewer ``partitions`` are given."""
    reader = ArchiveReader.of(list(paths), open_archive)
    count = len(reader.paths)
    table = spark.range(0, count, 1, min(partitions or count, count))
    return Source(SparkEngine(spark, lambda: reader.paths), table, reader)


def table(
    table: Any,
    url: str = "url",
    html: str = "html",
    date: str | None = None,
    charset: str | None = None,
    id: str | None = None,
) -> Source:
    """Pages of a table with columns for URL and HTML (text or bytes). Rows without either, rows that are not HTML, and pages
    of more than 16 MiB are skipped, as in ``husk bulk``. ``id`` names a column of ids, which the rows get, to join them with
    other columns."""
    names = [name for name in (url, html, date, charset, id) if name is not None]
    known = pa.schema([(field.name, _arrow_type(field.dataType)) for field in table.schema if field.name in names])
    reader = TableReader.of(known, url=url, html=html, date=date, charset=charset, id=id)
    # Names with dots would be taken for fields.
    chosen = table.select([table[f"`{name}`"].alias(field) for field, name in reader.columns.items()])
    renamed = TableReader({field: field for field in reader.columns})
    return Source(SparkEngine(table.sparkSession, table.inputFiles), chosen, renamed)


def learn(source: Source, checkpoint: str | None = None, **settings: Any) -> Learned:
    """Counts the pages of each site, and learns the large sites. Runs jobs.

    With ``checkpoint``, a folder that all workers reach, counts and templates are written there, and read from there by a
    job that is repeated.
    """
    engine = replace(_spark_engine(source), folder=checkpoint)
    return plan.learn(replace(source, engine=engine), **settings)


def strip(source: Source, learned: Learned | None = None, **settings: Any) -> Any:
    """A DataFrame with one row per page and the columns of ``husk bulk``: see `ROWS`.

    Learns first unless ``learned`` is given, which runs jobs. The rows are computed when the DataFrame is used: persist it, or
    write it and read it back, if you use it several times.
    """
    return plan.strip(source, learned, **settings)


def _spark_engine(source: Source) -> SparkEngine:
    if not isinstance(source.engine, SparkEngine):
        raise InputError("the pages are not of husk.spark")
    return source.engine


@dataclass(frozen=True)
class SparkEngine:
    """Tables are DataFrames. With a folder, `keep` writes them there."""

    spark: Any
    files: Callable[[], list[str]]
    """The files that the pages are from, to recognise a repeated job."""
    folder: str | None = None

    def map(self, table: Any, stage: Stage, schema: Any) -> Any:
        return table.mapInArrow(stage, from_arrow_schema(schema))

    def map_sites(self, table: Any, keys: list[str], order: list[str], stage: Stage, schema: Any, tasks: int) -> Any:
        # Without a number, Spark may take fewer for little data.
        usual = int(self.spark.conf.get("spark.sql.shuffle.partitions", "200"))
        count = [tasks] if tasks > usual else []
        shuffled = table.repartition(*count, *keys).sortWithinPartitions(*keys, *order)
        return self.map(shuffled, stage, schema)

    def union(self, table: Any, other: Any) -> Any:
        return table.unionByName(other)

    def collect(self, table: Any) -> Iterable[tuple[Any, ...]]:
        with self._limits_named():
            rows = table.collect()
        return (tuple(bytes(value) if isinstance(value, bytearray) else value for value in row) for row in rows)

    def keep(self, table: Any, name: str, settings: Settings) -> Any:
        if self.folder is not None:
            return self._written(table, f"{self.folder}/{name}", settings)
        return table.persist()

    def release(self, table: Any) -> None:
        table.unpersist()

    def max_template_bytes(self) -> int:
        limit = _MAX_MESSAGE_BYTES if is_connect(self.spark) else _MAX_TEMPLATE_BYTES
        # All templates have to pass the driver, which holds them several times.
        results = bytes_of(self.spark.conf.get("spark.driver.maxResultSize", "1g")) or limit * 2
        memory = bytes_of(self.spark.conf.get("spark.driver.memory", "1g"))
        return min(limit, results // 2, memory // 4)

    def _written(self, table: Any, path: str, settings: Settings) -> Any:
        """The table, read from a folder; written first, unless an earlier job did."""
        # The last to be written: a killed job leaves no such file.
        done, made_from = f"{path}.done", f"{__version__} {self._digest()} {plan.learned_settings(settings)}"
        found = self._text(done)
        if found is None:
            table.write.mode("overwrite").parquet(path)
            self.spark.createDataFrame([(made_from,)], "value string").coalesce(1).write.mode("overwrite").text(done)
        elif found != made_from:
            raise InputError(f"{self.folder} is of another crawl or other settings: choose another folder, or delete it")
        return self.spark.read.parquet(path)

    def _digest(self) -> str:
        files = sorted(self.files())
        if not files:
            raise InputError("a checkpoint is for pages in files, by which a repeated job is recognised: write the table first")
        return hashlib.blake2b("\n".join(files).encode(), digest_size=16).hexdigest()

    def _text(self, path: str) -> str | None:
        if not exists(self.spark, path):
            return None
        lines = [row.value for row in self.spark.read.text(path, wholetext=True).collect()]
        return "".join(lines).rstrip("\n") or None

    @contextmanager
    def _limits_named(self) -> Iterator[None]:
        """Names the setting if a result is too large for the driver."""
        try:
            yield
        except Exception as cause:
            if "maxResultSize" not in str(cause):
                raise
            limit = self.spark.conf.get("spark.driver.maxResultSize", "1g")
            raise OptionError(
                f"the driver may collect only {limit} (spark.driver.maxResultSize), and the large sites or their templates are "
                "more: raise it and spark.driver.memory, or lower max_template_bytes"
            ) from cause


def _arrow_type(type: Any) -> Any:
    # Some versions want a time zone for it, others take none.
    return pa.timestamp("us", "UTC") if type.typeName() == "timestamp" else to_arrow_type(type)


def is_connect(spark: Any) -> bool:
    """Whether a session is one of Spark Connect."""
    return ".connect." in type(spark).__module__


def exists(spark: Any, path: str) -> bool:
    """Whether there is a file or folder."""
    try:
        # Analysed at once, read never.
        return bool(spark.read.format("binaryFile").load(path).schema)
    except Exception as cause:
        if "PATH_NOT_FOUND" not in str(cause):
            raise
        return False


_UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def bytes_of(size: str) -> int:
    """A size as Spark writes it, such as ``1g``."""
    found = re.fullmatch(r"\s*(\d+)\s*([bkmgt]?)b?\s*", size.lower())
    return int(found[1]) * _UNITS[found[2]] if found else _GIB
