"""What is asked for, and how rows of two ways are made to be compared."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FIELDS = "content,menu,template-id"

IS_REQUIRED = bool(os.environ.get("HUSK_REQUIRE_TOOLS"))


def missing(what: str) -> None:
    """Skips, or fails where nothing may be skipped."""
    if IS_REQUIRED:
        pytest.fail(f"{what} is missing, and HUSK_REQUIRE_TOOLS is set", pytrace=False)
    pytest.skip(f"{what} is missing")


def rows_of(folder: Path) -> list[tuple]:
    """All rows of the Parquet files in a folder, in an order that does not depend on theirs."""
    import pyarrow.parquet as parquet

    rows = []
    for file in sorted(folder.glob("*.parquet")):
        table = parquet.read_table(file)
        rows += [tuple((name, repr(row[name])) for name in sorted(row)) for row in table.to_pylist()]
    return sorted(rows)
