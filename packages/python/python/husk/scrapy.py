"""A spider middleware for Scrapy that adds the content of the page to every item.

Spiders need no change. The middleware learns the templates of each site from the pages that pass. If it has seen too few pages
of a layout, it loads some more with Scrapy's downloader, so robots.txt, delays, AutoThrottle, proxies and caches apply. Items
wait for that, and none is lost: errors are logged and counted, and the item continues without content.
"""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

try:
    from itemadapter import ItemAdapter
    from scrapy import Request, signals
    from scrapy.http import TextResponse
    from scrapy.http.request import NO_CALLBACK
    from scrapy.utils.defer import maybe_deferred_to_future
    from twisted.internet.defer import DeferredLock
    from twisted.internet.threads import deferToThread
except ImportError as cause:
    from .crawls.missing import not_installed

    raise not_installed("scrapy", "husk-web[scrapy]", cause) from cause

from ._husk import Page
from .crawls.page import site_of
from .crawls.sample import SAMPLE_PAGES, Sample
from .crawls.template_files import file_of
from .crawls.rows import build_row, row_fields
from .errors import HuskError, OptionError, TemplatesError
from .pages import page_of
from .results import Extraction
from .session import Session
from .site import Templates

__all__ = ["HuskMiddleware"]

_log = logging.getLogger(__name__)

_Result = TypeVar("_Result")

# Copied to requests for siblings, so that they are loaded like the page.
_COPIED_META = ("cookiejar", "proxy")

_UNKNOWN = {"unknown-layout", "too-few-pages"}


