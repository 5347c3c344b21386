"""``husk bulk`` on Spark: extracts the content of every page in a crawl.

Templates are learned from a sample of each site. Small sites, of up to 64 pages, are processed by one task. For large sites,
only the sample is gathered, the templates go to all workers, and the pages stay where they are. If the templates of all
large sites are too large for every worker, their pages are sent to the templates, in pieces of a thousand.

    from husk import spark as husk_spark

    rows = husk_spark.strip(husk_spark.archives(spark, ["crawl/a.warc.gz", "crawl/b.warc.gz"]))
    rows.write.parquet("out")

docs/engines.md describes the plan, the settings and what a cluster needs.
"""

try:
    import pandas  # noqa: F401
    import pyarrow  # noqa: F401
    import pyspark  # noqa: F401
except ImportError as cause:
    raise ImportError(f"husk.spark needs pyspark, pyarrow and pandas ({cause}): pip install 'husk-web[spark]'") from cause

from pyspark.sql.pandas.types import from_arrow_schema

from ..crawls import batches
from ..crawls.plan import Learned, Source, update_store
from ..crawls.stages import LargeSite, Settings
from .engine import archives, learn, strip, table

ROWS = from_arrow_schema(batches.ROWS)
"""The columns of ``husk bulk --format parquet``."""

__all__ = ["ROWS", "LargeSite", "Learned", "Settings", "Source", "archives", "learn", "strip", "table", "update_store"]
