"""Two crawls of the same sites, a day apart, and what ``husk bulk --templates`` makes of them."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import synthetic
from rows import FIELDS, rows_of


def write_days(folder: Path) -> tuple[list[Path], list[Path]]:
    """Archives of Monday and Tuesday: large and small sites, a new one, redesigned ones, one with a new layout, and one of
    which there are too few new pages to learn."""
    monday = synthetic.pages({"large.example": 90, "moved.example": 80, "small.example": 12, "redone.example": 9, "more.example": 9})
    return (
        synthetic.write_archives(monday, folder / "monday", 2),
        synthetic.write_archives(_tuesday(), folder / "tuesday", 2),
    )


def _tuesday() -> Iterator[tuple[str, bytes]]:
    for host, count in [("large.example", 70), ("small.example", 2), ("more.example", 9), ("new.example", 5)]:
        site = synthetic.Site(host)
        yield from ((site.url(number), site.html(number).encode()) for number in range(100, 100 + count))
    for host, count in [("moved.example", 75), ("redone.example", 8), ("more.example", 6)]:
        site = synthetic.Site(host)
        yield from ((site.url(number), _redesigned(site, number)) for number in range(200, 200 + count))


def _redesigned(site: synthetic.Site, number: int) -> bytes:
    """A page as another program of the site would write it."""
    chance = random.Random(number)
    words = " ".join(chance.sample(synthetic.WORDS, 30))
    labels = "".join(f"<td><b><a href='/x{path}'>{label} too</a></b></td>" for label, path in site.menu[:4])
    return (
        f"<!DOCTYPE html><html lang='en'><head><title>{words[:20]}</title></head><body><form><label>Find it</label></form>"
        f"<table class='bar'><tr>{labels}</tr></table><article><h2>{words[:20]}</h2><blockquote>{words}</blockquote>"
        f"<pre>{words[::-1]}</pre></article><dl><dt>Written by hand</dt><dd>since this year</dd></dl></body></html>"
    ).encode()


def bulk_days(husk_command: str, days: tuple[list[Path], list[Path]], folder: Path) -> list[list[tuple]]:
    """The rows of both days by ``husk bulk``, with one store."""
    found = []
    for number, paths in enumerate(days):
        out = folder / f"bulk-{number}"
        command = [husk_command, "bulk", *map(str, paths), "-o", str(out), "--templates", str(folder / "store")]
        subprocess.run([*command, "--format", "parquet", "--fields", FIELDS, "-q"], check=True)
        found.append(rows_of(out))
    return found
