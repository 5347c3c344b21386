"""The plan: count the pages of each site, learn the large ones, tell of all pages."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from ..errors import OptionError
from . import columns, stages
from .sources import Source
from .stages import Settings


@dataclass(frozen=True)
class Learned:
    """What is known of a crawl before its pages are told of. It is of use for that crawl only, with the same settings."""

    pages: int
    sites: int
    templates: dict[str, bytes]
    """What was learned of each large site, as files of ``husk learn`` have it."""
    settings: Settings

    @property
    def template_bytes(self) -> int:
        """What every worker is sent."""
        return sum(map(len, self.templates.values()))


def learn(source: Source, **settings: Any) -> Learned:
    """Counts the pages of each site, and learns those that are too large to be gathered in one place. Runs two jobs."""
    chosen = settings_of(settings)
    pages, sites, large = _census(source, chosen)
    return Learned(pages, sites, _templates(source, chosen, large) if large else {}, chosen)


def strip(source: Source, learned: Learned | None = None, **settings: Any) -> Any:
    """A table with a row for each page, its columns those of ``husk bulk``: see `ROWS`.

    What was not learned before is learned first, which runs jobs. Told of pages is when the table is used; whoever uses it
    several times persists it, or writes it and reads it back.
    """
    chosen = settings_of(settings)
    learned = learned or learn(source, **settings)
    _require_same(learned.settings, chosen)
    small = _small_sites(source, chosen, learned)
    return _large_sites(source, chosen, learned).unionByName(small) if learned.templates else small


_LEARNED_BY = ("same_site", "min_pages", "sample_pages", "sample_bytes")


def _require_same(learned: Settings, chosen: Settings) -> None:
    for name in _LEARNED_BY:
        before, now = getattr(learned, name), getattr(chosen, name)
        if before != now:
            raise OptionError(f"{name} is {now!r}, and it was learned with {before!r}: learn anew, or strip with the same")


def _large_sites(source: Source, settings: Settings, learned: Learned) -> Any:
    """Their pages are told of where they lie."""
    shared = _context(source).broadcast(learned.templates)
    # The table itself stays here: workers are sent what reads its parts.
    read = source.pages

    def strip_parts(parts: Any) -> Any:
        return stages.strip(read, settings, shared.value, parts)

    return source.table.mapInArrow(strip_parts, columns.ROWS)


def _small_sites(source: Source, settings: Settings, learned: Learned) -> Any:
    """Their pages are brought together, site by site."""
    shared = _context(source).broadcast(frozenset(learned.templates))
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


def _census(source: Source, settings: Settings) -> tuple[int, int, dict[str, int]]:
    """How many pages and sites there are, and the large sites with the last lot that is drawn."""
    counts = source.addresses_table.mapInArrow(partial(stages.count, source.addresses, settings), columns.COUNTS)
    together = counts.repartition("site").sortWithinPartitions("site")
    pages, sites = 0, 0
    large: dict[str, int] = {}
    for row in together.mapInArrow(partial(stages.add_up, settings), columns.CENSUS).collect():
        if row.site is None:
            pages, sites = pages + row.pages, sites + row.sites
        else:
            large[row.site] = row.cutoff
    return pages, sites, large


def _templates(source: Source, settings: Settings, large: dict[str, int]) -> dict[str, bytes]:
    shared = _context(source).broadcast(large)

    read = source.pages

    def pick_parts(parts: Any) -> Any:
        return stages.pick(read, settings, shared.value, parts)

    picked = source.table.mapInArrow(pick_parts, columns.PAGES)
    together = picked.repartition("site").sortWithinPartitions("site", "lot", "packed")
    learned = together.mapInArrow(partial(stages.learn, settings), columns.LEARNED)
    templates = {row.site: bytes(row.templates) for row in learned.collect()}
    shared.destroy()
    return templates


def _context(source: Source) -> Any:
    return source.table.sparkSession.sparkContext
