"""One run of `husk bulk`, and what it took. Standard library only."""
import contextlib
import json
import os
import shutil
import subprocess
import threading
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
    disk: int = 0  # bytes of temporary files, at most

    @property
    def clock_per_page(self):
        return 1000 * self.clock / self.pages

    @property
    def processor_per_page(self):
        """In milliseconds."""
        return 1000 * self.processor / self.pages


class FolderSize(threading.Thread):
    """The largest size of a folder within a `with` block, looked up ten times a second."""

    def __init__(self, folder):
        super().__init__()
        self.folder, self.largest, self.done = folder, 0, threading.Event()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.join()

    def run(self):
        while not self.done.wait(0.1):
            # Files and the folder itself may disappear meanwhile.
            with contextlib.suppress(FileNotFoundError):
                self.largest = max(self.largest, sum(file.stat().st_size for file in os.scandir(self.folder)))


def bulk(husk, archives, pages, cores, folder):
    """Runs over archives of so many pages on some cores, a thread for each, and removes what it wrote."""
    out = Path(folder) / "out"
    shutil.rmtree(out, ignore_errors=True)
    command = [husk, "bulk", *archives, "-o", out, "--jobs", str(len(cores)), "--quiet"]
    with FolderSize(out / ".work") as temporary:
        run = timed([*tools.pinned_to(cores), *command], pages, len(cores))
    run.disk = temporary.largest
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
