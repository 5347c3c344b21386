"""The package says what the command prints, for every page of two sites."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import Command
from site_pages import HOSTILE_SITE, LIGHTHOUSE_SITE, SavedSite

import husk

SITES = {"lighthouse": LIGHTHOUSE_SITE, "hostile": HOSTILE_SITE}
PAGES = [pytest.param(site, url, id=f"{name}:{url}") for name, site in SITES.items() for url in site.pages]


def by_functions(site: SavedSite, url: str) -> husk.Extraction:
    return husk.extract(site.pages[url], url, site.pages)


def by_session(site: SavedSite, url: str) -> husk.Extraction:
    return husk.Session(url, load=site.load).run(site.pages)


WAYS = [pytest.param(by_functions, id="extract"), pytest.param(by_session, id="session")]


def without_causes(actual: dict[str, Any]) -> dict[str, Any]:
    """Why a page could not be had is in the words of whoever was to bring it."""
    failed = [{**failure, "cause": "..."} for failure in actual["failed"]]
    visits = [{**visit, "cause": visit["cause"] and "..."} for visit in actual["visits"]]
    return {**actual, "failed": failed, "visits": visits}


@pytest.fixture
def printed(command: Command) -> Callable[..., str]:
    """What a command prints of a page of a saved site."""

    def print_it(site: SavedSite, url: str, name: str, *options: str) -> str:
        return command.text(name, url, "--site", site.folder, "--base-url", site.base_url, "--quiet", *options)

    return print_it


@pytest.mark.parametrize("extract", WAYS)
@pytest.mark.parametrize(("site", "url"), PAGES)
def test_template(site: SavedSite, url: str, extract: Any, printed: Callable[..., str]) -> None:
    template = extract(site, url).template
    assert template.html == printed(site, url, "template")
    assert template.xpath == printed(site, url, "template", "--format", "xpath")
    assert template.outline == printed(site, url, "template", "--format", "outline")
    actual = json.loads(printed(site, url, "template", "--format", "json"))
    assert without_causes(template.to_dict()) == without_causes(actual)


@pytest.mark.parametrize(("site", "url"), PAGES)
def test_template_for_others(site: SavedSite, url: str, printed: Callable[..., str]) -> None:
    template = by_functions(site, url).template
    assert template.selectors == printed(site, url, "template", "--format", "selectors")
    assert template.for_engine("jinja") == printed(site, url, "template", "--format", "jinja")
    kept = printed(site, url, "template", "--scripts", "keep", "--links", "as-written")
    assert template.to_html(scripts="keep", links="as-written") == kept


@pytest.mark.parametrize("extract", WAYS)
@pytest.mark.parametrize(("site", "url"), PAGES)
def test_menu(site: SavedSite, url: str, extract: Any, command: Command) -> None:
    of_site = ("--site", site.folder, "--base-url", site.base_url, "--quiet")
    answer = command.answer("menu", url, "--format", "json", *of_site)
    extraction = extract(site, url)
    if answer.returncode != 0:
        # There is none, and both say so.
        with pytest.raises(husk.NoMenuError, match=url):
            _ = extraction.menu
        return
    assert extraction.menu.to_dict() == json.loads(answer.stdout)
    assert extraction.menu.markdown == command.text("menu", url, "--format", "markdown", *of_site)
    assert extraction.navigation.to_dict() == command.json("menu", url, "--all", "--format", "json", *of_site)


@pytest.mark.parametrize("extract", WAYS)
@pytest.mark.parametrize(("site", "url"), PAGES)
def test_content(site: SavedSite, url: str, extract: Any, printed: Callable[..., str]) -> None:
    content = extract(site, url).content
    assert content.markdown == printed(site, url, "content")
    assert content.text == printed(site, url, "content", "--format", "text")
    assert content.to_dict() == json.loads(printed(site, url, "content", "--format", "json"))
    as_html = printed(site, url, "content", "--format", "json", "--content-format", "html")
    assert content.to_dict("html") == json.loads(as_html)


@pytest.mark.parametrize(("site", "url"), PAGES)
def test_content_of_the_page_alone(site: SavedSite, url: str, printed: Callable[..., str]) -> None:
    alone = husk.content(site.pages[url], url)
    assert alone.method == "single-page"
    assert alone.markdown == printed(site, url, "content", "--alone")


@pytest.mark.parametrize("extract", WAYS)
@pytest.mark.parametrize(("site", "url"), PAGES)
def test_pagelets(site: SavedSite, url: str, extract: Any, printed: Callable[..., str]) -> None:
    pagelets = extract(site, url).pagelets
    assert pagelets.to_dict() == json.loads(printed(site, url, "pagelets", "--format", "json"))
    assert pagelets.text == printed(site, url, "pagelets")


@pytest.mark.parametrize("part", ["template", "menu", "content", "pagelets", "inspect"])
def test_every_format(part: str, printed: Callable[..., str]) -> None:
    site = SITES["lighthouse"]
    url = next(url for url in site.pages if "tickets" in url)
    extraction = by_functions(site, url)
    assert husk.formats(part)
    for format in husk.formats(part):
        assert extraction.write(part, format) == printed(site, url, part, "--format", format), format


@pytest.mark.parametrize("site", SITES.values(), ids=SITES.keys())
def test_learned_files(site: SavedSite, command: Command, tmp_path: Path) -> None:
    command.bytes("learn", site.folder, "--base-url", site.base_url, "-o", tmp_path / "by-command.husk")
    husk.Site(site.folder, base_url=site.base_url).learn().save(tmp_path / "by-package.husk")
    assert (tmp_path / "by-package.husk").read_bytes() == (tmp_path / "by-command.husk").read_bytes()


@pytest.mark.parametrize("name", ["plain", "with space", "ümläut~", "a%20b", "br[ack]et;c", "plus+&=,@:'!$(a)*", "h#ash?q|^"])
def test_folders_without_url(name: str, command: Command, tmp_path: Path) -> None:
    folder = tmp_path / name
    shutil.copytree(HOSTILE_SITE.folder, folder)
    command.bytes("learn", folder, "-o", tmp_path / "by-command.husk")
    learned = husk.Site(folder).learn()
    assert learned.site == husk.Templates.load(tmp_path / "by-command.husk").site
    assert learned.to_bytes() == (tmp_path / "by-command.husk").read_bytes()


@pytest.mark.parametrize("content_format", ["text", "markdown"])
@pytest.mark.parametrize("site", SITES.values(), ids=SITES.keys())
def test_stripped_rows(site: SavedSite, content_format: str, command: Command, tmp_path: Path) -> None:
    saved = husk.Site(site.folder, base_url=site.base_url)
    saved.templates.save(tmp_path / "site.husk")
    strip = ("strip", "--template", tmp_path / "site.husk", site.folder, "--base-url", site.base_url)
    everything = ("--fields", "content,menu,template-id", "--content-format", content_format)
    lines = command.text(*strip, *everything).splitlines()
    rows = list(saved.strip(fields=("content", "menu", "template-id"), content_format=content_format))
    assert [row.to_json() for row in rows] == lines
    assert [row.to_dict() for row in rows] == [json.loads(line) for line in lines]


@pytest.mark.parametrize(("site", "url"), PAGES)
def test_stripped_pages(site: SavedSite, url: str, command: Command, tmp_path: Path) -> None:
    templates = husk.Site(site.pages).learn()
    templates.save(tmp_path / "site.husk")
    page = tmp_path / "page.html"
    page.write_bytes(site.pages[url])
    strip = ("strip", "--template", tmp_path / "site.husk", page, "--base-url", url, "--quiet")
    stripped = templates.strip(site.pages[url], url)
    assert stripped.markdown == command.text(*strip)
    assert stripped.text == command.text(*strip, "--format", "text")
    row = command.json(*strip, "--format", "json")
    # The command reads a file, which has a URL and a date of its own.
    urls = {"url": url, "normalized_url": husk.Page(url, "").normalized_url}
    assert stripped.to_dict() == {**row, **urls, "date": None}
