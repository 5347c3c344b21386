"""Blocks for datatrove that extract the content of web pages with the templates of their sites.

The pages of a site are spread over tasks, so there are three blocks, each in its own pipeline: `SampleSites` samples pages of
each site, `LearnSites` learns a template for each layout, `StripTemplates` strips it from every page. Documents are those of
``WarcReader``: HTML in ``text``, URL in ``metadata["url"]``. The result does not depend on the distribution over tasks.
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
from .crawls.rows import build_row, row_fields
from .errors import NotAPageError, OptionError

__all__ = ["LearnSites", "SampleSites", "StripTemplates"]


class SampleSites(PipelineStep):  # type: ignore[misc]
    """Samples pages of each site into a folder. Documents pass unchanged.

    Documents without a site (no web URL in ``metadata[url_key]``) and those that are not HTML are counted and skipped. At most
    ``hold_bytes`` of packed pages are buffered. Use one folder per crawl: a repeated task replaces its own files only.

    Args:
        samples: a folder for the samples; can be deleted after `LearnSites`
        same_site: ``host``, or ``domain`` for all hosts of a registrable domain
        sample_pages: maximum number of pages per site
        buckets: number of groups of sites, hence maximum number of tasks of `LearnSites`
        url_key: key of the URL in the metadata
        hold_bytes: maximum size of buffered pages
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
        """Samples the documents of a task."""
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
                self._sample(document, writer)
            yield document
        writer.flush()

    def _sample(self, document: Document, writer: SampleWriter) -> None:
        try:
            page = page_of_crawl(document.metadata.get(self.url_key), document.text)
        except NotAPageError:
            self.stat_update("not_html")
            return
        site = site_of(page, self.same_site)
        if site is None:
            self.stat_update("no_site")
        elif writer.add(site, page):
            self.stat_update("sampled")


class LearnSites(PipelineStep):  # type: ignore[misc]
    """Merges the samples of all tasks, learns the templates of each site, and writes a file per site.

    It must be the only block of its pipeline, with at most as many tasks as buckets. A task has one site in memory: its packed
    pages, then up to 8 MiB of pages (at least 3) parsed. It keeps the files of its bucket open, at least one per task of
    `SampleSites`.

    Args:
        samples: the folder of `SampleSites`
        templates: a folder for the templates, one file of ``husk learn`` per site, such as ``example.org.husk``
        min_pages: sites with fewer pages are not learned
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
    """Replaces HTML with its content.

    Adds ``method``, ``layout``, ``template_share`` and ``warnings`` to ``metadata``, with the values of ``husk bulk``. Pages of
    sites that were not learned, and pages without a site, have the method ``single-page`` and the warning ``too-few-pages``.
    Documents that are not HTML (``not_html``) or have no content (``no_content``) are dropped and counted. The templates of
    ``hold_sites`` sites are cached.

    Args:
        templates: the folder of `LearnSites`
        content_format: ``text`` or ``markdown``
        same_site: as in `SampleSites`
        url_key: key of the URL in the metadata
        hold_sites: number of sites whose templates are cached
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
        row = build_row(page, known.of_site(site) if site else None, self.content_format)
        document.text = row.content or ""
        document.metadata.update(row_fields(row))
        self.stat_update(row.method, *row.warnings)
        if not document.text.strip():
            self.stat_update("no_content")
            return False
        return True


def _checked_same_site(same_site: str) -> str:
    """Fails early on an invalid value."""
    Page("https://page.invalid/", "").site(same_site)
    return same_site
