"""Measures commands from start to end, as people run them, beside loops over the same pages in Python.

Processor time of the whole command counts for husk; for the others, that of the loop without the start of Python. A command
and the loops follow each other on each site, so that other programs meet all alike.
"""
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import extractors  # of ../content, as are the next two
import key_pages
import options
import tools

HERE = Path(__file__).resolve().parent
STRIP, BULK = "husk strip FOLDER", "husk bulk WARC"


@dataclass
class Site:
    """A site of the corpus, and what is made of it before anything is measured."""

    name: str
    folder: Path
    base_url: str
    files: list
    templates: Path = None


@dataclass
class Ratio:
    """How many times as fast a command is as a loop: for all pages together, and by site if it runs for each."""

    command: str
    loop: str
    all_pages: float
    median: float = None
    worst: float = None
    worst_site: str = None


def measure(corpus, rounds, core, progress):
    husk = options.default_husk()
    sites = [site for site in map(site_of, key_pages.sites(corpus)) if site.files]
    python = [*tools.pinned_to([core]), sys.executable, HERE / "loop.py"]
    loops = {name: extractors.Peer(name, tools.ROUND_LIMIT, [*python, name]) for name in tools.LOOPS}
    try:
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            archives = [prepare(husk, site, work) for site in sites]
            seconds = strip_seconds(husk, sites, loops, rounds, core, progress)
            of_bulk = bulk_seconds(husk, archives, loops, rounds, core, work, progress)
    finally:
        for loop in loops.values():
            loop.stop()
    progress("")
    return [ratio(STRIP, name, seconds) for name in tools.LOOPS] + [
        Ratio(BULK, f"fastwarc and {name}", median(of_bulk[name]) / median(of_bulk[BULK])) for name in tools.LOOPS
    ]


def site_of(found):
    folder, site = found
    files = sorted(str(file) for file in (folder / "pages").rglob("*") if file.suffix in {".html", ".htm"} and file.is_file())
    return Site(site["name"], folder / "pages", site["base_url"], files)


def prepare(husk, site, work):
    """Learns the templates of a site, and packs its pages into an archive."""
    site.templates, archive = work / f"{site.name}.husk", work / f"{site.name}.warc.gz"
    base = [site.folder, "--base-url", site.base_url, "--quiet"]
    subprocess.run([husk, "learn", *base, "-o", site.templates], check=True)
    subprocess.run([husk, "pack", *base, "-o", archive], check=True)
    return archive


def strip_seconds(husk, sites, loops, rounds, core, progress):
    """The seconds of each tool by site, a list of rounds each."""
    seconds = {name: {site.name: [] for site in sites} for name in [STRIP, *loops]}
    for number in range(rounds):
        for site in sites:
            progress(f"round {number + 1}/{rounds}: {STRIP}, {site.name}")
            command = [husk, "strip", "--template", site.templates, site.folder, "--base-url", site.base_url, "--quiet"]
            seconds[STRIP][site.name].append(processor_seconds(command, core))
            for name, loop in loops.items():
                seconds[name][site.name].append(loop.ask({"files": site.files})["seconds"])
    return seconds


def bulk_seconds(husk, archives, loops, rounds, core, work, progress):
    """The seconds of each tool for all archives, a list of rounds each."""
    seconds = {name: [] for name in [BULK, *loops]}
    for number in range(rounds):
        progress(f"round {number + 1}/{rounds}: {BULK}")
        out = work / f"out-{number}"
        command = [husk, "bulk", *archives, "-o", out, "--jobs", "1", "--quiet"]
        seconds[BULK].append(processor_seconds(command, core))
        for name, loop in loops.items():
            of_archives = (loop.ask({"archive": str(archive)})["seconds"] for archive in archives)
            seconds[name].append(sum(of_archives))
    return seconds


def processor_seconds(command, core):
    """Of a command from its start to its end, in user and system."""
    process = subprocess.Popen(
        [str(part) for part in command],
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"exit status {process.returncode}: {' '.join(str(part) for part in command)}")
    return usage.ru_utime + usage.ru_stime


def ratio(command, loop, seconds):
    """From the median of the rounds of each site."""
    own, other = (
        {site: median(rounds) for site, rounds in seconds[name].items()} for name in (command, loop)
    )
    by_site = {site: other[site] / own[site] for site in own}
    worst = min(by_site, key=by_site.get)
    all_pages = sum(other.values()) / sum(own.values())
    return Ratio(command, loop, all_pages, median(by_site.values()), by_site[worst], worst)


def print_table(ratios):
    print("\nCommands from start to end, processor time: so many times as fast as a loop in Python\n")
    print("| command | beside | all pages | median site | worst site |")
    print("|---|---|---|---|---|")
    for one in ratios:
        by_site = ["", ""] if one.median is None else [f"{one.median:.2f}", f"{one.worst:.2f} ({one.worst_site})"]
        print(f"| `{one.command}` | {one.loop} | {one.all_pages:.2f} | {' | '.join(by_site)} |")
