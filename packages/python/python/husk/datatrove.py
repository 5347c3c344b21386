"""Blocks for datatrove: the content of web pages, told by what their sites wrap around every page.

A site's pages are spread over tasks, so there are three of them, each in a pipeline of its own: `SampleSites` draws
some pages of each site, `LearnSites` learns a template for each of its layouts, `StripTemplates` takes it off every
page. Documents are as ``WarcReader`` yields them: HTML in ``text``, the address in ``metadata["url"]``. What comes out
does not depend on how pages are spread over tasks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

try:
    from datatrove.data import Document
    from datatrove.io import get_datafolder
    from datatrove.pipeline.base import PipelineStep
    from datatrove.utils.typeshelper import StatHints
except ImportError as cause:
    from .crawls.missing import not_installed

    raise not_installed("datatrove", "husk-web[datatrove]", cause) from cause

from ._husk import Page
from .crawls.page import page_of_crawl, site_of
from .crawls.sample import MIN_PAGES, SAMPLE_PAGES
from .crawls.sample_files import BUCKETS, HOLD_BYTES, SampleWriter, buckets_in, samples_in
from .crawls.template_files import HOLD_SITES, TemplateFiles, write_templates
from .crawls.rows import row_fields, told
from .errors import NotAPageError, OptionError

__all__ = ["LearnSites", "SampleSites", "StripTemplates"]


class SampleSites(PipelineStep):  # type: ignore[misc]
    """Draws a sample of each site's pages into a folder. Documents go on unchanged.

    What belongs to no site (no address in ``metadata[url_key]``, or none of the web) and what is not HTML is counted
    and not drawn. At most ``hold_bytes`` of packed pages are held, then they are written. The folder is for one crawl:
    a task that runs again replaces what it wrote, but files of other tasks stay.

    Args:
        samples: a folder for what is drawn; it is of no use after `LearnSites`
        same_site: ``host``, or ``domain`` for all hosts of a registrable domain
        sample_pages: how many pages of a site are drawn at most
        buckets: into how many parts sites are divided, hence how many tasks of `LearnSites` can have work
        url_key: where in the metadata the address is
        hold_bytes: how many bytes of packed pages are held at most
    """

    type = "🌾 - HUSK"
    name = "🎲 Sample sites"

    def __init__(
        self,
        samples: Any,
        *,
        same_site: str = "host",
        sample_pages: int = SAMPLE_PAGES,
        buckets: int = BUCKETS,
        url_key: str = "url",
        hold_bytes: int = HOLD_BYTES,
    ) -> None:
        super().__init__()
        self.samples = get_datafolder(samples)
        self.same_site, self.url_key = _checked_same_site(same_site), url_key
        self.sample_pages, self.buckets, self.hold_bytes = sample_pages, buckets, hold_bytes

    def run(self, data: Iterable[Document], rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        """Draws from the documents of a task."""
        writer = SampleWriter(
            self.samples,
            f"{rank:05d}",
            buckets=self.buckets,
            sample_pages=self.sample_pages,
            hold_bytes=self.hold_bytes,
        )
        for document in data:
            self.stat_update(StatHints.total)
            with self.track_time():
                self._draw(document, writer)
            yield document
        writer.flush()

    def _draw(self, document: Document, writer: SampleWriter) -> None:
        try:
            page = page_of_crawl(document.metadata.get(self.url_key), document.text)
        except NotAPageError:
            self.stat_update("not_html")
            return
        site = site_of(page, self.same_site)
        if site is None:
            self.stat_update("no_site")
        elif writer.add(site, page):
            self.stat_update("drawn")


class LearnSites(PipelineStep):  # type: ignore[misc]
    """Puts the samples of all tasks together, learns the templates of each site, and writes a file for each.

    It is the first and only block of its pipeline, with as many tasks as there are buckets, or fewer. A task has one
    site at a time in memory: its packed pages, then up to 8 MiB of pages (or 3, however large) parsed. Besides, it has
    the files of its bucket open, at least one for each task of `SampleSites`.

    Args:
        samples: the folder that `SampleSites` wrote
        templates: a folder for the templates, ``example.org.husk`` and so on, as ``husk learn`` writes them
        min_pages: a site with fewer pages is not learned from
    """

    type = "🌾 - HUSK"
    name = "🎓 Learn sites"

    def __init__(self, samples: Any, templates: Any, *, min_pages: int = MIN_PAGES) -> None:
        super().__init__()
        self.samples, self.templates = get_datafolder(samples), get_datafolder(templates)
        self.min_pages = min_pages

    def run(self, data: Iterable[Document] | None = None, rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        """Learns the sites of a task's buckets."""
        if data is not None:
            yield from data
        for bucket in buckets_in(self.samples)[rank::world_size]:
            for site, sample in samples_in(self.samples, bucket):
                self.stat_update("sites", unit="site")
                self.stat_update("pages", value=sample.seen, unit="site")
                if sample.seen < self.min_pages:
                    self.stat_update("too_few_pages", unit="site")
                    continue
                with self.track_time("site"):
                    learned = sample.templates(site)
                    write_templates(self.templates, learned)
                self.stat_update("learned", unit="site")
                self.stat_update("layouts", value=len(learned.layouts), unit="site")


