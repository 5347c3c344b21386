"""One run of `husk bulk`, and what it took. Standard library only."""
import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import tools


class Failed(Exception):
    """A run that did not do what it should."""


@dataclass
class Run:
    pages: int
    cores: int
    clock: float  # seconds
    processor: float
    memory: int  # bytes, at most

    @property
    def clock_per_page(self):
        return 1000 * self.clock / self.pages

    @property
    def processor_per_page(self):
        """In milliseconds."""
        return 1000 * self.processor / self.pages


def bulk(husk, archive, pages, cores, folder):
    """Runs over an archive of so many pages on some cores, a thread for each, and removes what it wrote."""
    out = Path(folder) / "out"
    shutil.rmtree(out, ignore_errors=True)
    command = [husk, "bulk", archive, "-o", out, "--jobs", str(len(cores)), "--quiet"]
    run = timed([*tools.pinned_to(cores), *command], pages, len(cores))
    rows = json.loads((out / "_manifest.json").read_text(encoding="utf-8"))["totals"]["rows"]
    shutil.rmtree(out)
    if rows != pages:
        raise Failed(f"{rows} rows came out of {pages} pages")
    return run


def timed(command, pages, cores):
    started = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    # The system counts for each child by itself, which subprocess does not pass on.
    _, status, usage = os.wait4(process.pid, 0)
    clock = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise Failed(f"exit status {process.returncode}: {' '.join(str(part) for part in command)}")
    return Run(pages, cores, clock, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
