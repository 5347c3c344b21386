"""The stages of the job, each a function over one partition.

They run in worker processes. Their docstrings say how much they hold in memory. Where a page goes depends on the page alone,
never on the order of pages, so a task that is repeated sends the same pages to the same places.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from .. import _husk
from .._husk import Page, Row
from ..crawls.sample import MIN_SAMPLE_PAGES, MIN_PAGES, SAMPLE_BYTES, SAMPLE_PAGES, Sample
from ..errors import OptionError
from ..site import Templates
from . import columns
from .sources import UrlReader, Reader


@dataclass(frozen=True)
class Settings:
    """The settings of ``husk bulk``."""

    same_site: str = "host"
    min_pages: int = MIN_PAGES
    fields: tuple[str, ...] = ("content",)
    content_format: str = "text"
    sample_pages: int = SAMPLE_PAGES
    sample_bytes: int = SAMPLE_BYTES
    max_template_bytes: int = 1 << 30
    """Limit on the templates sent to every worker. Above it, pages are sent to the templates instead."""

    @property
    def small_pages(self) -> int:
        """Sites with at most this many pages are processed in one place."""
        return max(self.sample_pages, self.min_pages - 1)

    def check(self) -> None:
        """Raises `OptionError` for invalid settings."""
        for name, minimum in _MINIMUM.items():
            value = getattr(self, name)
            if not isinstance(value, int) or value < minimum:
                raise OptionError(f"{name}: expected an integer of at least {minimum}, got {value!r}")
        _husk.SiteCounts(self.same_site, self.sample_pages)
        Templates("").row_builder(fields=self.fields, content_format=self.content_format)


_MINIMUM = {"min_pages": 0, "sample_pages": MIN_SAMPLE_PAGES, "sample_bytes": 0, "max_template_bytes": 0}
_MAX_COUNTED = 100_000
_PIECE_PAGES = 1000
_BATCH = 32
_BATCH_ROWS = 256
_BATCH_BYTES = 16 << 20
_OPEN_BUILDERS = 128
_MAX_WAITING_BYTES = 64 << 20


def count_pages(read: UrlReader, settings: Settings, parts: Iterable[Any]) -> Iterator[Any]:
    """Counts the pages of each site in a partition. Holds the sample keys of 100,000 pages."""

    def counted() -> Iterator[tuple[Any, ...]]:
        counts = _husk.SiteCounts(settings.same_site, settings.sample_pages)
        pending = 0
        for urls in read(parts):
            counts.add(urls)
            pending += len(urls)
            if pending >= _MAX_COUNTED:
                yield from _counts(counts)
                pending = 0
        yield from _counts(counts)

    return columns.batches(columns.COUNTS, counted())


def _counts(counts: _husk.SiteCounts) -> Iterator[tuple[Any, ...]]:
    return ((site, pages, keys) for site, pages, keys, _ in counts.take())


def merge_counts(settings: Settings, parts: Iterable[Any]) -> Iterator[Any]:
    """Merges counts, which come sorted by site. Yields the large sites, then the totals. Holds one site."""

    def added() -> Iterator[tuple[Any, ...]]:
        all_pages = all_sites = 0
        for site, rows in groupby(columns.tuples(parts), key=lambda row: row[0]):
            counts = _husk.SiteCounts(settings.same_site, settings.sample_pages)
            for _, pages, keys in rows:
                counts.merge(site, pages, keys)
            [(_, pages, _, cutoff)] = counts.take()
            all_pages += pages
            all_sites += 1
            if pages > settings.small_pages:
                yield site, pages, 1, cutoff
        yield None, all_pages, all_sites, None

    return columns.batches(columns.SITE_COUNTS, added())


@dataclass(frozen=True)
class LargeSite:
    """What all workers know of a large site: the highest sampled key, and its number of pages."""

    cutoff: int
    pages: int

    @property
    def pieces(self) -> int:
        """Number of pieces that its pages are divided into when they are sent to templates."""
        return self.pages // _PIECE_PAGES + 1


def pick_samples(read: Reader, settings: Settings, large: dict[str, LargeSite], parts: Iterable[Any]) -> Iterator[Any]:
    """Pages of large sites that may be in the sample: for each URL the one with the lowest key so far."""

    def picked() -> Iterator[tuple[Any, ...]]:
        lowest: dict[tuple[str, int], int] = {}
        for page in read(parts):
            site = page.site(settings.same_site)
            known = large.get(site)
            if known is None:
                continue
            key = page.sample_key
            url = (site, _husk.sample_key_url_hash(key))
            if key > known.cutoff or key >= lowest.get(url, key + 1):
                continue
            lowest[url] = key
            yield site, key, page.pack()

    return columns.batches(columns.PAGES, picked())


def learn_sites(settings: Settings, parts: Iterable[Any]) -> Iterator[Any]:
    """Learns large sites from pages sorted by site and key. Holds the packed pages of one site, and its sample unpacked:
    8 MiB, or three pages if these are larger."""

    def learned() -> Iterator[tuple[Any, ...]]:
        for site, rows in groupby(columns.tuples(parts), key=lambda row: row[0]):
            pages = ((key, packed) for _, key, packed in rows)
            yield site, _learn_from(site, pages, settings).to_bytes()

    return columns.batches(columns.LEARNED, learned())


def _learn_from(site: str, pages: Iterable[tuple[int, bytes]], settings: Settings) -> Templates:
    """Learns a site from a sample of pages given with their keys."""
    sample = Sample(settings.sample_pages, max_bytes=settings.sample_bytes)
    for key, packed in pages:
        sample.merge(key, packed)
    return sample.templates(site)


def strip_pages(
    read: Reader, settings: Settings, templates: dict[str, bytes], parts: Iterable[Any]
) -> Iterator[Any]:
    """Builds the rows of large sites from their templates.

    Holds all templates packed, those of 128 sites unpacked (about 1 MB each), and 64 MiB of pages.
    """
    builders = _RowBuilders(settings, templates)
    for page in read(parts):
        site = page.site(settings.same_site)
        if site in templates:
            yield from builders.add(site, page)
    yield from builders.rest()


class _RowBuilders:
    """Row builders of the most recent sites, and pages that wait for others of their site: unpacking templates takes longer
    than building a row, so it is done for many pages at once."""

    def __init__(self, settings: Settings, templates: dict[str, bytes]) -> None:
        self._settings, self._templates = settings, templates
        self._open: OrderedDict[str, _husk.RowBuilder] = OrderedDict()
        self._waiting: dict[str, list[Page]] = {}
        self._bytes = 0

    def add(self, site: str, page: Page) -> Iterator[Any]:
        pages = self._waiting.setdefault(site, [])
        pages.append(page)
        self._bytes += page.size
        if len(pages) == _BATCH:
            yield self._build_rows(site)
        elif self._bytes > _MAX_WAITING_BYTES:
            # First the sites whose builder is open, then those with the most pages.
            for other in sorted(self._waiting, key=lambda name: (name not in self._open, -len(self._waiting[name]))):
                yield self._build_rows(other)
                if self._bytes <= _MAX_WAITING_BYTES // 2:
                    return

    def rest(self) -> Iterator[Any]:
        for site in sorted(self._waiting, key=lambda name: name not in self._open):
            yield self._build_rows(site)

    def _build_rows(self, site: str) -> Any:
        pages = self._waiting.pop(site)
        self._bytes -= sum(page.size for page in pages)
        return columns.to_batch(self._builder(site).rows(pages))

    def _builder(self, site: str) -> _husk.RowBuilder:
        builder = self._open.pop(site, None)
        if builder is None:
            learned = Templates.from_bytes(self._templates[site])
            builder = learned.row_builder(fields=self._settings.fields, content_format=self._settings.content_format)
        self._open[site] = builder
        if len(self._open) > _OPEN_BUILDERS:
            self._open.popitem(last=False)
        return builder


def send_pages(read: Reader, settings: Settings, large: dict[str, LargeSite], parts: Iterable[Any]) -> Iterator[Any]:
    """The pages of large sites, packed, each with the piece that its key says."""

    def sent() -> Iterator[tuple[Any, ...]]:
        for page in read(parts):
            site = page.site(settings.same_site)
            known = large.get(site)
            if known is not None:
                yield site, page.sample_key % known.pieces, page.sample_key, page.pack()

    return columns.batches(columns.PIECES, sent())


def send_templates(large: dict[str, LargeSite], parts: Iterable[Any]) -> Iterator[Any]:
    """The templates of large sites, once per piece."""

    def handed_out() -> Iterator[tuple[Any, ...]]:
        for site, templates in columns.tuples(parts):
            for piece in range(large[site].pieces):
                yield site, piece, _FIRST_KEY, templates

    return columns.batches(columns.PIECES, handed_out())


_FIRST_KEY = -1


def strip_pieces(settings: Settings, parts: Iterable[Any]) -> Iterator[Any]:
    """Builds the rows of pieces, which come sorted by site, piece and key. Holds the templates of one site, and a few
    hundred rows."""

    def rows_of_pages() -> Iterator[Row]:
        for _, rows in groupby(columns.tuples(parts), key=lambda row: row[:2]):
            _, _, _, learned = next(rows)
            builder = Templates.from_bytes(learned).row_builder(fields=settings.fields, content_format=settings.content_format)
            for _, _, _, packed in rows:
                yield from builder.rows([Page.unpack(packed)])

    return _row_batches(rows_of_pages())


def gather_small_sites(read: Reader, settings: Settings, large: Container[str], parts: Iterable[Any]) -> Iterator[Any]:
    """The pages of small sites, packed."""

    def gathered() -> Iterator[tuple[Any, ...]]:
        for page in read(parts):
            site = page.site(settings.same_site)
            if site not in large:
                yield site, page.sample_key, page.pack()

    return columns.batches(columns.PAGES, gathered())


def process_small_sites(settings: Settings, parts: Iterable[Any]) -> Iterator[Any]:
    """Learns small sites and builds their rows. Pages come sorted by site and key. Holds the packed pages of one site, and a
    few hundred rows."""

    def rows_of_pages() -> Iterator[Row]:
        for site, rows in groupby(columns.tuples(parts), key=lambda row: row[0]):
            yield from _whole_site(site, [(key, packed) for _, key, packed in rows], settings)

    return _row_batches(rows_of_pages())


def _whole_site(site: str, pages: list[tuple[int, bytes]], settings: Settings) -> Iterator[Row]:
    enough_pages = len(pages) >= settings.min_pages
    templates = _learn_from(site, pages, settings) if enough_pages else Templates(site)
    builder = templates.row_builder(fields=settings.fields, content_format=settings.content_format, enough_pages=enough_pages)
    for _, packed in pages:
        yield from builder.rows([Page.unpack(packed)])


def _row_batches(rows: Iterable[Row]) -> Iterator[Any]:
    """Rows as Arrow batches of a few hundred, fewer if pages are large."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += row.bytes
        if len(batch) >= _BATCH_ROWS or size >= _BATCH_BYTES:
            yield columns.to_batch(batch)
            batch, size = [], 0
    if batch:
        yield columns.to_batch(batch)
