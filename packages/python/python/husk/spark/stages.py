"""What is done with the pages of a crawl, partition by partition.

Every function here runs in the processes of workers, on what comes of one partition, and holds no more of it than it says.
Which page goes where depends on the page alone, never on the order in which pages come: a task that is done again, be it with
its pages in another order, sends the same pages to the same places.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from .. import _husk
from .._husk import Page, Row
from ..crawls.sample import FEWEST, MIN_PAGES, SAMPLE_BYTES, SAMPLE_PAGES, Sample
from ..errors import OptionError
from ..site import Templates
from . import columns
from .sources import AddressReader, Reader


@dataclass(frozen=True)
class Settings:
    """What is wanted: the settings of ``husk bulk``."""

    same_site: str = "host"
    min_pages: int = MIN_PAGES
    what: tuple[str, ...] = ("content",)
    content_format: str = "text"
    sample_pages: int = SAMPLE_PAGES
    sample_bytes: int = SAMPLE_BYTES
    most_template_bytes: int = 1 << 30
    """So much of what was learned is sent to every worker; if it is more, pages are sent to where it is instead."""

    @property
    def small_pages(self) -> int:
        """Sites with no more pages are gathered as a whole."""
        return max(self.sample_pages, self.min_pages - 1)

    def check(self) -> None:
        """Raises `OptionError` if something is not known, or cannot be."""
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if not isinstance(value, int) or value < least:
                raise OptionError(f"{name}: {value!r} is no number from {least} on")
        _husk.Census(self.same_site, self.sample_pages)
        Templates("").teller(what=self.what, content_format=self.content_format)


_LEAST = {"min_pages": 0, "sample_pages": FEWEST, "sample_bytes": 0, "most_template_bytes": 0}
_MOST_COUNTED = 100_000
_PIECE_PAGES = 1000
_BATCH = 32
_HELD_ROWS = 256
_HELD_BYTES = 16 << 20
_OPEN_TELLERS = 128
_WAITING_BYTES = 64 << 20


def count(read: AddressReader, settings: Settings, parts: Iterable[Any]) -> Iterator[Any]:
    """How many pages of each site are in a partition. Holds the lots of 100,000 pages at most."""

    def counted() -> Iterator[tuple[Any, ...]]:
        census = _husk.Census(settings.same_site, settings.sample_pages)
        held = 0
        for urls in read(parts):
            census.add(urls)
            held += len(urls)
            if held >= _MOST_COUNTED:
                yield from _counts(census)
                held = 0
        yield from _counts(census)

    return columns.batches(columns.COUNTS, counted())


def _counts(census: _husk.Census) -> Iterator[tuple[Any, ...]]:
    return ((site, pages, lots) for site, pages, lots, _ in census.take())


def add_up(settings: Settings, parts: Iterable[Any]) -> Iterator[Any]:
    """The large sites among those of a partition, which is sorted by site, and how many there are in all. Holds one site."""

    def added() -> Iterator[tuple[Any, ...]]:
        all_pages = all_sites = 0
        for site, counts in groupby(columns.tuples(parts), key=lambda row: row[0]):
            census = _husk.Census(settings.same_site, settings.sample_pages)
            for _, pages, lots in counts:
                census.merge(site, pages, lots)
            [(_, pages, _, cutoff)] = census.take()
            all_pages += pages
            all_sites += 1
            if pages > settings.small_pages:
                yield site, pages, 1, cutoff
        yield None, all_pages, all_sites, None

    return columns.batches(columns.CENSUS, added())


@dataclass(frozen=True)
class LargeSite:
    """What all workers know of a large site: the last lot that is drawn, and how many pages it has."""

    cutoff: int
    pages: int

    @property
    def pieces(self) -> int:
        """Into so many pieces its pages are divided where they are sent to what was learned."""
        return self.pages // _PIECE_PAGES + 1


def pick(read: Reader, settings: Settings, large: dict[str, LargeSite], parts: Iterable[Any]) -> Iterator[Any]:
    """Pages of large sites that may be learned from: of each address the one with the smallest lot so far."""

    def picked() -> Iterator[tuple[Any, ...]]:
        smallest: dict[tuple[str, int], int] = {}
        for page in read(parts):
            site = page.site(settings.same_site)
            known = large.get(site)
            if known is None:
                continue
            lot = page.lot
            address = (site, _husk.lot_address(lot))
            if lot > known.cutoff or lot >= smallest.get(address, lot + 1):
                continue
            smallest[address] = lot
            yield site, lot, page.pack()

    return columns.batches(columns.PAGES, picked())


def learn(settings: Settings, parts: Iterable[Any]) -> Iterator[Any]:
    """The templates of large sites, from pages sorted by site and lot. Holds the packed pages of one site, and what is
    learned from of them unpacked: 8 MiB, or three pages if these have more."""

    def learned() -> Iterator[tuple[Any, ...]]:
        for site, rows in groupby(columns.tuples(parts), key=lambda row: row[0]):
            drawn = ((lot, packed) for _, lot, packed in rows)
            yield site, _learned_from(site, drawn, settings).to_bytes()

    return columns.batches(columns.LEARNED, learned())


def _learned_from(site: str, pages: Iterable[tuple[int, bytes]], settings: Settings) -> Templates:
    """Learns a site from those of its pages that are drawn, given with their lots."""
    sample = Sample(settings.sample_pages, most_bytes=settings.sample_bytes)
    for lot, packed in pages:
        sample.merge(lot, packed)
    return sample.templates(site)


def strip(
    read: Reader, settings: Settings, templates: dict[str, bytes], parts: Iterable[Any]
) -> Iterator[Any]:
    """Rows of the pages of large sites, whose templates are known.

    Holds the templates as they are stored, those of 128 sites unpacked (about 1 MB each), and 64 MiB of pages.
    """
    tellers = _Tellers(settings, templates)
    for page in read(parts):
        site = page.site(settings.same_site)
        if site in templates:
            yield from tellers.add(site, page)
    yield from tellers.rest()


class _Tellers:
    """Those that tell of the sites met last, and pages that wait for others of their site: templates take longer to unpack
    than a page takes to be told of, so that it is done for many at once."""

    def __init__(self, settings: Settings, templates: dict[str, bytes]) -> None:
        self._settings, self._templates = settings, templates
        self._open: OrderedDict[str, _husk.Teller] = OrderedDict()
        self._waiting: dict[str, list[Page]] = {}
        self._bytes = 0

    def add(self, site: str, page: Page) -> Iterator[Any]:
        pages = self._waiting.setdefault(site, [])
        pages.append(page)
        self._bytes += page.size
        if len(pages) == _BATCH:
            yield self._tell(site)
        elif self._bytes > _WAITING_BYTES:
            # Those first that cost nothing more, then those that share the cost among the most pages.
            for other in sorted(self._waiting, key=lambda name: (name not in self._open, -len(self._waiting[name]))):
                yield self._tell(other)
                if self._bytes <= _WAITING_BYTES // 2:
                    return

    def rest(self) -> Iterator[Any]:
        for site in sorted(self._waiting, key=lambda name: name not in self._open):
            yield self._tell(site)

    def _tell(self, site: str) -> Any:
        pages = self._waiting.pop(site)
        self._bytes -= sum(page.size for page in pages)
        return columns.to_batch(self._teller(site).rows(pages))

    def _teller(self, site: str) -> _husk.Teller:
        teller = self._open.pop(site, None)
        if teller is None:
            learned = Templates.from_bytes(self._templates[site])
            teller = learned.teller(what=self._settings.what, content_format=self._settings.content_format)
        self._open[site] = teller
        if len(self._open) > _OPEN_TELLERS:
            self._open.popitem(last=False)
        return teller


def send(read: Reader, settings: Settings, large: dict[str, LargeSite], parts: Iterable[Any]) -> Iterator[Any]:
    """The pages of large sites, packed, each for the piece of its site that its lot says."""

    def sent() -> Iterator[tuple[Any, ...]]:
        for page in read(parts):
            site = page.site(settings.same_site)
            known = large.get(site)
            if known is not None:
                yield site, page.lot % known.pieces, page.lot, page.pack()

    return columns.batches(columns.PIECES, sent())


def hand_out(large: dict[str, LargeSite], parts: Iterable[Any]) -> Iterator[Any]:
    """What was learned of large sites, for each piece of them."""

    def handed_out() -> Iterator[tuple[Any, ...]]:
        for site, templates in columns.tuples(parts):
            for piece in range(large[site].pieces):
                yield site, piece, _BEFORE_ALL, templates

    return columns.batches(columns.PIECES, handed_out())


_BEFORE_ALL = -1


def tell(settings: Settings, parts: Iterable[Any]) -> Iterator[Any]:
    """Rows of pieces of large sites, which come sorted by site, piece and lot. Holds what was learned of one site, and some
    hundred rows."""

    def told() -> Iterator[Row]:
        for _, rows in groupby(columns.tuples(parts), key=lambda row: row[:2]):
            _, _, _, learned = next(rows)
            teller = Templates.from_bytes(learned).teller(what=settings.what, content_format=settings.content_format)
            for _, _, _, packed in rows:
                yield from teller.rows([Page.unpack(packed)])

    return _row_batches(told())


def gather(read: Reader, settings: Settings, large: Container[str], parts: Iterable[Any]) -> Iterator[Any]:
    """The pages of small sites, packed."""

    def gathered() -> Iterator[tuple[Any, ...]]:
        for page in read(parts):
            site = page.site(settings.same_site)
            if site not in large:
                yield site, page.lot, page.pack()

    return columns.batches(columns.PAGES, gathered())


def finish(settings: Settings, parts: Iterable[Any]) -> Iterator[Any]:
    """Rows of the pages of small sites, which are learned from all of their pages. These come sorted by site and lot. Holds
    the packed pages of one site, and some hundred rows."""

    def told() -> Iterator[Row]:
        for site, rows in groupby(columns.tuples(parts), key=lambda row: row[0]):
            yield from _whole_site(site, [(lot, packed) for _, lot, packed in rows], settings)

    return _row_batches(told())


def _whole_site(site: str, pages: list[tuple[int, bytes]], settings: Settings) -> Iterator[Row]:
    has_enough = len(pages) >= settings.min_pages
    templates = _learned_from(site, pages, settings) if has_enough else Templates(site)
    teller = templates.teller(what=settings.what, content_format=settings.content_format, enough_pages=has_enough)
    for _, packed in pages:
        yield from teller.rows([Page.unpack(packed)])


def _row_batches(rows: Iterable[Row]) -> Iterator[Any]:
    """Rows as Spark takes them, some hundred at once, or fewer where pages are large."""
    held: list[Row] = []
    size = 0
    for row in rows:
        held.append(row)
        size += row.bytes
        if len(held) >= _HELD_ROWS or size >= _HELD_BYTES:
            yield columns.to_batch(held)
            held, size = [], 0
    if held:
        yield columns.to_batch(held)
