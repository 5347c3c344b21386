"""Crawls that are made up: sites with templates and articles, of any sizes, as WARC files. The same arguments, the same files."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

WORDS = (
    "harbour lantern meadow copper thunder willow granite saddle orchard ribbon compass feather kettle marble north "
    "oyster pepper quarry raven silver timber umbrella velvet window yellow anchor basket candle dragon ember falcon "
    "garden hollow island jacket kingdom ladder mirror needle ocean pillow quiver river shadow tunnel valley whistle"
).split()


class Site:
    """A site with a template of its own, and articles and lists that share it."""

    def __init__(self, host: str, layouts: int = 2) -> None:
        self.host, self.layouts = host, layouts
        chance = random.Random(host)
        self.name = " ".join(chance.sample(WORDS, 2)).title()
        self.menu = [(word.title(), f"/{word}/") for word in chance.sample(WORDS, 7)]
        self.promise = _sentence(chance, 14)
        self.offers = [_sentence(chance, 6) for _ in range(5)]

    def url(self, number: int) -> str:
        kind = "list" if self._is_list(number) else "article"
        return f"https://{self.host}/{kind}/{number}"

    def _is_list(self, number: int) -> bool:
        return self.layouts > 1 and number % 7 == 6

    def html(self, number: int, paragraphs: int = 6) -> str:
        chance = random.Random(f"{self.host} {number}")
        title = _sentence(chance, 4)
        body = self._list(chance) if self._is_list(number) else self._article(chance, paragraphs)
        if self.layouts > 2:
            body = self._framed(body, number % (self.layouts - 1))
        menu = "".join(f'<li><a href="{path}">{label}</a></li>' for label, path in self.menu)
        offers = "".join(f"<li>{offer}</li>" for offer in self.offers)
        return (
            f'<!DOCTYPE html><html lang="en"><head><title>{title} - {self.name}</title></head><body>'
            f'<header class="top"><a class="logo" href="/">{self.name}</a><nav><ul class="menu">{menu}</ul></nav></header>'
            f'<div class="page"><main class="main"><h1>{title}</h1>{body}</main>'
            f'<aside class="side"><h2>Our offers</h2><ul>{offers}</ul></aside></div>'
            f'<footer class="foot"><p>{self.promise}</p><p>All rights reserved by {self.name}</p></footer></body></html>'
        )

    @staticmethod
    def _framed(body: str, layout: int) -> str:
        """What tells one layout from the others: boxes of its own around the text."""
        boxes = "".join(f'<section class="box{layout}-{box}"><h3>{WORDS[(layout + box) % 48]}</h3><ul><li>' for box in range(layout % 5 + 2))
        return f"{boxes}{'</li></ul></section>' * (layout % 5 + 2)}<div class=\"layout{layout}\">{body}</div>"

    @staticmethod
    def _article(chance: random.Random, paragraphs: int) -> str:
        return "".join(f"<p>{_sentence(chance, chance.randint(25, 60))}</p>" for _ in range(paragraphs))

    @staticmethod
    def _list(chance: random.Random) -> str:
        rows = (
            f'<tr><td><a href="/article/{chance.randrange(10_000)}">{_sentence(chance, 5)}</a></td><td>{chance.randrange(500)}</td></tr>'
            for _ in range(12)
        )
        return f'<table class="list">{"".join(rows)}</table>'


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words)).capitalize() + "."


def pages(sizes: dict[str, int], seed: int = 7, layouts: int = 2, paragraphs: int = 6) -> Iterator[tuple[str, bytes]]:
    """Addresses and HTML of sites of these sizes, mixed as in a crawl."""
    places = [(host, number) for host, size in sizes.items() for number in range(size)]
    random.Random(seed).shuffle(places)
    sites = {host: Site(host, layouts) for host in sizes}
    for host, number in places:
        yield sites[host].url(number), sites[host].html(number, paragraphs).encode()


def heavy_tailed(pages: int, sites: int, exponent: float = 1.1) -> dict[str, int]:
    """Sizes of sites as on the web: a few have very many pages, most have few."""
    weights = [1 / rank**exponent for rank in range(1, sites + 1)]
    sizes = [max(1, round(pages * weight / sum(weights))) for weight in weights]
    sizes[0] += pages - sum(sizes)
    return {f"site{rank:05}.example": size for rank, size in enumerate(sizes)}


def even(pages: int, sites: int) -> dict[str, int]:
    """Sites of one size."""
    return {f"even{rank:05}.example": pages // sites + (rank < pages % sites) for rank in range(sites)}


def half_in_one(pages: int, sites: int) -> dict[str, int]:
    """One site has half of all pages, the others are of one size."""
    return {"giant.example": pages - pages // 2, **even(pages // 2, sites - 1)}


def write_archives(captures: Iterable[tuple[str, bytes]], folder: Path, files: int) -> list[Path]:
    """Spreads pages over WARC files, each record packed for itself."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"part-{number:03}.warc.gz" for number in range(files)]
    opened = [path.open("wb") for path in paths]
    for number, (url, html) in enumerate(captures):
        opened[number % files].write(record(url, html, number))
    for file in opened:
        file.close()
    return paths


def record(url: str, body: bytes, number: int, status: str = "200 OK", content_type: str = "text/html; charset=utf-8") -> bytes:
    """A response as an archive has it."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    block = head.encode() + body
    date = f"2026-10-{number % 28 + 1:02}T{number % 24:02}:00:00Z"
    fields = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012x}>\r\n"
        f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    # No time of its own, so that the same crawl is the same file.
    return gzip.compress(fields.encode() + block + b"\r\n\r\n", 6, mtime=0)
