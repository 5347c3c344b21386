"""Threads: the engine works while others run. None of this is about time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from site_pages import LIGHTHOUSE_SITE, TICKETS

import husk

PAGES = LIGHTHOUSE_SITE.pages
LARGE = "".join(f"<div class=c{number}><p>paragraph {number} <a href=/{number}>link</a></p></div>" for number in range(20_000))
URL = "https://a.example/large"


@contextmanager
def holding_on() -> Iterator[None]:
    """Threads of Python hand over only where they have to wait or let go, not after some time."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def runs_beside(work: Callable[[], object]) -> bool:
    """Whether another thread can run while something works."""
    go, ran = threading.Event(), threading.Event()

    def other() -> None:
        go.wait()
        ran.set()

    thread = threading.Thread(target=other)
    thread.start()
    with holding_on():
        go.set()
        work()
        has_run = ran.is_set()
    thread.join()
    return has_run


def lets_others_run(work: Callable[[], object]) -> bool:
    """The same where the other thread has few chances: the machine may have better things to do just then."""
    return any(runs_beside(work) for _ in range(5))


def test_the_measure_can_fail() -> None:
    """What never lets go is noticed."""
    assert not lets_others_run(lambda: sum(range(100_000)))


def test_others_run_during_an_extraction() -> None:
    assert lets_others_run(lambda: husk.extract(LARGE, URL))


def test_others_run_while_results_are_written() -> None:
    extraction = husk.extract(LARGE, URL)
    assert lets_others_run(lambda: extraction.content.method)
    assert lets_others_run(lambda: extraction.content.markdown)
    assert lets_others_run(lambda: extraction.pagelets.text)


def test_others_run_while_a_page_is_stripped() -> None:
    templates = husk.Site(PAGES).learn()
    assert lets_others_run(lambda: templates.strip(LARGE, URL))
    assert lets_others_run(lambda: list(templates.rows([(URL, LARGE)])))
    assert lets_others_run(lambda: templates.learn({URL: LARGE}))


def test_others_run_while_a_session_takes_a_page_in() -> None:
    session = husk.Session(TICKETS, PAGES[TICKETS])

    def give_wanted() -> None:
        if session.next_wanted() is not None:
            session.give(LARGE)

    assert lets_others_run(give_wanted)


def test_two_threads_strip_at_once() -> None:
    """Each waits in the middle of its work for the other: if one had to end first, neither would."""
    templates = husk.Site(PAGES).learn()
    together = threading.Barrier(2, timeout=20)

    def pages() -> Iterator[tuple[str, bytes]]:
        for number, page in enumerate(list(PAGES.items()) * 4):
            if number % 10 == 5:
                together.wait()
            yield page

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: [row.to_json() for row in templates.rows(pages())], range(2))
    assert first == second == [row.to_json() for row in templates.rows(list(PAGES.items()) * 4)]


def test_one_object_from_many_threads() -> None:
    templates = husk.Site(PAGES).learn()
    expected = {url: templates.strip(html, url).text for url, html in PAGES.items()}
    extraction = husk.extract(PAGES[TICKETS], TICKETS, PAGES)
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda url: templates.strip(PAGES[url], url).text, list(PAGES) * 5))
        written = set(pool.map(lambda _: (extraction.content.markdown, extraction.template.html), range(40)))
    assert texts == list(expected.values()) * 5
    assert len(written) == 1


def test_learning_while_others_strip() -> None:
    templates = husk.Site(dict(list(PAGES.items())[:6])).learn()
    with ThreadPoolExecutor(4) as pool:
        work = [pool.submit(templates.strip, html, url) for url, html in PAGES.items()]
        templates.learn(PAGES)
        assert all(each.result().text for each in work)
    assert templates.pages == len(PAGES)


def test_a_session_may_go_to_another_thread(tickets: husk.Extraction) -> None:
    session = husk.Session(TICKETS, load=LIGHTHOUSE_SITE.load)
    with ThreadPoolExecutor(1) as pool:
        extraction = pool.submit(session.run).result()
    assert extraction.template.html == tickets.template.html


def test_one_session_from_two_threads_does_no_harm() -> None:
    session = husk.Session(TICKETS, PAGES[TICKETS])
    with ThreadPoolExecutor(2) as pool:
        given_up = [pool.submit(session.give_up, "none") for _ in range(20)]
        # When nothing is wanted any more, that is said.
        assert {type(each.exception()) for each in given_up} == {type(None), husk.SessionError}
        finished = [pool.submit(session.finish) for _ in range(2)]
        outcomes = [each.exception() for each in finished]
    assert [type(outcome) for outcome in outcomes].count(husk.SessionError) == 1
