"""Measures, in the environment that `run` makes."""
import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "packages/python/tests/engines")]

import archives  # noqa: E402  (needs the path above)
import bulk  # noqa: E402
import cluster  # noqa: E402
import stage_costs  # noqa: E402
import synthetic  # noqa: E402  (of the tests)

MOST_SKEW = 1.3
FILES = 8
PARTS = ["stages", "cluster", "growth", "skew"]


def main():
    chosen = parse(sys.argv[1:])
    found = {}
    with tempfile.TemporaryDirectory(dir=chosen.work, prefix="husk-spark-") as folder:
        work = Path(folder)
        for part in chosen.only:
            found[part] = MEASURES[part](chosen, work)
            for left in work.iterdir():
                shutil.rmtree(left, ignore_errors=True)
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    (results / "spark.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    skew = found.get("skew", {}).get("ratio")
    if skew is None:
        return 0
    verdict = "kept" if skew <= MOST_SKEW else "NOT KEPT"
    print(f"\na crawl with half of its pages in one site takes {skew:.2f} times as long, at most {MOST_SKEW} promised: {verdict}")
    return 0 if skew <= MOST_SKEW else 1


def parse(arguments):
    corpus = os.environ.get("HUSK_CORPUS") or ROOT.parent / "shared/corpus"
    parser = argparse.ArgumentParser(prog="benchmarks/spark/run")
    parser.add_argument("corpus", nargs="?", type=Path, default=Path(corpus), help="folder of sites")
    parser.add_argument("--pages", type=int, default=16_000, help="of the crawls made of the corpus (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each, interleaved; the median counts")
    parser.add_argument("--only", type=lambda text: text.split(","), default=PARTS, metavar=",".join(PARTS))
    parser.add_argument("--work", type=Path, help="for archives and output: some GB (default: the system's)")
    chosen = parser.parse_args(arguments)
    if unknown := set(chosen.only) - set(PARTS):
        parser.error(f"there is no {', '.join(unknown)}: there are {', '.join(PARTS)}")
    if not chosen.corpus.is_dir():
        parser.error(f"there is no corpus {chosen.corpus}: name a folder of sites")
    return chosen


def stages(chosen, work):
    """Each stage by itself in one process, without Spark around it: what the work itself costs."""
    paths = archives.of_corpus(chosen.corpus, chosen.pages, FILES, work / "crawl")
    runs = [stage_costs.measure(paths) for _ in range(chosen.rounds)]
    medians = {name: median(run[name] for run in runs) for name in runs[0]}
    print(f"\n{medians['pages']:.0f} pages of {medians['sites']:.0f} sites, {medians['bytes'] / medians['pages'] / 1e3:.1f} kB a page, one process")
    print("\n| stage | pages | processor ms a page of all | bytes sent a page of all |\n|---|---|---|---|")
    for stage in stage_costs.STAGES:
        sent = medians[f"{stage} sent"] / medians["pages"]
        print(f"| {stage} | {medians[f'{stage} pages']:.0f} | {1000 * medians[stage] / medians['pages']:.3f} | {sent:.0f} |")
    print(f"\ntemplates of {medians['large']:.0f} large sites: {medians['template bytes'] / max(1, medians['large']) / 1e3:.1f} kB each")
    return medians


def cluster_costs(chosen, work):
    """The same crawls by husk bulk on one core and on two, and on Spark with two workers of one core."""
    sizes = [chosen.pages // 4, chosen.pages]
    made = {size: archives.of_corpus(chosen.corpus, size, FILES, work / f"crawl-{size}") for size in sizes}
    rows = []
    with cluster.Cluster() as spark:
        spark.job(archives.of_corpus(chosen.corpus, 200, FILES, work / "warm"), work / "out")
        for size, paths in made.items():
            taken = {"bulk, one core": [], "bulk, two cores": [], "Spark, two workers": []}
            for _ in range(chosen.rounds):
                taken["bulk, one core"].append(bulk.run(paths, 1, work / "out"))
                taken["bulk, two cores"].append(bulk.run(paths, 2, work / "out"))
                taken["Spark, two workers"].append(spark.job(paths, work / "out"))
            for name, runs in taken.items():
                clock, processor = (median(run[place] for run in runs) for place in (0, 1))
                rows.append({"pages": size, "way": name, "clock": clock, "processor": processor})
    print("\n| pages | way | clock ms a page | processor ms a page |\n|---|---|---|---|")
    for row in rows:
        per_page = [1000 * row[name] / row["pages"] for name in ("clock", "processor")]
        print(f"| {row['pages']} | {row['way']} | {per_page[0]:.3f} | {per_page[1]:.3f} |")
    return rows


def growth(chosen, work):
    """The same number of pages as few large sites and as many small ones, of few layouts and of many."""
    pages = chosen.pages // 4
    cases = [(f"{sites} sites of {pages // sites} pages", synthetic.even(pages, sites), 2) for sites in (4, 40, 400, pages // 4)]
    cases += [(f"40 sites, {layouts} layouts each", synthetic.even(pages, 40), layouts) for layouts in (1, 8, 32)]
    rows = []
    for number, (name, sizes, layouts) in enumerate(cases):
        paths = synthetic.write_archives(synthetic.pages(sizes, layouts=layouts), work / str(number), 4)
        costs = [stage_costs.measure(paths) for _ in range(chosen.rounds)]
        processor = median(sum(run[stage] for stage in stage_costs.STAGES) for run in costs)
        by_bulk = median(bulk.run(paths, 1, work / "out")[1] for _ in range(chosen.rounds))
        rows.append({"case": name, "stages": 1000 * processor / pages, "bulk": 1000 * by_bulk / pages})
    print(f"\n| {pages} pages of 3 kB | all stages, processor ms a page | husk bulk, processor ms a page |\n|---|---|---|")
    for row in rows:
        print(f"| {row['case']} | {row['stages']:.3f} | {row['bulk']:.3f} |")
    return rows


def skew(chosen, work):
    """A crawl whose sites are of one size, and one of the same size in which a site has half of all pages."""
    pages, sites = 2 * chosen.pages, 80
    made = {
        "even": synthetic.write_archives(synthetic.pages(synthetic.even(pages, sites)), work / "even", FILES),
        "half in one": synthetic.write_archives(synthetic.pages(synthetic.half_in_one(pages, sites)), work / "half", FILES),
    }
    times = {name: [] for name in made}
    with cluster.Cluster() as spark:
        spark.job(made["even"], work / "out")
        for number in range(chosen.rounds):
            for name in list(made) if number % 2 else reversed(made):
                times[name].append(spark.job(made[name], work / "out")[0])
    ratio = median(half / even for half, even in zip(times["half in one"], times["even"]))
    print(f"\n| {pages} pages of {sites} sites, on two workers | seconds, median of {chosen.rounds} |\n|---|---|")
    for name, taken in times.items():
        print(f"| {name} | {median(taken):.1f} |")
    return {"pages": pages, "ratio": ratio, "times": times}


MEASURES = {"stages": stages, "cluster": cluster_costs, "growth": growth, "skew": skew}

if __name__ == "__main__":
    sys.exit(main())
