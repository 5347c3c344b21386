"""Sessions whose pages are awaited."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import httpx
import pytest
from loopback import serving
from site_pages import LIGHTHOUSE_SITE, TICKETS

import husk

load = LIGHTHOUSE_SITE.load


class Loader:
    """Loads as a server far away would, and counts what it does at once."""

    def __init__(self) -> None:
        self.now = self.most = self.begun = self.cancelled = 0

    async def __call__(self, url: str) -> Any:
        self.now, self.begun = self.now + 1, self.begun + 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(0.005)
            return load(url)
        finally:
            self.now -= 1


def test_the_same_as_without_awaiting(tickets: husk.Extraction) -> None:
    extraction = asyncio.run(husk.Session(TICKETS, load=Loader()).run_async())
    assert extraction.template.to_dict() == tickets.template.to_dict()


def test_loaders_need_not_be_awaited(tickets: husk.Extraction) -> None:
    extraction = asyncio.run(husk.Session(TICKETS, load=load).run_async())
    assert extraction.template.html == tickets.template.html


@pytest.mark.parametrize(("concurrency", "most"), [(0, 1), (1, 1), (2, 2)])
def test_concurrency_is_a_limit_that_is_reached(concurrency: int, most: int, tickets: husk.Extraction) -> None:
    loader = Loader()
    session = husk.Session(TICKETS, load=loader)
    extraction = asyncio.run(session.run_async(concurrency=concurrency))
    assert loader.most == most
    assert extraction.template.to_dict() == tickets.template.to_dict()


@pytest.mark.parametrize("url", LIGHTHOUSE_SITE.pages)
def test_concurrency_does_not_change_the_result(url: str) -> None:
    one_by_one = husk.Session(url, load=load).run()
    at_once = asyncio.run(husk.Session(url, load=Loader()).run_async(concurrency=8))
    assert at_once.template.to_dict() == one_by_one.template.to_dict()


def test_urls_are_used_if_there_are_too_few_links() -> None:
    pages = {f"https://a.example/{number}": f"<h1>All say</h1><p>{'word' * number} {number}" for number in range(1, 6)}

    async def load_page(url: str) -> str:
        return pages[url]

    session = husk.Session("https://a.example/1", load=load_page)
    assert asyncio.run(session.run_async(urls=pages)).visits[0].why == "listed"


def test_siblings_that_cannot_be_had() -> None:
    async def only_key_page(url: str) -> Any:
        if url != TICKETS:
            raise TimeoutError("too slow")
        return load(url)

    extraction = asyncio.run(husk.Session(TICKETS, load=only_key_page).run_async(concurrency=3))
    assert extraction.failed
    assert all(cause.endswith(": too slow") for cause in extraction.failed.values())


def test_without_the_key_page_there_is_nothing() -> None:
    async def refuse(url: str) -> Any:
        raise ConnectionError("no cable")

    with pytest.raises(husk.LoadError, match=f"cannot load {TICKETS}: .*no cable") as caught:
        asyncio.run(husk.Session(TICKETS, load=refuse).run_async())
    assert caught.value.url == TICKETS
    assert isinstance(caught.value.__cause__, ConnectionError)


def test_nothing_goes_on_after_the_end() -> None:
    async def run() -> set[asyncio.Task[Any]]:
        await husk.Session(TICKETS, load=Loader()).run_async(concurrency=8)
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(run()) == set()


def test_cancelling_ends_all_loads() -> None:
    loading = Loader()

    async def never(url: str) -> Any:
        if url != TICKETS:
            loading.begun += 1
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                # A client closes its connection.
                await asyncio.sleep(0.01)
                loading.cancelled += 1
                raise
        return load(url)

    async def run() -> set[asyncio.Task[Any]]:
        task = asyncio.ensure_future(husk.Session(TICKETS, load=never).run_async(concurrency=2))
        while loading.begun < 2:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(run()) == set()
    assert (loading.begun, loading.cancelled) == (2, 2)


def test_pages_are_taken_in_beside_the_loop() -> None:
    """The loop goes on while a page is worked on: work is done by other threads."""
    workers: set[int] = set()

    class Watched(husk.Session):
        def give(self, page: Any) -> None:
            workers.add(threading.get_ident())
            super().give(page)

    asyncio.run(Watched(TICKETS, load=Loader()).run_async())
    assert workers
    assert threading.get_ident() not in workers


def test_with_httpx(tickets: husk.Extraction) -> None:
    async def run(address: str) -> husk.Extraction:
        async with httpx.AsyncClient(follow_redirects=True, trust_env=False) as client:
            return await husk.Session(f"{address}/visit/tickets/", load=client.get).run_async(concurrency=2)

    with serving(LIGHTHOUSE_SITE.folder) as server:
        extraction = asyncio.run(run(server.address))
    assert [url.removeprefix(server.address) for url in extraction.loaded] == [
        url.removeprefix("https://lighthouse.example") for url in tickets.loaded
    ]
    assert extraction.content.text == tickets.content.text


def test_many_sessions_at_once(tickets: husk.Extraction) -> None:
    async def run() -> list[husk.Extraction]:
        return await asyncio.gather(*(husk.Session(TICKETS, load=Loader()).run_async() for _ in range(10)))

    for extraction in asyncio.run(run()):
        assert extraction.template.html == tickets.template.html
