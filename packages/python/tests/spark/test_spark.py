"""The same rows as from ``husk bulk``, whatever happens to the workers."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from datetime import datetime, timezone
from pathlib import Path

import pytest
from rows import FIELDS, missing, rows_of

SETTINGS = {"fields": tuple(FIELDS.split(","))}


def difference(found: list[tuple], expected: list[tuple]) -> str:
    """What a failed comparison has to say: the first row that is not the same."""
    for one, other in zip(found, expected):
        if one != other:
            return f"{[pair for pair in zip(one, other) if pair[0] != pair[1]]}"
    return f"{len(found)} rows instead of {len(expected)}"


def check_same(found: list[tuple], expected: list[tuple]) -> None:
    assert found == expected, difference(found, expected)


def without_place(rows: list[tuple]) -> list[tuple]:
    """Rows without the place in an archive, which tables don't have."""
    return sorted(tuple(field for field in row if not field[0].startswith("warc_")) for row in rows)


def test_rows_are_those_of_bulk(spark, crawl, bulk_rows, tmp_path) -> None:
    from husk import spark as husk_spark

    source = husk_spark.archives(spark, list(map(str, crawl)))
    learned = husk_spark.learn(source, **SETTINGS)
    assert (learned.pages, learned.sites) == (len(bulk_rows), 16)
    # 64 pages are still gathered in one place, 65 are not.
    assert sorted(learned.large) == sorted(learned.templates) == ["giant.example", "just-large.example", "middle.example"]
    out = tmp_path / "out"
    husk_spark.strip(source, learned, **SETTINGS).write.parquet(str(out))
    rows = rows_of(out)
    assert len(rows) == 1474
    check_same(rows, bulk_rows)


@pytest.mark.parametrize("stage", ["first", "last"])
@pytest.mark.parametrize("kind", ["archives", "archives, pages sent", "shuffled table"])
def test_a_killed_worker_costs_no_row_and_doubles_none(spark, crawl, bulk_rows, tmp_path, kind, stage) -> None:
    from husk import spark as husk_spark

    settings = {**SETTINGS, "max_template_bytes": 0} if "sent" in kind else SETTINGS
    if "archives" in kind:
        source = husk_spark.archives(spark, list(map(str, crawl)))
    else:
        # Its rows come in another order when a part of it is made again.
        source = husk_spark.table(table_of(spark, crawl).repartition(6), "address", "page", "captured")
    rows = husk_spark.strip(source, **settings)
    out = tmp_path / "out"
    failure: list[BaseException] = []

    def write() -> None:
        try:
            rows.write.parquet(str(out))
        except BaseException as cause:  # noqa: BLE001 - reported by the test
            failure.append(cause)

    before = executors_when(2)
    writing = threading.Thread(target=write)
    writing.start()
    tasks_left = wait_for_task(spark, writing, stage)
    os.kill(before[0], signal.SIGKILL)
    writing.join(timeout=300)
    assert not writing.is_alive() and not failure, failure
    assert tasks_left > 0, "it was killed in the middle"
    assert before[0] not in executors()
    if "archives" in kind:
        check_same(rows_of(out), bulk_rows)
    else:
        check_same(without_place(rows_of(out)), without_place(bulk_rows))


def test_rows_are_the_same_where_pages_are_sent_to_templates(spark, crawl, bulk_rows, tmp_path) -> None:
    from husk import spark as husk_spark

    source = husk_spark.archives(spark, list(map(str, crawl)))
    learned = husk_spark.learn(source, **SETTINGS, max_template_bytes=3 * 30_000 - 1)
    assert learned.templates is None and learned.large["giant.example"].pages == 980
    husk_spark.strip(source, learned, **SETTINGS, max_template_bytes=3 * 30_000 - 1).write.parquet(str(tmp_path / "out"))
    check_same(rows_of(tmp_path / "out"), bulk_rows)


def executors_when(count: int) -> list[int]:
    """The processes that work, when there are so many: one that died is replaced."""
    for _ in range(600):
        found = executors()
        if len(found) == count:
            return found
        time.sleep(0.1)
    raise AssertionError(f"{len(found)} executors")


