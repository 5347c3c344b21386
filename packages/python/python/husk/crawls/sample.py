"""Which pages a site is learned from: those whose lots are drawn first.

A lot comes from the page alone. So samples of parts of a crawl, put together in any order, are the sample of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator

from .._husk import Page, lot_address
from ..site import Templates

SAMPLE_PAGES = 64
"""A site is learned from so many pages, as by ``husk bulk``."""

MIN_PAGES = 3
"""A site with fewer pages is not learned from, as by ``husk bulk``."""

SAMPLE_BYTES = 8 << 20
"""And from so many bytes, unless single pages have more."""

FEWEST = 3
"""So many pages are looked at however large they are: from fewer nothing can be learned."""

# More than any lot.
_NO_CUTOFF = 1 << 63


class Sample:
    """The pages of one site that are drawn so far, packed, and how many were seen: of each address one capture."""

    def __init__(
        self, most_pages: int = SAMPLE_PAGES, cutoff: int = _NO_CUTOFF, most_bytes: int = SAMPLE_BYTES
    ) -> None:
        self._most_pages, self._most_bytes = max(most_pages, FEWEST), most_bytes
        self._drawn: dict[int, tuple[int, bytes]] = {}
        self.cutoff = cutoff
        """From this lot on nothing is drawn: there are enough pages with smaller ones, here or elsewhere."""
        self.seen = 0
        """How many pages of the site there are, whether drawn or not."""
        self.bytes = 0
        """How many bytes are held."""

    def __len__(self) -> int:
        return len(self._drawn)

    @property
    def is_full(self) -> bool:
        """Whether there are as many pages as are drawn at most."""
        return len(self._drawn) == self._most_pages

    def add(self, page: Page) -> bool:
        """Counts a page, and tells whether it is drawn."""
        self.seen += 1
        lot = page.lot
        if not self._is_drawn(lot):
            return False
        self._put(lot, page.pack())
        return True

    def merge(self, lot: int, packed: bytes) -> None:
        """Adds a page that was drawn in a part; it is not counted."""
        if self._is_drawn(lot):
            self._put(lot, packed)

    def page_at(self, url: str) -> Page | None:
        """The page at an address, if it is drawn."""
        address = lot_address(Page(url, b"").lot)
        return Page.unpack(self._drawn[address][1]) if address in self._drawn else None

    def packed(self) -> Iterator[tuple[int, bytes]]:
        """The pages by lot, those drawn first before others."""
        yield from sorted(self._drawn.values())

    def pages(self) -> list[Page]:
        """The same, unpacked; fewer of them if they are large."""
        pages: list[Page] = []
        size = 0
        for _, packed in self.packed():
            page = Page.unpack(packed)
            size += page.size
            if len(pages) >= FEWEST and size > self._most_bytes:
                break
            pages.append(page)
        return pages

    def templates(self, site: str) -> Templates:
        """What they teach of the site."""
        learned = Templates(site)
        learned.learn(self.pages())
        return learned

    def _is_drawn(self, lot: int) -> bool:
        known = self._drawn.get(lot_address(lot))
        return lot < (self.cutoff if known is None else known[0])

    def _put(self, lot: int, packed: bytes) -> None:
        self._forget(lot_address(lot))
        if self.is_full:
            self._forget(lot_address(self.cutoff))
        self._drawn[lot_address(lot)] = lot, packed
        self.bytes += len(packed)
        if self.is_full:
            self.cutoff = max(lot for lot, _ in self._drawn.values())

    def _forget(self, address: int) -> None:
        known = self._drawn.pop(address, None)
        if known is not None:
            self.bytes -= len(known[1])
