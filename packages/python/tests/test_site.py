"""Sites: where their pages may come from, and what is learned of them."""

from __future__ import annotations

import ast
import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from archives import warc
from command import Command
from repository import PACKAGE, ROOT
from site_pages import HOSTILE_SITE, LIGHTHOUSE_SITE, TICKETS

import husk

LIGHTHOUSE_URLS = list(LIGHTHOUSE_SITE.pages)


class Crawl:
    """Pages that can be gone through again and again, without being in memory."""

    def __init__(self, pages: dict[str, bytes]) -> None:
        self.pages, self.times = pages, 0

    def __iter__(self) -> Iterator[husk.Page]:
        self.times += 1
        return (husk.Page(url, html) for url, html in self.pages.items())


@pytest.fixture(scope="module")
def archive(command: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("archive") / "lighthouse.warc.gz"
    command.bytes("pack", LIGHTHOUSE_SITE.folder, "--base-url", LIGHTHOUSE_SITE.base_url, "-o", file)
    return file


def test_folder(lighthouse: husk.Site) -> None:
    pages = list(lighthouse)
    assert [page.url for page in pages] == LIGHTHOUSE_URLS
    assert all(page.date for page in pages)
    assert [page.html for page in pages] == list(LIGHTHOUSE_SITE.pages.values())
    assert lighthouse.name == "lighthouse.example"
    assert lighthouse.notes == []
    assert repr(lighthouse) == f"<Site {LIGHTHOUSE_SITE.folder}>"


def test_folder_without_url() -> None:
    site = husk.Site(LIGHTHOUSE_SITE.folder)
    assert site.name == f"{LIGHTHOUSE_SITE.folder.resolve().as_uri()}/"
    assert len(list(site)) == len(LIGHTHOUSE_URLS)
    assert len(site.learn().layouts) == 2


def test_archive(archive: Path, lighthouse: husk.Site) -> None:
    site = husk.Site(archive)
    assert [page.url for page in site] == LIGHTHOUSE_URLS
    assert site.templates.to_bytes() == lighthouse.templates.to_bytes()
    from_archive = [row.content for row in site.strip()]
    assert from_archive == [row.content for row in lighthouse.strip()]


def test_folder_of_archives(archive: Path) -> None:
    assert [page.url for page in husk.Site(str(archive.parent))] == LIGHTHOUSE_URLS


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(LIGHTHOUSE_SITE.pages, id="dict"),
        pytest.param(MappingProxyType(LIGHTHOUSE_SITE.pages), id="mapping"),
        pytest.param(list(LIGHTHOUSE_SITE.pages.items()), id="pairs"),
        pytest.param(tuple(husk.Page(url, html) for url, html in LIGHTHOUSE_SITE.pages.items()), id="pages"),
        pytest.param(Crawl(LIGHTHOUSE_SITE.pages), id="again-and-again"),
        pytest.param((pair for pair in LIGHTHOUSE_SITE.pages.items()), id="generator"),
        pytest.param(iter(LIGHTHOUSE_SITE.pages.items()), id="iterator"),
    ],
)
def test_pages_from_anywhere(given: Any, lighthouse: husk.Site) -> None:
    site = husk.Site(given)
    assert site.name == "lighthouse.example"
    assert [page.url for page in site] == LIGHTHOUSE_URLS
    assert site.templates.to_bytes() == lighthouse.templates.to_bytes()
    assert [row.content for row in site.strip()] == [row.content for row in lighthouse.strip()]


def test_what_can_be_gone_through_again_is_not_kept() -> None:
    crawl = Crawl(LIGHTHOUSE_SITE.pages)
    site = husk.Site(crawl)
    begun = crawl.times
    assert len(list(site)) == len(list(site)) == len(LIGHTHOUSE_URLS)
    # The name comes from all pages.
    assert crawl.times == begun + 3
    assert repr(site) == "<Site of given pages>"


