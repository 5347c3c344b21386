"""Input that means no good, or is broken."""

from __future__ import annotations

from typing import Any

import pytest
from site_pages import HOSTILE_SITE, LIGHTHOUSE_SITE, TICKETS

import husk

URL = "https://a.example/"
MANY = 5_000_000


def everything_of(extraction: husk.Extraction) -> list[object]:
    """All that can be asked of a page, so that nothing is left out that could fail."""
    content, pagelets = extraction.content, extraction.pagelets
    parts: list[object] = [content.markdown, content.html, content.text, content.document, content.comments]
    parts += [content.to_dict(), content.nodes, pagelets.to_dict(), pagelets.markdown, pagelets.text]
    parts += [extraction.needs_rendering, extraction.inspection(offline=True), extraction._repr_html_()]
    if extraction.compared:
        template = extraction.template
        parts += [template.html, template.xpath, template.outline, template.selectors, template.to_dict()]
        parts += [template.markdown, template.for_engine("jinja"), extraction.navigation.to_dict()]
    return parts


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(b"", id="empty"),
        pytest.param("", id="empty-text"),
        pytest.param(b"\0" * 1000, id="null-bytes"),
        pytest.param("a\0b<p\0q>\0</p\0>", id="null-in-tags"),
        pytest.param(bytes(range(256)) * 50, id="all-bytes"),
        pytest.param(b"\xff\xfe<\0p\0", id="utf-16-cut-off"),
        pytest.param(b"\xef\xbb\xbf", id="mark-only"),
        pytest.param("<!DOCTYPE" + ">" * 100, id="doctypes"),
        pytest.param("<a href='" * 1000, id="open-attributes"),
        pytest.param("<table><tr><td>" * 2000, id="nested-tables"),
        pytest.param("<svg><style><!--<math><mi>" * 500, id="foreign"),
        pytest.param("&#xD800;&#0;&#x110000;" * 100, id="references"),
        pytest.param("\U0010ffff\ufffe\u202e" * 100, id="odd-characters"),
    ],
)
def test_nothing_breaks(html: str | bytes) -> None:
    assert everything_of(husk.extract(html, URL))
    pages = dict.fromkeys((f"{URL}{number}" for number in range(4)), html)
    assert everything_of(husk.extract(html, f"{URL}0", pages))
    templates = husk.Templates("a.example")
    templates.learn(pages)
    assert templates.strip(html, URL).text is not None
    assert len(list(templates.rows(pages.items(), fields=("content", "menu", "template-id")))) == 4


@pytest.mark.parametrize("tag", ["<div>", "<b><i>"])
def test_deep_nesting(tag: str) -> None:
    page = tag * (MANY // len(tag)) + "the words within"
    assert husk.content(page).text == "the words within\n"


def test_deep_nesting_on_both_sides() -> None:
    links = "<a href=/1>1</a><a href=/2>2</a>"
    pages = {f"{URL}{number}": "<div>" * 100_000 + f"<p>{'word ' * number}</p>{links}" for number in range(3)}
    extraction = husk.extract(pages[f"{URL}2"], f"{URL}2", pages)
    assert extraction.loaded
    assert "word" in extraction.content.text


def test_lone_surrogates_are_refused() -> None:
    for html in ("<p>\ud800", "\udcff"):
        for give in (lambda: husk.Page(URL, html), lambda: husk.content(html, URL)):
            with pytest.raises(husk.InputError, match="surrogates not allowed") as actual:
                give()
            assert actual.value.url == URL
    with pytest.raises(UnicodeError, match="surrogates not allowed"):
        husk.Page("https://a.example/\ud800", "")


def test_charsets() -> None:
    cafe = "<p>Café au lait, naïvely".encode("latin-1")
    assert husk.content(cafe).text == "Café au lait, naïvely\n"
    page = husk.Page.from_response(URL, "<meta charset=latin-1><p>Café".encode(), content_type="text/html; charset=utf-8")
    assert page.charset == "utf-8"
    [row] = husk.Templates("a.example").rows([page])
    assert row.content == "Café\n"
    for wrong in ("utf-16", "no-such-charset", "", "utf-7"):
        [row] = husk.Templates("a.example").rows([husk.Page(URL, cafe, charset=wrong)])
        assert row.content is not None
    assert "\ufffd" in husk.content(b'<meta charset="utf-8"><p>Caf\xe9 au lait').text


@pytest.mark.parametrize("wrong", [memoryview(b"<p>"), 42, None, ["<p>"], object()])
def test_what_is_no_html(wrong: Any) -> None:
    kind = type(wrong).__name__
    with pytest.raises(TypeError, match=f"{URL}: HTML must be str or bytes, not {kind}"):
        husk.Page(URL, wrong)
    with pytest.raises(TypeError, match=f"HTML must be str or bytes, not {kind}"):
        husk.content(wrong)
    with pytest.raises(TypeError, match=f"{URL}: HTML must be str or bytes, not {kind}"):
        husk.Templates("a.example").strip((URL, wrong))


def test_a_bytearray_is_copied() -> None:
    buffer = bytearray(b"<p>before")
    page = husk.Page(URL, buffer)  # type: ignore[arg-type]
    buffer[3:] = b"behind"
    assert page.html == b"<p>before"


@pytest.mark.parametrize("url", ["", "page.html", "//a.example/", "http://", "https://[::1", "https://a b.example/", "\0"])
def test_invalid_urls(url: str) -> None:
    with pytest.raises(husk.UrlError) as caught:
        husk.Page(url, "<p>")
    assert caught.value.url == url


@pytest.mark.parametrize("url", ["mailto:a@b.example", "data:text/html,x", "javascript:1", "file:///etc/passwd", "about:blank"])
def test_unusual_urls(url: str) -> None:
    assert everything_of(husk.extract("<p>Words", url, LIGHTHOUSE_SITE.pages))


def test_nothing_asks_for_other_sites() -> None:
    others = ("https://b.example/", "file:///etc/passwd", "http://127.0.0.1/", "ftp://a.example/x")
    links = "".join(f"<li><a href='{url}'>x</a>" for url in others)
    session = husk.Session(URL, f"<ul><li><a href={URL}>self</a>{links}</ul>")
    assert session.next_wanted() is None


@pytest.mark.parametrize("url", HOSTILE_SITE.pages)
def test_results_run_nothing(url: str) -> None:
    extraction = husk.extract(HOSTILE_SITE.pages[url], url, HOSTILE_SITE.pages)
    for written in (extraction.content.html, extraction.template.html, extraction.pagelets.html, extraction.content.document):
        assert "<script" not in written.lower().replace("&lt;script", "")
        assert "javascript:" not in written.lower()


def test_a_damaged_packed_page() -> None:
    packed = husk.Page(TICKETS, LIGHTHOUSE_SITE.pages[TICKETS]).pack()
    again = husk.Page.unpack(packed)
    assert (again.url, again.html) == (TICKETS, LIGHTHOUSE_SITE.pages[TICKETS])
    for wrong in (b"", packed[:5], packed[: len(packed) // 2], b"\xff" * 100):
        with pytest.raises(husk.InputError, match="cannot unpack a page"):
            husk.Page.unpack(wrong)