def executors() -> list[int]:
    """The processes that work, of which each is a machine on a real cluster."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if arguments[0].endswith(b"java") and any(b"CoarseGrainedExecutorBackend" in word for word in arguments):
            found.append(int(process.name))
    return found


def wait_for_task(spark, writing: threading.Thread, which: str) -> int:
    """Waits until a task of the first stage that runs is done, or of the last, and tells how many are not."""
    tracker = spark.sparkContext.statusTracker()
    while writing.is_alive():
        for job in tracker.getActiveJobsIds():
            stages = sorted(tracker.getJobInfo(job).stageIds)
            wanted = stages if which == "first" else stages[-1:]
            for stage in wanted:
                info = tracker.getStageInfo(stage)
                if info is not None and info.numCompletedTasks >= 1 and (which == "first" or len(stages) > 1):
                    return info.numTasks - info.numCompletedTasks
        time.sleep(0.01)
    return 0


def table_of(spark, crawl):
    """The pages of the crawl as a table."""
    from husk.spark.sources import archive_pages

    pages = [(page.url, bytearray(page.html), page.date) for path in crawl for page in archive_pages(str(path))]
    return spark.createDataFrame(pages, "address string, page binary, captured string")


def test_tables_give_the_same_however_they_are_spread(spark, crawl, bulk_rows, tmp_path) -> None:
    from husk import spark as husk_spark

    table = table_of(spark, crawl)
    bad = spark.createDataFrame([("no URL", bytearray(b"<p>x"), None), (None, None, None)], table.schema)
    found = []
    for parts in (3, 11):
        source = husk_spark.table(table.union(bad).repartition(parts), "address", "page", "captured")
        out = tmp_path / f"out-{parts}"
        husk_spark.strip(source, **SETTINGS).write.parquet(str(out))
        found.append(rows_of(out))
    check_same(found[0], found[1])
    check_same(without_place(found[0]), without_place(bulk_rows))


def test_no_task_has_more_of_a_large_site_than_its_sample(needs_spark, crawl) -> None:
    import pyarrow as pa

    from husk._husk import sample_key_url_hash
    from husk.spark import Settings, columns, stages
    from husk.spark.sources import archive_pages

    settings = Settings()

    def read(parts):
        return (page for path in parts for page in archive_pages(path))

    def read_urls(parts):
        return ([page.url] for page in read(parts))

    counts = [batch for path in crawl for batch in stages.count_pages(read_urls, settings, [str(path)])]
    by_site = pa.Table.from_batches(counts).sort_by("site").to_batches()
    counts = [row for row in columns.tuples(stages.merge_counts(settings, by_site))]
    large = {site: stages.LargeSite(cutoff, pages) for site, pages, _, cutoff in counts if site is not None}
    assert set(large) == {"giant.example", "middle.example", "just-large.example"}
    picked = [row for path in crawl for row in columns.tuples(stages.pick_samples(read, settings, large, [str(path)]))]
    for site in large:
        urls = {sample_key_url_hash(key) for other, key, _ in picked if other == site}
        assert len(urls) == 64
        # Each part sends a URL once, or again for a page with a lower key.
        assert sum(other == site for other, _, _ in picked) <= 2 * 64
    sent = (stages.gather_small_sites(read, settings, large, [str(path)]) for path in crawl)
    gathered = {site for parts in sent for site, _, _ in columns.tuples(parts)}
    assert gathered and not gathered & set(large)
    huge = {site: stages.LargeSite(known.cutoff, 100 * known.pages) for site, known in large.items()}
    pieces = Counter(row[:2] for path in crawl for row in columns.tuples(stages.send_pages(read, settings, huge, [str(path)])))
    of_giant = [count for (site, _), count in pieces.items() if site == "giant.example"]
    assert sum(of_giant) == 980 and len(of_giant) > 90 and max(of_giant) < 40


def test_mistakes_are_named(spark, tmp_path) -> None:
    import husk
    from husk import spark as husk_spark

    with pytest.raises(husk.InputError, match="no WARC files"):
        husk_spark.archives(spark, [])
    source = husk_spark.archives(spark, [str(tmp_path / "missing.warc.gz")])
    with pytest.raises(Exception, match="missing.warc.gz"):
        husk_spark.learn(source)
    with pytest.raises(husk.OptionError, match="unknown setting 'colour'"):
        husk_spark.learn(source, colour="red")
    with pytest.raises(husk.OptionError, match="unknown field \"tea\""):
        husk_spark.learn(source, fields=("tea",))
    for name, value in [("sample_pages", 0), ("sample_pages", -1), ("min_pages", "3")]:
        with pytest.raises(husk.OptionError, match=name):
            husk_spark.learn(source, **{name: value})
    with pytest.raises(husk.InputError, match="no column 'html'"):
        husk_spark.table(spark.createDataFrame([("a",)], "url string"))
    with pytest.raises(husk.InputError, match="'html' has the type integer"):
        husk_spark.table(spark.createDataFrame([("a", 1)], "url string, html int"))


def test_what_was_learned_goes_with_its_settings(spark, crawl) -> None:
    import husk
    from husk import spark as husk_spark

    source = husk_spark.archives(spark, [str(crawl[0])])
    learned = husk_spark.learn(source)
    for other in [{"min_pages": 1000}, {"same_site": "domain"}]:
        with pytest.raises(husk.OptionError, match="when learning"):
            husk_spark.strip(source, learned, **other)


def test_ids_and_urls_pass_through(spark) -> None:
    from husk import spark as husk_spark

    frame = spark.sql("select 'https://a.example?q=é' url, '<p>Words' html, 7L doc")
    [row] = husk_spark.strip(husk_spark.table(frame, id="doc")).collect()
    assert (row.id, row.url, row.normalized_url) == ("7", "https://a.example?q=é", "https://a.example/?q=%C3%A9")


def test_dates_are_those_of_the_table(spark) -> None:
    from husk import spark as husk_spark

    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    try:
        # An hour that clocks there leave out.
        moment = "timestamp_micros(1710037800123456)"
        kinds = [moment, "timestamp_ntz'2024-03-10 02:30:00.5'", "date'2024-03-10'", "'2024-03-10T02:30:00Z'"]
        for kind, expected in zip(kinds, ["02:30:00.123", "02:30:00.500", "00:00:00.000", "02:30:00.000"]):
            frame = spark.sql(f"select 'https://a.example/' url, '<p>Words' html, {kind} `the.date`")
            rows = husk_spark.strip(husk_spark.table(frame, date="the.date"))
            [row] = rows.selectExpr("unix_millis(date) t").collect()
            actual = datetime.fromtimestamp(row.t / 1000, timezone.utc)
            assert f"{actual:%H:%M:%S}.{row.t % 1000:03}" == expected, kind
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")


def test_the_job_runs_by_spark_submit(needs_spark, crawl, bulk_rows, tmp_path) -> None:
    job = subprocess.run([sys.executable, "-m", "husk.spark"], capture_output=True, text=True, check=True).stdout.strip()
    out = tmp_path / "out"
    done = submit(job, [str(crawl[0].parent), "-o", str(out), "--fields", FIELDS], tmp_path)
    actual = done.stdout + done.stderr
    assert done.returncode == 0, actual[-3000:]
    assert f"{len(bulk_rows):,} pages of 16 sites, 3 of them large" in actual, actual[-1500:]
    check_same(rows_of(out), bulk_rows)
    again = submit(job, [str(crawl[0].parent), "-o", str(out)], tmp_path)
    assert again.returncode == 1 and "exists: choose another folder" in again.stdout + again.stderr, again.stderr[-2000:]
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    for arguments, expected in [(["-o", "x"], "expected either WARC files"), ([str(nothing), "-o", "x"], "contains no WARC files")]:
        failed = submit(job, arguments, tmp_path)
        assert failed.returncode == 2 and expected in failed.stdout + failed.stderr, failed.stderr[-2000:]


def test_users_of_cc_pyspark_have_a_job(needs_spark, crawl, bulk_rows, tmp_path) -> None:
    try:
        import cc_pyspark  # noqa: F401
    except ImportError:
        missing("cc-pyspark")
    where = [sys.executable, "-m", "husk.spark.common_crawl"]
    job = subprocess.run(where, capture_output=True, text=True, check=True).stdout.strip()
    paths = tmp_path / "warc.paths"
    # As its lists are: below a base that is said apart.
    paths.write_text("".join(f"{path.name}\n" for path in crawl))
    base = f"file://{crawl[0].parent}/"
    options = ["--input_base_url", base, "--num_output_partitions", "3", "--output_compression", "zstd", "--fields", FIELDS]
    done = submit(job, [*options, str(paths), "rows"], tmp_path)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    files = list((tmp_path / "spark-warehouse/rows").glob("*.parquet"))
    assert len(files) == 3
    # Its archives have other names.
    check_same(without_place(rows_of(tmp_path / "spark-warehouse/rows")), without_place(bulk_rows))
    paths.write_text("missing.warc.gz\n")
    failed = submit(job, [*options, str(paths), "rows2"], tmp_path)
    assert failed.returncode != 0 and "cannot fetch missing.warc.gz" in failed.stdout + failed.stderr


def submit(job: str, arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a job as users do."""
    beside = Path(sys.executable).with_name("spark-submit")
    command = [str(beside if beside.is_file() else shutil.which("spark-submit")), "--master", "local[2]"]
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "4", "spark.sql.session.timeZone": "UTC"}
    for name, value in settings.items():
        command += ["--conf", f"{name}={value}"]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([*command, job, *arguments], capture_output=True, text=True, env=environment, cwd=folder)


def test_the_example_of_the_document(spark, crawl, capsys) -> None:
    text = (Path(__file__).resolve().parents[4] / "docs/spark.md").read_text()
    [example] = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    exec(compile(example, "spark.md", "exec"), {"spark": spark, "paths": list(map(str, crawl))})
    printed = capsys.readouterr().out
    assert printed.startswith("1474 16 3 ") and "giant.example" in printed
