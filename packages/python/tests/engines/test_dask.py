"""The same rows as from ``husk bulk`` on Dask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rows import SETTINGS, check_same, example_of, missing, page_table, rows_of, rows_of_tables, without_place, write_pages

COLUMNS = {"url": "address", "html": "page", "date": "captured"}


@pytest.fixture(scope="module", autouse=True, params=["threads", "processes"])
def scheduler(request: pytest.FixtureRequest) -> Iterator[None]:
    """Threads of this process, and a cluster of processes."""
    try:
        import dask
        import distributed
    except ImportError:
        missing("dask")
    if request.param == "threads":
        with dask.config.set(scheduler="threads"):
            yield
        return
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None):
        yield


def rows_in(frame: Any) -> list[tuple]:
    import pyarrow as pa

    from husk import dask as husk_dask

    table = pa.Table.from_pandas(frame.compute(), preserve_index=False)
    assert table.schema.remove_metadata() == pa.schema([field.with_nullable(True) for field in husk_dask.ROWS])
    return rows_of_tables([table])


def test_rows_are_those_of_bulk(crawl: list[Path], bulk_rows: list[tuple]) -> None:
    from husk import dask as husk_dask

    source = husk_dask.archives(list(map(str, crawl)))
    learned = husk_dask.learn(source, **SETTINGS)
    assert (learned.pages, learned.sites, learned.skipped) == (len(bulk_rows), 16, 2)
    assert sorted(learned.large) == sorted(learned.templates) == ["giant.example", "just-large.example", "middle.example"]
    check_same(rows_in(husk_dask.strip(source, learned, **SETTINGS)), bulk_rows)


def test_rows_are_the_same_where_pages_are_sent_to_templates(crawl: list[Path], bulk_rows: list[tuple]) -> None:
    from husk import dask as husk_dask

    source = husk_dask.archives(list(map(str, crawl)))
    check_same(rows_in(husk_dask.strip(source, max_template_bytes=0, **SETTINGS)), bulk_rows)


def test_frames_give_the_same(crawl: list[Path], bulk_rows: list[tuple]) -> None:
    import dask.dataframe as dd
    import pandas as pd

    import husk
    from husk import dask as husk_dask

    frame = dd.from_pandas(page_table(crawl).to_pandas(types_mapper=pd.ArrowDtype), npartitions=7)
    assert husk_dask.learn(husk_dask.table(frame, **COLUMNS)).skipped == 3
    check_same(without_place(rows_in(husk_dask.strip(frame, **COLUMNS, **SETTINGS))), without_place(bulk_rows))
    with pytest.raises(husk.InputError, match="no column 'html'"):
        husk_dask.strip(frame, url="address")


def test_the_example_of_the_document(
    crawl: list[Path], bulk_rows: list[tuple], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import dask
    import dask.dataframe

    monkeypatch.chdir(tmp_path)
    write_pages(crawl, tmp_path / "pages")
    names = {"dask": dask, "paths": list(map(str, crawl))}
    exec(compile(example_of("Dask"), "engines.md", "exec"), names)
    assert len(rows_of(tmp_path / "out")) == len(bulk_rows)