class StripTemplates(PipelineStep):  # type: ignore[misc]
    """Replaces HTML by its content, the template of its site taken off.

    ``metadata`` is given ``method``, ``layout``, ``template_share`` and ``warnings``, with the values of ``husk bulk``.
    A page of a site that was not learned, or of no site, is told by the page alone and has the warning
    ``too-few-pages``. What is not HTML is dropped and counted as ``not_html``, and a page without content as
    ``no_content``: neither has a text to go on with. Held are the templates of ``hold_sites`` sites, those met last.

    Args:
        templates: the folder that `LearnSites` wrote
        content_format: ``text`` or ``markdown``
        same_site: as given to `SampleSites`
        url_key: where in the metadata the address is
        hold_sites: of how many sites templates are held
    """

    type = "🛢 - EXTRAC"
    name = "🌾 Husk"

    def __init__(
        self,
        templates: Any,
        *,
        content_format: str = "text",
        same_site: str = "host",
        url_key: str = "url",
        hold_sites: int = HOLD_SITES,
    ) -> None:
        super().__init__()
        if content_format not in ("text", "markdown"):
            raise OptionError(f"content_format: {content_format!r} is neither 'text' nor 'markdown'")
        self.templates = get_datafolder(templates)
        self.content_format, self.same_site = content_format, _checked_same_site(same_site)
        self.url_key, self.hold_sites = url_key, hold_sites

    def run(self, data: Iterable[Document], rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        """Strips the documents of a task."""
        known = TemplateFiles(self.templates, self.hold_sites)
        for document in data:
            self.stat_update(StatHints.total)
            with self.track_time():
                is_kept = self._strip(document, known)
            if not is_kept:
                self.stat_update(StatHints.dropped)
                continue
            self.stat_update(StatHints.forwarded)
            self.update_doc_stats(document)
            yield document

    def _strip(self, document: Document, known: TemplateFiles) -> bool:
        """Whether there is any content."""
        try:
            page = page_of_crawl(document.metadata.get(self.url_key), document.text)
        except NotAPageError:
            self.stat_update("not_html")
            return False
        site = site_of(page, self.same_site)
        if site is None:
            self.stat_update("no_site")
        row = told(page, known.of_site(site) if site else None, self.content_format)
        document.text = row.content or ""
        document.metadata.update(row_fields(row))
        self.stat_update(row.method, *row.warnings)
        if not document.text.strip():
            self.stat_update("no_content")
            return False
        return True


def _checked_same_site(same_site: str) -> str:
    """A mistake is told before anything runs."""
    Page("https://page.invalid/", "").site(same_site)
    return same_site
