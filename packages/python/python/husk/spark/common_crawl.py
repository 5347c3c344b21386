"""The job for cc-pyspark, with its arguments, input lists and downloads.

    spark-submit "$(python -m husk.spark.common_crawl)" --input_base_url https://data.commoncrawl.org/ warc.paths husk_rows
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

try:
    from cc_pyspark.sparkcc import CCSparkJob
except ImportError:
    try:
        # Its repository, not installed.
        from sparkcc import CCSparkJob
    except ImportError as cause:
        raise ImportError(f"husk.spark.common_crawl needs cc-pyspark ({cause}): pip install cc-pyspark") from cause

from husk.errors import InputError
from husk.spark import ROWS, archives, learn, strip
from husk.spark.job import set_missing, summary_of


class HuskJob(CCSparkJob):  # type: ignore[misc]  # it has no types
    """Extracts the content of every page."""

    name = "Husk"
    output_schema = ROWS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments of husk.spark."""
        super().add_arguments(parser)
        parser.add_argument("--fields", default="content", help="content,menu,template-id (default: %(default)s)")
        parser.add_argument("--content_format", default="text", choices=["text", "markdown", "html"])
        parser.add_argument("--same_site", default="host", choices=["host", "domain"])
        parser.add_argument("--min_pages", type=int, default=3)

    def settings(self) -> dict[str, Any]:
        """The settings of husk.spark."""
        return {
            "fields": tuple(name.strip() for name in self.args.fields.split(",")),
            "content_format": self.args.content_format,
            "same_site": self.args.same_site,
            "min_pages": self.args.min_pages,
        }

    def run_job(self, session: Any) -> None:
        """Reads the list of archives, learns, strips, and saves the table."""
        set_missing(session)
        listed = session.sparkContext.textFile(self.args.input).collect()
        paths = [line.strip() for line in listed if line.strip()]
        source = archives(session, paths, partial(fetch_archive, self, self.args.input_base_url))
        learned = learn(source, **self.settings())
        log = self.get_logger(session)
        log.info(summary_of(learned))
        rows = strip(source, learned, **self.settings())
        (
            rows.repartition(self.args.num_output_partitions)
            .write.format(self.args.output_format)
            .option("compression", self.args.output_compression)
            .options(**self.get_output_options())
            .saveAsTable(self.args.output)
        )

    def process_record(self, record: Any) -> Iterator[Any]:
        """Not used: templates need more than one page."""
        raise NotImplementedError("see run_job")


@contextmanager
def fetch_archive(job: Any, base_url: str | None, uri: str) -> Iterator[str]:
    """An archive as a local file, downloaded by cc-pyspark. A failure fails the task, since skipping the archive would lose
    pages silently."""
    stream = job.fetch_warc(uri, base_url)
    if not stream:
        raise InputError(f"cannot fetch {uri}: see the log of the worker")
    with stream, tempfile.NamedTemporaryFile(suffix=".warc.gz", dir=job.args.local_temp_dir) as copy:
        if isinstance(getattr(stream, "name", None), str):
            yield stream.name
            return
        shutil.copyfileobj(stream, copy, 1 << 20)
        copy.flush()
        yield copy.name


if __name__ == "__main__":
    if sys.argv[1:]:
        HuskJob().run()
    else:
        print(__file__)