def test_one_of_several_sites() -> None:
    both = {**LIGHTHOUSE_SITE.pages, **HOSTILE_SITE.pages}
    with pytest.raises(husk.InputError, match=r"several sites: lighthouse\.example \(20 pages\), hostile\.example \(4 pages\)"):
        _ = husk.Site(both).name
    with pytest.raises(husk.InputError, match="select one with base_url= or name="):
        husk.Site(both).learn()
    assert [page.url for page in husk.Site(both, name="hostile.example")] == list(HOSTILE_SITE.pages)
    assert [page.url for page in husk.Site(both, base_url="https://www.lighthouse.example/")] == LIGHTHOUSE_URLS


def test_several_sites_in_one_archive(tmp_path: Path) -> None:
    both = {**LIGHTHOUSE_SITE.pages, **HOSTILE_SITE.pages}
    archive = tmp_path / "both.warc"
    archive.write_bytes(warc(both))
    with pytest.raises(husk.InputError, match="several sites"):
        husk.Site(archive).learn()
    site = husk.Site(archive, base_url="https://hostile.example/")
    assert [page.url for page in site] == list(HOSTILE_SITE.pages)
    assert {page.date for page in site} == {"2026-01-02T03:04:05Z"}


def test_hosts_of_one_domain() -> None:
    pages = {"https://a.example.org/": "<p>a", "https://b.example.org/": "<p>b"}
    with pytest.raises(husk.InputError, match="several sites"):
        _ = husk.Site(pages).name
    assert husk.Site(pages, same_site="domain").name == "example.org"
    with pytest.raises(husk.OptionError, match="same_site: unknown variant `galaxy`"):
        _ = husk.Site(pages, same_site="galaxy").name


@pytest.mark.parametrize("name", ["no-such-folder", "no-such-archive.warc.gz"])
def test_missing(name: str, tmp_path: Path) -> None:
    with pytest.raises(husk.InputError, match=name):
        husk.Site(tmp_path / name)


def test_urls_are_not_loaded() -> None:
    with pytest.raises(husk.InputError, match="Site doesn.t load URLs") as caught:
        husk.Site("https://lighthouse.example/")
    assert caught.value.url == "https://lighthouse.example/"


@pytest.mark.parametrize("nothing", [[], {}, iter(())])
def test_empty(nothing: Any) -> None:
    site = husk.Site(nothing)
    with pytest.raises(husk.InputError, match="no pages in the given pages"):
        site.learn()


def test_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(husk.InputError, match=str(tmp_path)):
        husk.Site(tmp_path).learn()


@pytest.mark.parametrize("wrong", [b"<p>", bytearray(b"<p>"), 42, None])
def test_what_is_no_site(wrong: Any) -> None:
    with pytest.raises(TypeError):
        husk.Site(wrong)


def test_what_is_no_page_is_refused() -> None:
    with pytest.raises(TypeError, match="int is not a page"):
        list(husk.Site([1, 2], name="a.example"))


