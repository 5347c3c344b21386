"""Whole sites: learn templates once, then strip any number of pages."""

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
"""Default number of pages to learn from, as in ``husk learn``."""

_MAX_BYTES = 64 << 20
_BATCH = 32

_PLAIN_IN_PATHS = "/!$&'()*+,;=:@[]^|"
"""Characters that file URLs of the engine don't escape, temporarys letters and digits."""

SiteLike = Union["str | os.PathLike[str]", PagesLike]


@dataclass(frozen=True)
class Layout:
    """A layout: a group of pages that share a template."""

    number: int
    id: str
    pages: int
    support: int
    template_nodes: int
    model: str


@dataclass(frozen=True)
class Lesson:
    """The result of learning: pages used, pages already known, new layouts."""

    pages: int
    known: int
    new_layouts: int


class Stripped(Content):
    """A page without its template."""

    def __init__(self, stripped: _husk.Stripped, templates: Templates, page: Page) -> None:
        super().__init__(stripped.extraction)
        self._stripped, self._templates, self._page = stripped, templates, page

    @property
    def layout(self) -> str | None:
        """Id of the layout; none if it is unknown."""
        return self._stripped.layout

    @property
    def warnings(self) -> list[str]:
        """Names of warnings, such as ``unknown-layout``: docs/formats.md lists them."""
        return self._stripped.warnings

    @property
    def template(self) -> Template:
        """The template of the page. Raises `NoSiblingError` if the layout is unknown."""
        if self._extraction.support == 0:
            raise NoSiblingError(f"unknown layout: {self.key_page}", self.key_page)
        return Template(self._extraction)

    @cached_property
    def row(self) -> Row:
        """The page as a row of ``husk strip``, with content, menu and template."""
        [row] = self._templates.rows([self._page], fields=("content", "menu", "template-id"))
        return row

    def to_dict(self, content_format: str = "text") -> dict[str, Any]:
        """The output of ``husk strip --format json``, with the content as ``text`` or ``markdown``."""
        [row] = self._templates.rows([self._page], content_format=content_format)
        return row.to_dict()


class Templates:
    """The templates of a site, one per layout."""

    def __init__(self, site: str, _learned: _husk.Templates | None = None) -> None:
        self._learned = _learned or _husk.Templates(site)

    @classmethod
    def load(cls, file: str | os.PathLike[str]) -> Templates:
        """Reads a file that `save` or ``husk learn`` wrote."""
        try:
            packed = Path(file).read_bytes()
        except OSError as cause:
            raise TemplatesError(f"cannot read {os.fspath(file)}: {cause.strerror or cause}") from cause
        return cls._unpack(packed, os.fspath(file))

    @classmethod
    def from_bytes(cls, packed: bytes) -> Templates:
        """Reads the result of `to_bytes`, or uncompressed JSON."""
        return cls._unpack(packed, "the given data")

    @classmethod
    def _unpack(cls, packed: bytes, name: str) -> Templates:
        try:
            learned = _husk.Templates.unpack(packed)
        except TemplatesError as cause:
            raise TemplatesError(f"{name} {cause}") from None
        return cls(learned.site, learned)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes a file for ``husk strip``, atomically."""
        target = Path(file)
        temporary = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            temporary.write_bytes(self.to_bytes())
            os.replace(temporary, target)
        except OSError as cause:
            temporary.unlink(missing_ok=True)
            raise TemplatesError(f"cannot write {os.fspath(file)}: {cause.strerror or cause}") from cause

    def to_bytes(self) -> bytes:
        """The file as bytes. The same templates give the same bytes."""
        return self._learned.pack()

    def __reduce__(self) -> tuple[Callable[[bytes], Templates], tuple[bytes]]:
        # For multiprocessing and Spark.
        return Templates.from_bytes, (self.to_bytes(),)

    @property
    def site(self) -> str:
        """The name of the site."""
        return self._learned.site

    @property
    def pages(self) -> int:
        """Number of pages learned from."""
        return self._learned.pages

    @property
    def layouts(self) -> list[Layout]:
        """The layouts, in the order in which they were learned."""
        return [Layout(**layout) for layout in json.loads(self._learned.layouts_json())]

    def template(self, layout: int | str = 1) -> Template:
        """The template of a layout, by its number or its id."""
        for known in self.layouts:
            if layout in (known.number, known.id):
                return Template(self._learned.layout_extraction(known.number - 1))
        raise TemplatesError(f"{self.site} has no layout {layout!r}: it has {len(self.layouts)}")

    def learn(self, pages: PagesLike) -> Lesson:
        """Learns from pages of the site: refines known layouts and adds new ones."""
        self._learned, lesson = self._learned.learn(pages_of(pages))
        return Lesson(**json.loads(lesson))

    def strip(self, page: PageLike, url: str | None = None) -> Stripped:
        """Strips the template from a page: ``strip(html, url)``, or anything that is a page."""
        parsed = page_of(page, url)
        return Stripped(self._learned.strip(parsed), self, parsed)

    def rows(
        self,
        pages: Iterable[PageLike],
        *,
        fields: Iterable[str] = ("content",),
        content_format: str = "text",
        enough_pages: bool = True,
    ) -> Iterator[Row]:
        """The rows of pages, as in ``husk strip``. ``fields`` may contain ``content``, ``menu`` and ``template-id``."""
        builder = self.row_builder(fields=fields, content_format=content_format, enough_pages=enough_pages)
        return _in_batches(pages, lambda batch: builder.rows([page_of(page) for page in batch]))

    def row_builder(
        self, *, fields: Iterable[str] = ("content",), content_format: str = "text", enough_pages: bool = True
    ) -> _husk.RowBuilder:
        """A builder of rows, to be reused if pages come a few at a time: ``builder.rows([page, ...])``."""
        names = [fields] if isinstance(fields, str) else list(fields)
        return self._learned.row_builder(names, content_format, enough_pages)

    def __repr__(self) -> str:
        return f"<Templates of {self.site}: {len(self.layouts)} layouts from {self.pages} pages>"


@dataclass(frozen=True)
class StoredSite:
    """What a template store knows of a site; dates are RFC 3339 texts."""

    site: str
    learned: str
    learned_by: str
    layouts: int
    pages: int
    checked: str | None
    checked_pages: int
    fit: float | None


class TemplateStore:
    """The template store of ``husk bulk --templates`` or ``husk serve``, for reading."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._store = _husk.Store(os.fspath(path))

    def sites(self) -> list[StoredSite]:
        """All sites, sorted by name."""
        return [StoredSite(**site) for site in json.loads(self._store.sites_json())]

    def get(self, site: str) -> Templates | None:
        """The templates of a site, if the store has any."""
        learned = self._store.site(site)
        return None if learned is None else Templates(site, learned)


