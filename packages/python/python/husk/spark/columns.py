"""The columns of the result, and of the tables between stages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import types as T
from pyspark.sql.pandas.types import from_arrow_schema

from .. import _husk
from .._husk import Row

def _arrow_rows() -> Any:
    """The columns of a row in Arrow, as ``husk bulk --format parquet`` has them."""
    schema = pq.read_schema(pa.BufferReader(_husk.rows_to_parquet([]))).remove_metadata()
    # JVM engines use microseconds.
    date = schema.get_field_index("date")
    return schema.set(date, pa.field("date", pa.timestamp("us", "UTC")))


_ARROW_ROWS = _arrow_rows()

ROWS = from_arrow_schema(_ARROW_ROWS)
"""The columns of ``husk bulk --format parquet``."""

COUNTS = T.StructType(
    [
        T.StructField("site", T.StringType(), False),
        T.StructField("pages", T.LongType(), False),
        T.StructField("sample_keys", T.BinaryType(), False),
    ]
)
"""Pages of a site in one part of a crawl, and its lowest sample keys."""

SITE_COUNTS = T.StructType(
    [
        T.StructField("site", T.StringType()),
        T.StructField("pages", T.LongType(), False),
        T.StructField("sites", T.LongType(), False),
        T.StructField("cutoff", T.LongType()),
    ]
)
"""A large site with the highest sampled key; without a site, the totals of a partition."""

PAGES = T.StructType(
    [
        T.StructField("site", T.StringType(), False),
        T.StructField("sample_key", T.LongType(), False),
        T.StructField("packed", T.BinaryType(), False),
    ]
)
"""Pages for the task that learns their site."""

PIECES = T.StructType(
    [
        T.StructField("site", T.StringType(), False),
        T.StructField("piece", T.LongType(), False),
        T.StructField("sample_key", T.LongType(), False),
        T.StructField("packed", T.BinaryType(), False),
    ]
)
"""Pages of a piece of a large site. The templates come first, with a key below all others."""

LEARNED = T.StructType(
    [T.StructField("site", T.StringType(), False), T.StructField("templates", T.BinaryType(), False)]
)
"""The templates of a large site."""

_BATCH_ROWS = 256
_BATCH_BYTES = 4 << 20


def to_batch(rows: list[Row]) -> Any:
    """Rows as an Arrow batch for Spark."""
    file = pa.BufferReader(_husk.rows_to_parquet(rows))
    [batch] = pq.read_table(file).cast(_ARROW_ROWS).combine_chunks().to_batches()
    return batch


def batches(schema: Any, rows: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    """Tuples as Arrow batches of bounded size."""
    arrow = arrow_schema(schema)
    batch: list[tuple[Any, ...]] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(value) for value in row if isinstance(value, (bytes, str)))
        if len(batch) >= _BATCH_ROWS or size >= _BATCH_BYTES:
            yield _batch(arrow, batch)
            batch, size = [], 0
    if batch:
        yield _batch(arrow, batch)


def _batch(arrow: Any, rows: list[tuple[Any, ...]]) -> Any:
    columns = zip(*rows)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, arrow, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=arrow)


_ARROW_OF = {"string": pa.string(), "bigint": pa.int64(), "binary": pa.binary()}


def arrow_schema(schema: Any) -> Any:
    """The Arrow schema of a table without nested columns."""
    return pa.schema([pa.field(field.name, _ARROW_OF[field.dataType.simpleString()], field.nullable) for field in schema])


def tuples(parts: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """The rows of batches."""
    for part in parts:
        yield from zip(*(column.to_pylist() for column in part.columns))
