"""Templates: kept in files, sent to others, refined, taken off pages."""

from __future__ import annotations

import copy
import gzip
import multiprocessing
import pickle
from pathlib import Path

import pytest
from command import Command
from repository import ROOT
from site_pages import HOSTILE_SITE, LIGHTHOUSE_SITE, TICKETS

import husk

PAGES = LIGHTHOUSE_SITE.pages


@pytest.fixture(scope="module")
def templates() -> husk.Templates:
    return husk.Site(PAGES).learn()


def test_what_is_known(templates: husk.Templates) -> None:
    assert templates.site == "lighthouse.example"
    assert templates.pages == len(PAGES)
    assert repr(templates) == "<Templates of lighthouse.example: 2 layouts from 20 pages>"
    first, second = templates.layouts
    assert (first.number, second.number) == (1, 2)
    assert first.pages + second.pages == len(PAGES)
    assert first.support >= first.pages
    assert first.template_nodes > 100
    assert first.model in PAGES


def test_template_of_a_layout(templates: husk.Templates) -> None:
    first, second = templates.layouts
    assert templates.template().html == templates.template(first.id).html
    assert templates.template(2).html == templates.template(second.id).html != templates.template(1).html
    assert "<!--husk:slot 1-->" in templates.template(1).html
    assert repr(templates.template(1)).endswith(f"template learned from {first.support} pages>")
    for unknown in (0, 3, -1, "no-such-id"):
        with pytest.raises(husk.TemplatesError, match="has no layout"):
            templates.template(unknown)


def test_saving_and_loading(templates: husk.Templates, tmp_path: Path) -> None:
    file = tmp_path / "lighthouse.husk"
    templates.save(str(file))
    assert [each.name for each in tmp_path.iterdir()] == ["lighthouse.husk"]
    assert husk.Templates.load(file).to_bytes() == templates.to_bytes() == file.read_bytes()
    assert b"husk site templates" in gzip.decompress(file.read_bytes())[:20]
    file.write_bytes(gzip.decompress(file.read_bytes()))
    assert husk.Templates.load(file).to_bytes() == templates.to_bytes()


def test_saving_replaces_whole_files_only(templates: husk.Templates, tmp_path: Path) -> None:
    with pytest.raises(husk.TemplatesError, match="cannot write .*no-such-folder"):
        templates.save(tmp_path / "no-such-folder" / "site.husk")
    (tmp_path / "taken").mkdir()
    with pytest.raises(husk.TemplatesError, match="cannot write .*taken"):
        templates.save(tmp_path / "taken")
    assert [each.name for each in tmp_path.iterdir()] == ["taken"]


@pytest.mark.parametrize("wrong", [b"", b"noise", b"{}", gzip.compress(b"noise"), b"\x1f\x8b cut off"])
def test_what_are_no_templates(wrong: bytes, tmp_path: Path) -> None:
    with pytest.raises(husk.TemplatesError, match="^the given data "):
        husk.Templates.from_bytes(wrong)
    (tmp_path / "wrong.husk").write_bytes(wrong)
    with pytest.raises(husk.TemplatesError, match="wrong.husk "):
        husk.Templates.load(tmp_path / "wrong.husk")


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(husk.TemplatesError, match="cannot read .*none.husk: No such file"):
        husk.Templates.load(tmp_path / "none.husk")


def test_pickling(templates: husk.Templates) -> None:
    for again in (pickle.loads(pickle.dumps(templates)), copy.deepcopy(templates)):
        assert again.to_bytes() == templates.to_bytes()
        assert again.strip(PAGES[TICKETS], TICKETS).text == templates.strip(PAGES[TICKETS], TICKETS).text


def strip_elsewhere(work: tuple[husk.Templates, str, bytes]) -> str:
    templates, url, html = work
    return templates.strip(html, url).text


def test_other_processes(templates: husk.Templates) -> None:
    urls = list(PAGES)[:4]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        texts = pool.map(strip_elsewhere, [(templates, url, PAGES[url]) for url in urls])
    assert texts == [templates.strip(PAGES[url], url).text for url in urls]


