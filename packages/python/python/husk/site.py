"""Whole sites: templates that are learned once, and taken off any number of pages."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Union
from urllib.parse import quote, urlsplit

from . import _husk
from ._husk import Page, Row
from .errors import InputError, NoSiblingError, OptionError, TemplatesError
from .pages import PageLike, PagesLike, page_of, pages_of
from .results import Content, Template

MAX_PAGES = 200
"""So many pages of a site are looked at unless said otherwise, as by ``husk learn``."""

_MOST_BYTES = 64 << 20
_BATCH = 32

_PLAIN_IN_PATHS = "/!$&'()*+,;=:@[]^|"
"""What addresses of files have as it is, beside letters and digits: as the engine writes them."""

SiteLike = Union["str | os.PathLike[str]", PagesLike]


@dataclass(frozen=True)
class Layout:
    """A layout of a site: a group of pages that share a template."""

    number: int
    id: str
    pages: int
    support: int
    template_nodes: int
    model: str


@dataclass(frozen=True)
class Lesson:
    """What pages taught: how many told something, how many were known already, how many layouts are new."""

    pages: int
    known: int
    new_layouts: int


class Stripped(Content):
    """What is left of a page when its template is taken off."""

    def __init__(self, stripped: _husk.Stripped, templates: Templates, page: Page) -> None:
        super().__init__(stripped.extraction)
        self._stripped, self._templates, self._page = stripped, templates, page

    @property
    def layout(self) -> str | None:
        """The layout of the page by its id; none if it is not known."""
        return self._stripped.layout

    @property
    def warnings(self) -> list[str]:
        """What is to be known of the result: ``unknown-layout``, ``other-layout``, ``floor``, ``no-content``."""
        return self._stripped.warnings

    @property
    def template(self) -> Template:
        """What was taken off. Raises `NoSiblingError` if the layout is not known."""
        if self._found.support == 0:
            raise NoSiblingError(f"the layout of {self.key_page} was not learned", self.key_page)
        return Template(self._found)

    @cached_property
    def row(self) -> Row:
        """The page as a row of ``husk strip``, with content, menu and template."""
        [row] = self._templates.rows([self._page], fields=("content", "menu", "template-id"))
        return row

    def to_dict(self, content_format: str = "text") -> dict[str, Any]:
        """What ``husk strip --format json`` prints; the content in it as ``text`` or ``markdown``."""
        [row] = self._templates.rows([self._page], content_format=content_format)
        return row.to_dict()


class Templates:
    """What was learned of a site: a template for each of its layouts."""

    def __init__(self, site: str, _learned: _husk.Templates | None = None) -> None:
        self._learned = _learned or _husk.Templates(site)

    @classmethod
    def load(cls, file: str | os.PathLike[str]) -> Templates:
        """Reads a file that `save` or ``husk learn`` wrote."""
        try:
            packed = Path(file).read_bytes()
        except OSError as cause:
            raise TemplatesError(f"cannot read {os.fspath(file)}: {cause.strerror or cause}") from cause
        return cls._unpacked(packed, os.fspath(file))

    @classmethod
    def from_bytes(cls, packed: bytes) -> Templates:
        """Reads what `to_bytes` gave, or the JSON within."""
        return cls._unpacked(packed, "what was given")

    @classmethod
    def _unpacked(cls, packed: bytes, named: str) -> Templates:
        try:
            learned = _husk.Templates.unpack(packed)
        except TemplatesError as cause:
            raise TemplatesError(f"{named} {cause}") from None
        return cls(learned.site, learned)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes a file that ``husk strip`` reads, whole or not at all."""
        target = Path(file)
        beside = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            beside.write_bytes(self.to_bytes())
            os.replace(beside, target)
        except OSError as cause:
            beside.unlink(missing_ok=True)
            raise TemplatesError(f"cannot write {os.fspath(file)}: {cause.strerror or cause}") from cause

    def to_bytes(self) -> bytes:
        """The file as bytes; the same templates are the same bytes."""
        return self._learned.pack()

    def __reduce__(self) -> tuple[Callable[[bytes], Templates], tuple[bytes]]:
        # So that pools and clusters can send them to others.
        return Templates.from_bytes, (self.to_bytes(),)

    @property
    def site(self) -> str:
        """The name of the site."""
        return self._learned.site

    @property
    def pages(self) -> int:
        """How many pages were looked at, each once."""
        return self._learned.pages

    @property
    def layouts(self) -> list[Layout]:
        """The layouts that are known, those learned first before others."""
        return [Layout(**layout) for layout in json.loads(self._learned.layouts_json())]

    def template(self, layout: int | str = 1) -> Template:
        """The template of a layout, by its number or its id."""
        for known in self.layouts:
            if layout in (known.number, known.id):
                return Template(self._learned.layout_extraction(known.number - 1))
        raise TemplatesError(f"{self.site} has no layout {layout!r}: it has {len(self.layouts)}")

    def learn(self, pages: PagesLike) -> Lesson:
        """Learns from pages of the site: refines what is known of their layouts, and adds layouts."""
        self._learned, taught = self._learned.learn(pages_of(pages))
        return Lesson(**json.loads(taught))

    def strip(self, page: PageLike, url: str | None = None) -> Stripped:
        """Takes the template off a page: ``strip(html, url)``, or what else is a page."""
        given = page_of(page, url)
        return Stripped(self._learned.strip(given), self, given)

    def rows(
        self,
        pages: Iterable[PageLike],
        *,
        what: Iterable[str] = ("content",),
        content_format: str = "text",
        enough_pages: bool = True,
    ) -> Iterator[Row]:
        """What is told of each page, as ``husk strip`` does. ``what`` may name ``content``, ``menu`` and ``template-id``."""
        builder = self.row_builder(fields=what, content_format=content_format, enough_pages=enough_pages)
        return _in_batches(pages, lambda batch: builder.rows([page_of(page) for page in batch]))

    def row_builder(
        self, *, what: Iterable[str] = ("content",), content_format: str = "text", enough_pages: bool = True
    ) -> _husk.RowBuilder:
        """What tells of pages in rows, to be kept where pages come a few at a time: ``builder.rows([page, ...])``."""
        named = [what] if isinstance(what, str) else list(what)
        return self._learned.row_builder(named, content_format, enough_pages)

    def __repr__(self) -> str:
        return f"<Templates of {self.site}: {len(self.layouts)} layouts from {self.pages} pages>"


