"""What results have in them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from site_pages import TICKETS

import husk


def test_what_an_extraction_tells(tickets: husk.Extraction) -> None:
    assert tickets.key_page == TICKETS
    assert tickets.loaded[0] == TICKETS
    assert tickets.compared == tickets.loaded[1:]
    assert tickets.method == "husk"
    assert tickets.failed == {}
    assert tickets.needs_rendering is None
    assert repr(tickets) == f"<Extraction of {TICKETS}: compared with 4 pages, 5 loaded>"
    assert tickets.visits[0] == husk.Visit(
        url="https://lighthouse.example/visit/opening-hours/index.html",
        found_at="https://lighthouse.example/visit/opening-hours/",
        why="beside-key-page",
        outcome="compared",
        cause=None,
    )


def test_results_are_made_once(tickets: husk.Extraction) -> None:
    assert tickets.template is tickets.template
    assert tickets.template.html is tickets.template.html
    assert tickets.content.nodes is tickets.content.nodes


def test_template(tickets: husk.Extraction) -> None:
    template = tickets.template
    assert template.html.startswith("<!DOCTYPE html>")
    assert "<!--husk:slot 1-->" in template.html
    assert "<script" not in template.html
    assert "Harrow Skerry" in template.text
    assert "[Opening hours](https://lighthouse.example/visit/opening-hours/index.html)" in template.markdown
    assert len(template.nodes) == len(template.xpath.splitlines())
    root = template.nodes[0]
    assert (root.xpath, root.support, root.verbatim_support) == ("/html[1]", 4, 4)
    assert [slot.slot for slot in template.slots] == list(range(1, len(template.slots) + 1))
    assert all(slot.nodes and isinstance(slot.nodes, tuple) for slot in template.slots)
    assert "{{ title | e }}" in template.for_engine("jinja")
    assert "<slot name=" in template.for_engine("html-slots")
    with pytest.raises(husk.OptionError, match='template has no format "mako": it has html, json'):
        template.for_engine("mako")
    with pytest.raises(husk.OptionError, match="unknown variant `maybe`, expected `drop` or `keep`"):
        template.to_html(scripts="maybe")


def test_template_has_no_words_of_the_content(tickets: husk.Extraction) -> None:
    words = tickets.content.markdown.splitlines()[2]
    assert words
    assert words not in tickets.template.text


def test_menu(tickets: husk.Extraction) -> None:
    menu = tickets.menu
    assert [entry.label for entry in menu.entries] == ["Visit", "History", "Stories", "Shop", "Contact"]
    visit = menu.entries[0]
    assert visit.url == "https://lighthouse.example/visit/index.html"
    assert [entry.label for entry in visit.children] == ["Opening hours", "Tickets", "Getting here"]
    assert menu.text.splitlines()[0].strip() == "Visit"
    assert menu.markdown.startswith("- [Visit](https://lighthouse.example/visit/index.html)")
    assert menu.html.startswith("<ul>") or menu.html.startswith("<nav")
    assert menu.nodes[0].support is None
    more = tickets.navigation
    assert more.entries == menu.entries
    assert len(more.nodes) > len(menu.nodes)
    assert len(more.to_dict()["navigation"]) > 1


def test_content(tickets: husk.Extraction) -> None:
    content = tickets.content
    assert content.method == "template"
    assert content.title == "Tickets"
    assert content.language == "en"
    # The line above the heading is the page's own.
    assert content.markdown.startswith("Visit\n\n# Tickets\n")
    assert content.text.startswith("Visit\n\nTickets\n")
    assert "<h1>Tickets</h1>" in content.html
    assert content.document.startswith("<!DOCTYPE html>")
    assert "<title>Tickets" in content.document
    assert content.comments == ""
    assert content.nodes[0].xpath.startswith("/html[1]/body[1]/")
    assert content.to_dict()["content"] == content.markdown
    assert content.to_dict("text")["content"] == content.text
    with pytest.raises(husk.OptionError, match="unknown variant `pdf`"):
        content.to_dict("pdf")


def test_comments_are_not_content() -> None:
    words = "".join(f"<p>It was thick on day {day}, and nobody saw the tower from the shore.</p>" for day in range(5))
    comments = "<li class=comment><p>I saw it all the same.</p><li class=comment><p>Nobody came to see it that day.</p>"
    content = husk.content(f"<article><h1>Fog</h1>{words}</article><section id=comments><ol>{comments}</ol></section>")
    assert content.comments == "1. I saw it all the same.\n2. Nobody came to see it that day.\n"
    assert content.markdown.startswith("# Fog\n")
    assert "all the same" not in content.markdown


def test_pagelets(tickets: husk.Extraction) -> None:
    pagelets = tickets.pagelets
    assert len(pagelets) == len(list(pagelets)) == len(pagelets[:])
    functions = [one.function for one in pagelets]
    assert {"header", "main-menu", "main-content", "footer"} <= set(functions)
    menu = pagelets[functions.index("main-menu")]
    assert menu.parent is not None
    assert pagelets[menu.parent].function == "header"
    assert any(menu.nodes[0].xpath.startswith(node.xpath) for node in pagelets[menu.parent].nodes)
    main = pagelets[functions.index("main-content")]
    assert (main.template, menu.template) == (False, True)
    assert tickets.content.text in main.text
    assert tickets.content.markdown in main.markdown
    assert repr(main).startswith("<Pagelet main-content at /html[1]/body[1]/")
    assert "## header\n" in pagelets.markdown
    assert '<section data-function="footer">' in pagelets.html
    assert pagelets.nodes[0] == pagelets[0].nodes[0]
    with pytest.raises(IndexError):
        _ = pagelets[len(pagelets)]


def test_results_are_plain_objects(tickets: husk.Extraction) -> None:
    parts: list[Any] = [tickets.template, tickets.menu, tickets.navigation, tickets.content, tickets.pagelets]
    for part in parts:
        assert json.loads(json.dumps(part.to_dict())) == part.to_dict()
        assert isinstance(part.markdown, str) and isinstance(part.text, str) and isinstance(part.html, str)
        assert part.nodes


def test_failures_are_listed(pages: dict[str, bytes]) -> None:
    gone = "https://lighthouse.example/visit/opening-hours/"
    rest = {url: html for url, html in pages.items() if url != gone}
    extraction = husk.extract(pages[TICKETS], TICKETS, rest)
    assert extraction.failed == {f"{gone}index.html": f"{gone}index.html is not among the given pages"}
    assert extraction.visits[0].outcome == "unavailable"


def test_a_page_that_scripts_fill_is_said_to_be_one() -> None:
    page = b"<title>App</title><div id=root></div><script src=/app.js></script>"
    actual = husk.extract(page, "https://app.example/").needs_rendering
    assert actual is not None


def test_inspection_is_one_file(tickets: husk.Extraction) -> None:
    assert tickets.inspection().startswith("<!DOCTYPE html>")
    assert len(tickets.inspection(offline=True)) > 1000


def test_no_main_menu() -> None:
    pages = {
        f"https://a.example/{name}": "<header><p>All of them say this, and more in the same words</p></header>"
        f"<main><h1>{name * 5}</h1><p>{' '.join(name * length for length in range(3, 20))}</p>"
        "<a href=/b>b</a><a href=/c>c</a></main>"
        for name in "abc"
    }
    extraction = husk.extract(pages["https://a.example/a"], "https://a.example/a", pages)
    with pytest.raises(husk.NoMenuError, match="no main menu found on https://a.example/a") as caught:
        _ = extraction.menu
    assert caught.value.url == "https://a.example/a"
    assert extraction.navigation.entries == ()
