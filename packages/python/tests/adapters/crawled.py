"""A small crawl: the lighthouse, and a site of which there are too few pages."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from site_pages import LIGHTHOUSE_SITE, TICKETS

import husk

_SMALL_PAGE = "<h1>Small</h1><p>Each of the two pages is read by itself, as is number {} of them.</p>"

SMALL_SITE = {f"https://small.example/{page}": _SMALL_PAGE.format(page).encode() for page in (1, 2)}

TEMPLATE_WORDS = ("Lighthouse museum", "The causeway is open for about three hours", "Search this site")
"""What every page of the lighthouse says around its content."""

CONTENT_WORDS = {
    TICKETS: "We also accept a visible thesis.",
    "https://lighthouse.example/history/the-lens/": "You did not need a clock. When the chain was quiet, you woke up.",
}


def crawl() -> dict[str, bytes]:
    """All pages by URL."""
    return LIGHTHOUSE_SITE.pages | SMALL_SITE


def in_sample_order() -> list[husk.Page]:
    """The pages of the lighthouse in the order of their sample keys."""
    pages = (husk.Page(url, html, charset="utf-8") for url, html in LIGHTHOUSE_SITE.pages.items())
    return sorted(pages, key=lambda page: page.sample_key)


def expected_rows(content_format: str = "text") -> dict[str, husk.Row]:
    """The expected rows of the example site, learned from all of its pages."""
    templates = husk.Templates("lighthouse.example")
    templates.learn(in_sample_order())
    return {row.url: row for row in templates.rows(in_sample_order(), content_format=content_format)}


def write_warcs(folder: Path, pages: dict[str, bytes], files: int) -> None:
    """Pages as WARC files, spread over so many."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    folder.mkdir(parents=True)
    for number in range(files):
        with (folder / f"{number:03d}.warc.gz").open("wb") as out:
            writer = WARCWriter(out, gzip=True)
            for url, html in list(pages.items())[number::files]:
                headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], "HTTP/1.1")
                record = writer.create_warc_record(
                    url,
                    "response",
                    payload=BytesIO(html),
                    http_headers=headers,
                    warc_headers_dict={"WARC-Identified-Payload-Type": "text/html"},
                )
                writer.write_record(record)


def check_stripped(contents: dict[str, str]) -> None:
    """That no template is left, and the content is."""
    for url, words in CONTENT_WORDS.items():
        assert words in contents[url], url
    for url in LIGHTHOUSE_SITE.pages:
        left = [words for words in TEMPLATE_WORDS if words in contents[url]]
        assert not left, (url, left)
