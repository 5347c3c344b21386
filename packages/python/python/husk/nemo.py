"""Stages for NeMo Curator that extract the content of web pages with the templates of their sites.

An extractor of NeMo Curator sees one page at a time, so templates are learned first, in two pipelines: `SampleSites` samples
pages of each site, `LearnSites` learns a template for each layout. Then `HuskExtractor` strips it from every page. The result
does not depend on the distribution of files over workers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

try:
    from fsspec.core import url_to_fs
    from fsspec.implementations.dirfs import DirFileSystem
    from loguru import logger
    from nemo_curator.stages.base import CompositeStage, ProcessingStage
    from nemo_curator.stages.text.download import DocumentExtractor, DocumentIterator
    from nemo_curator.stages.text.download.common_crawl.warc_iterator import CommonCrawlWarcIterator
    from nemo_curator.stages.text.download.html_extractors import HTMLExtractorAlgorithm
    from nemo_curator.stages.text.download.utils import lang_detect
    from nemo_curator.tasks import EmptyTask, FileGroupTask
except ImportError as cause:
    from .crawls.missing import not_installed

    raise not_installed("NeMo Curator", "nemo-curator>=1.4", cause) from cause

from ._husk import Page
from .crawls.page import page_of_crawl, site_of
from .crawls.sample import MIN_PAGES, SAMPLE_PAGES
from .crawls.sample_files import BUCKETS, HOLD_BYTES, SampleWriter, buckets_in, samples_in
from .crawls.template_files import HOLD_SITES, TemplateFiles, file_of, write_templates
from .crawls.rows import FIELDS, build_row, row_fields
from .errors import NotAPageError, OptionError
from .functions import NO_URL
from .site import Templates

__all__ = ["HuskAlgorithm", "HuskExtractor", "LearnSites", "SampleSites"]

_UNKNOWN_LANGUAGE = "UNKNOWN"


class HuskExtractor(DocumentExtractor):  # type: ignore[misc]
    """Extracts records with HTML in ``content`` and the URL in ``url``, as ``CommonCrawlWarcIterator`` yields them.

    The result has ``text`` instead of ``content``, ``language`` as detected by NeMo Curator, and ``method``, ``layout``,
    ``template_share`` and ``warnings`` with the values of ``husk bulk``. Pages of sites without templates, and pages without a
    URL, have the method ``single-page`` and the warning ``too-few-pages``. Records that are not HTML, and pages without
    content, are dropped. The templates of ``hold_sites`` sites are cached.

    Args:
        templates: the folder of `LearnSites`, or templates by site name, or none
        content_format: ``text`` or ``markdown``
        same_site: as in `SampleSites`
        hold_sites: number of sites whose templates are cached
        storage_options: for the file system of the folder
    """

    def __init__(
        self,
        templates: str | Mapping[str, Templates] | None = None,
        *,
        content_format: str = "text",
        same_site: str = "host",
        hold_sites: int = HOLD_SITES,
        storage_options: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        if content_format not in ("text", "markdown"):
            raise OptionError(f"content_format: {content_format!r} is neither 'text' nor 'markdown'")
        self.content_format, self.same_site = content_format, _checked_same_site(same_site)
        self._given = dict(templates) if isinstance(templates, Mapping) else {}
        self._files: TemplateFiles | None = None
        if isinstance(templates, str):
            self._files = TemplateFiles(_folder(templates, storage_options), hold_sites)

    def extract(self, record: dict[str, Any]) -> dict[str, Any] | None:
        """The record with its content, if it has any."""
        html = record.get("content")
        if not html:
            return None
        try:
            page = page_of_crawl(record.get("url"), html)
        except NotAPageError:
            return None
        row = build_row(page, self._templates_of(page), self.content_format)
        if not row.content or not row.content.strip():
            return None
        others = {name: value for name, value in record.items() if name != "content"}
        return {**others, "language": _language(row.content), "text": row.content, **row_fields(row)}

    def _templates_of(self, page: Page) -> Templates | None:
        site = site_of(page, self.same_site)
        if site is None:
            return None
        return self._files.of_site(site) if self._files is not None else self._given.get(site)

    def input_columns(self) -> list[str]:
        """Columns of the input."""
        return ["url", "warc_id", "source_id", "content"]

    def output_columns(self) -> list[str]:
        """Columns of the output."""
        return ["url", "warc_id", "source_id", "language", "text", *FIELDS]


class HuskAlgorithm(HTMLExtractorAlgorithm):  # type: ignore[misc]
    """For ``html_extraction=`` of ``CommonCrawlDownloadExtractStage``: the content without templates.

    That interface does not pass the URL. Stop words are ignored.
    """

    def extract_text(self, html: str, stop_words: frozenset[str], language: str) -> list[str] | None:
        """The paragraphs of the content; none if it is not a page."""
        try:
            row = build_row(page_of_crawl(NO_URL, html), None, "text")
        except NotAPageError:
            return None
        return [paragraph for paragraph in (row.content or "").strip().split("\n\n") if paragraph]


@dataclass
class SampleSites(ProcessingStage[FileGroupTask, FileGroupTask]):  # type: ignore[misc]
    """Samples pages of each site from files into a folder, and returns the files of samples.

    Pages without a site and records that are not HTML are skipped. Files are read record by record, and at most ``hold_bytes`` of
    packed pages are buffered. Use one folder per crawl: a repeated task replaces its own files.
    """

    samples: str
    iterator: DocumentIterator = field(default_factory=CommonCrawlWarcIterator)
    same_site: str = "host"
    sample_pages: int = SAMPLE_PAGES
    buckets: int = BUCKETS
    hold_bytes: int = HOLD_BYTES
    storage_options: dict[str, Any] | None = None
    name: str = "husk_sample_sites"

    def __post_init__(self) -> None:
        _checked_same_site(self.same_site)
        self._folder = _folder(self.samples, self.storage_options)

    def inputs(self) -> tuple[list[str], list[str]]:
        """Groups of files."""
        return ["data"], []

    def outputs(self) -> tuple[list[str], list[str]]:
        """Groups of sample files."""
        return ["data"], []

    def process(self, task: FileGroupTask) -> FileGroupTask:
        """Samples a group of files."""
        writer = SampleWriter(
            self._folder,
            task.get_deterministic_id(),
            buckets=self.buckets,
            sample_pages=self.sample_pages,
            hold_bytes=self.hold_bytes,
        )
        counts = {"sampled": 0, "not_sampled": 0, "no_site": 0, "not_html": 0}
        for file in task.data:
            try:
                for record in self.iterator.iterate(file):
                    counts[self._sample(record, writer)] += 1
            except Exception as cause:
                # As NeMo Curator's own stage for these files does.
                logger.error(f"cannot read all of {file}: {cause}")
        writer.flush()
        self._log_metrics(counts)
        files = [f"{self._folder.path}/{file}" for file in writer.files]
        return FileGroupTask(
            dataset_name=task.dataset_name, data=files, _metadata=task._metadata, _stage_perf=task._stage_perf
        )

    def _sample(self, record: dict[str, Any], writer: SampleWriter) -> str:
        """Samples a record. Returns the counter to increase."""
        try:
            page = page_of_crawl(record.get("url"), record.get("content") or b"")
        except NotAPageError:
            return "not_html"
        site = site_of(page, self.same_site)
        if site is None:
            return "no_site"
        return "sampled" if writer.add(site, page) else "not_sampled"


class LearnSites(CompositeStage):  # type: ignore[misc]
    """Merges samples, learns the templates of each site, and writes a file per site.

    It must be the only stage of its pipeline, with one task per bucket of sites. A worker has one site in memory: its packed
    pages, then up to 8 MiB of pages (at least 3) parsed.

    Args:
        samples: the folder of `SampleSites`
        templates: a folder for the templates, one file of ``husk learn`` per site, such as ``example.org.husk``
        min_pages: sites with fewer pages are not learned
        storage_options: for both file systems
    """

    name = "husk_learn_sites"

    def __init__(
        self,
        samples: str,
        templates: str,
        *,
        min_pages: int = MIN_PAGES,
        storage_options: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self._stages = [
            _Buckets(_folder(samples, storage_options)),
            _LearnBucket(_folder(samples, storage_options), _folder(templates, storage_options), min_pages),
        ]

    def decompose(self) -> list[ProcessingStage]:
        """Stages that find and learn the buckets."""
        return self._stages


@dataclass
class _Buckets(ProcessingStage[EmptyTask, FileGroupTask]):  # type: ignore[misc]
    """A task for each bucket."""

    samples: Any
    name: str = "husk_buckets"

    def inputs(self) -> tuple[list[str], list[str]]:
        return [], []

    def outputs(self) -> tuple[list[str], list[str]]:
        return ["data"], []

    def num_workers(self) -> int | None:
        return 1

    def process(self, task: EmptyTask) -> list[FileGroupTask]:
        buckets = buckets_in(self.samples)
        return [FileGroupTask(dataset_name=task.dataset_name, data=[bucket]) for bucket in buckets]


@dataclass
class _LearnBucket(ProcessingStage[FileGroupTask, FileGroupTask]):  # type: ignore[misc]
    """Learns the sites of buckets."""

    samples: Any
    templates: Any
    min_pages: int
    name: str = "husk_learn_bucket"

    def inputs(self) -> tuple[list[str], list[str]]:
        return ["data"], []

    def outputs(self) -> tuple[list[str], list[str]]:
        return ["data"], []

    def process(self, task: FileGroupTask) -> FileGroupTask:
        files: list[str] = []
        sites = 0
        for bucket in task.data:
            for site, sample in samples_in(self.samples, bucket):
                sites += 1
                if sample.seen >= self.min_pages:
                    write_templates(self.templates, sample.templates(site))
                    files.append(f"{self.templates.path}/{file_of(site)}")
        self._log_metrics({"sites": sites, "learned": len(files)})
        return FileGroupTask(
            dataset_name=task.dataset_name, data=files, _metadata=task._metadata, _stage_perf=task._stage_perf
        )


def _folder(path: str, storage_options: dict[str, Any] | None) -> Any:
    file_system, root = url_to_fs(path, **(storage_options or {}))
    return DirFileSystem(path=root, fs=file_system)


def _language(text: str) -> str:
    try:
        return str(lang_detect(text))
    except Exception:
        # One text must not fail the whole file.
        return _UNKNOWN_LANGUAGE


def _checked_same_site(same_site: str) -> str:
    """Fails early on an invalid value."""
    Page(NO_URL, "").site(same_site)
    return same_site
