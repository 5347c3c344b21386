"""The middleware for Scrapy, in crawls of a server on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from adapter_docs import run_example, run_program
from adapter_package import require_package

require_package("scrapy", "scrapy")

import pytest
from crawled import CONTENT_WORDS, SMALL_SITE, TEMPLATE_WORDS
from loopback import Server, serving
from site_pages import LIGHTHOUSE_SITE

import husk

SPIDER = """
import dataclasses, json, scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

@dataclasses.dataclass
class Declared:
    url: str
    content: str = ""

@dataclasses.dataclass
class Bare:
    url: str

class Museum(scrapy.Spider):
    name = "museum"
    start_urls, allowed_domains = START, ["127.0.0.1"]
    item, meta, unfiltered = dict, {}, False

    async def start(self):
        for place, url in enumerate(self.start_urls):
            yield scrapy.Request(url, meta=self.meta, priority=-place, dont_filter=self.unfiltered)

    def parse(self, response):
        yield self.item(url=response.url)
        if FOLLOWS:
            yield from response.follow_all(LinkExtractor().extract_links(response))

ITEM

settings = SETTINGS | {
    "SPIDER_MIDDLEWARES": {"husk.scrapy.HuskMiddleware": 950},
    "FEEDS": {"items.jsonl": {"format": "jsonlines"}},
    "TELNETCONSOLE_ENABLED": False,
}
process = CrawlerProcess(settings)
crawler = process.create_crawler(Museum)
process.crawl(crawler)
process.start()
open("stats.json", "w").write(json.dumps(crawler.stats.get_stats(), default=str))
"""


class Crawl:
    """A crawl that has ended."""

    def __init__(self, folder: Path, server: Server, log: str) -> None:
        lines = (folder / "items.jsonl").read_text().splitlines()
        self.items = {item["url"].removeprefix(server.address): item for item in map(json.loads, lines)}
        assert len(self.items) == len(lines)
        self.stats: dict[str, Any] = json.loads((folder / "stats.json").read_text())
        self.asked, self.log = Counter(server.asked), log

    def husk(self) -> dict[str, Any]:
        return {name.removeprefix("husk/"): value for name, value in self.stats.items() if name.startswith("husk/")}


def run_spider(folder: Path, start: list[str], follows: bool, item: str, settings: dict[str, Any]) -> str:
    program = SPIDER.replace("START", repr(start)).replace("FOLLOWS", repr(follows))
    (folder / "items.jsonl").unlink(missing_ok=True)
    log = run_program(program.replace("SETTINGS", repr(settings)).replace("ITEM", item), folder)
    assert "Traceback" not in log, log
    return log


def crawl(
    folder: Path,
    server: Server,
    start: tuple[str, ...] = ("/",),
    follows: bool = True,
    item: str = "",
    **settings: Any,
) -> Crawl:
    addresses = [server.address + path for path in start]
    return Crawl(folder, server, run_spider(folder, addresses, follows, item, settings))


def crawl_all(folder: Path, start: tuple[str, ...], follows: bool, **settings: Any) -> list[Any]:
    """The items of a crawl of several servers, in their order."""
    run_spider(folder, list(start), follows, "", settings)
    return [json.loads(line) for line in (folder / "items.jsonl").read_text().splitlines()]


def content_words() -> dict[str, str]:
    return {"/" + url.removeprefix(LIGHTHOUSE_SITE.base_url): words for url, words in CONTENT_WORDS.items()}


def check_contents(items: dict[str, Any]) -> None:
    for path, words in content_words().items():
        assert words in items[path]["content"]
    for path, item in items.items():
        left = [words for words in TEMPLATE_WORDS if words in item["content"]]
        assert not left, (path, left)


@pytest.fixture
def lighthouse() -> Any:
    with serving(LIGHTHOUSE_SITE.folder, {"/robots.txt": b""}) as server:
        yield server


def test_the_example_of_the_documentation(tmp_path: Path, lighthouse: Server) -> None:
    run_example(
        "Scrapy", tmp_path, **{"https://lighthouse.example": lighthouse.address, "lighthouse.example": "127.0.0.1"}
    )
    lines = (tmp_path / "items.jsonl").read_text().splitlines()
    items = {item["url"].removeprefix(lighthouse.address): item for item in map(json.loads, lines)}
    assert len(items) == len(LIGHTHOUSE_SITE.pages)
    check_contents(items)
    assert all(item["title"] for item in items.values())
    assert {item["husk"]["method"] for item in items.values()} == {"template"}
    [file] = (tmp_path / "templates").iterdir()
    assert husk.Templates.load(file).pages >= 10


def test_siblings_are_loaded_for_a_single_page(tmp_path: Path, lighthouse: Server) -> None:
    done = crawl(tmp_path, lighthouse, ("/visit/tickets/",), follows=False)
    [item] = done.items.values()
    assert item["husk"] == {"method": "template", "layout": None, "template_share": None, "warnings": []}
    assert "We also accept a visible thesis." in item["content"]
    assert not [words for words in TEMPLATE_WORDS if words in item["content"]]
    assert 2 <= done.husk()["siblings"] <= 8
    # Siblings are no items.
    assert done.stats["item_scraped_count"] == 1


def test_no_more_siblings_are_loaded_than_allowed(tmp_path: Path, lighthouse: Server) -> None:
    done = crawl(tmp_path, lighthouse, ("/visit/tickets/",), follows=False, HUSK_SIBLINGS=1)
    assert done.husk()["siblings"] == 1
    assert len([path for path in done.asked if path.endswith("/")]) == 2
    assert "We also accept a visible thesis." in done.items["/visit/tickets/"]["content"]


def test_siblings_are_few(tmp_path: Path, lighthouse: Server) -> None:
    done = crawl(tmp_path, lighthouse)
    assert len(done.items) == 20
    assert done.husk()["siblings"] <= 8
    pages = [path for path in done.asked.elements() if path.endswith("/")]
    assert len(pages) <= 20 + 8
    assert done.husk()["items"] == 20 and done.husk()["template"] == 20
    assert "errors" not in done.husk()


def test_without_siblings_first_pages_have_no_template(tmp_path: Path, lighthouse: Server) -> None:
    done = crawl(tmp_path, lighthouse, HUSK_SIBLINGS=0, CONCURRENT_REQUESTS=1)
    assert "siblings" not in done.husk()
    first = done.items["/"]
    assert first["husk"]["method"] == "single-page" and first["husk"]["warnings"] == ["too-few-pages"]
    assert done.husk()["template"] >= 12
    assert done.husk()["items"] == 20
    paths = [path for path in done.asked.elements() if path.endswith("/")]
    assert len(paths) == 20


def test_robots_are_obeyed_for_siblings(tmp_path: Path) -> None:
    rules = b"User-agent: *\nDisallow: /visit/opening-hours/\nDisallow: /visit/getting-here/\nDisallow: /stories/\n"
    with serving(LIGHTHOUSE_SITE.folder, {"/robots.txt": rules}) as server:
        done = crawl(tmp_path, server, ("/visit/tickets/",), follows=False, ROBOTSTXT_OBEY=True)
    refused = [path for path in done.asked if path.startswith(("/visit/opening", "/visit/getting", "/stories"))]
    assert not refused
    assert done.husk()["siblings/failed"] >= 1
    assert "We also accept a visible thesis." in done.items["/visit/tickets/"]["content"]


def test_siblings_stay_within_the_allowed_domains(tmp_path: Path, lighthouse: Server) -> None:
    elsewhere = "Museum.allowed_domains, Museum.unfiltered = ['elsewhere.example'], True"
    done = crawl(tmp_path, lighthouse, ("/visit/tickets/",), follows=False, item=elsewhere)
    assert set(done.asked) == {"/visit/tickets/"}
    assert done.husk()["siblings/failed"] >= 1 and done.husk()["single-page"] == 1
    assert "We also accept a visible thesis." in done.items["/visit/tickets/"]["content"]


def test_siblings_wait_their_turn(tmp_path: Path, lighthouse: Server) -> None:
    done = crawl(
        tmp_path, lighthouse, ("/visit/tickets/",), follows=False, DOWNLOAD_DELAY=0.3, RANDOMIZE_DOWNLOAD_DELAY=False
    )
    assert done.stats["elapsed_time_seconds"] >= 0.3 * (sum(done.asked.values()) - 1)


def test_templates_are_kept_for_the_next_crawl(tmp_path: Path, lighthouse: Server) -> None:
    crawl(tmp_path, lighthouse, HUSK_TEMPLATES="kept")
    lighthouse.asked.clear()
    done = crawl(tmp_path, lighthouse, ("/visit/tickets/",), follows=False, HUSK_TEMPLATES="kept")
    assert done.husk()["sites/stored"] == 1
    assert "siblings" not in done.husk()
    assert done.asked["/visit/tickets/"] == 1 and len(done.asked) == 1
    item = done.items["/visit/tickets/"]
    assert item["husk"]["method"] == "template" and item["husk"]["layout"]
    assert 0.1 < item["husk"]["template_share"] < 0.9


def test_what_is_no_page_and_what_has_content_is_left_as_it_is(tmp_path: Path) -> None:
    pages = {"/a": b"%PDF-1.4", "/robots.txt": b""}
    with serving(LIGHTHOUSE_SITE.folder, pages) as server:
        done = crawl(tmp_path, server, ("/a", "/assets/logo.svg"), follows=False)
        assert {path: set(item) for path, item in done.items.items()} == {"/a": {"url"}, "/assets/logo.svg": {"url"}}
        assert done.husk() == {"not_html": 2}
        has_content = "Museum.item = staticmethod(lambda url: {'url': url, 'content': 'mine'})"
        done = crawl(tmp_path, server, ("/visit/tickets/",), follows=False, item=has_content)
        assert done.items["/visit/tickets/"] == {"url": server.address + "/visit/tickets/", "content": "mine"}
        done = crawl(tmp_path, server, ("/visit/tickets/",), follows=False, item="Museum.meta = {'husk': False}")
        assert set(done.items["/visit/tickets/"]) == {"url"}


def test_items_of_other_kinds(tmp_path: Path, lighthouse: Server) -> None:
    done = crawl(tmp_path, lighthouse, item="Museum.item = Declared")
    assert {tuple(sorted(item)) for item in done.items.values()} == {("content", "url")}
    check_contents(done.items)
    done = crawl(tmp_path, lighthouse, item="Museum.item = Bare")
    assert len(done.items) == 20 and done.husk()["no_field"] == 20
    assert done.log.count("Bare has no field 'content'") == 1
    own = "class Own(scrapy.Item):\n    url = scrapy.Field()\n    body = scrapy.Field()\nMuseum.item = Own"
    done = crawl(tmp_path, lighthouse, item=own, HUSK_FIELD="body")
    assert "visible thesis" in done.items["/visit/tickets/"]["body"]


def test_a_page_without_siblings_has_no_template(tmp_path: Path) -> None:
    pages = {"/1": next(iter(SMALL_SITE.values())), "/robots.txt": b""}
    with serving(None, pages) as server:
        done = crawl(tmp_path, server, ("/1",))
    assert done.items["/1"]["husk"]["warnings"] == ["too-few-pages"]
    assert "read by itself" in done.items["/1"]["content"]


def test_forgotten_sites_do_not_load_siblings_again_and_again(tmp_path: Path) -> None:
    """Another port is another site."""
    with serving(LIGHTHOUSE_SITE.folder) as one, serving(LIGHTHOUSE_SITE.folder) as other:
        start = tuple(site.address + path for path in ("/", "/shop/", "/visit/") for site in (one, other))
        done = crawl_all(tmp_path, start, True, HUSK_HOLD_SITES=1)
        assert len(done) == 40 and all(item["content"] for item in done)
        pages = [path for path in one.asked + other.asked if path.endswith("/")]
        assert len(pages) <= 40 + 2 * 8


def test_forgotten_sites_are_kept_in_the_folder(tmp_path: Path) -> None:
    paths = (
        "/visit/tickets/",
        "/visit/opening-hours/",
        "/visit/getting-here/",
        "/history/the-lens/",
        "/history/the-tower/",
    )
    with serving(LIGHTHOUSE_SITE.folder) as one, serving(LIGHTHOUSE_SITE.folder) as other:
        start = (*(one.address + path for path in paths), other.address + "/", one.address + "/history/the-keepers/")
        # Each page is done with when the next one comes.
        settings = {"CONCURRENT_REQUESTS": 1, "DOWNLOAD_DELAY": 0.2, "HUSK_HOLD_SITES": 1, "HUSK_SIBLINGS": 0}
        *_, last = crawl_all(tmp_path, start, False, HUSK_TEMPLATES="kept", **settings)
        assert last["url"] == start[-1]
        assert last["husk"]["method"] == "template" and last["husk"]["layout"]
        [file] = (tmp_path / "kept").iterdir()
        assert husk.Templates.load(file).site == one.address.removeprefix("http://")


def test_broken_templates_are_learned_anew(tmp_path: Path, lighthouse: Server) -> None:
    site = lighthouse.address.removeprefix("http://")
    (tmp_path / "kept").mkdir()
    file = tmp_path / "kept" / (site.replace(":", "%3A") + ".husk")
    file.write_text("no templates")
    done = crawl(tmp_path, lighthouse, HUSK_TEMPLATES="kept")
    assert len(done.items) == 20 and done.husk()["items"] == 20
    assert f"learning {site} again" in done.log and done.husk()["errors"] == 1
    assert husk.Templates.load(file).site == site


def test_invalid_settings_are_errors(tmp_path: Path, lighthouse: Server) -> None:
    with pytest.raises(AssertionError, match="HUSK_CONTENT_FORMAT: 'html' is neither"):
        crawl(tmp_path, lighthouse, HUSK_CONTENT_FORMAT="html")


def test_without_scrapy_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['scrapy'] = None\nimport husk.scrapy"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert "pip install 'husk-web[scrapy]'" in ended.stderr
