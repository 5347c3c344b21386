"""What the tests on engines share: a crawl, what ``husk bulk`` tells of it, and a cluster of separate processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
sys.path.insert(0, str(HERE))

from rows import FIELDS, missing, rows_of  # noqa: E402  (needs the path above)

@pytest.fixture(scope="session")
def husk_command() -> str:
    named = os.environ.get("HUSK_COMMAND")
    for candidate in [named, ROOT / "target/release/husk", ROOT / "target/debug/husk"]:
        if candidate and Path(candidate).is_file():
            return str(candidate)
    missing("the husk command (cargo build --release)")
    raise AssertionError


@pytest.fixture(scope="session")
def needs_spark() -> None:
    try:
        import pyspark  # noqa: F401
    except ImportError:
        missing("pyspark")
    if shutil.which("java") is None:
        missing("Java")


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Five WARC files: a site with half of all pages, some of more than 64 pages, many small ones, and records that are not pages."""
    import synthetic

    folder = tmp_path_factory.mktemp("crawl")
    sizes = {
        "giant.example": 900,
        "middle.example": 150,
        "just-large.example": 65,
        "just-small.example": 64,
        **{f"small{number}.example": 3 + 4 * number for number in range(10)},
        "two.example": 2,
        "one.example": 1,
    }
    paths = synthetic.write_archives(synthetic.pages(sizes), folder, 5)
    giant, small = synthetic.Site("giant.example"), synthetic.Site("small3.example")
    with paths[1].open("ab") as more:
        # Pages again, as they were and otherwise; a picture, an error, a redirect.
        for number in range(40):
            more.write(synthetic.record(giant.url(number), giant.html(number).encode(), number))
            more.write(synthetic.record(giant.url(number), giant.html(number + 5000).encode(), number))
        more.write(synthetic.record(small.url(1), small.html(777).encode(), 1))
        more.write(synthetic.record("https://giant.example/picture", b"\x89PNG", 1, content_type="image/png"))
        more.write(synthetic.record("https://giant.example/gone", b"<p>gone", 1, status="404 Not Found"))
        more.write(synthetic.record("https://www.two.example/x", synthetic.Site("two.example").html(9).encode(), 1))
    return paths


@pytest.fixture(scope="session")
def bulk_rows(husk_command: str, crawl: list[Path], tmp_path_factory: pytest.TempPathFactory) -> list[tuple]:
    """What ``husk bulk`` tells of the crawl."""
    out = tmp_path_factory.mktemp("bulk") / "out"
    command = [husk_command, "bulk", *map(str, crawl), "-o", str(out), "--format", "parquet", "--fields", FIELDS, "-q"]
    subprocess.run(command, check=True)
    return rows_of(out)


@pytest.fixture(scope="session")
def spark(needs_spark: None, tmp_path_factory: pytest.TempPathFactory):
    """Two workers with a process each, as on a cluster."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    from husk.spark import job

    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("husk tests")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.executorEnv.PYTHONPATH", os.pathsep.join(sys.path))
        # Workers make folders of their own.
        .config("spark.local.dir", str(tmp_path_factory.mktemp("spark")))
        .getOrCreate()
    )
    job.set_missing(session)
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
