"""The stages of a crawl one after the other in one process, as the tasks of Spark do them."""
import time

import pyarrow as pa

from husk.spark import columns, stages
from husk.spark.sources import archive_pages

STAGES = ["count", "pick", "learn", "strip", "gather", "finish"]


def measure(paths):
    """Seconds of each stage, how many pages it gave or got, and how many bytes it sent on."""
    settings = stages.Settings()
    taken = {"bytes": sum(page.size for path in paths for page in archive_pages(str(path)))}
    counts = timed(taken, "count", lambda: parts(paths, lambda part: stages.count_pages(read_urls, settings, part)))
    counts = list(columns.tuples(stages.merge_counts(settings, sort(counts, "site"))))
    large = {site: stages.LargeSite(cutoff, pages) for site, pages, _, cutoff in counts if site is not None}
    [(taken["pages"], taken["sites"])] = [(pages, sites) for site, pages, sites, _ in counts if site is None]
    picked = timed(taken, "pick", lambda: parts(paths, lambda part: stages.pick_samples(read, settings, large, part)))
    learned = timed(taken, "learn", lambda: list(stages.learn_sites(settings, sort(picked, "site", "sample_key"))))
    templates = dict(columns.tuples(learned))
    taken["large"], taken["template bytes"] = len(templates), sum(map(len, templates.values()))
    large_rows = timed(taken, "strip", lambda: parts(paths, lambda part: stages.strip_pages(read, settings, templates, part)))
    pages = timed(taken, "gather", lambda: parts(paths, lambda part: stages.gather_small_sites(read, settings, templates, part)))
    small_rows = timed(taken, "finish", lambda: list(stages.process_small_sites(settings, sort(pages, "site", "sample_key"))))
    taken["count pages"] = taken["pages"]
    for stage, batches in {"pick": picked, "learn": picked, "strip": large_rows, "gather": pages, "finish": small_rows}.items():
        taken[f"{stage} pages"] = sum(batch.num_rows for batch in batches)
    if taken["strip pages"] + taken["finish pages"] != taken["pages"]:
        raise SystemExit(f"{taken['strip pages']} and {taken['finish pages']} rows of {taken['pages']} pages")
    return taken


def timed(taken, name, work):
    started = time.process_time()
    batches = work()
    taken[name] = time.process_time() - started
    taken[f"{name} sent"] = sum(batch.nbytes for batch in batches)
    return batches


def parts(paths, work):
    """Each file is a partition."""
    return [batch for path in paths for batch in work([str(path)])]


def read(part):
    return (page for path in part for page in archive_pages(path))


def read_urls(part):
    return ([page.url] for page in read(part))


def sort(batches, *names):
    if not batches:
        return []
    table = pa.Table.from_batches(batches).sort_by([(name, "ascending") for name in names])
    return table.to_batches(max_chunksize=256)
