"""Runs all extractors over all key pages in one run, and writes what came out. Called by `run`, in its environment."""
import csv
import json
import platform
import sys
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Optional

import key_pages
import options
import plot
import words
from extractors import Husk, Peer, knows_content


@dataclass
class Row:
    """One extractor on one key page."""

    site: str
    key_page: str
    extractor: str
    precision: float
    recall: float
    f1: float
    seconds: float
    error: Optional[str]


@dataclass
class Summary:
    """One extractor on all key pages."""

    extractor: str
    version: str
    sees: str
    precision: float
    recall: float
    f1: float
    worst: float
    worst_page: str
    ms: float
    faults: list = field(default_factory=list)


def main():
    chosen = options.parse(sys.argv[1:])
    pages = key_pages.of_corpus(chosen.corpus)
    if not pages:
        sys.exit(f"{chosen.corpus}: no labelled site")
    extractors = start(chosen)
    try:
        rows = measure(extractors, pages, chosen.repeat)
    finally:
        for extractor in extractors:
            extractor.stop()
    summaries = sorted((summary(one, rows) for one in extractors), key=lambda one: -one.f1)
    print_table(summaries, len(pages), chosen)
    write(summaries, rows, chosen)


def start(chosen):
    extractors = [Peer(name, chosen.time_limit) for name in chosen.peers]
    if chosen.husk is None:
        return extractors
    if not knows_content(chosen.husk):
        print(f"note: no husk with a command content at {chosen.husk} (cargo build --release): peers only", file=sys.stderr)
        return extractors
    return extractors + [Husk(chosen.husk, chosen.time_limit, alone) for alone in (False, True)]


def measure(extractors, pages, repeat):
    """Page by page, so that whatever else the machine does meets all extractors alike."""
    for extractor in extractors:
        extractor.extract(pages[0])  # to warm up: counts for nothing
    rows = []
    for done, page in enumerate(pages, start=1):
        progress(f"{done}/{len(pages)} {page}")
        rows += [measured(extractor, page, repeat) for extractor in extractors]
    progress("")
    return rows


def measured(extractor, page, repeat):
    answers = []
    while len(answers) < repeat:
        answers.append(extractor.extract(page))
        if answers[-1].error:  # no need to wait for a hanging program again
            break
    answer = answers[-1]
    # An answer with an error does not count, even if it has text.
    match = words.match(page.gold, words.of("" if answer.error else answer.text))
    seconds = min(answer.seconds for answer in answers)
    return Row(page.site, page.key, extractor.name, *match, seconds, answer.error)


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def summary(extractor, rows):
    own = [row for row in rows if row.extractor == extractor.name]
    worst = min(own, key=lambda row: row.f1)
    return Summary(
        extractor=extractor.name,
        version=extractor.version,
        sees=extractor.sees,
        precision=fmean(row.precision for row in own),
        recall=fmean(row.recall for row in own),
        f1=fmean(row.f1 for row in own),
        worst=worst.f1,
        worst_page=f"{worst.site} {worst.key_page}",
        ms=1000 * fmean(row.seconds for row in own),
        faults=[f"{row.site} {row.key_page}: {row.error}" for row in own if row.error],
    )


def print_table(summaries, pages, chosen):
    """As Markdown, so that it can be put into the documentation as it is."""
    print(f"{pages} key pages, fastest of {chosen.repeat} for each page; times of husk have the start of a process in them")
    print()
    print("| extractor | version | is given | P | R | F1 | worst | worst page | ms a page |")
    print("|---|---|---|---|---|---|---|---|---|")
    for one in summaries:
        figures = " | ".join(f"{figure:.3f}" for figure in (one.precision, one.recall, one.f1, one.worst))
        star = "*" if one.extractor.startswith("husk") else ""
        print(
            f"| {one.extractor} | {one.version} | {one.sees} | {figures} | {one.worst_page} | {one.ms:.1f}{star} |"
        )
    faults = [f"{one.extractor}: {fault}" for one in summaries for fault in one.faults]
    print("\nNo text, counted as empty:" if faults else "\nEvery extractor answered on every page.")
    for fault in faults:
        print(f"- {fault}")


def write(summaries, rows, chosen):
    chosen.results.mkdir(parents=True, exist_ok=True)
    with open(chosen.results / "pages.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(Row.__dataclass_fields__))
        table.writeheader()
        table.writerows(asdict(row) for row in rows)
    report = {
        "machine": f"{platform.system()} {platform.machine()}",
        "repeat": chosen.repeat,
        "extractors": [asdict(one) for one in summaries],
        "pages": [asdict(row) for row in rows],
    }
    (chosen.results / "results.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    picture = chosen.plot or chosen.results / "content-peers.svg"
    picture.write_text(plot.svg(summaries), encoding="utf-8")
    print(f"\nwrote {chosen.results}/pages.csv, {chosen.results}/results.json and {picture}", file=sys.stderr)


if __name__ == "__main__":
    main()