def test_an_archive_that_is_cut_off(archive: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.warc.gz"
    whole = archive.read_bytes()
    cut.write_bytes(whole[: len(whole) * 2 // 3])
    site = husk.Site(cut, base_url="https://lighthouse.example/")
    urls = [page.url for page in site]
    assert 0 < len(urls) < len(LIGHTHOUSE_URLS)
    assert urls == LIGHTHOUSE_URLS[: len(urls)]
    assert all("cut.warc.gz" in note for note in site.notes)
    assert site.notes[-1].endswith("the file ends within this record")


def test_an_archive_that_is_none(tmp_path: Path) -> None:
    for name, body in {"noise.warc": b"\0\xff noise" * 500, "noise.warc.gz": gzip.compress(b"noise" * 500)}.items():
        (tmp_path / name).write_bytes(body)
        with pytest.raises(husk.InputError, match=name):
            husk.Site(tmp_path / name).learn()


def test_learning_from_few_pages() -> None:
    some = husk.Site(LIGHTHOUSE_SITE.pages).learn(max_pages=6)
    assert some.pages == 6
    with pytest.raises(husk.TemplatesError, match="cannot learn lighthouse.example from 1 pages"):
        husk.Site({TICKETS: LIGHTHOUSE_SITE.pages[TICKETS]}).learn()


def test_templates_are_learned_once(lighthouse: husk.Site) -> None:
    assert lighthouse.templates is lighthouse.templates


def test_rows_come_one_by_one(lighthouse: husk.Site) -> None:
    rows = lighthouse.strip()
    assert next(rows).url == LIGHTHOUSE_URLS[0]
    assert next(rows).url == LIGHTHOUSE_URLS[1]


def test_a_row_has_the_columns_of_the_schema(lighthouse: husk.Site) -> None:
    schema = (ROOT / "crates/husk-bulk/row.schema").read_text()
    columns = re.findall(r"^  (?:REQUIRED|OPTIONAL) \w+ (\w+)", schema, re.MULTILINE)
    row = next(lighthouse.strip())
    assert list(row.to_dict()) == columns
    stubs = ast.parse((PACKAGE / "python/husk/_husk.pyi").read_text())
    [stub] = [node for node in stubs.body if isinstance(node, ast.ClassDef) and node.name == "Row"]
    typed = [node.name for node in stub.body if isinstance(node, ast.FunctionDef) and node.decorator_list]
    assert typed == columns and all(hasattr(row, name) for name in columns)


def test_a_row_has_the_url_and_the_id_that_were_given(lighthouse: husk.Site) -> None:
    page = husk.Page("https://lighthouse.example?q=é#top", "<p>Words", id="7")
    [row] = lighthouse.templates.rows([page])
    assert (row.url, row.id) == (page.url, "7") == ("https://lighthouse.example?q=é#top", "7")
    assert row.normalized_url == page.normalized_url == "https://lighthouse.example/?q=%C3%A9"


def test_fields_of_a_row(lighthouse: husk.Site) -> None:
    rows = {row.url: row for row in lighthouse.strip(fields=("content", "menu", "template-id"))}
    row = rows[TICKETS]
    assert (row.site, row.title, row.language, row.method) == ("lighthouse.example", "Tickets", "en", "template")
    assert row.layout == lighthouse.templates.layouts[0].id
    assert row.content is not None and "Tickets" in row.content
    assert row.menu is not None and row.menu[0]["label"] == "Visit"
    assert row.menu[0]["children"][1]["label"] == "Tickets"
    assert row.template_id is not None and row.template_share is not None
    assert 0 < row.template_share < 1
    assert row.bytes == len(LIGHTHOUSE_SITE.pages[TICKETS])
    assert row.words > row.content_words > 0
    assert row.links > 0
    assert row.warnings == []
    assert row.date is not None
    assert set(row.to_dict()) == {name for name in dir(row) if not name.startswith(("_", "to_"))}


def test_what_rows_tell_may_be_chosen(lighthouse: husk.Site) -> None:
    bare = next(lighthouse.strip(fields=()))
    assert (bare.content, bare.menu, bare.template_id) == (None, None, None)
    named = next(lighthouse.strip(fields="menu"))
    assert named.menu is not None and named.content is None
    marked = next(lighthouse.strip(content_format="markdown"))
    assert marked.content is not None and "# A light, a rock" in marked.content
    with pytest.raises(husk.OptionError, match='fields: unknown field "colour"'):
        lighthouse.strip(fields=("colour",))
    with pytest.raises(husk.OptionError, match="content_format: unknown variant `pdf`"):
        lighthouse.strip(content_format="pdf")


def test_no_pages_teach_nothing(lighthouse: husk.Site) -> None:
    for number in (0, -1):
        with pytest.raises(husk.OptionError, match=f"max_pages: expected at least 1, got {number}"):
            lighthouse.learn(max_pages=number)
