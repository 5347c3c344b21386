"""How results show in notebooks: tinted, and harmless whatever the page is."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from browser import Chromium, chromium
from command import require
from loopback import Server, serving
from pixels import colours
from site_pages import HOSTILE_SITE, LIGHTHOUSE_SITE, SavedSite

import husk
from husk import tint

LOADING = {"src", "srcset", "data", "background", "poster", "action", "formaction", "ping", "manifest", "cite", "longdesc"}
STORY = "https://lighthouse.example/stories/force-eleven-and-other-remarks/"

RESULTS: dict[str, Callable[[husk.Extraction], Any]] = {
    "extraction": lambda extraction: extraction,
    "template": lambda extraction: extraction.template,
    "menu": lambda extraction: extraction.menu,
    "content": lambda extraction: extraction.content,
    "pagelets": lambda extraction: extraction.pagelets,
}


def shown(site: SavedSite, url: str) -> str:
    return husk.extract(site.pages[url], url, site.pages)._repr_html_()


class Elements(HTMLParser):
    """All elements of some HTML with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def named(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.found if tag == name]


def frame_of(html: str) -> dict[str, str | None]:
    [frame] = Elements(html).named("iframe")
    return frame


@pytest.mark.parametrize("result", RESULTS)
def test_every_result_shows_the_page(result: str) -> None:
    extraction = husk.extract(LIGHTHOUSE_SITE.pages[STORY], STORY, LIGHTHOUSE_SITE.pages)
    html = RESULTS[result](extraction)._repr_html_()
    assert html.startswith("<div")
    assert STORY in html
    assert "compared with 4 pages, 5 loaded" in html
    for name in ("template", "menu", "content", "only here"):
        assert f"</span>{name}</span>" in html
    frame = frame_of(html)
    assert frame["sandbox"] == ""
    assert frame["referrerpolicy"] == "no-referrer"
    assert "src" not in frame
    page = frame["srcdoc"]
    assert page is not None
    # Not in quirks mode, and with a policy before anything else.
    assert page.startswith("<!DOCTYPE html>")
    assert page.index("Content-Security-Policy") < page.index("<title>")
    assert 'data-husk="c' in page and '[data-husk^="c"]{' in page


def test_stripped_pages_show_too() -> None:
    stripped = husk.Site(LIGHTHOUSE_SITE.pages).learn().strip(LIGHTHOUSE_SITE.pages[STORY], STORY)
    html = stripped._repr_html_()
    assert "template learned from " in html
    assert frame_of(html)["sandbox"] == ""


@pytest.mark.parametrize("url", [*HOSTILE_SITE.pages, STORY])
def test_nothing_in_the_frame_runs_or_loads(url: str) -> None:
    html = shown(HOSTILE_SITE if url in HOSTILE_SITE.pages else LIGHTHOUSE_SITE, url)
    assert [tag for tag, _ in Elements(html).found if tag not in ("div", "strong", "br", "span")] == ["iframe"]
    page = frame_of(html)["srcdoc"]
    assert page is not None
    # What is behind this tag is text for browsers, but not for the parser here.
    for tag, attributes in Elements(page.partition("<plaintext")[0]).found:
        assert tag not in ("script", "base", "link")
        # An empty frame shows where one was.
        assert "srcdoc" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        for name in LOADING & attributes.keys():
            assert (attributes[name] or "").startswith(("data:", "#")), (tag, name, attributes[name])
        assert not (attributes.get("href") or "").strip().lower().startswith("javascript:")
        if tag == "meta" and (attributes.get("http-equiv") or "").lower() == "refresh":
            pytest.fail("the page leads on to another one")


def test_titles_are_escaped() -> None:
    html = tint.tinted("<p>page</p>", 'https://a.example/"><script>', "<b>&")
    assert [tag for tag, _ in Elements(html).found if tag in ("script", "b")] == []


@pytest.fixture(scope="session")
def browser() -> Chromium:
    program = chromium()
    require(program is not None, "there is no Chromium")
    assert program is not None
    return Chromium(program)


def notebook(html: str) -> bytes:
    return f"<!DOCTYPE html><meta charset=utf-8><link rel=icon href=data:,><title>notebook</title>{html}".encode()


HIT = (
    "<title>x</title><script>document.title='ran';fetch('/hit?fetch')</script><img src=/hit?img onerror=\"document.title='ran'\">"
    "<style>@import '/hit?import';body{background:url(/hit?css)}</style><link rel=stylesheet href=/hit?style>"
    "<meta http-equiv=refresh content='0;url=/hit?refresh'><iframe src=/hit?frame></iframe><p>The words of the page"
)


def look_at(browser: Chromium, server: Server, html: str) -> str:
    server.pages["/notebook"] = notebook(html)
    server.asked.clear()
    return browser.document(f"{server.address}/notebook")


def test_the_spy_sees_what_is_loaded(browser: Chromium) -> None:
    """Without this, the next test could pass by seeing nothing."""
    with serving() as server:
        document = look_at(browser, server, HIT.replace("<meta", "<!--").replace("'><iframe", "--><iframe"))
        assert {"/hit?img", "/hit?fetch", "/hit?import", "/hit?style", "/hit?frame"} <= set(server.asked)
        assert "<title>ran</title>" in document
        look_at(browser, server, f'<iframe sandbox="" srcdoc="{escape(HIT)}"></iframe>')
        assert {"/hit?img", "/hit?import", "/hit?style", "/hit?frame"} <= set(server.asked)


def test_nothing_is_loaded_and_nothing_runs(browser: Chromium) -> None:
    with serving() as server:
        home = f"{server.address}/"
        pages = {home + url.removeprefix(HOSTILE_SITE.base_url): html for url, html in HOSTILE_SITE.pages.items()}
        shows = [husk.extract(html, url, pages)._repr_html_() for url, html in pages.items()]
        shows.append(husk.content(HIT, f"{home}hit.html")._repr_html_())
        document = look_at(browser, server, "\n".join(shows))
        assert server.asked == ["/notebook"]
        assert "<title>notebook</title>" in document
        assert document.count("<iframe ") == len(shows)


def test_parts_are_tinted(browser: Chromium, tmp_path: Path) -> None:
    """The page is shown, with its menu open and each part on its background."""
    html = shown(LIGHTHOUSE_SITE, STORY).replace(f"height:{tint._HEIGHT}px", "height:900px")
    file = tmp_path / "notebook.html"
    file.write_bytes(notebook(html))
    picture = tmp_path / "notebook.png"
    browser.screenshot(file.as_uri(), picture, size=(500, 1000))
    counted = colours(picture)
    for letter, part in tint._TINTS.items():
        assert counted[part.background] > 2000, (letter, part.name, counted.most_common(8))
