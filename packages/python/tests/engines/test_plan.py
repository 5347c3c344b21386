"""The plan by itself, on an engine of this process: the same rows as from ``husk bulk``."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import incremental
import pytest
from rows import SETTINGS, check_same, page_table, rows_of_tables, without_place

PARTS = 3


class LocalEngine:
    """Tables are lists of partitions, each a list of batches."""

    def map(self, table: list, stage: Any, schema: Any) -> list:
        # As they are sent to workers.
        stage = pickle.loads(pickle.dumps(stage))
        found = [list(stage(part)) for part in table]
        assert all(batch.schema == schema for part in found for batch in part)
        return found

    def map_sites(self, table: list, keys: list[str], order: list[str], stage: Any, schema: Any, tasks: int) -> list:
        import pyarrow as pa

        from husk.crawls import batches

        parts: list[list] = [[] for _ in range(PARTS)]
        for batch in (batch for part in table for batch in part):
            places = [hash(key) % PARTS for key in zip(*(batch.column(key).to_pylist() for key in keys))]
            for number, part in enumerate(parts):
                part.append(batch.filter(pa.array([place == number for place in places])))
        parts = [batches.sorted_by(pa.Table.from_batches(part), [*keys, *order]) if part else [] for part in parts]
        return self.map(parts, stage, schema)

    def union(self, table: list, other: list) -> list:
        return table + other

    def collect(self, table: list) -> list[tuple]:
        from husk.crawls import batches

        return [row for part in table for row in batches.tuples(part)]

    def keep(self, table: list, name: str, settings: Any) -> list:
        return table

    def release(self, table: list) -> None:
        pass

    def max_template_bytes(self) -> int:
        return 1 << 30


def archives(paths: list[Path]) -> Any:
    import pyarrow as pa

    from husk.crawls.plan import Source
    from husk.crawls.readers import ArchiveReader

    numbers = [[pa.record_batch([[number]], ["number"])] for number in range(len(paths))]
    return Source(LocalEngine(), numbers, ArchiveReader.of(list(map(str, paths)), None))


def rows_in(table: list) -> list[tuple]:
    import pyarrow as pa

    return rows_of_tables(pa.Table.from_batches([batch]) for part in table for batch in part)


@pytest.mark.parametrize("max_template_bytes", [None, 0])
@pytest.mark.parametrize("count", [1, 3])
def test_rows_are_those_of_bulk(crawl: list[Path], bulk_rows: list[tuple], count: int, max_template_bytes: int | None) -> None:
    from husk.crawls import plan

    source, found = archives(crawl), []
    for number in range(1, count + 1):
        settings = {**SETTINGS, "max_template_bytes": max_template_bytes, "part": (number, count)}
        learned = plan.learn(source, **settings)
        assert (learned.templates is None) == (max_template_bytes == 0 and bool(learned.large))
        learned = pickle.loads(pickle.dumps(learned))
        rows = rows_in(plan.strip(source, learned, **settings))
        assert len(rows) == learned.pages and learned.skipped == 2
        found += rows
    check_same(sorted(found), bulk_rows)


def test_rows_that_are_no_pages_are_skipped(crawl: list[Path], bulk_rows: list[tuple]) -> None:
    from husk.crawls import plan
    from husk.crawls.readers import TableReader

    pages = page_table(crawl)
    reader = TableReader.of(pages.schema, url="address", html="page", date="captured")
    source = plan.Source(LocalEngine(), [[batch] for batch in pages.to_batches(max_chunksize=400)], reader)
    learned = plan.learn(source, **SETTINGS)
    assert (learned.pages, learned.skipped) == (len(bulk_rows), 3)
    check_same(without_place(rows_in(plan.strip(source, learned, **SETTINGS))), without_place(bulk_rows))


@pytest.mark.parametrize("max_template_bytes", [None, 0])
def test_stored_templates_are_used_as_by_bulk(husk_command: str, tmp_path: Path, max_template_bytes: int | None) -> None:
    import husk
    from husk.crawls import plan

    days = incremental.write_days(tmp_path)
    expected = incremental.bulk_days(husk_command, days, tmp_path)
    sources = {dict(row)["template_source"] for row in expected[1]}
    assert sources == {"'stored'", "'learned'", "'updated'", "'relearned'"}
    store = tmp_path / "templates"
    settings = {**SETTINGS, "templates": str(store), "max_template_bytes": max_template_bytes}
    for paths, rows in zip(days, expected, strict=True):
        source = archives(paths)
        learned = plan.learn(source, **settings)
        check_same(rows_in(plan.strip(source, learned, **settings)), rows)
        before = husk.TemplateStore(store).sites()
        plan.update_store(source, learned)
        assert husk.TemplateStore(store).sites() != before
    ours, theirs = husk.TemplateStore(store), husk.TemplateStore(tmp_path / "store")
    assert [known(site) for site in ours.sites()] == [known(site) for site in theirs.sites()]
    for site in theirs.sites():
        assert ours.get(site.site).to_bytes() == theirs.get(site.site).to_bytes(), site.site
    assert [file.name for file in store.iterdir()] == ["templates.redb"]


def known(site: Any) -> dict[str, Any]:
    """What a store knows of a site, without times."""
    return {name: value for name, value in vars(site).items() if name not in ("learned", "checked")}


def test_shuffles_have_more_tasks_for_more_bytes(crawl: list[Path]) -> None:
    from husk.crawls import plan

    asked: list[int] = []

    class CountingEngine(LocalEngine):
        def map_sites(self, *arguments: Any) -> list:
            asked.append(arguments[-1])
            return super().map_sites(*arguments)

    source = plan.Source(CountingEngine(), archives(crawl).table, archives(crawl).read)
    learned = plan.learn(source)
    for task_bytes in (1 << 30, 10_000):
        plan.strip(source, learned, task_bytes=task_bytes)
    assert asked[-2] == 1 and asked[-1] == learned.small_bytes // 3 // 10_000 + 1 > 20


def test_mistakes_are_named(crawl: list[Path]) -> None:
    import husk
    from husk.crawls import plan

    source = archives(crawl[:1])
    for name, value in [("part", (3, 2)), ("task_bytes", 0), ("max_template_bytes", "much")]:
        with pytest.raises(husk.OptionError, match=name):
            plan.learn(source, **{name: value})
    learned = plan.learn(source)
    with pytest.raises(husk.OptionError, match="when learning"):
        plan.strip(source, learned, part=(1, 2))
    with pytest.raises(husk.OptionError, match="set templates"):
        plan.update_store(source, learned)