def _in_batches(pages: Iterable[PageLike], work: Callable[[list[PageLike]], list[Row]]) -> Iterator[Row]:
    batch: list[PageLike] = []
    for page in pages:
        batch.append(page)
        if len(batch) == _BATCH:
            yield from work(batch)
            batch = []
    yield from work(batch)


class Site:
    """The pages of one site: a folder, WARC files, or any iterable of pages.

    ``base_url`` is the URL that a folder was saved from; in archives with several sites it selects one. Iterators are kept in
    memory.
    """

    def __init__(
        self, pages: SiteLike, *, base_url: str | None = None, same_site: str = "host", name: str | None = None
    ) -> None:
        self._base_url, self._same_site, self._name = base_url, same_site, name
        self._path = os.fspath(pages) if isinstance(pages, (str, os.PathLike)) else None
        self._pages: PagesLike = ()
        if self._path is not None:
            if urlsplit(self._path).scheme in ("http", "https"):
                raise InputError(f"{self._path}: Site doesn't load URLs; pass pages, or use husk.Session", self._path)
            # Fails early if it can't be read.
            _husk.SavedPages(self._path, base_url, same_site)
        else:
            if isinstance(pages, (bytes, bytearray)):
                raise TypeError("expected a folder, an archive, or pages")
            once: Any = pages
            self._pages = list(once) if iter(once) is once else once
        self.notes: list[str] = []
        """Messages about skipped pages and damaged records, after iteration."""

    def __iter__(self) -> Iterator[Page]:
        """All pages of the site in order."""
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
        # Pages of a folder without a known URL have no host.
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
            raise InputError(f"no pages in {self._path or 'the given pages'}")
        listed = ", ".join(f"{site} ({count} pages)" for site, count in sites.most_common(4))
        more = f" and {len(sites) - 4} more" if len(sites) > 4 else ""
        raise InputError(f"the pages belong to several sites: {listed}{more}; select one with base_url= or name=")

    def learn(self, *, max_pages: int = MAX_PAGES, into: Templates | None = None) -> Templates:
        """Learns the templates of the site from an even sample of its pages.

        ``into`` are templates to refine. Raises `TemplatesError` if no two pages share a layout.
        """
        if into is not None and into.site != self.name:
            raise TemplatesError(f"templates of {into.site} can't be refined with pages of {self.name}")
        if max_pages < 1:
            raise OptionError(f"max_pages: expected at least 1, got {max_pages}")
        sizes = [page.size for page in self]
        chosen = set(_husk.sample_evenly(sizes, max_pages, _MAX_BYTES))
        templates = into or Templates(self.name)
        templates.learn([page for number, page in enumerate(self) if number in chosen])
        if not templates.layouts:
            raise TemplatesError(
                f"cannot learn {self.name} from {len(chosen)} pages: at least 2 pages must share a layout, better 5 or more"
            )
        return templates

    @cached_property
    def templates(self) -> Templates:
        """The templates, learned with defaults on first use."""
        return self.learn()

    def strip(
        self,
        templates: Templates | None = None,
        *,
        fields: Iterable[str] = ("content",),
        content_format: str = "text",
    ) -> Iterator[Row]:
        """A row for each page, stripped with the given templates or those of the site."""
        learned = templates or self.templates
        return learned.rows(self, fields=fields, content_format=content_format)

    def __repr__(self) -> str:
        return f"<Site {self._path or 'of given pages'}>"
