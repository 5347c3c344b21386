"""An extraction whose pages are brought by a function of the caller's."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Union

from . import _husk
from .errors import LoadError, SessionError
from .options import to_json
from .pages import Page, PageLike, page_of
from .results import Extraction

Loader = Callable[[str], Union[PageLike, None, Awaitable[Union[PageLike, None]]]]
"""From an address to its page, at once or to be awaited. What it raises is noted as the reason why there is no page."""


class Session:
    """One extraction under way: it asks for pages, is given them, and finishes.

    With ``load`` all of this is done by `run`, or by `run_async` if pages are awaited. Without it, `next_wanted` tells which
    page is needed, and `give` or `give_up` answer.
    """

    def __init__(
        self, url: str, html: str | bytes | Page | None = None, *, load: Loader | None = None, **options: Any
    ) -> None:
        if html is None and load is None:
            raise SessionError(f"{url}: give its HTML, or a function that loads it (load=)", url)
        self._url, self._load, self._options = url, load, to_json(options)
        self._key_page = html if html is None or isinstance(html, Page) else Page(url, html)
        self._session: _husk.Session | None = None
        self._is_finished = False
        if self._key_page is not None:
            self._session = _husk.Session(self._key_page, self._options)
        else:
            # A mistake in the options is told before anything is loaded.
            _husk.Session(Page(url, ""), self._options)

    @property
    def _open(self) -> _husk.Session:
        if self._is_finished:
            raise SessionError(f"the session for {self._url} is finished: begin another one", self._url)
        if self._session is None:
            raise SessionError(f"{self._url} is not loaded yet: use run() or run_async()", self._url)
        return self._session

    def next_wanted(self) -> str | None:
        """The address of the page that is needed next; none when enough is known."""
        return self._open.next_wanted()

    def wanted_ahead(self) -> list[str]:
        """Pages that will be needed in any case unless something goes wrong, the next one first."""
        return self._open.wanted_ahead()

    def wanted_at_most(self) -> int:
        """How many more pages may be needed."""
        return self._open.wanted_at_most()

    def why_wanted(self) -> str | None:
        """Why the next page is needed."""
        return self._open.why_wanted()

    def give(self, page: PageLike) -> None:
        """Gives the page that was asked for. Its address may be another one, after a redirect."""
        wanted = self.next_wanted()
        if wanted is None:
            raise SessionError(f"the session for {self._url} asks for no page: finish it", self._url)
        self._open.give(page_of(page, wanted))

    def give_up(self, cause: str) -> None:
        """Says that the page that was asked for cannot be had, and why."""
        if self.next_wanted() is None:
            raise SessionError(f"the session for {self._url} asks for no page: finish it", self._url)
        self._open.give_up(cause)

    def wants_urls(self) -> bool:
        """Whether there are too few links, so that a list of the site's pages would help."""
        return self._open.wants_urls()

    def offer(self, addresses: Iterable[str]) -> None:
        """Offers addresses of pages of the site."""
        self._open.offer(list(addresses))

    def finish(self) -> Extraction:
        """Extracts from what was given so far. The session is used up."""
        session = self._open
        self._is_finished = True
        return Extraction(session.finish())

    def run(self, addresses: Iterable[str] = ()) -> Extraction:
        """Loads what is needed by the session's loader. ``addresses`` are asked for where links are too few."""
        load = self._loader()
        if self._session is None:
            self._begin(lambda: _now(load(self._url), self._url))
        rest = list(addresses)
        while True:
            while (wanted := self.next_wanted()) is not None:
                try:
                    page = given(_now(load(wanted), wanted), wanted)
                except SessionError:
                    raise
                except Exception as cause:
                    self.give_up(_reason(cause, wanted))
                else:
                    self.give(page)
            if not self._ask_for_more(rest):
                return self.finish()

    async def run_async(self, addresses: Iterable[str] = (), *, concurrency: int = 1) -> Extraction:
        """The same for loaders that are awaited; ``concurrency`` says how many pages may be loaded at once."""
        # asyncio takes longer to import than all else here, and most never use it.
        import asyncio

        from .prefetch import Prefetcher, attempt

        load = self._loader()
        if self._session is None:
            self._begin_with(await attempt(load, self._url))
        loading = Prefetcher(load, concurrency)
        rest = list(addresses)
        try:
            while True:
                while (wanted := self.next_wanted()) is not None:
                    outcome = await loading.page(wanted, self.wanted_ahead())
                    if isinstance(outcome, Exception):
                        self.give_up(_reason(outcome, wanted))
                    else:
                        # It takes a while, and others have work to do.
                        await asyncio.to_thread(self.give, outcome)
                if not self._ask_for_more(rest):
                    return await asyncio.to_thread(self.finish)
        finally:
            await loading.cancel()

    def _loader(self) -> Loader:
        if self._load is None:
            raise SessionError(f"{self._url}: run needs a function that loads pages (load=)", self._url)
        return self._load

    def _begin(self, load: Callable[[], Any]) -> None:
        try:
            outcome: Page | Exception = given(load(), self._url)
        except SessionError:
            raise
        except Exception as cause:
            outcome = cause
        self._begin_with(outcome)

    def _begin_with(self, outcome: Page | Exception) -> None:
        if isinstance(outcome, SessionError):
            raise outcome
        if isinstance(outcome, Exception):
            raise LoadError(f"{self._url} cannot be loaded: {_reason(outcome, self._url)}", self._url) from outcome
        self._session = _husk.Session(outcome, self._options)

    def _ask_for_more(self, rest: list[str]) -> bool:
        if not self.wants_urls():
            return False
        self.offer(rest)
        return True


def _now(loaded: Any, url: str) -> Any:
    if inspect.isawaitable(loaded):
        if inspect.iscoroutine(loaded):
            loaded.close()
        raise SessionError(f"the loader's answer for {url} has to be awaited: use `await session.run_async()`", url)
    return loaded


def given(loaded: Any, url: str) -> Page:
    """The page that a loader answered; raises if it has none."""
    if loaded is None:
        raise LoadError(f"the loader has no page for {url}", url)
    return page_of(loaded, url)


def _reason(cause: Exception, url: str) -> str:
    told = str(cause) or type(cause).__name__
    return told if url in told else f"{url}: {told}"