class HuskMiddleware:
    """Adds the content of the page to items. List it in ``SPIDER_MIDDLEWARES``.

    It keeps the templates and up to 64 packed pages of the ``HUSK_HOLD_SITES`` most recent sites. docs/adapters.md lists the
    settings. Requests with ``meta={"husk": False}`` are learned from, but their items stay unchanged.
    """

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler
        self._settings = _Settings.of(crawler.settings)
        self._sites: OrderedDict[str, _Site] = OrderedDict()
        # Of all sites, including evicted ones, so that siblings are not loaded again and again.
        self._siblings: Counter[str] = Counter()
        self._has_complained = False
        crawler.signals.connect(self._save_all, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Any) -> HuskMiddleware:
        """Called by Scrapy."""
        return cls(crawler)

    def process_spider_input(self, response: Any) -> None:
        """Samples a page on its way to the spider."""
        page = _page_in(response)
        site = None if page is None else self._site(page)
        if page is not None and site is not None:
            site.sample.add(page)

    async def process_spider_output(self, response: Any, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """Adds the content to items on their way from the spider."""
        is_wanted = response.request is None or response.request.meta.get("husk", True)
        result_of_page: _PageContent | None = None
        is_extracted = False
        async for output in result:
            if is_wanted and not isinstance(output, Request) and not self._has_content(output):
                if not is_extracted:
                    result_of_page, is_extracted = await self._extract_safely(response), True
                if result_of_page is not None:
                    self._put(output, result_of_page)
            yield output

    def _has_content(self, item: Any) -> bool:
        return not ItemAdapter.is_item(item) or bool(ItemAdapter(item).get(self._settings.field))

    def _put(self, item: Any, result: _PageContent) -> None:
        field, metadata_field = self._settings.field, self._settings.metadata_field
        if _set_field(item, field, result.content):
            self._count("items")
            if metadata_field:
                # Items without that field don't want it.
                _set_field(item, metadata_field, dict(result.fields))
            return
        self._count("no_field")
        if not self._has_complained:
            self._has_complained = True
            _log.error("%s has no field %r: declare it, or name another in HUSK_FIELD", type(item).__name__, field)

    async def _extract_safely(self, response: Any) -> _PageContent | None:
        page = _page_in(response)
        if page is None:
            self._count("not_html")
            return None
        try:
            result = await self._extract(page, response)
        except Exception:
            self._count("errors")
            _log.exception("cannot extract the content of %s", page.url)
            return None
        self._count(result.fields["method"], *(f"warnings/{warning}" for warning in result.fields["warnings"]))
        return result

    async def _extract(self, page: Page, response: Any) -> _PageContent:
        site = self._site(page)
        if site is None:
            return self._by_templates(page, None)
        result = self._by_templates(page, site)
        if result.is_known and not site.is_due:
            return result
        await maybe_deferred_to_future(site.lock.acquire())
        try:
            # Another task may have learned meanwhile.
            if site.is_due:
                await self._learn(site)
            result = self._by_templates(page, site)
            if not result.is_known and self._siblings[site.name] < self._settings.siblings:
                result = await self._by_siblings(page, site, response) or result
            return result
        finally:
            site.lock.release()

    def _by_templates(self, page: Page, site: _Site | None) -> _PageContent:
        templates = site.templates if site is not None and site.templates.layouts else None
        row = build_row(page, templates, self._settings.content_format)
        return _PageContent(row.content or "", row_fields(row))

    async def _by_siblings(self, page: Page, site: _Site, response: Any) -> _PageContent | None:
        """Compares the page with siblings loaded for it; none if there are none."""
        html = response.text if isinstance(response, TextResponse) else response.body
        session = Session(page.url, html, same_site=self._settings.same_site)
        while True:
            while (wanted := session.next_wanted()) is not None:
                try:
                    sibling = site.sample.page_at(wanted) or await self._load(wanted, site, response)
                except Exception as cause:
                    session.give_up(f"{wanted}: {str(cause) or type(cause).__name__}")
                else:
                    await _in_thread(session.give, sibling)
            if not session.wants_urls():
                break
            session.offer([other.url for other in site.sample.pages()])
        extraction = await _in_thread(session.finish)
        return self._by_extraction(extraction) if extraction.compared else None

    def _by_extraction(self, extraction: Extraction) -> _PageContent:
        content = extraction.content
        text = content.markdown if self._settings.content_format == "markdown" else content.text
        fields: dict[str, Any] = {"method": content.method, "layout": None, "template_share": None, "warnings": []}
        return _PageContent(text, fields)

    async def _load(self, url: str, site: _Site, response: Any) -> Page:
        if self._siblings[site.name] >= self._settings.siblings:
            raise HuskError(f"limit of {self._settings.siblings} pages per site reached (HUSK_SIBLINGS)", url)
        self._siblings[site.name] += 1
        meta = response.request.meta if response.request is not None else {}
        kept = {name: meta[name] for name in _COPIED_META if name in meta}
        request = Request(url, callback=NO_CALLBACK, meta={**kept, "husk_sibling": True})
        try:
            page = page_of(await self._crawler.engine.download_async(request))
        except Exception:
            self._count("siblings/failed")
            raise
        self._count("siblings")
        if self._site(page) is site:
            site.sample.add(page)
        return page

    async def _learn(self, site: _Site) -> None:
        pages = site.sample.pages()
        site.learned_at = site.sample.seen
        lesson = await _in_thread(site.templates.learn, pages)
        site.is_changed = site.is_changed or lesson.pages > 0
        self._count("lessons")
        _log.debug("learned from %d pages: %r", len(pages), site.templates)

    def _site(self, page: Page) -> _Site | None:
        name = site_of(page, self._settings.same_site)
        if name is None:
            return None
        site = self._sites.get(name)
        if site is None:
            site = self._sites[name] = _Site(self._load_templates(name), self._settings.min_pages)
            self._count("sites")
            self._evict_one(besides=site)
        self._sites.move_to_end(name)
        return site

    def _evict_one(self, besides: _Site) -> None:
        """Evicts the least recent site if there are too many, unless it is in use."""
        if len(self._sites) <= self._settings.hold_sites:
            return
        idle = (site for site in self._sites.values() if site is not besides and not site.lock.locked)
        evicted = next(idle, None)
        if evicted is not None:
            del self._sites[evicted.name]
            self._save(evicted)
            self._count("sites/evicted")

    def _load_templates(self, name: str) -> Templates:
        folder = self._settings.templates
        if folder is None or not (folder / file_of(name)).exists():
            return Templates(name)
        try:
            templates = Templates.load(folder / file_of(name))
        except TemplatesError as cause:
            self._count("errors")
            _log.error("learning %s again: %s", name, cause)
            return Templates(name)
        self._count("sites/stored")
        return templates

    def _save(self, site: _Site) -> None:
        folder = self._settings.templates
        if folder is None or not site.is_changed or not site.templates.layouts:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            site.templates.save(folder / file_of(site.name))
        except (OSError, TemplatesError) as cause:
            self._count("errors")
            _log.error("cannot save the templates of %s: %s", site.name, cause)
        site.is_changed = False

    def _save_all(self) -> None:
        for site in self._sites.values():
            self._save(site)

    def _count(self, *names: str) -> None:
        for name in names:
            self._crawler.stats.inc_value(f"husk/{name}")


@dataclass(frozen=True)
class _Settings:
    """The ``HUSK_...`` settings."""

    field: str
    metadata_field: str
    content_format: str
    same_site: str
    siblings: int
    min_pages: int
    hold_sites: int
    templates: Path | None

    @classmethod
    def of(cls, settings: Any) -> _Settings:
        content_format = settings.get("HUSK_CONTENT_FORMAT", "text")
        if content_format not in ("text", "markdown"):
            raise OptionError(f"HUSK_CONTENT_FORMAT: {content_format!r} is neither 'text' nor 'markdown'")
        same_site = settings.get("HUSK_SAME_SITE", "host")
        if same_site not in ("host", "domain"):
            raise OptionError(f"HUSK_SAME_SITE: {same_site!r} is neither 'host' nor 'domain'")
        folder = settings.get("HUSK_TEMPLATES")
        return cls(
            field=settings.get("HUSK_FIELD", "content"),
            metadata_field=settings.get("HUSK_METADATA_FIELD", "husk"),
            content_format=content_format,
            same_site=same_site,
            siblings=settings.getint("HUSK_SIBLINGS", 8),
            min_pages=max(2, settings.getint("HUSK_MIN_PAGES", 5)),
            hold_sites=max(1, settings.getint("HUSK_HOLD_SITES", 256)),
            templates=Path(folder) if folder else None,
        )


class _Site:
    """A site: its sample and templates."""

    def __init__(self, templates: Templates, min_pages: int) -> None:
        self.templates, self._min_pages = templates, min_pages
        self.sample = Sample(SAMPLE_PAGES)
        self.learned_at = 0
        """Number of pages seen when it was last learned."""
        self.is_changed = False
        # One task learns or loads siblings at a time.
        self.lock: Any = DeferredLock()

    @property
    def name(self) -> str:
        return self.templates.site

    @property
    def is_due(self) -> bool:
        """Whether to learn again: whenever the number of pages has doubled."""
        return self.sample.seen >= max(self._min_pages, 2 * self.learned_at)


@dataclass(frozen=True)
class _PageContent:
    """The content of a page, with other fields of its row."""

    content: str
    fields: dict[str, Any]

    @property
    def is_known(self) -> bool:
        return _UNKNOWN.isdisjoint(self.fields["warnings"])


def _page_in(response: Any) -> Page | None:
    """The page of a response, if it is one."""
    try:
        return page_of(response)
    except HuskError:
        return None


def _set_field(item: Any, field: str, value: Any) -> bool:
    """Sets a field of an item. Returns false if the item doesn't allow it."""
    try:
        ItemAdapter(item)[field] = value
    except (KeyError, AttributeError, TypeError, ValueError):
        # Depends on the type of the item.
        return False
    return True


async def _in_thread(work: Callable[..., _Result], *arguments: Any) -> _Result:
    """Runs a slow function without blocking the crawl."""
    result: _Result = await maybe_deferred_to_future(deferToThread(work, *arguments))
    return result
