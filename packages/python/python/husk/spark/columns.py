"""The columns of tables on their way between stages, and those of the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql import types as T

from .. import _husk
from .._husk import Row

ROWS = T.StructType(
    [
        T.StructField("url", T.StringType(), False),
        T.StructField("site", T.StringType(), False),
        T.StructField("date", T.TimestampType()),
        T.StructField("layout", T.StringType()),
        T.StructField("title", T.StringType()),
        T.StructField("language", T.StringType()),
        T.StructField("told_by", T.StringType(), False),
        T.StructField("content", T.StringType()),
        T.StructField(
            "menu",
            T.ArrayType(
                T.StructType(
                    [
                        T.StructField("depth", T.IntegerType(), False),
                        T.StructField("label", T.StringType(), False),
                        T.StructField("url", T.StringType()),
                    ]
                ),
                False,
            ),
        ),
        T.StructField("template_id", T.StringType()),
        T.StructField("template_share", T.DoubleType()),
        T.StructField("bytes", T.LongType(), False),
        T.StructField("words", T.LongType(), False),
        T.StructField("content_words", T.LongType(), False),
        T.StructField("links", T.LongType(), False),
        T.StructField("warnings", T.ArrayType(T.StringType(), False), False),
    ]
)
"""The columns of ``husk bulk --format parquet``."""

COUNTS = T.StructType(
    [
        T.StructField("site", T.StringType(), False),
        T.StructField("pages", T.LongType(), False),
        T.StructField("lots", T.BinaryType(), False),
    ]
)
"""How many pages of a site there are in one part of a crawl, and the lots that are drawn first."""

CENSUS = T.StructType(
    [
        T.StructField("site", T.StringType()),
        T.StructField("pages", T.LongType(), False),
        T.StructField("sites", T.LongType(), False),
        T.StructField("cutoff", T.LongType()),
    ]
)
"""A large site with the last lot that is drawn; without a site, how many pages and sites there are in a partition."""

PAGES = T.StructType(
    [
        T.StructField("site", T.StringType(), False),
        T.StructField("lot", T.LongType(), False),
        T.StructField("packed", T.BinaryType(), False),
    ]
)
"""Pages on their way to where their site is learned."""

PIECES = T.StructType(
    [
        T.StructField("site", T.StringType(), False),
        T.StructField("piece", T.LongType(), False),
        T.StructField("lot", T.LongType(), False),
        T.StructField("packed", T.BinaryType(), False),
    ]
)
"""Pages of a piece of a large site, and before them, with a lot below all others, what was learned of the site."""

LEARNED = T.StructType(
    [T.StructField("site", T.StringType(), False), T.StructField("templates", T.BinaryType(), False)]
)
"""What was learned of a large site."""

_ARROW_ROWS = pa.schema(
    [
        pa.field("url", pa.string(), False),
        pa.field("site", pa.string(), False),
        # Engines of the JVM count microseconds.
        pa.field("date", pa.timestamp("us", "UTC")),
        pa.field("layout", pa.string()),
        pa.field("title", pa.string()),
        pa.field("language", pa.string()),
        pa.field("told_by", pa.string(), False),
        pa.field("content", pa.string()),
        pa.field(
            "menu",
            pa.list_(
                pa.field(
                    "element",
                    pa.struct(
                        [
                            pa.field("depth", pa.int32(), False),
                            pa.field("label", pa.string(), False),
                            pa.field("url", pa.string()),
                        ]
                    ),
                    False,
                )
            ),
        ),
        pa.field("template_id", pa.string()),
        pa.field("template_share", pa.float64()),
        pa.field("bytes", pa.int64(), False),
        pa.field("words", pa.int64(), False),
        pa.field("content_words", pa.int64(), False),
        pa.field("links", pa.int64(), False),
        pa.field("warnings", pa.list_(pa.field("element", pa.string(), False)), False),
    ]
)

_BATCH_ROWS = 256
_BATCH_BYTES = 4 << 20


def to_batch(rows: list[Row]) -> Any:
    """Rows of Husk as Spark takes them."""
    [batch] = pa.ipc.open_stream(_husk.rows_to_arrow(rows)).read_all().cast(_ARROW_ROWS).to_batches()
    return batch


def batches(schema: Any, rows: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    """Tuples as batches of Arrow that are not too large, so that memory stays bounded whatever their number."""
    arrow = arrow_schema(schema)
    held: list[tuple[Any, ...]] = []
    size = 0
    for row in rows:
        held.append(row)
        size += sum(len(value) for value in row if isinstance(value, (bytes, str)))
        if len(held) >= _BATCH_ROWS or size >= _BATCH_BYTES:
            yield _batch(arrow, held)
            held, size = [], 0
    if held:
        yield _batch(arrow, held)


def _batch(arrow: Any, rows: list[tuple[Any, ...]]) -> Any:
    columns = zip(*rows)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, arrow, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=arrow)


_ARROW_OF = {"string": pa.string(), "bigint": pa.int64(), "binary": pa.binary()}


def arrow_schema(schema: Any) -> Any:
    """The schema of a table without nested columns, as Arrow has it."""
    return pa.schema([pa.field(field.name, _ARROW_OF[field.dataType.simpleString()], field.nullable) for field in schema])


def tuples(parts: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """The rows of batches, one after the other."""
    for part in parts:
        yield from zip(*(column.to_pylist() for column in part.columns))
