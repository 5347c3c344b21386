"""Spark with two workers, each with a process and a core of its own, and what a job takes on it."""
import os
import shutil
import sys
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


class Cluster:
    """It is begun once: starting it takes longer than small jobs do."""

    def __enter__(self):
        os.environ["PYSPARK_PYTHON"] = sys.executable
        from pyspark.sql import SparkSession

        from husk.spark import job

        builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("husk benchmark")
        settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "8"}
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.spark = builder.getOrCreate()
        job.set_missing(self.spark)
        self.spark.sparkContext.setLogLevel("ERROR")
        return self

    def __exit__(self, *_):
        self.spark.stop()

    def job(self, paths, out):
        """Learns, strips and writes; gives seconds by the clock and of processors."""
        from husk import spark as husk_spark

        shutil.rmtree(out, ignore_errors=True)
        before, started = processor_time(), time.perf_counter()
        source = husk_spark.archives(self.spark, [str(path) for path in paths])
        husk_spark.strip(source).write.parquet(str(out))
        return time.perf_counter() - started, processor_time() - before


def processor_time():
    """Of this process and all below it, those that ended included."""
    parents, times = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        process = int(stat.parent.name)
        parents[process] = int(fields[1])
        times[process] = sum(int(field) for field in fields[11:15]) / TICKS
    return sum(taken for process, taken in times.items() if is_below(process, parents))


def is_below(process, parents):
    while process > 1:
        if process == os.getpid():
            return True
        process = parents.get(process, 0)
    return False
