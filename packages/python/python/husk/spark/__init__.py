"""Whole crawls on Spark: every page a row, its template taken off, as ``husk bulk`` does on one machine.

A site is learned from a sample of its pages. Small sites, of up to 64 pages, are gathered and told of as a whole; of large
ones the sample is gathered, what is learned of it goes to all workers, and their pages are told of where they lie. No task
has more of a site than that, however large it is. Where so many sites are large that workers cannot hold what was learned of
all, their pages go to it instead, in pieces of a thousand.

    from husk import spark as husk_spark

    rows = husk_spark.strip(husk_spark.archives(spark, ["crawl/a.warc.gz", "crawl/b.warc.gz"]))
    rows.write.parquet("out")

docs/spark.md has the plan, the settings and what a cluster needs.
"""

try:
    import pandas  # noqa: F401
    import pyarrow  # noqa: F401
    import pyspark  # noqa: F401
except ImportError as cause:
    raise ImportError(f"husk.spark needs pyspark, pyarrow and pandas ({cause}): pip install 'husk-web[spark]'") from cause

from .columns import ROWS
from .crawl import Learned, learn, strip
from .sources import Source
from .sources import of_archives as archives
from .sources import of_table as table
from .stages import LargeSite, Settings

__all__ = ["ROWS", "LargeSite", "Learned", "Settings", "Source", "archives", "learn", "strip", "table"]
