"""Sources of pages: WARC files, read by the workers, or the rows of a table."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from .. import _husk
from .._husk import Page
from ..errors import InputError, UrlError

_BATCH = 64
_MAX_BYTES = 16 << 20
_LOG = logging.getLogger("husk")

Reader = Callable[[Iterable[Any]], Iterator[Page]]
"""Makes pages from the batches of a partition."""

Opener = Callable[[str], AbstractContextManager[str]]
"""Makes a WARC file available as a local file while it is read."""

UrlReader = Callable[[Iterable[Any]], Iterator[list[str]]]
"""Makes URLs from the batches of a partition."""


@dataclass(frozen=True)
class Source:
    """A table, and how to read pages from its partitions. URLs have their own table, which may be cheaper to read."""

    table: Any
    pages: Reader
    urls_table: Any
    urls: UrlReader


def of_archives(spark: Any, paths: list[str], open_archive: Opener | None = None) -> Source:
    """Pages of WARC files, one partition per file. Workers open the files: ``open_archive`` replaces the default way, local
    paths and fsspec."""
    if not paths:
        raise InputError("no WARC files given")
    shared = spark.sparkContext.broadcast(paths)
    opener = open_archive or local_copy
    table = spark.range(0, len(paths), 1, len(paths))

    def pages(parts: Iterable[Any]) -> Iterator[Page]:
        for part in parts:
            for number in part.column(0).to_pylist():
                yield from archive_pages(shared.value[number], opener)

    def urls(parts: Iterable[Any]) -> Iterator[list[str]]:
        for page in pages(parts):
            yield [page.url]

    return Source(table, pages, table, urls)


def of_table(
    table: Any,
    url: str = "url",
    html: str = "html",
    date: str | None = None,
    charset: str | None = None,
    id: str | None = None,
) -> Source:
    """Pages of a table with columns for URL and HTML (text or bytes). Rows without either, and pages of more than 16 MiB, are
    skipped, as in ``husk bulk``. ``id`` names a column of ids, which the rows get, to join them with other columns."""
    names = {"url": url, "html": html, "date": date, "charset": charset, "id": id}
    given = {field: name for field, name in names.items() if name is not None}
    chosen = table.select([_column(table, name, field) for field, name in given.items()])
    fields = list(given)

    def pages(parts: Iterable[Any]) -> Iterator[Page]:
        for part in parts:
            for values in zip(*(column.to_pylist() for column in part.columns)):
                page = _page(dict(zip(fields, values)))
                if page is not None:
                    yield page

    def urls(parts: Iterable[Any]) -> Iterator[list[str]]:
        for part in parts:
            yield [url for url in part.column(0).to_pylist() if url is not None]

    has_html = chosen.filter(chosen["html"].isNotNull())
    return Source(has_html, pages, has_html.select("url"), urls)


_COLUMN_TYPES = {
    "url": ("string",),
    "html": ("string", "binary"),
    "date": ("string", "date", "timestamp", "timestamp_ntz"),
    "charset": ("string",),
    "id": ("string", "byte", "short", "integer", "long"),
}


def _column(table: Any, name: str, field: str) -> Any:
    """A column for the workers. Raises `InputError` if it is missing or has the wrong type."""
    from pyspark.sql import functions as F

    if name not in table.columns:
        raise InputError(f"the table has no column {name!r}, only {', '.join(table.columns)}")
    column_type = table.schema[name].dataType.typeName()
    if column_type not in _COLUMN_TYPES[field]:
        raise InputError(f"column {name!r} has the type {column_type}, expected {' or '.join(_COLUMN_TYPES[field])}")
    column = table[f"`{name}`"]
    if column_type == "timestamp":
        # Independent of the time zone of the session.
        column = F.unix_micros(column)
    elif column_type in ("date", "timestamp_ntz") or field == "id":
        column = column.cast("string")
    return column.alias(field)


def _page(values: dict[str, Any]) -> Page | None:
    url, html = values["url"], values["html"]
    if url is None or html is None or len(html) > _MAX_BYTES:
        return None
    # Some tables give bytearrays.
    content = html if isinstance(html, str) else bytes(html)
    try:
        return Page(url, content, date=_date(values.get("date")), charset=values.get("charset"), id=values.get("id"))
    except UrlError:
        return None


def _date(value: str | int | None) -> str | None:
    """An RFC 3339 date, from microseconds or text."""
    if isinstance(value, int):
        seconds, micros = divmod(value, 1_000_000)
        moment = datetime.fromtimestamp(seconds, timezone.utc)
        return f"{moment:%Y-%m-%dT%H:%M:%S}.{micros:06}Z"
    if value is None or "T" in value:
        return value
    day, _, time = value.partition(" ")
    return f"{day}T{time or '00:00:00'}Z"


def archive_pages(path: str, opener: Opener | None = None) -> Iterator[Page]:
    """The pages of a WARC file."""
    with (opener or local_copy)(path) as file:
        saved = _husk.SavedPages(file, archive_name=path)
        while batch := saved.batch(_BATCH):
            yield from batch
        for note in saved.notes():
            _LOG.warning(note)


@contextmanager
def local_copy(path: str) -> Iterator[str]:
    """A WARC file as a local file. Remote files are copied first."""
    scheme = urlsplit(path).scheme
    if scheme in ("", "file"):
        yield url2pathname(urlsplit(path).path) if scheme else path
        return
    with tempfile.NamedTemporaryFile(suffix="-" + os.path.basename(urlsplit(path).path)) as copy:
        _fetch(path, copy)
        yield copy.name


def _fetch(path: str, copy: Any) -> None:
    try:
        import fsspec
    except ImportError as cause:
        raise InputError(f"{path} is not a local file: pip install fsspec to read remote files") from cause
    try:
        with fsspec.open(path, "rb") as remote:
            shutil.copyfileobj(remote, copy, 1 << 20)
    except Exception as cause:
        raise InputError(f"cannot read {path}: {cause}") from cause
    copy.flush()