def _in_batches(pages: Iterable[PageLike], work: Callable[[list[PageLike]], list[Row]]) -> Iterator[Row]:
    batch: list[PageLike] = []
    for page in pages:
        batch.append(page)
        if len(batch) == _BATCH:
            yield from work(batch)
            batch = []
    yield from work(batch)


class Site:
    """The pages of one site: of a folder, of WARC files, or of anything that can be gone through.

    ``base_url`` is the address that a folder was saved from; of archives with several sites it picks one. What can be gone
    through once only, such as a generator, is kept in memory.
    """

    def __init__(
        self, pages: SiteLike, *, base_url: str | None = None, same_site: str = "host", name: str | None = None
    ) -> None:
        self._base_url, self._same_site, self._name = base_url, same_site, name
        self._path = os.fspath(pages) if isinstance(pages, (str, os.PathLike)) else None
        self._pages: PagesLike = ()
        if self._path is not None:
            if urlsplit(self._path).scheme in ("http", "https"):
                raise InputError(f"{self._path} is not loaded here: give its pages, or use husk.Session", self._path)
            # What cannot be read is told at once.
            _husk.SavedPages(self._path, base_url, same_site)
        else:
            if isinstance(pages, (bytes, bytearray)):
                raise TypeError("a site is a folder, an archive, or pages, not one text")
            once: Any = pages
            self._pages = list(once) if iter(once) is once else once
        self.notes: list[str] = []
        """What is odd about a folder or an archive, as far as it was read."""

    def __iter__(self) -> Iterator[Page]:
        """All pages of the site, in their order."""
        wanted = self.name
        return (page for page in self._all() if self._site_of(page) == wanted)

    def _all(self) -> Iterator[Page]:
        if self._path is None:
            values = self._pages.items() if isinstance(self._pages, Mapping) else self._pages
            yield from map(page_of, values)
            return
        saved = _husk.SavedPages(self._path, self._base_url, self._same_site)
        while batch := saved.batch(_BATCH):
            yield from batch
        self.notes = saved.notes()

    def _site_of(self, page: Page) -> str:
        # Pages of a folder whose address nobody knows have no host.
        return page.site(self._same_site) or self._home

    @cached_property
    def _home(self) -> str:
        if self._path is None:
            return ""
        path = quote(os.fsencode(Path(self._path).resolve()), safe=_PLAIN_IN_PATHS)
        return f"file://{path.rstrip('/')}/"

    @cached_property
    def name(self) -> str:
        """The name of the site, such as ``example.org``."""
        if self._name is not None:
            return self._name
        if self._base_url is not None:
            return Page(self._base_url, "").site(self._same_site) or self._home
        sites = Counter(self._site_of(page) for page in self._all())
        if len(sites) == 1:
            return next(iter(sites))
        if not sites:
            raise InputError(f"there is no page in {self._path or 'what was given'}")
        told = ", ".join(f"{site} ({count} pages)" for site, count in sites.most_common(4))
        more = f" and {len(sites) - 4} more" if len(sites) > 4 else ""
        raise InputError(f"the pages are of several sites: {told}{more}; base_url= or name= picks one")

    def learn(self, *, max_pages: int = MAX_PAGES, into: Templates | None = None) -> Templates:
        """Learns the templates of the site from so many of its pages, taken evenly from all over it.

        ``into`` are templates that are refined instead. Raises `TemplatesError` if no two pages are built alike.
        """
        if into is not None and into.site != self.name:
            raise TemplatesError(f"these are templates of {into.site}, and the pages are of {self.name}")
        if max_pages < 1:
            raise OptionError(f"max_pages: {max_pages} pages are none to learn from")
        sizes = [page.size for page in self]
        chosen = set(_husk.sample_evenly(sizes, max_pages, _MOST_BYTES))
        templates = into or Templates(self.name)
        templates.learn([page for number, page in enumerate(self) if number in chosen])
        if not templates.layouts:
            raise TemplatesError(
                f"nothing could be learned of {self.name} from {len(chosen)} pages: "
                "at least 2 pages that are built alike are needed, better 5 or more"
            )
        return templates

    @cached_property
    def templates(self) -> Templates:
        """What `learn` finds with its defaults, learned when it is first asked for."""
        return self.learn()

    def strip(
        self,
        templates: Templates | None = None,
        *,
        what: Iterable[str] = ("content",),
        content_format: str = "text",
    ) -> Iterator[Row]:
        """A row for each page, its template taken off: by these templates, or by those of the site."""
        learned = templates or self.templates
        return learned.rows(self, fields=what, content_format=content_format)

    def __repr__(self) -> str:
        return f"<Site {self._path or 'of given pages'}>"
