"""Sessions: they ask for pages, and a loader or the caller brings them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest
import requests
from loopback import serving
from responses import Response, ScrapyResponse, UnreadResponse
from site_pages import LIGHTHOUSE_SITE, TICKETS

import husk

load = LIGHTHOUSE_SITE.load


def page_at(url: str) -> bytes:
    return load(url)[1]


def address_of(url: str) -> str:
    return load(url)[0]


def test_by_hand(tickets: husk.Extraction) -> None:
    session = husk.Session(TICKETS, page_at(TICKETS))
    assert session.why_wanted() == "in a list of links with the key page"
    assert session.wanted_ahead()[0] == session.next_wanted()
    assert session.wanted_at_most() >= len(session.wanted_ahead())
    while (wanted := session.next_wanted()) is not None:
        session.give(load(wanted))
    assert session.wanted_at_most() == 0
    assert not session.wants_urls()
    assert session.finish().template.html == tickets.template.html


def test_pages_that_cannot_be_had() -> None:
    session = husk.Session(TICKETS, page_at(TICKETS))
    first = session.next_wanted()
    assert first is not None
    session.give_up("the boat is gone")
    while (wanted := session.next_wanted()) is not None:
        session.give(load(wanted))
    extraction = session.finish()
    assert extraction.failed == {first: "the boat is gone"}
    assert extraction.visits[0] == husk.Visit(first, None, "beside-key-page", "unavailable", "the boat is gone")


def test_a_finished_session_says_so() -> None:
    session = husk.Session(TICKETS, page_at(TICKETS))
    session.finish()
    for ask in (session.finish, session.next_wanted, session.wanted_ahead, session.wants_urls):
        with pytest.raises(husk.SessionError, match="is finished: create a new one") as caught:
            ask()
        assert caught.value.url == TICKETS


def test_a_page_that_nobody_asked_for_is_refused() -> None:
    session = husk.Session("https://a.example/", "<p>No link at all")
    assert session.next_wanted() is None
    with pytest.raises(husk.SessionError, match="needs no page"):
        session.give("<p>Another page")


def test_urls_can_be_offered() -> None:
    pages = {f"https://a.example/{number}": f"<h1>All say</h1><p>{'word' * number} {number}" for number in range(1, 6)}
    key_page = "https://a.example/1"
    session = husk.Session(key_page, pages[key_page])
    assert session.next_wanted() is None
    assert session.wants_urls()
    session.offer([*pages, "no URL"])
    assert session.next_wanted() in pages
    by_run = husk.Session(key_page, load=pages.__getitem__).run(urls=pages)
    assert by_run.visits[0].why == "listed"


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(lambda url: page_at(url), id="bytes"),
        pytest.param(lambda url: page_at(url).decode(), id="str"),
        pytest.param(load, id="pair"),
        pytest.param(lambda url: husk.Page(*load(url)), id="page"),
        pytest.param(lambda url: Response(address_of(url), page_at(url)), id="requests-like"),
        pytest.param(lambda url: Response(httpx.URL(address_of(url)), page_at(url)), id="url-object"),
        pytest.param(lambda url: Response(address_of(url), page_at(url), headers={}), id="no-headers"),
        pytest.param(lambda url: ScrapyResponse(address_of(url), page_at(url)), id="scrapy-like"),
    ],
)
def test_what_loaders_may_return(answer: Callable[[str], Any], tickets: husk.Extraction) -> None:
    extraction = husk.Session(TICKETS, load=answer).run()
    assert len(extraction.compared) == len(tickets.compared)
    assert extraction.menu.entries == tickets.menu.entries


def test_the_charset_of_a_response_is_heeded() -> None:
    # Nobody would guess that this is meant to be Greek.
    answer = ScrapyResponse("https://a.example/", b"<p>caf\xe9 au lait")
    answer.headers["content-type"] = b"text/html; charset=iso-8859-7"
    assert husk.Session("https://a.example/", load=lambda url: answer).run().content.text == "cafι au lait\n"


def test_redirects_change_the_url(tickets: husk.Extraction) -> None:
    extraction = husk.Session(TICKETS, load=lambda url: Response(address_of(url), page_at(url))).run()
    assert extraction.loaded == tickets.loaded
    assert extraction.visits[0].url == f"{tickets.loaded[1]}index.html"
    assert extraction.visits[0].found_at == tickets.loaded[1]


def only_key_page(otherwise: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda url: page_at(url) if url == TICKETS else otherwise(url)


def raising(cause: Exception) -> Callable[[str], Any]:
    def load_nothing(url: str) -> Any:
        raise cause

    return load_nothing


@pytest.mark.parametrize(
    ("answer", "actual"),
    [
        (raising(TimeoutError("too slow")), "too slow"),
        (raising(KeyError()), "KeyError"),
        (lambda url: None, "the loader returned no page for"),
        (lambda url: 42, "int is not a page for"),
        (lambda url: ("one", "two", "three"), "tuple is not a page for"),
        (lambda url: Response(url, b"gone", status_code=404), "answers 404 Not Found"),
        (lambda url: Response(url, b"\x89PNG", headers={"content-type": "image/png"}), "is an image, not a page"),
        (lambda url: UnreadResponse(url, object()), "has no bytes in `content` or `body`: read the body first"),
        (lambda url: ("not a URL", b"<p>"), "is not a URL"),
        (lambda url: "<p>\ud800", "surrogates not allowed"),
    ],
)
def test_errors_of_siblings_are_recorded(answer: Callable[[str], Any], actual: str) -> None:
    extraction = husk.Session(TICKETS, load=only_key_page(answer)).run()
    assert extraction.failed
    for url, cause in extraction.failed.items():
        assert actual in cause
        assert url in cause
    with pytest.raises(husk.NoSiblingError, match=actual.split("`")[0]) as caught:
        _ = extraction.template
    assert caught.value.url == TICKETS
    assert extraction.content.method == "single-page"


@pytest.mark.parametrize("answer", [raising(ConnectionError("no cable")), lambda url: None, lambda url: Response(url, b"", 500)])
def test_without_the_key_page_there_is_nothing(answer: Callable[[str], Any]) -> None:
    with pytest.raises(husk.LoadError, match=f"cannot load {TICKETS}: ") as caught:
        husk.Session(TICKETS, load=answer).run()
    assert caught.value.url == TICKETS
    assert isinstance(caught.value.__cause__, Exception)


def test_interruptions_are_not_swallowed() -> None:
    def interrupted(url: str) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        husk.Session(TICKETS, load=only_key_page(interrupted)).run()


@pytest.mark.filterwarnings("error")
def test_run_refuses_what_has_to_be_awaited() -> None:
    async def load_later(url: str) -> bytes:
        return page_at(url)

    with pytest.raises(husk.SessionError, match=r"use `await session.run_async\(\)`") as caught:
        husk.Session(TICKETS, load=load_later).run()
    assert caught.value.url == TICKETS
    with pytest.raises(husk.SessionError, match="returned an awaitable"):
        husk.Session(TICKETS, page_at(TICKETS), load=load_later).run()


def test_what_a_session_needs() -> None:
    with pytest.raises(husk.SessionError, match="expected its HTML, or a function that loads pages"):
        husk.Session(TICKETS)
    with pytest.raises(husk.SessionError, match=r"run\(\) needs a function that loads pages"):
        husk.Session(TICKETS, page_at(TICKETS)).run()
    with pytest.raises(husk.SessionError, match="is not loaded yet"):
        husk.Session(TICKETS, load=load).next_wanted()
    with pytest.raises(husk.UrlError, match="is not a URL"):
        husk.Session("visit/tickets", load=load)


def test_with_requests(tickets: husk.Extraction) -> None:
    with serving(LIGHTHOUSE_SITE.folder) as server, requests.Session() as client:
        url = f"{server.address}/visit/tickets/"
        extraction = husk.Session(url, load=lambda url: client.get(url, timeout=10)).run()
        assert extraction.loaded == [at(server.address, url) for url in tickets.loaded]
        assert extraction.content.text == tickets.content.text
        assert "/visit/opening-hours/index.html" in server.asked


def at(address: str, url: str) -> str:
    return url.replace("https://lighthouse.example", address)


def test_it_ends_for_a_site_without_end() -> None:
    """Every page links to new ones."""
    asked = 0

    def endless(url: str) -> str:
        nonlocal asked
        asked += 1
        links = "".join(f"<li><a href=/{asked}/{number}>{asked} {number}</a>" for number in range(50))
        return f"<title>{url}</title><ul>{links}</ul><p>{time.monotonic_ns()}"

    husk.Session("https://endless.example/", load=endless).run()
    assert asked < 100
