"""The plan of a crawl on a cluster, whatever the engine: count pages per site, learn large sites, build all rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from dataclasses import fields as dataclass_fields
from functools import partial
from typing import Any, Protocol

from ..errors import OptionError
from . import batches, stages
from .chosen import StoreRun
from .readers import Reader
from .stages import LargeSite, Settings

Stage = Callable[[Iterable[Any]], Iterator[Any]]
"""A function from the Arrow batches of a partition to those of its result."""

_PACKED_SHARE = 1 / 3
"""Size of packed pages relative to their HTML: 0.22 in large sites and 0.31 in small ones (docs/scale.md), rounded up."""


class Engine(Protocol):
    """What the plan needs of Spark, Ray or Dask. Tables are whatever the engine has for them."""

    def map(self, table: Any, stage: Stage, schema: Any) -> Any:
        """A table of what ``stage`` makes of each partition."""

    def map_sites(self, table: Any, keys: list[str], order: list[str], stage: Stage, schema: Any, tasks: int) -> Any:
        """The same after a shuffle: rows with the same keys come to one call, sorted by ``keys`` and ``order``. There should
        be at least so many tasks."""

    def union(self, table: Any, other: Any) -> Any:
        """The rows of both tables."""

    def collect(self, table: Any) -> Iterable[tuple[Any, ...]]:
        """The rows, in this process."""

    def keep(self, table: Any, name: str, settings: Settings) -> Any:
        """The table, computed only once, until it is released."""

    def release(self, table: Any) -> None:
        """Frees what `keep` holds."""

    def max_template_bytes(self) -> int:
        """How many bytes can be sent to every worker."""


@dataclass(frozen=True)
class Source:
    """A table, and how to read pages from its partitions."""

    engine: Engine
    table: Any
    read: Reader

    def map(self, stage: Callable[..., Iterator[Any]], schema: Any, *arguments: Any) -> Any:
        """The table of a stage that reads pages."""
        return self.engine.map(self.table, partial(stage, self.read, *arguments), schema)


@dataclass(frozen=True)
class Learned:
    """The counts and templates of a crawl. Valid for that crawl and those settings only."""

    pages: int
    sites: int
    skipped: int
    """Number of records that are not pages."""
    large: dict[str, LargeSite]
    """Sites that are too large to be processed in one place."""
    large_bytes: int
    """Size of their pages."""
    small_bytes: int
    """Size of the pages of other sites."""
    template_bytes: int
    """Size of the templates of large sites."""
    templates: dict[str, bytes] | None
    """Templates of large sites, packed; none if they are too large to send to every worker."""
    settings: Settings
    run: StoreRun | None = None
    """The run of the template store, if there is one."""
    kept: Any = None
    """The table of these templates, in the session that learned them."""

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "kept": None}


def learn(source: Source, **settings: Any) -> Learned:
    """Counts the pages of each site, and learns the large sites. Runs jobs."""
    chosen = settings_of(settings)
    engine = source.engine
    run = StoreRun(chosen.templates) if chosen.templates is not None else None
    if run is not None:
        run.begin()
    pages = sites = skipped = large_bytes = small_bytes = 0
    large: dict[str, LargeSite] = {}
    counted = engine.keep(_counts(source, chosen), "counts", chosen)
    for site, *counts, cutoff in engine.collect(counted):
        pages, sites, skipped = pages + counts[0], sites + counts[3], skipped + counts[2]
        if site is None:
            small_bytes += counts[1]
        else:
            large[site] = LargeSite(cutoff, counts[0])
            large_bytes += counts[1]
    engine.release(counted)
    kept, template_bytes = None, 0
    templates: dict[str, bytes] | None = {}
    if large:
        kept = engine.keep(_learned(source, chosen, run, large, large_bytes), "templates", chosen)
        template_bytes = sum(size for size, in engine.collect(engine.map(kept, stages.template_sizes, batches.SIZES)))
        limit = engine.max_template_bytes() if chosen.max_template_bytes is None else chosen.max_template_bytes
        templates = None
        if template_bytes <= limit:
            templates = dict(engine.collect(engine.map(kept, stages.templates_only, batches.TEMPLATES)))
        if templates is not None and run is None:
            engine.release(kept)
            kept = None
    return Learned(pages, sites, skipped, large, large_bytes, small_bytes, template_bytes, templates, chosen, run, kept)


def update_store(source: Source, learned: Learned) -> None:
    """Makes the updates of a run in its template store, at once. Only when all rows are written: `strip` gives the updates of
    small sites."""
    if learned.run is None:
        raise OptionError("nothing was learned with a template store: set templates")
    if learned.large:
        if learned.kept is None:
            raise OptionError("the templates were learned in another session: learn again, or with a checkpoint")
        updates = source.engine.map(learned.kept, partial(stages.write_updates, learned.run), batches.SIZES)
        list(source.engine.collect(updates))
        source.engine.release(learned.kept)
    learned.run.finish()


def strip(source: Source, learned: Learned | None = None, **settings: Any) -> Any:
    """A table with one row per page and the columns of ``husk bulk``: see `batches.ROWS`.

    Learns first unless ``learned`` is given, which runs jobs. The rows are computed when the table is used: persist it, or
    write it and read it back, if you use it several times.
    """
    chosen = settings_of(settings)
    learned = learned or learn(source, **settings)
    _require_same(learned.settings, chosen)
    if learned.templates is None:
        return _pages_to_templates(source, chosen, learned)
    small = source.map(stages.send_small_sites, batches.PIECES, chosen, frozenset(learned.large))
    rows = _built_rows(source, small, chosen, learned, learned.small_bytes)
    if not learned.large:
        return rows
    large = source.map(stages.strip_pages, batches.ROWS, chosen, learned.templates)
    return source.engine.union(large, rows)


_LEARNED_SETTINGS = ("same_site", "min_pages", "sample_pages", "sample_bytes", "part", "templates")


def learned_settings(settings: Settings) -> dict[str, Any]:
    """The settings that counts and templates depend on."""
    return {name: getattr(settings, name) for name in _LEARNED_SETTINGS}


def _require_same(learned: Settings, chosen: Settings) -> None:
    wanted = learned_settings(chosen)
    for name, before in learned_settings(learned).items():
        if (now := wanted[name]) != before:
            raise OptionError(f"{name} is {now!r}, but it was {before!r} when learning: learn again, or strip with the same settings")


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


def _counts(source: Source, settings: Settings) -> Any:
    """A table of the large sites, and the totals of the others."""
    engine = source.engine
    counts = source.map(stages.count_pages, batches.COUNTS, settings)
    merge = partial(stages.merge_counts, settings)
    merged = engine.map_sites(counts, ["site"], [], merge, batches.SITE_COUNTS, 1)
    return engine.map(merged, stages.add_small_sites, batches.SITE_COUNTS)


def _learned(source: Source, settings: Settings, run: StoreRun | None, large: dict[str, LargeSite], large_bytes: int) -> Any:
    """A table of the templates of each large site."""
    picked = source.map(stages.pick_samples, batches.PAGES, settings, large)
    sampled = large_bytes * len(large) * settings.sample_pages / sum(site.pages for site in large.values())
    learn_sites = partial(stages.learn_sites, settings, run)
    tasks = _tasks(sampled, settings)
    return source.engine.map_sites(picked, ["site"], ["sample_key", "packed"], learn_sites, batches.LEARNED, tasks)


def _pages_to_templates(source: Source, settings: Settings, learned: Learned) -> Any:
    """All rows if the templates are too large for every worker: pages of large sites are sent to them in pieces."""
    engine, large = source.engine, learned.large
    pages = source.map(stages.send_pages, batches.PIECES, settings, large)
    kept = learned.kept
    if kept is None:
        kept = _learned(source, settings, learned.run, large, learned.large_bytes)
    templates = engine.map(kept, partial(stages.send_templates, large), batches.PIECES)
    pieces = sum(site.pieces for site in large.values())
    template_bytes = pieces * learned.template_bytes // len(large)
    page_bytes = learned.large_bytes + learned.small_bytes
    return _built_rows(source, engine.union(templates, pages), settings, learned, page_bytes, template_bytes)


def _built_rows(
    source: Source, table: Any, settings: Settings, learned: Learned, page_bytes: int, template_bytes: int = 0
) -> Any:
    """The rows of pages that are sent in pieces of a site."""
    build = partial(stages.build_rows, settings, learned.run)
    tasks = _tasks(page_bytes, settings, template_bytes)
    return source.engine.map_sites(table, ["site", "piece"], ["sample_key", "packed"], build, batches.ROWS, tasks)


def _tasks(page_bytes: float, settings: Settings, other_bytes: int = 0) -> int:
    """The number of tasks that share a shuffle of pages of this size, and other bytes."""
    return int((page_bytes * _PACKED_SHARE + other_bytes) // settings.task_bytes) + 1