def test_stripping_a_page(templates: husk.Templates, tickets: husk.Extraction) -> None:
    stripped = templates.strip(PAGES[TICKETS], TICKETS)
    assert isinstance(stripped, husk.Content)
    assert stripped.layout == templates.layouts[0].id
    assert (stripped.method, stripped.warnings) == ("template", [])
    assert stripped.title == "Tickets"
    assert stripped.text.endswith(tickets.content.text)
    assert stripped.template.nodes
    assert stripped.row.content == stripped.text
    assert stripped.row.menu is not None
    assert stripped.to_dict()["url"] == TICKETS
    assert stripped.to_dict("markdown")["content"].startswith("Visit\n\n# Tickets")
    for page in (husk.Page(TICKETS, PAGES[TICKETS]), (TICKETS, PAGES[TICKETS])):
        assert templates.strip(page).text == stripped.text


def test_pages_of_an_unknown_layout(templates: husk.Templates) -> None:
    url = "https://lighthouse.example/app"
    cells = "<tr><td bgcolor=red>Built otherwise</td><td>with words of its own</td></tr>" * 20
    stripped = templates.strip(f"<center><table border=1 id=app>{cells}</table></center>", url)
    assert stripped.layout is None
    assert stripped.warnings == ["unknown-layout"]
    assert stripped.method == "single-page"
    assert "Built otherwise" in stripped.text
    with pytest.raises(husk.NoSiblingError, match=f"unknown layout: {url}") as caught:
        _ = stripped.template
    assert caught.value.url == url


def test_html_needs_a_url(templates: husk.Templates) -> None:
    with pytest.raises(TypeError, match="HTML without a URL"):
        templates.strip(PAGES[TICKETS])


def test_learning_page_by_page() -> None:
    templates = husk.Templates("lighthouse.example")
    assert templates.layouts == []
    half = len(PAGES) // 2
    first = templates.learn(list(PAGES.items())[:half])
    assert first == husk.Lesson(pages=half, known=0, new_layouts=len(templates.layouts))
    again = templates.learn(dict(list(PAGES.items())[:half]))
    assert (again.known, again.new_layouts) == (half, 0)
    templates.learn(list(PAGES.items())[half:])
    assert templates.pages == len(PAGES)
    # Pages that come later may fit the layout that is known.
    assert len(templates.layouts) in (1, 2)


def test_templates_that_were_handed_out_do_not_change(templates: husk.Templates) -> None:
    growing = husk.Templates.from_bytes(templates.to_bytes())
    rows = growing.rows(list(PAGES.items()))
    first = next(rows)
    growing.learn({f"https://lighthouse.example/new/{number}": f"<h1>{number}</h1><p>new words" for number in range(5)})
    assert [first.content, *(row.content for row in rows)] == [row.content for row in templates.rows(PAGES.items())]


def test_learning_into_what_is_known(templates: husk.Templates) -> None:
    known = husk.Site(dict(list(PAGES.items())[:8])).learn()
    assert husk.Site(PAGES).learn(into=known) is known
    assert known.pages == len(PAGES)
    before = templates.to_bytes()
    husk.Site(PAGES).learn(into=templates)
    assert templates.to_bytes() == before


def test_templates_of_another_site_are_not_mixed_in(templates: husk.Templates) -> None:
    before = templates.to_bytes()
    with pytest.raises(husk.TemplatesError, match="templates of lighthouse.example can.t be refined with pages of hostile.example"):
        husk.Site(HOSTILE_SITE.pages).learn(into=templates)
    assert templates.to_bytes() == before


def test_pages_of_small_sites_have_a_warning(templates: husk.Templates) -> None:
    [row] = husk.Templates("a.example").rows([("https://a.example/", "<p>Words")], enough_pages=False)
    assert "too-few-pages" in row.warnings
    assert list(templates.rows([])) == []


def test_a_template_store_is_read(command: Command, tmp_path: Path) -> None:
    archive, store = tmp_path / "site.warc.gz", tmp_path / "templates"
    site = ROOT / "examples/site"
    command.answer("pack", site, "--base-url", "https://lighthouse.example/", "-o", archive).check_returncode()
    command.answer("bulk", archive, "--templates", store, "-o", tmp_path / "out").check_returncode()
    opened = husk.TemplateStore(store)
    [info] = opened.sites()
    assert (info.site, info.layouts, info.pages, info.fit) == ("lighthouse.example", 2, 20, None)
    templates = opened.get("lighthouse.example")
    assert templates is not None
    assert templates.strip(PAGES[TICKETS], TICKETS).method == "template"
    assert opened.get("other.example") is None
    with pytest.raises(husk.TemplatesError, match="no template store"):
        husk.TemplateStore(tmp_path / "nowhere")
