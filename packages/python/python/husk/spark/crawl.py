"""The plan of the job: count pages per site, learn large sites, build all rows."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import fields as dataclass_fields
from functools import partial
from typing import Any

from ..errors import OptionError
from . import columns, stages
from .sources import Source
from .stages import LargeSite, Settings


@dataclass(frozen=True)
class Learned:
    """The counts and templates of a crawl. Valid for that crawl and those settings only."""

    pages: int
    sites: int
    large: dict[str, LargeSite]
    """Sites that are too large to be processed in one place."""
    templates: dict[str, bytes] | None
    """Their templates, as the bytes of ``husk learn``; none if they are too large to send to every worker."""
    settings: Settings

    @property
    def template_bytes(self) -> int:
        """Size of the templates that every worker gets."""
        return sum(map(len, (self.templates or {}).values()))


def learn(source: Source, **settings: Any) -> Learned:
    """Counts the pages of each site, and learns the large sites. Runs two jobs, or only the first if the templates would be
    too large to send to every worker."""
    chosen = settings_of(settings)
    pages, sites, large = _count_sites(source, chosen)
    templates: dict[str, bytes] | None = None
    if len(large) * TEMPLATE_BYTES_PER_SITE <= chosen.max_template_bytes:
        templates = {row.site: bytes(row.templates) for row in _learned(source, chosen, large).collect()} if large else {}
    return Learned(pages, sites, large, templates, chosen)


TEMPLATE_BYTES_PER_SITE = 30_000
"""Approximate size of the templates of a large site."""


def strip(source: Source, learned: Learned | None = None, **settings: Any) -> Any:
    """A table with one row per page and the columns of ``husk bulk``: see `ROWS`.

    Learns first unless ``learned`` is given, which runs jobs. The rows are computed when the table is used: persist it, or
    write it and read it back, if you use it several times.
    """
    chosen = settings_of(settings)
    learned = learned or learn(source, **settings)
    _require_same(learned.settings, chosen)
    small = _small_sites(source, chosen, learned)
    if not learned.large:
        return small
    if learned.templates is None:
        return _pages_to_templates(source, chosen, learned.large).unionByName(small)
    return _templates_to_pages(source, chosen, learned.templates).unionByName(small)


_LEARNED_SETTINGS = ("same_site", "min_pages", "sample_pages", "sample_bytes", "max_template_bytes")


def _require_same(learned: Settings, chosen: Settings) -> None:
    for name in _LEARNED_SETTINGS:
        before, now = getattr(learned, name), getattr(chosen, name)
        if before != now:
            raise OptionError(f"{name} is {now!r}, but it was {before!r} when learning: learn again, or strip with the same settings")


def _templates_to_pages(source: Source, settings: Settings, templates: dict[str, bytes]) -> Any:
    """Rows of large sites: templates are sent to all workers, pages stay where they are."""
    shared = _context(source).broadcast(templates)
    # Not `source`: the table can't be sent to workers.
    read = source.pages

    def strip_parts(parts: Any) -> Any:
        return stages.strip_pages(read, settings, shared.value, parts)

    return source.table.mapInArrow(strip_parts, columns.ROWS)


def _pages_to_templates(source: Source, settings: Settings, large: dict[str, LargeSite]) -> Any:
    """Rows of large sites if the templates are too large for every worker: pages are sent to them in pieces."""
    shared = _context(source).broadcast(large)
    read = source.pages

    def send_pages(parts: Any) -> Any:
        return stages.send_pages(read, settings, shared.value, parts)

    def send_templates(parts: Any) -> Any:
        return stages.send_templates(shared.value, parts)

    pages = source.table.mapInArrow(send_pages, columns.PIECES)
    templates = _learned(source, settings, large).mapInArrow(send_templates, columns.PIECES)
    merged = templates.unionByName(pages).repartition("site", "piece")
    sorted_pieces = merged.sortWithinPartitions("site", "piece", "sample_key", "packed")
    return sorted_pieces.mapInArrow(partial(stages.strip_pieces, settings), columns.ROWS)


def _small_sites(source: Source, settings: Settings, learned: Learned) -> Any:
    """Rows of small sites: all pages of a site are sent to one task."""
    shared = _context(source).broadcast(frozenset(learned.large))
    read = source.pages

    def gather_pages(parts: Any) -> Any:
        return stages.gather_small_sites(read, settings, shared.value, parts)

    gathered = source.table.mapInArrow(gather_pages, columns.PAGES)
    by_site = gathered.repartition("site").sortWithinPartitions("site", "sample_key", "packed")
    return by_site.mapInArrow(partial(stages.process_small_sites, settings), columns.ROWS)


def settings_of(given: dict[str, Any]) -> Settings:
    """Settings by name, with defaults."""
    known = [field.name for field in dataclass_fields(Settings)]
    for name in given:
        if name not in known:
            raise OptionError(f"unknown setting {name!r}, expected one of {', '.join(known)}")
    if isinstance(given.get("fields"), str):
        given = {**given, "fields": (given["fields"],)}
    settings = Settings(**{**given, "fields": tuple(given.get("fields", ("content",)))})
    settings.check()
    return settings


def _count_sites(source: Source, settings: Settings) -> tuple[int, int, dict[str, LargeSite]]:
    """The number of pages and sites, and the large sites."""
    counts = source.urls_table.mapInArrow(partial(stages.count_pages, source.urls, settings), columns.COUNTS)
    by_site = counts.repartition("site").sortWithinPartitions("site")
    pages, sites = 0, 0
    large: dict[str, LargeSite] = {}
    for row in by_site.mapInArrow(partial(stages.merge_counts, settings), columns.SITE_COUNTS).collect():
        if row.site is None:
            pages, sites = pages + row.pages, sites + row.sites
        else:
            large[row.site] = LargeSite(row.cutoff, row.pages)
    return pages, sites, large


def _learned(source: Source, settings: Settings, large: dict[str, LargeSite]) -> Any:
    """A table of the templates of each large site."""
    shared = _context(source).broadcast(large)
    read = source.pages

    def pick_samples(parts: Any) -> Any:
        return stages.pick_samples(read, settings, shared.value, parts)

    picked = source.table.mapInArrow(pick_samples, columns.PAGES)
    by_site = picked.repartition("site").sortWithinPartitions("site", "sample_key", "packed")
    return by_site.mapInArrow(partial(stages.learn_sites, settings), columns.LEARNED)


def _context(source: Source) -> Any:
    return source.table.sparkSession.sparkContext
