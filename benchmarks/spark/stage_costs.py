"""The stages of a crawl one after the other in one process, as the tasks of Spark do them."""
import time

import pyarrow as pa

from husk.crawls import batches, stages
from husk.crawls.readers import archive_pages

STAGES = ["count", "pick", "learn", "strip", "gather", "finish"]


def measure(paths):
    """Seconds of each stage, how many pages it gave or got, and how many bytes it sent on."""
    settings = stages.Settings()
    taken = {"bytes": sum(page.size for page in read(map(str, paths)) if not isinstance(page, int))}
    counts = timed(taken, "count", lambda: parts(paths, lambda part: stages.count_pages(read, settings, part)))
    merged = stages.add_small_sites(stages.merge_counts(settings, sort(counts, "site")))
    counts = list(batches.tuples(merged))
    large = {row[0]: stages.LargeSite(row[-1], row[1]) for row in counts if row[0] is not None}
    taken["pages"], taken["sites"] = sum(row[1] for row in counts), sum(row[4] for row in counts)
    picked = timed(taken, "pick", lambda: parts(paths, lambda part: stages.pick_samples(read, settings, large, part)))
    learned = timed(taken, "learn", lambda: list(stages.learn_sites(settings, None, sort(picked, "site", "sample_key"))))
    templates = dict(batches.tuples(stages.templates_only(learned)))
    taken["large"], taken["template bytes"] = len(templates), sum(map(len, templates.values()))
    large_rows = timed(taken, "strip", lambda: parts(paths, lambda part: stages.strip_pages(read, settings, templates, part)))
    pages = timed(taken, "gather", lambda: parts(paths, lambda part: stages.send_small_sites(read, settings, templates, part)))
    small_rows = timed(taken, "finish", lambda: list(stages.build_rows(settings, None, sort(pages, "site", "piece", "sample_key"))))
    taken["count pages"] = taken["pages"]
    for stage, result in {"pick": picked, "learn": picked, "strip": large_rows, "gather": pages, "finish": small_rows}.items():
        taken[f"{stage} pages"] = sum(batch.num_rows for batch in result)
    if taken["strip pages"] + taken["finish pages"] != taken["pages"]:
        raise SystemExit(f"{taken['strip pages']} and {taken['finish pages']} rows of {taken['pages']} pages")
    return taken


def timed(taken, name, work):
    started = time.process_time()
    result = work()
    taken[name] = time.process_time() - started
    taken[f"{name} sent"] = sum(batch.nbytes for batch in result)
    return result


def parts(paths, work):
    """Each file is a partition."""
    return [batch for path in paths for batch in work([str(path)])]


def read(part):
    return (page for path in part for page in archive_pages(path))


def sort(parts, *names):
    return batches.sorted_by(pa.Table.from_batches(parts), names) if parts else []
