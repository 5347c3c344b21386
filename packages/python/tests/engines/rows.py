"""What is asked for, and how rows of two ways are made to be compared."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

FIELDS = "content,menu,template-id"
SETTINGS = {"fields": tuple(FIELDS.split(","))}

IS_REQUIRED = bool(os.environ.get("HUSK_REQUIRE_TOOLS"))


def missing(what: str) -> None:
    """Skips, or fails where nothing may be skipped."""
    if IS_REQUIRED:
        pytest.fail(f"{what} is missing, and HUSK_REQUIRE_TOOLS is set", pytrace=False)
    pytest.skip(f"{what} is missing")


def rows_of(folder: Path) -> list[tuple]:
    """All rows of the Parquet files in a folder, in an order that does not depend on theirs."""
    import pyarrow.parquet as parquet

    return rows_of_tables(parquet.read_table(file) for file in sorted(folder.glob("*.parquet")))


def rows_of_tables(tables: Iterable[Any]) -> list[tuple]:
    """The same for tables in memory."""
    return sorted(tuple((name, repr(row[name])) for name in sorted(row)) for table in tables for row in table.to_pylist())


def without_place(rows: list[tuple]) -> list[tuple]:
    """Rows without the place in an archive, which tables don't have."""
    return sorted(tuple(field for field in row if not field[0].startswith("warc_")) for row in rows)


def difference(found: list[tuple], expected: list[tuple]) -> str:
    """What a failed comparison has to say: the first row that is not the same."""
    for one, other in zip(found, expected):
        if one != other:
            return f"{[pair for pair in zip(one, other) if pair[0] != pair[1]]}"
    return f"{len(found)} rows instead of {len(expected)}"


def check_same(found: list[tuple], expected: list[tuple]) -> None:
    assert found == expected, difference(found, expected)


def pages_of(path: Path) -> list:
    """The pages of an archive."""
    from husk.crawls.readers import archive_pages

    return [page for page in archive_pages(str(path)) if not isinstance(page, int)]


def page_table(crawl: list[Path]) -> Any:
    """The pages of a crawl as an Arrow table, and rows that are no pages."""
    import pyarrow as pa

    pages = [(page.url, page.html, page.date) for path in crawl for page in pages_of(path)]
    addresses, htmls, dates = map(list, zip(*pages))
    others = [("https://giant.example/data", b'{"type": "video"}'), ("no URL", b"<p>x"), (None, None)]
    return pa.table(
        {
            "address": addresses + [address for address, _ in others],
            "page": htmls + [html for _, html in others],
            "captured": dates + [None] * len(others),
        }
    )


def example_of(heading: str) -> str:
    """The first Python example below a heading of docs/engines.md."""
    text = (Path(__file__).resolve().parents[4] / "docs/engines.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)[0]


def write_pages(crawl: list[Path], folder: Path) -> None:
    """The pages of a crawl as a table for the examples."""
    import pyarrow.parquet as parquet

    folder.mkdir()
    parquet.write_table(page_table(crawl).rename_columns(["url", "html", "date"]), folder / "pages.parquet")
