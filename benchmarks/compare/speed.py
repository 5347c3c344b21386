"""Measures all tools in one run, and writes what came out. Called by `run`, in the environment of the peers."""
import json
import os
import platform
import sys
from dataclasses import asdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "content"))

import arguments  # noqa: E402  (needs the path above)
import commands  # noqa: E402
import compare  # noqa: E402  (of ../content)
import page_files  # noqa: E402
import promises  # noqa: E402
import rounds  # noqa: E402
import speed_plot  # noqa: E402
import tools  # noqa: E402


def main():
    chosen = arguments.parse(sys.argv[1:])
    pages = page_files.of_corpus(chosen.corpus)
    if not pages:
        sys.exit(f"{chosen.corpus}: no pages of a site (site.json, pages/)")
    core = max(os.sched_getaffinity(0))
    measured = measure(chosen, pages, core)
    for one in measured:
        if one.failure:
            print(f"{one.name}: {one.failure}; left out", file=sys.stderr)
    finished = [one for one in measured if one.failure is None]
    if not finished:
        sys.exit("nothing was measured")
    speeds = [rounds.speed(one, finished[0], pages) for one in finished]
    speeds.sort(key=lambda speed: speed.times_as_long)
    print_table(speeds, finished[0].name, pages, chosen)
    ratios = []
    if chosen.commands:
        ratios = commands.measure(chosen.corpus, chosen.rounds, core, compare.progress)
        commands.print_table(ratios)
    write(speeds, ratios, finished, pages, chosen)
    if finished[0].name != tools.STRIP:
        return 0
    lines, kept = promises.check(speeds)
    print("", *lines, sep="\n")
    return 0 if kept or chosen.quick else 1


def measure(chosen, pages, core):
    # All tools on the last core in turn, everything else of ours on the others.
    os.sched_setaffinity(0, os.sched_getaffinity(0) - {core} or {core})
    all_places, part = list(range(len(pages))), page_files.part(pages, chosen.every)
    places = {name: part if name in tools.SLOW else all_places for name in chosen.tools}
    running = []
    try:
        for name in chosen.tools:
            running.append(tools.Tool(name, core, chosen.corpus))
        return rounds.measure(running, pages, places, chosen.rounds, compare.progress)
    finally:
        for tool in running:
            tool.stop()


def print_table(speeds, first, pages, chosen):
    """As Markdown, so that it can be put into the documentation as it is."""
    size = sum(page["bytes"] for page in pages) / 1e6
    print(f"{len(pages)} pages, {size:.1f} MB; one core, interleaved, median of {chosen.rounds} rounds, processor time")
    print()
    print(f"| tool | version | pages | pages/s | MB/s | {first} is so many times as fast | peak memory, MB | clock |")
    print("|---|---|---|---|---|---|---|---|")
    for one in speeds:
        print(
            f"| {one.tool} | {one.version} | {one.pages} | {figure(one.pages_per_second)} |"
            f" {figure(one.megabytes_per_second)} | {figure(one.times_as_long)} |"
            f" {one.megabytes_of_memory:.0f} | {one.delay:.2f} |"
        )
    print("\nclock: how much longer it took than it ran; well above 1 where other programs were busy.")
    for one in speeds:
        if one.faults:
            print(f"- {one.tool} gave no text for {len(one.faults)} pages, such as {one.faults[0]}")


def figure(number):
    """Three digits that count."""
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


def write(speeds, ratios, measured, pages, chosen):
    chosen.results.mkdir(parents=True, exist_ok=True)
    report = {
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "pages": len(pages),
        "bytes": sum(page["bytes"] for page in pages),
        "tools": [asdict(one) for one in speeds],
        "commands": [asdict(one) for one in ratios],
        "rounds": {
            one.name: {
                "processor": [sum(times.values()) for times in one.processor],
                "clock": [sum(times.values()) for times in one.clock],
            }
            for one in measured
        },
    }
    (chosen.results / "speed.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    picture = chosen.plot or chosen.results / "speed.svg"
    picture.write_text(speed_plot.svg(speeds, measured[0].name), encoding="utf-8")
    print(f"\nwrote {chosen.results}/speed.json and {picture}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
