"""Where pages come from: WARC files, each read where the work on it is done, or the rows of a table."""

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
from ..errors import AddressError, InputError

_BATCH = 64
_MOST_BYTES = 16 << 20
_LOG = logging.getLogger("husk")

Reader = Callable[[Iterable[Any]], Iterator[Page]]
"""From the batches of a partition to its pages."""

Opener = Callable[[str], AbstractContextManager[str]]
"""From the name of a WARC file to a file of this machine, for as long as it is read."""

AddressReader = Callable[[Iterable[Any]], Iterator[list[str]]]
"""The same to their addresses only."""


@dataclass(frozen=True)
class Source:
    """A table, how its partitions become pages, and how they become addresses only, which may take less reading."""

    table: Any
    pages: Reader
    addresses_table: Any
    addresses: AddressReader


def of_archives(spark: Any, paths: list[str], open_archive: Opener | None = None) -> Source:
    """Pages of WARC files, a partition for each file. They are opened by the workers, so all of them must reach them:
    ``open_archive`` says how, if not as files of their machines or by fsspec."""
    if not paths:
        raise InputError("no WARC files: name some")
    shared = spark.sparkContext.broadcast(paths)
    opener = open_archive or local_copy
    table = spark.range(0, len(paths), 1, len(paths))

    def pages(parts: Iterable[Any]) -> Iterator[Page]:
        for part in parts:
            for number in part.column(0).to_pylist():
                yield from archive_pages(shared.value[number], opener)

    def addresses(parts: Iterable[Any]) -> Iterator[list[str]]:
        for page in pages(parts):
            yield [page.url]

    return Source(table, pages, table, addresses)


def of_table(table: Any, url: str = "url", html: str = "html", date: str | None = None, charset: str | None = None) -> Source:
    """Pages of a table that has their addresses and HTML, as text or bytes. Rows without either are left out, and pages of
    more than 16 MiB, as by ``husk bulk``."""
    names = {"url": url, "html": html, "date": date, "charset": charset}
    given = {field: name for field, name in names.items() if name is not None}
    chosen = table.select([_column(table, name, field) for field, name in given.items()])
    fields = list(given)

    def pages(parts: Iterable[Any]) -> Iterator[Page]:
        for part in parts:
            for values in zip(*(column.to_pylist() for column in part.columns)):
                page = _page(dict(zip(fields, values)))
                if page is not None:
                    yield page

    def addresses(parts: Iterable[Any]) -> Iterator[list[str]]:
        for part in parts:
            yield [address for address in part.column(0).to_pylist() if address is not None]

    has_html = chosen.filter(chosen["html"].isNotNull())
    return Source(has_html, pages, has_html.select("url"), addresses)


_KINDS = {
    "url": ("string",),
    "html": ("string", "binary"),
    "date": ("string", "date", "timestamp", "timestamp_ntz"),
    "charset": ("string",),
}


def _column(table: Any, name: str, field: str) -> Any:
    """A column as workers get it; what it cannot be is said before anything runs."""
    from pyspark.sql import functions as F

    if name not in table.columns:
        raise InputError(f"the table has no column {name!r}: it has {', '.join(table.columns)}")
    kind = table.schema[name].dataType.typeName()
    if kind not in _KINDS[field]:
        raise InputError(f"the column {name!r} is of the type {kind}: {field} must be {' or '.join(_KINDS[field])}")
    column = table[f"`{name}`"]
    if kind == "timestamp":
        # A moment, which must not go through the time zone of the session.
        column = F.unix_micros(column)
    elif kind in ("date", "timestamp_ntz"):
        column = column.cast("string")
    return column.alias(field)


def _page(values: dict[str, Any]) -> Page | None:
    url, html = values["url"], values["html"]
    if url is None or html is None or len(html) > _MOST_BYTES:
        return None
    # What is not text comes as a bytearray from some tables.
    content = html if isinstance(html, str) else bytes(html)
    try:
        return Page(url, content, date=_date(values.get("date")), charset=values.get("charset"))
    except AddressError:
        return None


def _date(value: str | int | None) -> str | None:
    """A date as archives have it: of a moment in microseconds, or of what a table has written."""
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
        saved = _husk.SavedPages(file)
        while batch := saved.batch(_BATCH):
            yield from batch
        for note in saved.notes():
            _LOG.warning(note)


@contextmanager
def local_copy(path: str) -> Iterator[str]:
    """A WARC file as one of this machine; what is elsewhere is copied first, since it is read from front to back anyway."""
    scheme = urlsplit(path).scheme
    if scheme in ("", "file"):
        yield url2pathname(urlsplit(path).path) if scheme else path
        return
    # The ending tells what it is.
    with tempfile.NamedTemporaryFile(suffix="-" + os.path.basename(urlsplit(path).path)) as copy:
        _fetch(path, copy)
        yield copy.name


def _fetch(path: str, copy: Any) -> None:
    try:
        import fsspec
    except ImportError as cause:
        raise InputError(f"{path} is not on this machine: fsspec brings such files, pip install fsspec") from cause
    try:
        with fsspec.open(path, "rb") as remote:
            shutil.copyfileobj(remote, copy, 1 << 20)
    except Exception as cause:
        raise InputError(f"cannot read {path}: {cause}") from cause
    copy.flush()
