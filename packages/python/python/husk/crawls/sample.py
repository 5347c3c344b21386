"""Which pages of a site templates are learned from: those with the lowest sample keys.

The key is a hash of the page alone. So samples of parts of a crawl, merged in any order, are the sample of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator

from .._husk import Page, sample_key_url_hash
from ..site import Templates

SAMPLE_PAGES = 64
"""Pages that a site is learned from, as in ``husk bulk``."""

MIN_PAGES = 3
"""Sites with fewer pages are not learned, as in ``husk bulk``."""

SAMPLE_BYTES = 8 << 20
"""Bytes that a site is learned from; at least `MIN_SAMPLE_PAGES`, whatever their size."""

MIN_SAMPLE_PAGES = 3
"""Smallest sample: templates can't be learned from fewer pages."""

# Above any key.
_NO_CUTOFF = 1 << 63


class Sample:
    """The sample of one site so far: packed pages, one capture per URL, and the number of pages seen."""

    def __init__(
        self, max_pages: int = SAMPLE_PAGES, cutoff: int = _NO_CUTOFF, max_bytes: int = SAMPLE_BYTES
    ) -> None:
        self._max_pages, self._max_bytes = max(max_pages, MIN_SAMPLE_PAGES), max_bytes
        self._pages: dict[int, tuple[int, bytes]] = {}
        self.cutoff = cutoff
        """Pages with this key or a higher one are not sampled: there are enough with lower keys, here or elsewhere."""
        self.seen = 0
        """Number of pages of the site, sampled or not."""
        self.bytes = 0
        """Size of the packed pages."""

    def __len__(self) -> int:
        return len(self._pages)

    @property
    def is_full(self) -> bool:
        """Whether the sample has reached its maximum."""
        return len(self._pages) == self._max_pages

    def add(self, page: Page) -> bool:
        """Counts a page. Returns whether it is sampled."""
        self.seen += 1
        key = page.sample_key
        if not self._is_sampled(key):
            return False
        self._put(key, page.pack())
        return True

    def merge(self, key: int, packed: bytes) -> None:
        """Adds a page from the sample of a part, without counting it."""
        if self._is_sampled(key):
            self._put(key, packed)

    def page_at(self, url: str) -> Page | None:
        """The page at a URL, if it is in the sample."""
        url_hash = sample_key_url_hash(Page(url, b"").sample_key)
        return Page.unpack(self._pages[url_hash][1]) if url_hash in self._pages else None

    def packed(self) -> Iterator[tuple[int, bytes]]:
        """The packed pages with their keys, lowest key first."""
        yield from sorted(self._pages.values())

    def pages(self) -> list[Page]:
        """The pages, lowest key first; fewer if they are large."""
        pages: list[Page] = []
        size = 0
        for _, packed in self.packed():
            page = Page.unpack(packed)
            size += page.size
            if len(pages) >= MIN_SAMPLE_PAGES and size > self._max_bytes:
                break
            pages.append(page)
        return pages

    def templates(self, site: str) -> Templates:
        """Learns the templates of the site."""
        learned = Templates(site)
        learned.learn(self.pages())
        return learned

    def _is_sampled(self, key: int) -> bool:
        known = self._pages.get(sample_key_url_hash(key))
        return key < (self.cutoff if known is None else known[0])

    def _put(self, key: int, packed: bytes) -> None:
        self._remove(sample_key_url_hash(key))
        if self.is_full:
            self._remove(sample_key_url_hash(self.cutoff))
        self._pages[sample_key_url_hash(key)] = key, packed
        self.bytes += len(packed)
        if self.is_full:
            self.cutoff = max(key for key, _ in self._pages.values())

    def _remove(self, url_hash: int) -> None:
        known = self._pages.pop(url_hash, None)
        if known is not None:
            self.bytes -= len(known[1])
