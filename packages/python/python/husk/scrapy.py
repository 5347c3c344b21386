"""A spider middleware for Scrapy: every item is given the content of its page, without the template of the site.

Spiders stay as they are. The middleware looks at the pages that come by and learns the templates of each site from them.
Where it has seen too few that are built like the page at hand, it has some more brought, through Scrapy's own downloader:
robots.txt, delays, AutoThrottle, proxies and caches hold for them as for all others. An item waits for that, but none is
lost: whatever goes wrong is logged and counted, and the item goes on without content.
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
from .crawls.rows import row_fields, told
from .errors import HuskError, OptionError, TemplatesError
from .pages import page_of
from .results import Extraction
from .session import Session
from .site import Templates

__all__ = ["HuskMiddleware"]

_log = logging.getLogger(__name__)

_Result = TypeVar("_Result")

# What a sibling is asked for with, so that it comes in the same way as the page.
_META_OF_SIBLINGS = ("cookiejar", "proxy")

_NOT_KNOWN = {"unknown-layout", "too-few-pages"}


class HuskMiddleware:
    """Adds the content of the page to items: put it into ``SPIDER_MIDDLEWARES``.

    For each of ``HUSK_HOLD_SITES`` sites, those met last, it holds the templates and up to 64 packed pages, of others a
    number. The settings are in docs/adapters.md. Pages of a request with ``meta={"husk": False}`` are learned from, but
    their items are left as they are.
    """

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler
        self._settings = _Settings.of(crawler.settings)
        self._sites: OrderedDict[str, _Site] = OrderedDict()
        # Of all sites: one that was forgotten and is met again must not have siblings loaded for it each time.
        self._siblings: Counter[str] = Counter()
        self._has_complained = False
        crawler.signals.connect(self._save_all, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Any) -> HuskMiddleware:
        """As Scrapy makes it."""
        return cls(crawler)

    def process_spider_input(self, response: Any) -> None:
        """Looks at a page on its way to the spider."""
        page = _page_in(response)
        site = None if page is None else self._site(page)
        if page is not None and site is not None:
            site.sample.add(page)

    async def process_spider_output(self, response: Any, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """Adds the content to items on their way from the spider."""
        is_wanted = response.request is None or response.request.meta.get("husk", True)
        telling: _Telling | None = None
        is_told = False
        async for entry in result:
            if is_wanted and not isinstance(entry, Request) and not self._has_content(entry):
                if not is_told:
                    telling, is_told = await self._told_without_fail(response), True
                if telling is not None:
                    self._put(entry, telling)
            yield entry

    def _has_content(self, item: Any) -> bool:
        return not ItemAdapter.is_item(item) or bool(ItemAdapter(item).get(self._settings.field))

    def _put(self, item: Any, telling: _Telling) -> None:
        field, remarks_field = self._settings.field, self._settings.remarks_field
        if _set_field(item, field, telling.content):
            self._count("items")
            if remarks_field:
                # Who declares no such field does not want it.
                _set_field(item, remarks_field, dict(telling.remarks))
            return
        self._count("no_field")
        if not self._has_complained:
            self._has_complained = True
            _log.error("%s has no field %r: declare it, or name another in HUSK_FIELD", type(item).__name__, field)

    async def _told_without_fail(self, response: Any) -> _Telling | None:
        page = _page_in(response)
        if page is None:
            self._count("not_html")
            return None
        try:
            telling = await self._told(page, response)
        except Exception:
            self._count("errors")
            _log.exception("the content of %s cannot be told", page.url)
            return None
        self._count(telling.remarks["method"], *(f"warnings/{warning}" for warning in telling.remarks["warnings"]))
        return telling

    async def _told(self, page: Page, response: Any) -> _Telling:
        site = self._site(page)
        if site is None:
            return self._by_templates(page, None)
        telling = self._by_templates(page, site)
        if telling.is_known and not site.is_due:
            return telling
        await maybe_deferred_to_future(site.lock.acquire())
        try:
            # Others may have learned in the meantime.
            if site.is_due:
                await self._learn(site)
            telling = self._by_templates(page, site)
            if not telling.is_known and self._siblings[site.name] < self._settings.siblings:
                telling = await self._by_siblings(page, site, response) or telling
            return telling
        finally:
            site.lock.release()

    def _by_templates(self, page: Page, site: _Site | None) -> _Telling:
        templates = site.templates if site is not None and site.templates.layouts else None
        row = told(page, templates, self._settings.content_format)
        return _Telling(row.content or "", row_fields(row))

    async def _by_siblings(self, page: Page, site: _Site, response: Any) -> _Telling | None:
        """What other pages say about the page that are brought for it; none if there are none."""
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

    def _by_extraction(self, extraction: Extraction) -> _Telling:
        content = extraction.content
        written = content.markdown if self._settings.content_format == "markdown" else content.text
        remarks: dict[str, Any] = {"method": content.method, "layout": None, "template_share": None, "warnings": []}
        return _Telling(written, remarks)

    async def _load(self, url: str, site: _Site, response: Any) -> Page:
        if self._siblings[site.name] >= self._settings.siblings:
            raise HuskError(f"no more than {self._settings.siblings} pages are loaded for a site (HUSK_SIBLINGS)", url)
        self._siblings[site.name] += 1
        meta = response.request.meta if response.request is not None else {}
        kept = {name: meta[name] for name in _META_OF_SIBLINGS if name in meta}
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
            site = self._sites[name] = _Site(self._stored(name), self._settings.min_pages)
            self._count("sites")
            self._forget_one(besides=site)
        self._sites.move_to_end(name)
        return site

    def _forget_one(self, besides: _Site) -> None:
        """Forgets the site that was not met for longest, if there are too many. What is just learned would be lost."""
        if len(self._sites) <= self._settings.hold_sites:
            return
        idle = (site for site in self._sites.values() if site is not besides and not site.lock.locked)
        forgotten = next(idle, None)
        if forgotten is not None:
            del self._sites[forgotten.name]
            self._save(forgotten)
            self._count("sites/forgotten")

    def _stored(self, name: str) -> Templates:
        folder = self._settings.templates
        if folder is None or not (folder / file_of(name)).exists():
            return Templates(name)
        try:
            templates = Templates.load(folder / file_of(name))
        except TemplatesError as cause:
            self._count("errors")
            _log.error("%s is learned anew: %s", name, cause)
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
            _log.error("the templates of %s cannot be kept: %s", site.name, cause)
        site.is_changed = False

    def _save_all(self) -> None:
        for site in self._sites.values():
            self._save(site)

    def _count(self, *names: str) -> None:
        for name in names:
            self._crawler.stats.inc_value(f"husk/{name}")


@dataclass(frozen=True)
class _Settings:
    """What ``HUSK_...`` says."""

    field: str
    remarks_field: str
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
            remarks_field=settings.get("HUSK_REMARKS_FIELD", "husk"),
            content_format=content_format,
            same_site=same_site,
            siblings=settings.getint("HUSK_SIBLINGS", 8),
            min_pages=max(2, settings.getint("HUSK_MIN_PAGES", 5)),
            hold_sites=max(1, settings.getint("HUSK_HOLD_SITES", 256)),
            templates=Path(folder) if folder else None,
        )


class _Site:
    """What is known of a site."""

    def __init__(self, templates: Templates, min_pages: int) -> None:
        self.templates, self._min_pages = templates, min_pages
        self.sample = Sample(SAMPLE_PAGES)
        self.learned_at = 0
        """How many pages had been seen when it was last learned from them."""
        self.is_changed = False
        # One learns or loads siblings, and all others profit from it.
        self.lock: Any = DeferredLock()

    @property
    def name(self) -> str:
        return self.templates.site

    @property
    def is_due(self) -> bool:
        """Whether there is something to learn: each time the pages have become twice as many."""
        return self.sample.seen >= max(self._min_pages, 2 * self.learned_at)


@dataclass(frozen=True)
class _Telling:
    """The content of a page, and how it was told."""

    content: str
    remarks: dict[str, Any]

    @property
    def is_known(self) -> bool:
        return _NOT_KNOWN.isdisjoint(self.remarks["warnings"])


def _page_in(response: Any) -> Page | None:
    """The page in an answer; none if that is none."""
    try:
        return page_of(response)
    except HuskError:
        return None


def _set_field(item: Any, field: str, value: Any) -> bool:
    """Sets a field of an item; whether the item can have it."""
    try:
        ItemAdapter(item)[field] = value
    except (KeyError, AttributeError, TypeError, ValueError):
        # Each kind of item refuses in its own way.
        return False
    return True


async def _in_thread(work: Callable[..., _Result], *arguments: Any) -> _Result:
    """Does what takes a while without holding up the crawl."""
    result: _Result = await maybe_deferred_to_future(deferToThread(work, *arguments))
    return result
