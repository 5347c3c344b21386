"""The same rows as from ``husk bulk``, whatever happens to the workers."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace

import incremental
import pytest
from rows import FIELDS, SETTINGS, check_same, example_of, missing, pages_of, rows_of, without_place

def test_rows_are_those_of_bulk(spark, crawl, bulk_rows, tmp_path) -> None:
    from husk import spark as husk_spark

    source = husk_spark.archives(spark, list(map(str, crawl)))
    learned = husk_spark.learn(source, **SETTINGS)
    assert (learned.pages, learned.sites, learned.skipped) == (len(bulk_rows), 16, 2)
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
    learned = husk_spark.learn(source, **SETTINGS, max_template_bytes=1000)
    assert learned.templates is None and learned.large["giant.example"].pages == 980 and learned.template_bytes > 1000
    husk_spark.strip(source, learned, **SETTINGS, max_template_bytes=1000).write.parquet(str(tmp_path / "out"))
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
                if info is None or info.numCompletedTasks == 0 or (which == "last" and len(stages) == 1):
                    continue
                # A small stage may be over by now.
                if info.numTasks > info.numCompletedTasks:
                    return info.numTasks - info.numCompletedTasks
        time.sleep(0.01)
    return 0


def table_of(spark, crawl):
    """The pages of the crawl as a table."""
    pages = [(page.url, bytearray(page.html), page.date) for path in crawl for page in pages_of(path)]
    return spark.createDataFrame(pages, "address string, page binary, captured string")


def test_tables_give_the_same_however_they_are_spread(spark, crawl, bulk_rows, tmp_path) -> None:
    from husk import spark as husk_spark

    table = table_of(spark, crawl)
    data = ("https://giant.example/data", bytearray(b'{"type": "video"}'), None)
    bad = spark.createDataFrame([data, ("no URL", bytearray(b"<p>x"), None), (None, None, None)], table.schema)
    found = []
    for parts in (3, 11):
        source = husk_spark.table(table.union(bad).repartition(parts), "address", "page", "captured")
        out = tmp_path / f"out-{parts}"
        learned = husk_spark.learn(source, **SETTINGS)
        assert learned.skipped == 3
        husk_spark.strip(source, learned, **SETTINGS).write.parquet(str(out))
        found.append(rows_of(out))
    check_same(found[0], found[1])
    check_same(without_place(found[0]), without_place(bulk_rows))


def test_no_task_has_more_of_a_large_site_than_its_sample(needs_spark, crawl) -> None:
    import pyarrow as pa

    from husk._husk import sample_key_url_hash
    from husk.crawls import batches, stages
    from husk.crawls.readers import archive_pages

    settings = stages.Settings()

    def read(parts):
        return (page for path in parts for page in archive_pages(path))

    counts = [batch for path in crawl for batch in stages.count_pages(read, settings, [str(path)])]
    by_site = pa.Table.from_batches(counts).sort_by("site").to_batches()
    merged = stages.add_small_sites(stages.merge_counts(settings, by_site))
    large = {row[0]: stages.LargeSite(row[-1], row[1]) for row in batches.tuples(merged) if row[0] is not None}
    assert set(large) == {"giant.example", "middle.example", "just-large.example"}
    picked = [row for path in crawl for row in batches.tuples(stages.pick_samples(read, settings, large, [str(path)]))]
    for site in large:
        urls = {sample_key_url_hash(key) for other, key, _ in picked if other == site}
        assert len(urls) == 64
        # Each part sends a URL once, or again for a page with a lower key.
        assert sum(other == site for other, _, _ in picked) <= 2 * 64
    sent = (stages.send_small_sites(read, settings, large, [str(path)]) for path in crawl)
    gathered = {site for parts in sent for site, _, _, _ in batches.tuples(parts)}
    assert gathered and not gathered & set(large)
    huge = {site: stages.LargeSite(known.cutoff, 100 * known.pages) for site, known in large.items()}
    pieces = Counter(row[:2] for path in crawl for row in batches.tuples(stages.send_pages(read, settings, huge, [str(path)])))
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
    frame = spark.createDataFrame([("https://a.example/", "<p>x")], "url string, html string")
    with pytest.raises(husk.InputError, match="a checkpoint is for pages in files"):
        husk_spark.learn(husk_spark.table(frame), checkpoint=str(tmp_path / "checkpoint"))
    with pytest.raises(husk.InputError, match="no column 'html'"):
        husk_spark.table(spark.createDataFrame([("a",)], "url string"))
    with pytest.raises(husk.InputError, match="'html' has the type int32"):
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
    job = find_job()
    out = tmp_path / "out"
    done = submit([job, str(crawl[0].parent), "-o", str(out), "--fields", FIELDS], tmp_path)
    actual = done.stdout + done.stderr
    assert done.returncode == 0, actual[-3000:]
    assert f"{len(bulk_rows):,} pages of 16 sites, 3 of them large" in actual, actual[-1500:]
    check_same(rows_of(out), bulk_rows)
    again = submit([job, str(crawl[0].parent), "-o", str(out)], tmp_path)
    assert again.returncode == 1 and "exists: choose another folder" in again.stdout + again.stderr, again.stderr[-2000:]
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    for arguments, expected in [(["-o", "x"], "expected either WARC files"), ([str(nothing), "-o", "x"], "contains no WARC files")]:
        failed = submit([job, *arguments], tmp_path)
        assert failed.returncode == 2 and expected in failed.stdout + failed.stderr, failed.stderr[-2000:]


def test_a_killed_job_goes_on_with_what_it_learned(needs_spark, crawl, bulk_rows, tmp_path) -> None:
    out, checkpoint = tmp_path / "out", tmp_path / "checkpoint"
    job = [find_job(), str(crawl[0].parent), "-o", str(out), "--fields", FIELDS, "--checkpoint", str(checkpoint)]
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(submission(job), start_new_session=True, **both, **place(tmp_path)) as running:
        assert any("3 of them large" in line for line in running.stdout)
        os.killpg(running.pid, signal.SIGKILL)
    assert not list(out.glob("*.parquet"))
    before = {file: file.stat().st_mtime_ns for file in checkpoint.rglob("*.parquet")}
    assert {file.parent.name for file in before} == {"counts", "templates"}
    # What is not learned again can't be read again either: only the rows are built.
    done = submit(job, tmp_path)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert {file: file.stat().st_mtime_ns for file in checkpoint.rglob("*.parquet")} == before
    check_same(rows_of(out), bulk_rows)
    other = submit([*job, "--overwrite", "--min-pages", "5"], tmp_path)
    assert other.returncode == 1 and "is of another crawl or other settings" in other.stdout + other.stderr, other.stdout[-3000:]


@pytest.mark.parametrize("max_template_bytes", [None, 0])
def test_stored_templates_are_used_as_by_bulk(spark, husk_command, tmp_path, max_template_bytes) -> None:
    import husk
    from husk import spark as husk_spark

    days = incremental.write_days(tmp_path)
    expected = incremental.bulk_days(husk_command, days, tmp_path)
    assert {dict(row)["template_source"] for row in expected[1]} == {"'stored'", "'learned'", "'updated'", "'relearned'"}
    store = str(tmp_path / "spark-store")
    settings = {**SETTINGS, "templates": store, "max_template_bytes": max_template_bytes}
    for day, (paths, rows) in enumerate(zip(days, expected, strict=True)):
        source = husk_spark.archives(spark, list(map(str, paths)))
        learned = husk_spark.learn(source, **settings)
        husk_spark.strip(source, learned, **settings).write.parquet(str(tmp_path / f"out-{day}"))
        husk_spark.update_store(source, learned)
        check_same(rows_of(tmp_path / f"out-{day}"), rows)
    stores = [husk.TemplateStore(folder) for folder in (store, tmp_path / "store")]
    for site in stores[1].sites():
        ours, theirs = (other.get(site.site).to_bytes() for other in stores)
        assert ours == theirs, site.site
    assert len(stores[0].sites()) == len(stores[1].sites()) == 6
    assert [file.name for file in Path(store).iterdir()] == ["templates.redb"]


def test_limits_of_the_driver_are_named(needs_spark, crawl, tmp_path) -> None:
    from husk.spark.engine import SparkEngine

    # More than a task that sends nothing to the driver, less than the templates.
    job = [find_job(), str(crawl[0].parent), "-o", str(tmp_path / "out"), "--max-template-bytes", "1000000"]
    done = submit(job, tmp_path, **{"spark.driver.maxResultSize": "6k"})
    assert done.returncode == 1 and "husk: the driver may collect only 6k (spark.driver.maxResultSize)" in done.stdout + done.stderr, done.stdout[-3000:]

    def limit(**settings: str) -> int:
        conf = {f"spark.driver.{name}": value for name, value in settings.items()}
        return SparkEngine(SimpleNamespace(conf=conf), list).max_template_bytes()

    assert limit() == limit(maxResultSize="0", memory="64g") == 256 << 20
    assert limit(maxResultSize="100m") == 50 << 20
    assert limit(memory="512m") == 128 << 20


def test_shuffles_have_more_tasks_for_more_bytes(spark, crawl) -> None:
    from husk import spark as husk_spark

    source = husk_spark.archives(spark, list(map(str, crawl)), partitions=2)
    assert source.table.rdd.getNumPartitions() == 2
    learned = husk_spark.learn(source)
    few, many = (husk_spark.strip(source, learned, task_bytes=size) for size in (1 << 20, 10_000))
    assert few.rdd.getNumPartitions() <= 2 + 8 < 2 + learned.small_bytes / 3 / 10_000 <= many.rdd.getNumPartitions()


def test_the_job_runs_on_spark_connect(needs_spark, crawl, bulk_rows, tmp_path) -> None:
    import pyspark

    if pyspark.__version__ < "4":
        pytest.skip("the Connect server of Spark 3.5 is not part of pyspark")
    (tmp_path / "spark-defaults.conf").write_text("spark.sql.shuffle.partitions 4\nspark.ui.showConsoleProgress false\n")
    found = []
    for more in ([], ["--max-template-bytes", "0", "--checkpoint", str(tmp_path / "checkpoint")]):
        out = tmp_path / f"out-{len(found)}"
        job = [sys.executable, find_job(), *map(str, crawl), "-o", str(out), "--fields", FIELDS, *more]
        where = place(tmp_path)
        where["env"] |= {"SPARK_REMOTE": "local[2]", "SPARK_CONF_DIR": str(tmp_path)}
        done = subprocess.run(job, capture_output=True, text=True, **where)
        assert done.returncode == 0, done.stderr[-3000:]
        check_same(rows_of(out), bulk_rows)
        found.append(done.stderr)
    assert "sent to every worker" in found[0] and "pages are sent to them" in found[1]


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
    done = submit([job, *options, str(paths), "rows"], tmp_path)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    files = list((tmp_path / "spark-warehouse/rows").glob("*.parquet"))
    assert len(files) == 3
    # Its archives have other names.
    check_same(without_place(rows_of(tmp_path / "spark-warehouse/rows")), without_place(bulk_rows))
    paths.write_text("missing.warc.gz\n")
    failed = submit([job, *options, str(paths), "rows2"], tmp_path)
    assert failed.returncode != 0 and "cannot fetch missing.warc.gz" in failed.stdout + failed.stderr


def find_job() -> str:
    """Where the job is."""
    return subprocess.run([sys.executable, "-m", "husk.spark"], capture_output=True, text=True, check=True).stdout.strip()


def submit(job: list[str], folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Runs a job as users do."""
    return subprocess.run(submission(job, **settings), capture_output=True, text=True, **place(folder))


def submission(job: list[str], **settings: str) -> list[str]:
    beside = Path(sys.executable).with_name("spark-submit")
    command = [str(beside if beside.is_file() else shutil.which("spark-submit")), "--master", "local[2]"]
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "4", **settings}
    for name, value in settings.items():
        command += ["--conf", f"{name}={value}"]
    return [*command, *job]


def place(folder: Path) -> dict:
    return {"env": {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": os.pathsep.join(sys.path)}, "cwd": folder}


def test_the_example_of_the_document(spark, crawl, capsys) -> None:
    exec(compile(example_of("Spark"), "engines.md", "exec"), {"spark": spark, "paths": list(map(str, crawl))})
    printed = capsys.readouterr().out
    assert printed.startswith("1474 16 3 ") and "giant.example" in printed
