"""Runs all extractors over sets of pages in one run, and writes what came out. Called by `run`, in its environment."""
import csv
import json
import platform
import sys
from dataclasses import asdict, astuple, dataclass, field, fields
from statistics import fmean
from typing import Optional

import options
import page_sets
import plot
import tables
from extractors import Husk, HuskWithSite, Peer, knows_content


@dataclass
class Row:
    """One extractor on one page."""

    set: str
    page: str
    type: str
    extractor: str
    version: str
    precision: float
    recall: float
    f1: float
    seconds: float
    error: Optional[str]


@dataclass
class Summary:
    """One extractor on all pages of a set."""

    set: str
    pages: int
    extractor: str
    version: str
    sees: str
    precision: float
    recall: float
    f1: float
    worst: float
    worst_page: str
    ms: float
    by_type: dict = field(default_factory=dict)  # from the type to the number of pages and their F1
    faults: list = field(default_factory=list)


def main():
    chosen = options.parse(sys.argv[1:])
    earlier = read_rows(chosen.results / "pages.csv") if chosen.resume else {}
    extractors = start(chosen)
    rows, summaries = [], []
    try:
        for path in chosen.sets:
            measured = measure_set(extractors, path, chosen, earlier)
            rows += measured
            earlier = {key: row for key, row in earlier.items() if row.set != measured[0].set}
            summaries += summarise(extractors, measured)
            write(summaries, rows + list(earlier.values()), chosen)
            tables.print_set([one for one in summaries if one.set == measured[0].set], chosen.repeat)
    finally:
        for extractor in extractors:
            extractor.stop()
    loose = [options.set_name(path) for path in chosen.sets if path.is_file()]
    all_tables = tables.of_sets(summaries, loose)
    print(*(all_tables[name] for name in ("summary", "best", "model")), sep="\n\n")
    for file in chosen.update:
        tables.update(file, all_tables)


def start(chosen):
    extractors = [Peer(name, chosen.time_limit) for name in chosen.peers]
    if chosen.husk is None:
        return extractors
    if not knows_content(chosen.husk):
        print(f"note: no husk with a command content at {chosen.husk} (cargo build --release): peers only", file=sys.stderr)
        return extractors
    return extractors + [one(chosen.husk, chosen.time_limit) for one in (HuskWithSite, Husk)]


def measure_set(extractors, path, chosen, earlier=None):
    pages = page_sets.read(path, chosen.joined_words)
    if not pages:
        sys.exit(f"{path}: no labelled page")
    taking = [extractor for extractor in extractors if all(extractor.takes(page) for page in pages)]
    return measure(taking, options.set_name(path), pages, chosen.repeat, earlier or {})


def measure(extractors, name, pages, repeat, earlier):
    """Page by page, so that whatever else the machine does meets all extractors alike."""
    warm, rows = set(), []
    for done, page in enumerate(pages, start=1):
        progress(f"{name} {done}/{len(pages)} {page.name}")
        for extractor in extractors:
            row = earlier.get((name, page.name, extractor.name, extractor.version))
            if row is None:
                if extractor not in warm:
                    extractor.extract(page)  # to warm up: counts for nothing
                    warm.add(extractor)
                row = Row(name, page.name, page.type, extractor.name, extractor.version, *measured(extractor, page, repeat))
            rows.append(row)
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
    score = page.score("" if answer.error else answer.text)
    return *score, min(answer.seconds for answer in answers), answer.error


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def summarise(extractors, rows):
    """One summary per extractor that has rows, best first."""
    by_extractor = {one: [row for row in rows if row.extractor == one.name] for one in extractors}
    return sorted((summary(one, own) for one, own in by_extractor.items() if own), key=lambda one: -one.f1)


def summary(extractor, rows):
    worst = min(rows, key=lambda row: row.f1)
    types = {kind: [row.f1 for row in rows if row.type == kind] for kind in sorted({row.type for row in rows})}
    return Summary(
        set=worst.set,
        pages=len(rows),
        extractor=extractor.name,
        version=extractor.version,
        sees=extractor.sees,
        precision=fmean(row.precision for row in rows),
        recall=fmean(row.recall for row in rows),
        f1=fmean(row.f1 for row in rows),
        worst=worst.f1,
        worst_page=worst.page,
        ms=1000 * fmean(row.seconds for row in rows),
        by_type={kind: [len(scores), fmean(scores)] for kind, scores in types.items()},
        faults=[f"{row.page}: {row.error}" for row in rows if row.error],
    )


def read_rows(file):
    """The rows of other extractors in an earlier run. Husk is always measured again."""
    if not file.is_file():
        return {}
    with open(file, newline="", encoding="utf-8") as lines:
        rows = [Row(**line) for line in csv.DictReader(lines)]
    for row in rows:
        row.precision, row.recall, row.f1, row.seconds = map(float, (row.precision, row.recall, row.f1, row.seconds))
        row.error = row.error or None
    return {(row.set, row.page, row.extractor, row.version): row for row in rows if not tables.is_husk(row)}


def write(summaries, rows, chosen):
    chosen.results.mkdir(parents=True, exist_ok=True)
    with open(chosen.results / "pages.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(one.name for one in fields(Row))
        table.writerows(astuple(row) for row in rows)
    report = {
        "machine": f"{platform.system()} {platform.machine()}",
        "repeat": chosen.repeat,
        "extractors": [asdict(one) for one in summaries],
        "pages": [asdict(row) for row in rows],
    }
    (chosen.results / "results.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    picture = chosen.plot or chosen.results / "content-peers.svg"
    first = [one for one in summaries if one.set == summaries[0].set]
    picture.write_text(plot.svg(first), encoding="utf-8")
    print(f"wrote {chosen.results}/pages.csv, {chosen.results}/results.json and {picture}", file=sys.stderr)


if __name__ == "__main__":
    main()
