"""The job for users of cc-pyspark: the same arguments, input lists and fetching as its other jobs.

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
        # As it is where its repository is used without being installed.
        from sparkcc import CCSparkJob
    except ImportError as cause:
        raise ImportError(f"husk.spark.common_crawl needs cc-pyspark ({cause}): pip install cc-pyspark") from cause

from husk.errors import InputError
from husk.spark import ROWS, archives, learn, strip
from husk.spark.job import set_missing


class HuskJob(CCSparkJob):  # type: ignore[misc]  # it has no types
    """Every page a row, its template taken off by what other pages of its site say."""

    name = "Husk"
    output_schema = ROWS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Those of husk.spark beside those of all jobs."""
        super().add_arguments(parser)
        parser.add_argument("--what", default="content", help="content,menu,template-id (default: %(default)s)")
        parser.add_argument("--content_format", default="text", choices=["text", "markdown"])
        parser.add_argument("--same_site", default="host", choices=["host", "domain"])
        parser.add_argument("--min_pages", type=int, default=3)

    def settings(self) -> dict[str, Any]:
        """What was chosen, in the words of husk.spark."""
        return {
            "what": tuple(name.strip() for name in self.args.what.split(",")),
            "content_format": self.args.content_format,
            "same_site": self.args.same_site,
            "min_pages": self.args.min_pages,
        }

    def run_job(self, session: Any) -> None:
        """Reads the list of archives, learns, strips, and saves the table."""
        set_missing(session)
        listed = session.sparkContext.textFile(self.args.input).collect()
        paths = [line.strip() for line in listed if line.strip()]
        source = archives(session, paths, partial(fetched, self, self.args.input_base_url))
        learned = learn(source, **self.settings())
        log = self.get_logger(session)
        log.info(f"{learned.pages} pages of {learned.sites} sites, {len(learned.large)} of them large")
        rows = strip(source, learned, **self.settings())
        (
            # Files are so many; the work before is spread as it needs to be.
            rows.repartition(self.args.num_output_partitions)
            .write.format(self.args.output_format)
            .option("compression", self.args.output_compression)
            .options(**self.get_output_options())
            .saveAsTable(self.args.output)
        )

    def process_record(self, record: Any) -> Iterator[Any]:
        """Not used: what is template on a page is not known by the page alone."""
        raise NotImplementedError("pages are told of by site: see run_job")


@contextmanager
def fetched(job: Any, base_url: str | None, uri: str) -> Iterator[str]:
    """An archive as a file of this machine, fetched as cc-pyspark does. If it cannot be had the task fails and is tried
    again: to go on without it would lose pages without a word."""
    stream = job.fetch_warc(uri, base_url)
    if not stream:
        raise InputError(f"cannot fetch {uri}: the log of the worker has the reason")
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
