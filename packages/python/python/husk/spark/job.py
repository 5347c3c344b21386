"""The job: WARC files or a table in, Parquet out.

    spark-submit "$(python -m husk.spark)" crawl/*.warc.gz -o out
    spark-submit "$(python -m husk.spark)" --table pages.parquet -o out
"""

from __future__ import annotations

import argparse
import glob
import os
import sys
import time
from typing import Any

from husk.errors import HuskError, InputError
from husk.spark import Learned, Settings, Source, archives, learn, strip, table, update_store
from husk.spark.engine import exists, is_connect

_ARCHIVES = (".warc", ".warc.gz", ".warc.zst")


def main(arguments: list[str] | None = None) -> int:
    """Runs the job. Returns the exit status."""
    from pyspark.sql import SparkSession

    chosen = parser().parse_args(arguments)
    try:
        paths = expand_inputs(chosen.inputs)
        if bool(paths) == bool(chosen.table):
            raise InputError("expected either WARC files or --table")
    except HuskError as cause:
        print(f"husk: {cause}", file=sys.stderr)
        return 2
    # Workers need a Python with husk.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.appName("husk").getOrCreate()
    set_missing(spark)
    try:
        source = archives(spark, paths, partitions=chosen.partitions) if paths else table_of(spark, chosen)
        run(spark, source, chosen)
    except HuskError as cause:
        print(f"husk: {cause}", file=sys.stderr)
        return 1
    finally:
        spark.stop()
    return 0


def parser() -> argparse.ArgumentParser:
    """The arguments, named as in ``husk bulk``."""
    options = argparse.ArgumentParser(prog="husk.spark", description="Extract the content of every page in a crawl.")
    options.add_argument("inputs", nargs="*", help="WARC files, folders with WARC files, @FILE for a list")
    options.add_argument("-o", "--output", required=True, help="folder for the Parquet files; must not exist")
    options.add_argument("--table", help="read pages from Parquet files with URL and HTML instead")
    options.add_argument("--url-column", default="url")
    options.add_argument("--html-column", default="html")
    options.add_argument("--date-column")
    options.add_argument("--fields", default="content", help="fields to include: content,menu,template-id (default: %(default)s)")
    options.add_argument("--content-format", default="text", choices=["text", "markdown", "html"])
    options.add_argument("--same-site", default="host", choices=["host", "domain"])
    options.add_argument("--min-pages", type=int, default=3, help="learn templates for sites with at least so many pages (default: %(default)s)")
    options.add_argument(
        "--max-template-bytes",
        type=int,
        help="limit on the templates sent to every worker (default: 256 MiB, less if the driver has little memory)",
    )
    options.add_argument(
        "--templates", metavar="STORE", help="use and update a template store that all workers reach by this path, as husk bulk does"
    )
    options.add_argument(
        "--task-bytes",
        type=int,
        default=Settings.task_bytes,
        help="bytes that a task gets in a shuffle; there are more tasks for more (default: %(default)s)",
    )
    options.add_argument(
        "--part", type=_part, default=(1, 1), metavar="I/N", help="only the sites of one of N parts, to run a long job piece by piece"
    )
    options.add_argument("--partitions", type=int, help="number of tasks that read WARC files (default: one per file)")
    options.add_argument(
        "--checkpoint",
        metavar="FOLDER",
        help="keep counts and templates in a folder that all workers reach; a repeated job goes on with them",
    )
    options.add_argument("--overwrite", action="store_true", help="replace the folder")
    return options


def _part(text: str) -> tuple[int, int]:
    number, count = text.split("/")
    return int(number), int(count)


def set_missing(spark: Any) -> None:
    """Sets what the job needs, unless spark-submit sets it."""
    for name, value in SPARK_SETTINGS.items():
        if not _is_set(spark, name):
            spark.conf.set(name, value)


def _is_set(spark: Any, name: str) -> bool:
    if is_connect(spark):
        # Spark 3.5 can't say.
        return name in getattr(spark.conf, "getAll", {})
    return bool(spark.sparkContext.getConf().contains(name))


SPARK_SETTINGS = {
    # As in husk bulk.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MILLIS",
    "spark.sql.parquet.compression.codec": "zstd",
    # The default of 10,000 pages would be hundreds of megabytes.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
}


def table_of(spark: Any, chosen: argparse.Namespace) -> Source:
    """The source for --table."""
    return table(spark.read.parquet(chosen.table), chosen.url_column, chosen.html_column, chosen.date_column)


def run(spark: Any, source: Source, chosen: argparse.Namespace) -> None:
    """Learns, strips and writes."""
    settings = {
        "fields": tuple(name.strip() for name in chosen.fields.split(",")),
        "content_format": chosen.content_format,
        "same_site": chosen.same_site,
        "min_pages": chosen.min_pages,
        "max_template_bytes": chosen.max_template_bytes,
        "task_bytes": chosen.task_bytes,
        "templates": chosen.templates,
        "part": chosen.part,
    }
    if not chosen.overwrite and exists(spark, chosen.output):
        raise InputError(f"{chosen.output} exists: choose another folder, or pass --overwrite")
    started = time.monotonic()
    learned: Learned = learn(source, chosen.checkpoint, **settings)
    log(f"{summary_of(learned)}, after {time.monotonic() - started:.0f} s")
    rows = strip(source, learned, **settings)
    mode = "overwrite" if chosen.overwrite else "error"
    rows.write.mode(mode).parquet(chosen.output)
    if chosen.templates is not None:
        update_store(source, learned)
    log(f"written to {chosen.output} after {time.monotonic() - started:.0f} s")


def summary_of(learned: Learned) -> str:
    """What was counted, and how templates and pages of large sites are brought together."""
    counts = f"{learned.pages:,} pages of {learned.sites:,} sites, {len(learned.large):,} of them large"
    sent = "sent to every worker" if learned.templates is not None else "too large for every worker, pages are sent to them"
    return f"{counts}, {learned.skipped:,} records skipped that are not pages; {learned.template_bytes:,} bytes of templates, {sent}"


def expand_inputs(inputs: list[str]) -> list[str]:
    """The archives in order."""
    listed = [line for name in inputs for line in (_read_list(name[1:]) if name.startswith("@") else [name])]
    return [path for name in listed for path in (_archives_below(name) if os.path.isdir(name) else [name])]


def _read_list(file: str) -> list[str]:
    try:
        with open(file, encoding="utf-8") as lines:
            return [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    except OSError as cause:
        raise InputError(f"cannot read the list {file}: {cause.strerror}") from cause


def _archives_below(folder: str) -> list[str]:
    found = sorted(
        file for file in glob.glob(os.path.join(glob.escape(folder), "**"), recursive=True) if file.endswith(_ARCHIVES)
    )
    if not found:
        raise InputError(f"{folder} contains no WARC files")
    return found


def log(text: str) -> None:
    """Prints to standard error."""
    print(f"husk: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
