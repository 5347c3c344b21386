"""The plan: count the pages of each site, learn the large ones, tell of all pages."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from ..errors import OptionError
from . import columns, stages
from .sources import Source
from .stages import LargeSite, Settings


@dataclass(frozen=True)
class Learned:
    """What is known of a crawl before its pages are told of. It is of use for that crawl only, with the same settings."""

    pages: int
    sites: int
    large: dict[str, LargeSite]
    """The sites that are too large to be gathered in one place."""
    templates: dict[str, bytes] | None
    """What was learned of each of them, as files of ``husk learn`` have it; none if it is too much for every worker to hold,
    and is learned where it is needed."""
    settings: Settings

    @property
    def template_bytes(self) -> int:
        """What every worker is sent."""
        return sum(map(len, (self.templates or {}).values()))


def learn(source: Source, **settings: Any) -> Learned:
    """Counts the pages of each site, and learns those that are too large to be gathered in one place. Runs two jobs, or
    only the first if so many are large that what is learned of them cannot be sent to every worker."""
    chosen = settings_of(settings)
    pages, sites, large = _census(source, chosen)
    templates: dict[str, bytes] | None = None
    if len(large) * TEMPLATES_OF_A_SITE <= chosen.most_template_bytes:
        templates = {row.site: bytes(row.templates) for row in _learned(source, chosen, large).collect()} if large else {}
    return Learned(pages, sites, large, templates, chosen)


TEMPLATES_OF_A_SITE = 30_000
"""About so many bytes are learned of a large site."""


def strip(source: Source, learned: Learned | None = None, **settings: Any) -> Any:
    """A table with a row for each page, its columns those of ``husk bulk``: see `ROWS`.

    What was not learned before is learned first, which runs jobs. Told of pages is when the table is used; whoever uses it
    several times persists it, or writes it and reads it back.
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


_LEARNED_BY = ("same_site", "min_pages", "sample_pages", "sample_bytes", "most_template_bytes")


def _require_same(learned: Settings, chosen: Settings) -> None:
    for name in _LEARNED_BY:
        before, now = getattr(learned, name), getattr(chosen, name)
        if before != now:
            raise OptionError(f"{name} is {now!r}, and it was learned with {before!r}: learn anew, or strip with the same")


def _templates_to_pages(source: Source, settings: Settings, templates: dict[str, bytes]) -> Any:
    """Rows of large sites: their pages are told of where they lie."""
    shared = _context(source).broadcast(templates)
    # The table itself stays here: workers are sent what reads its parts.
    read = source.pages

    def strip_parts(parts: Any) -> Any:
        return stages.strip(read, settings, shared.value, parts)

    return source.table.mapInArrow(strip_parts, columns.ROWS)


def _pages_to_templates(source: Source, settings: Settings, large: dict[str, LargeSite]) -> Any:
    """The same where no worker can hold the templates of all: pages go in pieces to those of their site."""
    shared = _context(source).broadcast(large)
    read = source.pages

    def send_parts(parts: Any) -> Any:
        return stages.send(read, settings, shared.value, parts)

    def hand_out_parts(parts: Any) -> Any:
        return stages.hand_out(shared.value, parts)

    pages = source.table.mapInArrow(send_parts, columns.PIECES)
    templates = _learned(source, settings, large).mapInArrow(hand_out_parts, columns.PIECES)
    together = templates.unionByName(pages).repartition("site", "piece")
    sorted_pieces = together.sortWithinPartitions("site", "piece", "lot", "packed")
    return sorted_pieces.mapInArrow(partial(stages.tell, settings), columns.ROWS)


def _small_sites(source: Source, settings: Settings, learned: Learned) -> Any:
    """Rows of small sites: their pages are brought together, site by site."""
    shared = _context(source).broadcast(frozenset(learned.large))
    read = source.pages

    def gather_parts(parts: Any) -> Any:
        return stages.gather(read, settings, shared.value, parts)

    gathered = source.table.mapInArrow(gather_parts, columns.PAGES)
    together = gathered.repartition("site").sortWithinPartitions("site", "lot", "packed")
    return together.mapInArrow(partial(stages.finish, settings), columns.ROWS)


def settings_of(given: dict[str, Any]) -> Settings:
    """Settings by name; those that are not given are as by default."""
    known = [field.name for field in fields(Settings)]
    for name in given:
        if name not in known:
            raise OptionError(f"{name!r} is no setting: there are {', '.join(known)}")
    if isinstance(given.get("what"), str):
        given = {**given, "what": (given["what"],)}
    settings = Settings(**{**given, "what": tuple(given.get("what", ("content",)))})
    settings.check()
    return settings


def _census(source: Source, settings: Settings) -> tuple[int, int, dict[str, LargeSite]]:
    """How many pages and sites there are, and the large sites."""
    counts = source.addresses_table.mapInArrow(partial(stages.count, source.addresses, settings), columns.COUNTS)
    together = counts.repartition("site").sortWithinPartitions("site")
    pages, sites = 0, 0
    large: dict[str, LargeSite] = {}
    for row in together.mapInArrow(partial(stages.add_up, settings), columns.CENSUS).collect():
        if row.site is None:
            pages, sites = pages + row.pages, sites + row.sites
        else:
            large[row.site] = LargeSite(row.cutoff, row.pages)
    return pages, sites, large


def _learned(source: Source, settings: Settings, large: dict[str, LargeSite]) -> Any:
    """A table of what was learned of each large site."""
    shared = _context(source).broadcast(large)
    read = source.pages

    def pick_parts(parts: Any) -> Any:
        return stages.pick(read, settings, shared.value, parts)

    picked = source.table.mapInArrow(pick_parts, columns.PAGES)
    together = picked.repartition("site").sortWithinPartitions("site", "lot", "packed")
    return together.mapInArrow(partial(stages.learn, settings), columns.LEARNED)


def _context(source: Source) -> Any:
    return source.table.sparkSession.sparkContext
