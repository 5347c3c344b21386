"""Synthetic crawls of so many sites of so many pages each, as archives, and the table of their costs. Standard library only."""
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from statistics import median

import options  # of ../content
import synthetic  # of ../../packages/python/tests/engines

FILES = 8
PARAGRAPHS = 14  # of an article: pages of 5 kB


@dataclass(frozen=True)
class Shape:
    sites: int
    pages_per_site: int

    @property
    def pages(self):
        return self.sites * self.pages_per_site

    def __str__(self):
        return f"{self.sites}x{self.pages_per_site}"


def parse(text):
    return [Shape(*(options.positive(number) for number in part.split("x"))) for part in text.split(",")]


def all_archives(shapes, folder):
    # In other processes: on Linux, the peak memory of a program includes that of the process that started it, up to then.
    with ProcessPoolExecutor(max_workers=2) as pool:
        return dict(zip(shapes, pool.map(archives, shapes, repeat(folder)), strict=True))


def archives(shape, folder):
    pages = synthetic.pages(synthetic.even(shape.pages, shape.sites), paragraphs=PARAGRAPHS)
    return synthetic.write_archives(pages, Path(folder) / str(shape), FILES)


def print_table(by_shape, archives):
    print("| sites | pages of each | pages | archives, MB | processor ms a page | clock, s | peak memory, MB | temporary files, MB |")
    print("|---|---|---|---|---|---|---|---|")
    for shape, runs in by_shape.items():
        packed = sum(path.stat().st_size for path in archives[shape])
        processor, clock = median(run.processor_per_page for run in runs), median(run.clock for run in runs)
        memory, disk = max(run.memory for run in runs), max(run.disk for run in runs)
        print(
            f"| {shape.sites:,} | {shape.pages_per_site:,} | {shape.pages:,} | {packed / 1e6:,.0f} "
            f"| {processor:.3f} | {clock:.1f} | {memory / 1e6:.0f} | {disk / 1e6:,.0f} |"
        )
