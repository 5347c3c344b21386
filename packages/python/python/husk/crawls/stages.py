"""The stages of a crawl on a cluster, each a function over one partition: Arrow batches in, Arrow batches out.

They run in worker processes of any engine. Their docstrings say how much they hold in memory. Where a page goes depends on the page alone,
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
from ..errors import OptionError
from ..site import Templates
from . import batches
from .chosen import ChosenTemplates, StoreRun, TemplateChooser, UpdateFile
from .readers import Reader
from .sample import MIN_PAGES, MIN_SAMPLE_PAGES, SAMPLE_BYTES, SAMPLE_PAGES, Sample
from .sample_files import bucket_of


@dataclass(frozen=True)
class Settings:
    """The settings of ``husk bulk``."""

    same_site: str = "host"
    min_pages: int = MIN_PAGES
    fields: tuple[str, ...] = ("content",)
    content_format: str = "text"
    sample_pages: int = SAMPLE_PAGES
    sample_bytes: int = SAMPLE_BYTES
    max_template_bytes: int | None = None
    """Limit on the templates sent to every worker. Above it, pages are sent to the templates instead. None is the limit of
    the engine."""
    part: tuple[int, int] = (1, 1)
    """``(2, 4)`` is the second of four parts that the sites are divided into, of about equal size."""
    templates: str | None = None
    """A template store that all workers reach by this path, as of ``husk bulk --templates``."""
    task_bytes: int = 256 << 20
    """Packed pages that a task receives in a shuffle; more tasks are made for more."""

    @property
    def small_pages(self) -> int:
        """Sites with at most this many pages are processed in one place."""
        return max(self.sample_pages, self.min_pages - 1)

    def check(self) -> None:
        """Raises `OptionError` for invalid settings."""
        for name, minimum in _MINIMUM.items():
            value = getattr(self, name)
            if name == "max_template_bytes" and value is None:
                continue
            if not isinstance(value, int) or value < minimum:
                raise OptionError(f"{name}: expected an integer of at least {minimum}, got {value!r}")
        number, count = self.part
        if not 1 <= number <= count:
            raise OptionError(f"part: {number} is not one of {count}")
        _husk.SiteCounts(self.same_site, self.sample_pages)
        Templates("").row_builder(fields=self.fields, content_format=self.content_format)


_MINIMUM = {"min_pages": 0, "sample_pages": MIN_SAMPLE_PAGES, "sample_bytes": 0, "max_template_bytes": 0, "task_bytes": 1}
_MAX_COUNTED = 100_000
_PIECE_PAGES = 1000
_BATCH = 32
_BATCH_ROWS = 256
_BATCH_BYTES = 16 << 20
_OPEN_BUILDERS = 128
_MAX_WAITING_BYTES = 64 << 20


def count_pages(read: Reader, settings: Settings, parts: Iterable[Any]) -> Iterator[Any]:
    """Counts the pages of each site in a partition. Holds the sample keys of 100,000 pages."""

    skipped = 0

    def read_counted(parts: Iterable[Any]) -> Iterator[Page | int]:
        nonlocal skipped
        for page in read(parts):
            skipped += page if isinstance(page, int) else 0
            yield page

    def counted() -> Iterator[tuple[Any, ...]]:
        counts = _husk.SiteCounts(settings.same_site, settings.sample_pages)
        for number, (_, page) in enumerate(_pages(read_counted, settings, parts), start=1):
            counts.add([page])
            if number % _MAX_COUNTED == 0:
                yield from _counts(counts)
        yield from _counts(counts)
        if skipped:
            yield "", 0, 0, skipped, b""

    return batches.from_tuples(batches.COUNTS, counted())


def _counts(counts: _husk.SiteCounts) -> Iterator[tuple[Any, ...]]:
    return ((site, pages, size, 0, keys) for site, pages, size, keys, _ in counts.take())


def merge_counts(settings: Settings, parts: Iterable[Any]) -> Iterator[Any]:
    """Merges counts, which come sorted by site. Holds one site."""

    def merged() -> Iterator[tuple[Any, ...]]:
        for site, rows in groupby(batches.tuples(parts), key=lambda row: row[0]):
            counts = _husk.SiteCounts(settings.same_site, settings.sample_pages)
            all_skipped = 0
            for _, pages, size, skipped, keys in rows:
                counts.merge(site, pages, size, keys)
                all_skipped += skipped
            [(_, pages, size, _, cutoff)] = counts.take()
            is_large = pages > settings.small_pages
            yield site if is_large else None, pages, size, all_skipped, int(pages > 0), cutoff if is_large else None

    return batches.from_tuples(batches.SITE_COUNTS, merged())


def add_small_sites(parts: Iterable[Any]) -> Iterator[Any]:
    """Counts without the small sites, then the totals of these."""

    def added() -> Iterator[tuple[Any, ...]]:
        totals = [0, 0, 0, 0]
        for site, *counts, cutoff in batches.tuples(parts):
            if site is not None:
                yield site, *counts, cutoff
            else:
                totals = [total + count for total, count in zip(totals, counts, strict=True)]
        yield None, *totals, None

    return batches.from_tuples(batches.SITE_COUNTS, added())


@dataclass(frozen=True)
class LargeSite:
    """What all workers know of a large site: the highest sampled key, and its number of pages."""

    cutoff: int
    pages: int

    @property
    def pieces(self) -> int:
        """Number of pieces that its pages are divided into when they are sent to templates."""
        return self.pages // _PIECE_PAGES + 1


def _pages(read: Reader, settings: Settings, parts: Iterable[Any]) -> Iterator[tuple[str, Page]]:
    """The pages of the chosen part of all sites, each with its site."""
    number, count = settings.part
    for page in read(parts):
        if not isinstance(page, int):
            site = page.site(settings.same_site)
            if count == 1 or bucket_of(site, count) == number - 1:
                yield site, page


def pick_samples(read: Reader, settings: Settings, large: dict[str, LargeSite], parts: Iterable[Any]) -> Iterator[Any]:
    """Pages of large sites that may be in the sample: for each URL the one with the lowest key so far."""

    def picked() -> Iterator[tuple[Any, ...]]:
        lowest: dict[tuple[str, int], int] = {}
        for site, page in _pages(read, settings, parts):
            known = large.get(site)
            if known is None:
                continue
            key = page.sample_key
            url = (site, _husk.sample_key_url_hash(key))
            if key > known.cutoff or key >= lowest.get(url, key + 1):
                continue
            lowest[url] = key
            yield site, key, page.pack()

    return batches.from_tuples(batches.PAGES, picked())


def learn_sites(settings: Settings, run: StoreRun | None, parts: Iterable[Any]) -> Iterator[Any]:
    """Learns large sites from pages sorted by site and key. Holds the packed pages of one site, and its sample unpacked:
    8 MiB, or three pages if these are larger."""

    def learned() -> Iterator[tuple[Any, ...]]:
        chooser = TemplateChooser(run, settings.min_pages)
        for site, rows in groupby(batches.tuples(parts), key=lambda row: row[0]):
            sample = _sample(((key, packed) for _, key, packed in rows), settings)
            chosen = chooser.choose(site, settings.small_pages + 1, sample)
            yield site, chosen.pack(), chosen.update

    return batches.from_tuples(batches.LEARNED, learned())


def _sample(pages: Iterable[tuple[int, bytes]], settings: Settings) -> list[Page]:
    """The pages to learn a site from, of pages given with their keys."""
    sample = Sample(settings.sample_pages, max_bytes=settings.sample_bytes)
    for key, packed in pages:
        sample.merge(key, packed)
    return sample.pages()


def templates_only(parts: Iterable[Any]) -> Iterator[Any]:
    """The templates of large sites, without updates of the store."""
    return batches.from_tuples(batches.TEMPLATES, ((site, templates) for site, templates, _ in batches.tuples(parts)))


def write_updates(run: StoreRun, parts: Iterable[Any]) -> Iterator[Any]:
    """Writes the updates of large sites to the folder of the run."""
    file = UpdateFile(run)
    for site, _, update in batches.tuples(parts):
        file.add(site, update)
    file.finish()
    return batches.from_tuples(batches.SIZES, [])


def template_sizes(parts: Iterable[Any]) -> Iterator[Any]:
    """The size of the templates in a partition."""
    return batches.from_tuples(batches.SIZES, [(sum(len(templates) for _, templates, _ in batches.tuples(parts)),)])


def strip_pages(
    read: Reader, settings: Settings, templates: dict[str, bytes], parts: Iterable[Any]
) -> Iterator[Any]:
    """Builds the rows of large sites from their templates.

    Holds all templates packed, those of 128 sites unpacked (about 1 MB each), and 64 MiB of pages.
    """
    builders = _RowBuilders(settings, templates)
    for site, page in _pages(read, settings, parts):
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
        return batches.from_rows(self._builder(site).rows(pages))

    def _builder(self, site: str) -> _husk.RowBuilder:
        builder = self._open.pop(site, None)
        if builder is None:
            chosen = ChosenTemplates.unpack(self._templates[site])
            builder = chosen.row_builder(self._settings.fields, self._settings.content_format)
        self._open[site] = builder
        if len(self._open) > _OPEN_BUILDERS:
            self._open.popitem(last=False)
        return builder


def send_pages(read: Reader, settings: Settings, large: dict[str, LargeSite], parts: Iterable[Any]) -> Iterator[Any]:
    """All pages, packed: those of a large site each with the piece that its key says."""

    def sent() -> Iterator[tuple[Any, ...]]:
        for site, page in _pages(read, settings, parts):
            known = large.get(site)
            yield site, page.sample_key % known.pieces if known is not None else 0, page.sample_key, page.pack()

    return batches.from_tuples(batches.PIECES, sent())


def send_small_sites(read: Reader, settings: Settings, large: Container[str], parts: Iterable[Any]) -> Iterator[Any]:
    """The pages of small sites, packed."""

    def sent() -> Iterator[tuple[Any, ...]]:
        for site, page in _pages(read, settings, parts):
            if site not in large:
                yield site, 0, page.sample_key, page.pack()

    return batches.from_tuples(batches.PIECES, sent())


def send_templates(large: dict[str, LargeSite], parts: Iterable[Any]) -> Iterator[Any]:
    """The templates of large sites, once per piece."""

    def handed_out() -> Iterator[tuple[Any, ...]]:
        for site, templates, _ in batches.tuples(parts):
            for piece in range(large[site].pieces):
                yield site, piece, _FIRST_KEY, templates

    return batches.from_tuples(batches.PIECES, handed_out())


_FIRST_KEY = -1


def build_rows(settings: Settings, run: StoreRun | None, parts: Iterable[Any]) -> Iterator[Any]:
    """Builds the rows of pieces, which come sorted by site, piece and key: with the templates that come first, or, for a
    whole small site, with those learned from its pages. Holds the templates of one site, the packed pages of one small site,
    and a few hundred rows."""

    def rows_of_pages() -> Iterator[Row]:
        chooser, updates = TemplateChooser(run, settings.min_pages), UpdateFile(run)
        for (site, _), rows in groupby(batches.tuples(parts), key=lambda row: row[:2]):
            pages: Iterable[tuple[int, bytes]] = (row[2:] for row in rows)
            first = next(iter(pages))
            if first[0] == _FIRST_KEY:
                chosen = ChosenTemplates.unpack(first[1])
            else:
                pages = [first, *pages]
                chosen = chooser.choose(site, len(pages), _sample(pages, settings))
                updates.add(site, chosen.update)
            builder = chosen.row_builder(settings.fields, settings.content_format)
            for _, packed in pages:
                yield from builder.rows([Page.unpack(packed)])
        updates.finish()

    return _row_batches(rows_of_pages())


def _row_batches(rows: Iterable[Row]) -> Iterator[Any]:
    """Rows as Arrow batches of a few hundred, fewer if pages are large."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += row.bytes
        if len(batch) >= _BATCH_ROWS or size >= _BATCH_BYTES:
            yield batches.from_rows(batch)
            batch, size = [], 0
    if batch:
        yield batches.from_rows(batch)
