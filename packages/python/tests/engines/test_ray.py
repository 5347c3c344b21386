"""The same rows as from ``husk bulk`` on Ray Data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rows import SETTINGS, check_same, example_of, missing, page_table, rows_of, rows_of_tables, without_place, write_pages

COLUMNS = {"url": "address", "html": "page", "date": "captured"}


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    try:
        import ray
        import ray.data
    except ImportError:
        missing("ray")
    start()
    yield
    ray.shutdown()


def start() -> None:
    import ray
    import ray.data

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=512 << 20)
    # 200 otherwise.
    ray.data.DataContext.get_current().default_hash_shuffle_parallelism = 8


def rows_in(dataset: Any) -> list[tuple]:
    import ray

    from husk import ray as husk_ray

    tables = ray.get(dataset.to_arrow_refs())
    assert {table.schema.remove_metadata() for table in tables if table.num_rows} == {husk_ray.ROWS}
    return rows_of_tables(tables)


def test_rows_are_those_of_bulk(crawl: list[Path], bulk_rows: list[tuple]) -> None:
    from husk import ray as husk_ray

    source = husk_ray.archives(list(map(str, crawl)))
    learned = husk_ray.learn(source, **SETTINGS)
    assert (learned.pages, learned.sites, learned.skipped) == (len(bulk_rows), 16, 2)
    assert sorted(learned.large) == sorted(learned.templates) == ["giant.example", "just-large.example", "middle.example"]
    check_same(rows_in(husk_ray.strip(source, learned, **SETTINGS)), bulk_rows)


def test_rows_are_the_same_where_pages_are_sent_to_templates(crawl: list[Path], bulk_rows: list[tuple]) -> None:
    from husk import ray as husk_ray

    source = husk_ray.archives(list(map(str, crawl)))
    check_same(rows_in(husk_ray.strip(source, max_template_bytes=0, **SETTINGS)), bulk_rows)


def test_datasets_give_the_same(crawl: list[Path], bulk_rows: list[tuple]) -> None:
    import ray

    import husk
    from husk import ray as husk_ray

    dataset = ray.data.from_arrow(page_table(crawl)).repartition(7)
    assert husk_ray.learn(husk_ray.table(dataset, **COLUMNS)).skipped == 3
    check_same(without_place(rows_in(husk_ray.strip(dataset, **COLUMNS, **SETTINGS))), without_place(bulk_rows))
    with pytest.raises(husk.InputError, match="no column 'html'"):
        husk_ray.strip(dataset, url="address")


def test_the_example_of_the_document(
    crawl: list[Path], bulk_rows: list[tuple], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ray
    import ray.data

    monkeypatch.chdir(tmp_path)
    write_pages(crawl, tmp_path / "pages")
    # Workers look for files in the folder that they were started in.
    ray.shutdown()
    start()
    names = {"ray": ray, "paths": list(map(str, crawl))}
    exec(compile(example_of("Ray Data"), "engines.md", "exec"), names)
    assert len(rows_of(tmp_path / "out")) == len(bulk_rows)
