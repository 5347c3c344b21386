"""One run of `husk bulk`, and what it took."""
import os
import shutil
import subprocess
import sys
import time

from archives import TARGET


def run(paths, cores, out):
    """Seconds by the clock and of processors."""
    shutil.rmtree(out, ignore_errors=True)
    some = ",".join(str(core) for core in sorted(os.sched_getaffinity(0))[:cores])
    command = ["taskset", "--cpu-list", some, TARGET / "release/husk", "bulk", *paths, "-o", out, "--format", "parquet"]
    started = time.perf_counter()
    process = subprocess.Popen([str(part) for part in [*command, "--jobs", cores, "-q"]])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("husk bulk failed")
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime
