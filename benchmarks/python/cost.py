"""Measures, in the environment that `run` makes. Interleaved in one run, by processor time, on one core."""
import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import husk
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import detect_encoding
from resiliparse.parse.html import HTMLTree

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HUSK = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/husk"

# What must hold.
LEAST_AGAINST_RESILIPARSE = 2.0
MOST_OVERHEAD = 1.10

MANY_BYTES = 200e6  # of each site, so that starting a process does not count


def main():
    chosen = parse(sys.argv[1:])
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    sites = read_sites(chosen.corpus)
    print(f"{sum(len(pages) for _, pages in sites)} pages of {len(sites)} sites, one core, {chosen.rounds} interleaved rounds\n")
    lines = [against_resiliparse(sites, chosen.rounds)]
    with tempfile.TemporaryDirectory(prefix="husk-python-") as folder:
        lines.append(against_command(chosen, Path(folder)))
    print()
    for line, is_kept in lines:
        print(f"{line} promised: {'kept' if is_kept else 'NOT KEPT'}")
    return 0 if chosen.quick or all(is_kept for _, is_kept in lines) else 1


def parse(arguments):
    corpus = os.environ.get("HUSK_CORPUS") or ROOT.parent / "shared/corpus"
    parser = argparse.ArgumentParser(prog="benchmarks/python/run", description="Shows what Python costs.")
    parser.add_argument("corpus", nargs="?", type=Path, default=Path(corpus), help="folder of sites")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="to see that it works: the project's own sites, one round")
    chosen = parser.parse_args(arguments)
    if chosen.quick:
        chosen.corpus, chosen.rounds = ROOT / "fixtures/sites", 1
    if not chosen.corpus.is_dir():
        parser.error(f"there is no corpus {chosen.corpus}: name a folder of sites")
    return chosen


def read_sites(corpus):
    """What was learned of each site, and its pages."""
    sites = []
    for about in sorted(corpus.glob("*/site.json")):
        base = json.loads(about.read_text(encoding="utf-8"))["base_url"].rstrip("/") + "/"
        site = husk.Site(about.parent / "pages", base_url=base)
        sites.append((site.learn(), [(page.url, page.html) for page in site]))
    return sites


def against_resiliparse(sites, rounds):
    """From the bytes of a page to the text of its main content, in one process."""
    size = sum(len(html) for _, pages in sites for _, html in pages) / 1e6
    count = sum(len(pages) for _, pages in sites)
    times = {"husk": [], "resiliparse": []}
    for number in range(rounds + 1):
        for name in times if number % 2 else reversed(times):
            seconds = timed(lambda: TEXTS[name](sites))
            if number > 0:  # the first warms up
                times[name].append(seconds)
    print("| from bytes to text | pages/s | MB/s |\n|---|---|---|")
    for name, taken in times.items():
        print(f"| {name} | {count / median(taken):.0f} | {size / median(taken):.1f} |")
    ratio = median(slow / fast for slow, fast in zip(times["resiliparse"], times["husk"]))
    line = f"strip from Python is {ratio:.2f} times as fast as resiliparse, at least {LEAST_AGAINST_RESILIPARSE:g}"
    return line, ratio >= LEAST_AGAINST_RESILIPARSE


def husk_texts(sites):
    for templates, pages in sites:
        for url, html in pages:
            templates.strip(html, url).text


def resiliparse_texts(sites):
    for _, pages in sites:
        for _, html in pages:
            tree = HTMLTree.parse_from_bytes(html, detect_encoding(html))
            extract_plain_text(tree, main_content=True)


TEXTS = {"husk": husk_texts, "resiliparse": resiliparse_texts}


def timed(work):
    gc.collect()
    started = time.process_time()
    work()
    return time.process_time() - started


def against_command(chosen, folder):
    """`husk strip ARCHIVE -o FILE` and the same from Python, each a process, start and reading included."""
    bytes_wanted = 1e6 if chosen.quick else MANY_BYTES
    archives = [made for about in sorted(chosen.corpus.glob("*/site.json")) if (made := archive(about, folder, bytes_wanted))]
    # Three sites: the smallest, the middle and the largest pages.
    archives.sort(key=lambda made: made["bytes"])
    picked = [archives[place] for place in sorted({0, len(archives) // 2, len(archives) - 1})]
    print("\n| site | pages | kB a page | ms a page, command | ms a page, Python | ratio |\n|---|---|---|---|---|---|")
    ratios = []
    for made in picked:
        command, python = [], []
        for _ in range(chosen.rounds):
            command.append(processor_time(command_of(made, folder)))
            python.append(processor_time(python_of(made, folder)))
            same_rows(folder)
        ratio = median(slow / fast for slow, fast in zip(python, command))
        ratios.append(ratio)
        pages = made["pages"]
        per_page = [1000 * median(taken) / pages for taken in (command, python)]
        print(f"| {made['name']} | {pages} | {made['bytes'] / 1e3:.0f} | {per_page[0]:.3f} | {per_page[1]:.3f} | {ratio:.3f} |")
    worst = max(ratios)
    return f"rows from Python take {worst:.3f} times as long as by the command, at most {MOST_OVERHEAD:.2f}", worst <= MOST_OVERHEAD


def archive(about, folder, bytes_wanted):
    """The pages of a site as an archive, many times over, and its templates."""
    base = json.loads(about.read_text(encoding="utf-8"))["base_url"].rstrip("/") + "/"
    name = about.parent.name
    once, templates = folder / f"{name}-once.warc.gz", folder / f"{name}.husk"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    packed = subprocess.run([HUSK, "pack", about.parent / "pages", "--base-url", base, "-o", once], **quiet)
    learned = subprocess.run([HUSK, "learn", once, "--base-url", base, "-o", templates], **quiet)
    if packed.returncode or learned.returncode:
        return None
    sizes = [page.size for page in husk.Site(once, base_url=base)]
    copies = max(1, round(bytes_wanted / sum(sizes)))
    with (folder / f"{name}.warc.gz").open("wb") as many:
        for _ in range(copies):
            many.write(once.read_bytes())
    return {
        "name": name,
        "base": base,
        "archive": many.name,
        "templates": templates,
        "pages": len(sizes) * copies,
        "bytes": sum(sizes) / len(sizes),
    }


def command_of(made, folder):
    return [HUSK, "strip", "-q", "--template", made["templates"], made["archive"], "-o", folder / "command.jsonl"]


def python_of(made, folder):
    return [sys.executable, HERE / "strip.py", made["archive"], made["base"], made["templates"], folder / "python.jsonl"]


def processor_time(command):
    process = subprocess.Popen([str(part) for part in command])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"failed: {command}")
    return usage.ru_utime + usage.ru_stime


def same_rows(folder):
    if (folder / "command.jsonl").read_bytes() != (folder / "python.jsonl").read_bytes():
        sys.exit("the rows differ")


if __name__ == "__main__":
    sys.exit(main())
