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
from husk.spark import Learned, Settings, Source, archives, learn, strip, table

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
    spark = configured(SparkSession.builder.appName("husk")).getOrCreate()
    try:
        source = archives(spark, paths) if paths else table_of(spark, chosen)
        run(source, chosen)
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
        default=Settings.max_template_bytes,
        help="limit on the templates sent to every worker (default: %(default)s)",
    )
    options.add_argument("--overwrite", action="store_true", help="replace the folder")
    return options


def configured(builder: Any) -> Any:
    """Sets what the job needs, unless spark-submit sets it."""
    from pyspark import SparkConf

    conf = SparkConf()
    for name, value in SPARK_SETTINGS.items():
        conf.setIfMissing(name, value)
    return builder.config(conf=conf)


def set_missing(session: Any) -> None:
    """The same for an existing session."""
    given = session.sparkContext.getConf()
    for name, value in SPARK_SETTINGS.items():
        if not given.contains(name):
            session.conf.set(name, value)


SPARK_SETTINGS = {
    # As in husk bulk.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MILLIS",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.session.timeZone": "UTC",
    # The default of 10,000 pages would be hundreds of megabytes.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
}


def table_of(spark: Any, chosen: argparse.Namespace) -> Source:
    """The source for --table."""
    return table(spark.read.parquet(chosen.table), chosen.url_column, chosen.html_column, chosen.date_column)


def run(source: Source, chosen: argparse.Namespace) -> None:
    """Learns, strips and writes."""
    settings = {
        "fields": tuple(name.strip() for name in chosen.fields.split(",")),
        "content_format": chosen.content_format,
        "same_site": chosen.same_site,
        "min_pages": chosen.min_pages,
        "max_template_bytes": chosen.max_template_bytes,
    }
    if not chosen.overwrite:
        require_absent(source, chosen.output)
    started = time.monotonic()
    learned: Learned = learn(source, **settings)
    log(
        f"{learned.pages:,} pages of {learned.sites:,} sites, {len(learned.large):,} of them large, after "
        f"{time.monotonic() - started:.0f} s; {transport_of(learned)}"
    )
    rows = strip(source, learned, **settings)
    mode = "overwrite" if chosen.overwrite else "errorifexists"
    rows.write.mode(mode).parquet(chosen.output)
    log(f"written to {chosen.output} after {time.monotonic() - started:.0f} s")


def transport_of(learned: Learned) -> str:
    """How templates and pages of large sites are brought together."""
    if learned.templates is None:
        return "templates too large for every worker, pages are sent to templates"
    return f"{learned.template_bytes:,} bytes of templates sent to every worker"


def require_absent(source: Source, output: str) -> None:
    """Fails early if the output exists."""
    session = source.table.sparkSession
    path = session._jvm.org.apache.hadoop.fs.Path(output)
    if path.getFileSystem(session._jsc.hadoopConfiguration()).exists(path):
        raise InputError(f"{output} exists: choose another folder, or pass --overwrite")


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
