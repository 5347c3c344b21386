"""Archives of several sizes or shapes, husk over each of them, on one core and on two. Standard library only."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from statistics import median

import bulk_run
import growth_plot
import options  # of ../content
import shapes
import tools

HERE = Path(__file__).resolve().parent
HUSK = tools.TARGET / "release/husk"
CORES = sorted(os.sched_getaffinity(0))[:2]
SIZES = [1_000, 10_000, 100_000]

# What must hold.
MOST_MEMORY = 600e6  # bytes, for the largest archive
MOST_GROWTH = 1.10  # of the time per page, from the second largest to the largest
LEAST_GAIN = 1.8  # of two cores over one


def main(arguments):
    chosen = parse(arguments)
    tools.build("-p", "husk-cli")
    if chosen.work:
        chosen.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=chosen.work, prefix="husk-scale-") as folder:
        try:
            return compare_shapes(chosen, folder) if chosen.shapes else compare_sizes(chosen, folder)
        except bulk_run.Failed as cause:
            sys.exit(f"husk bulk: {cause}")


def compare_sizes(chosen, folder):
    tools.build("-p", "husk-sources", "--example", "crawl")
    archives = {size: archive(chosen, size, folder) for size in chosen.sizes}
    by_size, by_cores = measure(chosen, archives, folder)
    lines, kept = check(by_size, by_cores)
    print_tables(by_size, by_cores, chosen)
    print("", *lines, sep="\n")
    write(by_size, by_cores, chosen)
    return 0 if kept else 1


def compare_shapes(chosen, folder):
    archives = shapes.all_archives(chosen.shapes, folder)
    by_shape = {shape: [] for shape in archives}
    for number in range(chosen.rounds):
        for shape, runs in by_shape.items():
            progress(f"round {number + 1}/{chosen.rounds}: {shape}")
            runs.append(bulk_run.bulk(HUSK, archives[shape], shape.pages, CORES, folder))
    shapes.print_table(by_shape, archives)
    report = [{**asdict(shape), **asdict(run)} for shape, runs in by_shape.items() for run in runs]
    write_json("shapes.json", report, chosen)
    memory = max(run.memory for runs in by_shape.values() for run in runs)
    kept, line = promise_of_memory(memory, "all of them")
    print("", verdict(kept, line), sep="\n")
    return 0 if kept else 1


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="benchmarks/compare/scale",
        description="Shows what husk bulk costs against the number of pages, and what a second core gives.",
    )
    parser.add_argument("corpus", nargs="?", type=Path, default=options.default_corpus(), help="folder of sites")
    parser.add_argument("--sizes", type=sizes, default=SIZES, metavar="N,N,N", help="in pages (default: %(default)s)")
    parser.add_argument(
        "--shapes", type=shapes.parse, metavar="SITESxPAGES,...", help="instead: synthetic crawls of so many sites of so many pages each"
    )
    parser.add_argument("--rounds", type=options.positive, default=3, help="rounds of each, interleaved; the median counts")
    parser.add_argument("--work", type=Path, help="for archives and output: some GB (default: the system's)")
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--plot", type=Path, help="file of the plot (default: scale.svg in the results)")
    chosen = parser.parse_args(arguments)
    if not chosen.shapes:
        options.require_corpus(parser, chosen.corpus)
    return chosen


def sizes(text):
    return sorted(options.positive(part) for part in text.split(","))


def archive(chosen, size, folder):
    file = Path(folder) / f"{size}.warc.gz"
    command = [tools.TARGET / "release/examples/crawl", chosen.corpus, file, str(size)]
    if subprocess.run(command, stdout=sys.stderr).returncode != 0:
        sys.exit(f"no archive of {size} pages could be made of {chosen.corpus}")
    return file


def measure(chosen, archives, folder):
    """Runs for each size, on all of the cores, and for each number of cores, over the archive before the largest."""

    def run(size, cores):
        return bulk_run.bulk(HUSK, [archives[size]], size, cores, folder)

    by_size = {size: [] for size in archives}
    by_cores = {count: [] for count in range(1, len(CORES) + 1)}
    for number in range(chosen.rounds):
        for size, runs in by_size.items():
            progress(f"round {number + 1}/{chosen.rounds}: {size} pages")
            runs.append(run(size, CORES))
        for count, runs in by_cores.items():
            progress(f"round {number + 1}/{chosen.rounds}: {count} cores")
            runs.append(run(before_largest(archives), CORES[:count]))
    return by_size, by_cores


def before_largest(by_size):
    return sorted(by_size)[-2:][0]


def progress(text):
    print(text, file=sys.stderr, flush=True)


def check(by_size, by_cores):
    """A line for each promise that could be checked, and whether all of these are kept."""
    largest, before = max(by_size), before_largest(by_size)
    memory = max(run.memory for run in by_size[largest])
    promises = [promise_of_memory(memory, f"{largest} pages")]
    if before != largest:
        growth = per_page(by_size[largest]) / per_page(by_size[before])
        line = f"{growth:.3f} times the time per page of {before} pages for {largest}, at most {MOST_GROWTH:.2f}"
        promises.append((growth <= MOST_GROWTH, line))
    if 2 in by_cores:
        line = f"{gain(by_cores):.2f} times as fast on two cores, at least {LEAST_GAIN}"
        promises.append((gain(by_cores) >= LEAST_GAIN, line))
    return [verdict(*promise) for promise in promises], all(kept for kept, _ in promises)


def promise_of_memory(memory, runs):
    return memory < MOST_MEMORY, f"{memory / 1e6:.0f} MB of memory for {runs}, less than {MOST_MEMORY / 1e6:.0f}"


def verdict(kept, line):
    return f"{line} promised: {'kept' if kept else 'NOT KEPT'}"


def per_page(runs):
    """In milliseconds, by processor time: other programs delay the clock."""
    return median(run.processor_per_page for run in runs)


def gain(by_cores):
    """How many times as fast two cores are, each round by itself: what delays one run may delay the next as well."""
    return median(one.clock / two.clock for one, two in zip(by_cores[1], by_cores[2], strict=True))


def print_tables(by_size, by_cores, chosen):
    print(f"husk bulk, median of {chosen.rounds} rounds")
    print("\n| pages | processor ms a page | clock ms a page | peak memory, MB |")
    print("|---|---|---|---|")
    for size, runs in by_size.items():
        clock, memory = median(run.clock_per_page for run in runs), max(run.memory for run in runs)
        print(f"| {size} | {per_page(runs):.3f} | {clock:.3f} | {memory / 1e6:.0f} |")
    print("\n| cores | pages/s | processor ms a page |")
    print("|---|---|---|")
    for count, runs in by_cores.items():
        print(f"| {count} | {median(run.pages / run.clock for run in runs):.0f} | {per_page(runs):.3f} |")


def write(by_size, by_cores, chosen):
    report = {
        "by_size": [asdict(run) for runs in by_size.values() for run in runs],
        "by_cores": [asdict(run) for runs in by_cores.values() for run in runs],
    }
    write_json("scale.json", report, chosen)
    picture = chosen.plot or chosen.results / "scale.svg"
    times = [(size, per_page(runs)) for size, runs in by_size.items()]
    memory = [(size, max(run.memory for run in runs) / 1e6) for size, runs in by_size.items()]
    picture.write_text(growth_plot.svg(times, memory), encoding="utf-8")
    print(f"wrote {picture}", file=sys.stderr)


def write_json(name, report, chosen):
    chosen.results.mkdir(parents=True, exist_ok=True)
    (chosen.results / name).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(f"\nwrote {chosen.results / name}", file=sys.stderr)
