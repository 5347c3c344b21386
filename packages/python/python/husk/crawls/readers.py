"""Reads pages from Arrow batches: the numbers of WARC files, or URL and HTML."""

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

import pyarrow as pa

from .. import _husk
from .._husk import Page
from ..errors import InputError, NotAPageError, UrlError

_BATCH = 64
_MAX_BYTES = 16 << 20
# What a page is, is decided by its first kilobyte.
_HEAD = 1024
_LOG = logging.getLogger("husk")

Reader = Callable[[Iterable[Any]], Iterator["Page | int"]]
"""Reads the batches of a partition: pages, and numbers of records that are not pages."""

Opener = Callable[[str], AbstractContextManager[str]]
"""Makes a WARC file available as a local file while it is read."""


@dataclass(frozen=True)
class ArchiveReader:
    """Pages of WARC files; the batches have their numbers."""

    paths: list[str]
    opener: Opener

    @staticmethod
    def of(paths: list[str], opener: Opener | None) -> ArchiveReader:
        """A reader of these paths, local or for fsspec unless ``opener`` opens them otherwise."""
        if not paths:
            raise InputError("no WARC files given")
        return ArchiveReader(paths, opener or local_copy)

    def __call__(self, parts: Iterable[Any]) -> Iterator[Page | int]:
        for part in parts:
            for number in part.column(0).to_pylist():
                yield from archive_pages(self.paths[number], self.opener)


def archive_pages(path: str, opener: Opener | None = None) -> Iterator[Page | int]:
    """The pages of a WARC file, and the number of other records."""
    with (opener or local_copy)(path) as file:
        saved = _husk.SavedPages(file, archive_name=path)
        while batch := saved.batch(_BATCH):
            yield from batch
        yield saved.skipped
        for note in saved.notes():
            _LOG.warning(note)


@dataclass(frozen=True)
class TableReader:
    """Pages of a table, whose columns have these names.

    Rows without URL or HTML, rows that are not HTML, and pages of more than 16 MiB are skipped, as in ``husk bulk``.
    """

    columns: dict[str, str]

    @staticmethod
    def of(schema: Any, **columns: str | None) -> TableReader:
        """A reader of a table with this schema, given the names of the columns ``url``, ``html`` and so on. Raises
        `InputError` if one is missing or has the wrong type."""
        given = {field: name for field, name in columns.items() if name is not None}
        for field, name in given.items():
            index = schema.get_field_index(name)
            if index < 0:
                raise InputError(f"the table has no column {name!r}, only {', '.join(schema.names)}")
            if not any(is_one(schema.field(index).type) for is_one in _TYPES[field]):
                raise InputError(f"column {name!r} has the type {schema.field(index).type}, expected {_EXPECTED[field]}")
        return TableReader(given)

    def __call__(self, parts: Iterable[Any]) -> Iterator[Page | int]:
        for part in parts:
            columns = [_values(part.column(name), field) for field, name in self.columns.items()]
            for values in zip(*columns):
                yield _page(dict(zip(self.columns, values)))


_TEXT = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null)
_TYPES: dict[str, tuple[Callable[[Any], bool], ...]] = {
    "url": _TEXT,
    "html": (*_TEXT, pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view),
    "date": (*_TEXT, pa.types.is_date, pa.types.is_timestamp),
    "charset": _TEXT,
    "id": (*_TEXT, pa.types.is_integer),
}
_EXPECTED = {
    "url": "string",
    "html": "string or binary",
    "date": "string, date or timestamp",
    "charset": "string",
    "id": "string or integer",
}


def _values(column: Any, field: str) -> list[Any]:
    if field == "date" and not any(is_text(column.type) for is_text in _TEXT):
        # Independent of the time zone of the session.
        column = column.cast(pa.timestamp("us")).cast(pa.int64())
    elif field == "id":
        column = column.cast(pa.string())
    values: list[Any] = column.to_pylist()
    return values


def _page(values: dict[str, Any]) -> Page | int:
    """The page, or 1 if it is none."""
    url, html = values["url"], values["html"]
    if url is None or html is None or len(html) > _MAX_BYTES:
        return 1
    head = html[:_HEAD]
    try:
        Page.from_response(url, head.encode("utf-8", "replace") if isinstance(head, str) else head)
        return Page(url, html, date=_date(values.get("date")), charset=values.get("charset"), id=values.get("id"))
    except (NotAPageError, UrlError):
        return 1


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
