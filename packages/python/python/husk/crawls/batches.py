"""The columns of the result and of the tables between stages, and Arrow batches of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from .. import _husk
from .._husk import Row


def _rows_schema() -> Any:
    schema = pq.read_schema(pa.BufferReader(_husk.rows_to_parquet([]))).remove_metadata()
    # JVM engines use microseconds.
    date = schema.get_field_index("date")
    return schema.set(date, pa.field("date", pa.timestamp("us", "UTC")))


ROWS = _rows_schema()
"""The columns of ``husk bulk --format parquet``."""


def _schema(**types: Any) -> Any:
    return pa.schema([pa.field(name, type, nullable=False) for name, type in types.items()])


COUNTS = _schema(site=pa.string(), pages=pa.int64(), bytes=pa.int64(), skipped=pa.int64(), sample_keys=pa.binary())
"""Pages of a site in one part of a crawl, and its lowest sample keys; without pages, what was skipped."""

SITE_COUNTS = pa.schema(
    [
        pa.field("site", pa.string()),
        pa.field("pages", pa.int64(), False),
        pa.field("bytes", pa.int64(), False),
        pa.field("skipped", pa.int64(), False),
        pa.field("sites", pa.int64(), False),
        pa.field("cutoff", pa.int64()),
    ]
)
"""A large site with the highest sampled key; without a site, totals of small sites."""

PAGES = _schema(site=pa.string(), sample_key=pa.int64(), packed=pa.binary())
"""Pages for the task that learns their site."""

PIECES = _schema(site=pa.string(), piece=pa.int64(), sample_key=pa.int64(), packed=pa.binary())
"""Pages of a piece of a large site, or of a small site. The templates of large sites come first, with a key below all others."""

LEARNED = _schema(site=pa.string(), templates=pa.binary(), update=pa.binary())
"""The templates of a large site, and the update of the template store."""

TEMPLATES = _schema(site=pa.string(), templates=pa.binary())
"""The templates of a large site."""

SIZES = _schema(bytes=pa.int64())
"""Size of the templates in one part of their table."""

_BATCH_ROWS = 256
_BATCH_BYTES = 4 << 20


def from_rows(rows: list[Row]) -> Any:
    """Rows as an Arrow batch."""
    file = pa.BufferReader(_husk.rows_to_parquet(rows))
    [batch] = pq.read_table(file).cast(ROWS).combine_chunks().to_batches()
    return batch


def from_tuples(schema: Any, rows: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    """Tuples as Arrow batches of bounded size."""
    batch: list[tuple[Any, ...]] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(value) for value in row if isinstance(value, (bytes, str)))
        if len(batch) >= _BATCH_ROWS or size >= _BATCH_BYTES:
            yield _batch(schema, batch)
            batch, size = [], 0
    if batch:
        yield _batch(schema, batch)


def _batch(schema: Any, rows: list[tuple[Any, ...]]) -> Any:
    arrays = [pa.array(column, field.type) for column, field in zip(zip(*rows), schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def tuples(parts: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """The rows of batches."""
    for part in parts:
        yield from zip(*(column.to_pylist() for column in part.columns))


def sorted_by(table: Any, columns: Iterable[str]) -> list[Any]:
    """The batches of a table, sorted."""
    batches: list[Any] = table.sort_by([(name, "ascending") for name in columns]).to_batches(max_chunksize=_BATCH_ROWS)
    return batches
