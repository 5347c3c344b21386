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
    """Runs the job; gives the exit status."""
    from pyspark.sql import SparkSession

    chosen = parser().parse_args(arguments)
    try:
        paths = named(chosen.inputs)
        if bool(paths) == bool(chosen.table):
            raise InputError("name WARC files, or a table of pages by --table, and not both")
    except HuskError as cause:
        print(f"husk: {cause}", file=sys.stderr)
        return 2
    # Where nothing else is said, workers have the same Python, with husk in it.
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
    """The arguments, in the words of ``husk bulk``."""
    options = argparse.ArgumentParser(prog="husk.spark", description="Every page of a crawl a row, its template taken off.")
    options.add_argument("inputs", nargs="*", help="WARC files, folders of them, @FILE for a list of them")
    options.add_argument("-o", "--output", required=True, help="folder for the Parquet files; must not be there yet")
    options.add_argument("--table", help="a table of pages instead: Parquet files with their addresses and HTML")
    options.add_argument("--url-column", default="url")
    options.add_argument("--html-column", default="html")
    options.add_argument("--date-column")
    options.add_argument("--what", default="content", help="content,menu,template-id (default: %(default)s)")
    options.add_argument("--content-format", default="text", choices=["text", "markdown"])
    options.add_argument("--same-site", default="host", choices=["host", "domain"])
    options.add_argument("--min-pages", type=int, default=3, help="sites with fewer are told page by page (default: %(default)s)")
    options.add_argument(
        "--most-template-bytes",
        type=int,
        default=Settings.most_template_bytes,
        help="what workers hold of what was learned; if it is more, pages are sent to it (default: %(default)s)",
    )
    options.add_argument("--overwrite", action="store_true", help="replace what is in the folder")
    return options


def configured(builder: Any) -> Any:
    """What the job needs, where spark-submit was told nothing else."""
    from pyspark import SparkConf

    conf = SparkConf()
    for name, value in SPARK_SETTINGS.items():
        conf.setIfMissing(name, value)
    return builder.config(conf=conf)


def set_missing(session: Any) -> None:
    """The same for a session that somebody else began."""
    given = session.sparkContext.getConf()
    for name, value in SPARK_SETTINGS.items():
        if not given.contains(name):
            session.conf.set(name, value)


SPARK_SETTINGS = {
    # As husk bulk has them.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MILLIS",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.session.timeZone": "UTC",
    # Pages are large: a batch of the usual 10,000 would be hundreds of megabytes.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
}


def table_of(spark: Any, chosen: argparse.Namespace) -> Source:
    """The table that was named."""
    return table(spark.read.parquet(chosen.table), chosen.url_column, chosen.html_column, chosen.date_column)


def run(source: Source, chosen: argparse.Namespace) -> None:
    """Learns, strips and writes, and says what was found."""
    settings = {
        "what": tuple(name.strip() for name in chosen.what.split(",")),
        "content_format": chosen.content_format,
        "same_site": chosen.same_site,
        "min_pages": chosen.min_pages,
        "most_template_bytes": chosen.most_template_bytes,
    }
    if not chosen.overwrite:
        require_absent(source, chosen.output)
    started = time.monotonic()
    learned: Learned = learn(source, **settings)
    say(
        f"{learned.pages:,} pages of {learned.sites:,} sites, {len(learned.large):,} of them large, after "
        f"{time.monotonic() - started:.0f} s; {way_of(learned)}"
    )
    rows = strip(source, learned, **settings)
    mode = "overwrite" if chosen.overwrite else "errorifexists"
    rows.write.mode(mode).parquet(chosen.output)
    say(f"written to {chosen.output} after {time.monotonic() - started:.0f} s")


def way_of(learned: Learned) -> str:
    """How pages of large sites and what was learned of these come together."""
    if learned.templates is None:
        return "that is too much for every worker to learn of: pages are sent to templates"
    return f"{learned.template_bytes:,} bytes of templates to every worker"


def require_absent(source: Source, output: str) -> None:
    """Fails if the output is there already, before hours of work instead of after them."""
    session = source.table.sparkSession
    path = session._jvm.org.apache.hadoop.fs.Path(output)
    if path.getFileSystem(session._jsc.hadoopConfiguration()).exists(path):
        raise InputError(f"{output} is there already: name another folder, or replace it with --overwrite")


def named(inputs: list[str]) -> list[str]:
    """The archives that are meant, in this order."""
    listed = [line for name in inputs for line in (_lines(name[1:]) if name.startswith("@") else [name])]
    return [path for name in listed for path in (_below(name) if os.path.isdir(name) else [name])]


def _lines(file: str) -> list[str]:
    try:
        with open(file, encoding="utf-8") as lines:
            return [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    except OSError as cause:
        raise InputError(f"cannot read the list {file}: {cause.strerror}") from cause


def _below(folder: str) -> list[str]:
    found = sorted(
        file for file in glob.glob(os.path.join(glob.escape(folder), "**"), recursive=True) if file.endswith(_ARCHIVES)
    )
    if not found:
        raise InputError(f"{folder} has no WARC files in it: name a folder that has")
    return found


def say(text: str) -> None:
    """On standard error, since the result is elsewhere."""
    print(f"husk: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
