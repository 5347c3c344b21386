"""One call for pages that are at hand."""

from __future__ import annotations

from typing import Any

import pytest
from site_pages import TICKETS

import husk

ALONE = "<html lang=en><title>Fog</title><body><nav><a href=/a>A</a></nav><main><h1>Fog</h1><p>It was thick.</p></main>"


def test_each_function_gives_its_part(pages: dict[str, bytes], tickets: husk.Extraction) -> None:
    html = pages[TICKETS]
    assert husk.template(html, TICKETS, pages).html == tickets.template.html
    assert husk.menu(html, TICKETS, pages).entries == tickets.menu.entries
    assert husk.content(html, TICKETS, pages).markdown == tickets.content.markdown
    assert husk.pagelets(html, TICKETS, pages).to_dict() == tickets.pagelets.to_dict()


def test_pages_may_be_given_in_many_ways(pages: dict[str, bytes], tickets: husk.Extraction) -> None:
    ways = [
        pages,
        list(pages.items()),
        (pair for pair in pages.items()),
        [husk.Page(url, html) for url, html in pages.items()],
        {url: html.decode() for url, html in pages.items()},
    ]
    for given in ways:
        assert husk.content(pages[TICKETS], TICKETS, given).to_dict() == tickets.content.to_dict()


def test_text_and_bytes_say_the_same(pages: dict[str, bytes], tickets: husk.Extraction) -> None:
    assert husk.template(pages[TICKETS].decode(), TICKETS, pages).html == tickets.template.html


def test_content_needs_neither_url_nor_pages() -> None:
    content = husk.content(ALONE)
    assert content.method == "single-page"
    assert content.markdown == "# Fog\n\nIt was thick.\n"
    assert (content.title, content.language) == ("Fog", "en")
    assert repr(content) == "<Content of https://page.invalid/: extracted without a template>"


@pytest.mark.parametrize("ask", [husk.template, husk.menu, husk.pagelets])
def test_without_siblings_nothing_is_known_of_the_template(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(husk.NoSiblingError, match="no sibling page to compare https://a.example/fog with") as caught:
        ask(ALONE, "https://a.example/fog", {})
    assert caught.value.url == "https://a.example/fog"


def test_one_text_is_no_list_of_pages() -> None:
    with pytest.raises(TypeError, match="pages must be a list"):
        husk.content(ALONE, "https://a.example/", ALONE)
    with pytest.raises(TypeError, match="HTML without a URL"):
        husk.content(ALONE, "https://a.example/", [ALONE])


def test_options_have_effect(pages: dict[str, bytes]) -> None:
    few = husk.extract(pages[TICKETS], TICKETS, pages, max_pages=1)
    assert len(few.loaded) == 2
    published = husk.extract(pages[TICKETS], TICKETS, pages, method="paper", equality="label-attributes")
    assert published.method == "paper"
    costly_slots = husk.template(pages[TICKETS], TICKETS, pages, thresholds={"slot": 60.0})
    assert len(costly_slots.slots) == 1


def test_all_options_are_listed_and_may_be_given_back(pages: dict[str, bytes], tickets: husk.Extraction) -> None:
    options = husk.default_options()
    assert options["pages_to_compare"] == 4
    assert options["thresholds"]["template_stays"] == 0.85
    assert husk.content(pages[TICKETS], TICKETS, pages, **options).to_dict() == tickets.content.to_dict()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"pages_to_compar": 3}, "unknown field `pages-to-compar`"),
        ({"method": "guessing"}, "unknown variant `guessing`, expected `husk` or `paper`"),
        ({"thresholds": {"slot": -1}}, "thresholds.slot must be 0 or more"),
        ({"max_pages": object()}, "not JSON serializable"),
        ({"max_pages": -1}, "invalid value"),
        ({"max_pages": float("nan")}, "options"),
    ],
)
def test_a_mistake_in_options_is_named(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(husk.OptionError, match=complaint):
        husk.extract(ALONE, "https://a.example/", (), **options)
    with pytest.raises(husk.OptionError, match=complaint):
        husk.Session("https://a.example/", load=lambda url: pytest.fail("nothing is to be loaded"), **options)


def test_version_and_names() -> None:
    assert husk.__version__.count(".") == 2
    for name in husk.__all__:
        assert getattr(husk, name) is not None
