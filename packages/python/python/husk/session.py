"""Extractions that ask the caller for pages."""

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
"""Loads the page at a URL, directly or as an awaitable. Exceptions are recorded as the reason for a failed page."""


class Session:
    """An extraction in progress: it asks for pages, gets them, and finishes.

    With ``load``, call `run`, or `run_async` if the loader is asynchronous. Without it, loop over `next_wanted`, and answer with
    `give` or `give_up`.
    """

    def __init__(
        self, url: str, html: str | bytes | Page | None = None, *, load: Loader | None = None, **options: Any
    ) -> None:
        if html is None and load is None:
            raise SessionError(f"{url}: expected its HTML, or a function that loads pages (load=)", url)
        self._url, self._load, self._options = url, load, to_json(options)
        self._key_page = html if html is None or isinstance(html, Page) else Page(url, html)
        self._session: _husk.Session | None = None
        self._is_finished = False
        if self._key_page is not None:
            self._session = _husk.Session(self._key_page, self._options)
        else:
            # Fails on invalid options before anything is loaded.
            _husk.Session(Page(url, ""), self._options)

    @property
    def _open(self) -> _husk.Session:
        if self._is_finished:
            raise SessionError(f"the session for {self._url} is finished: create a new one", self._url)
        if self._session is None:
            raise SessionError(f"{self._url} is not loaded yet: use run() or run_async()", self._url)
        return self._session

    def next_wanted(self) -> str | None:
        """URL of the next page needed; none if no more pages are needed."""
        return self._open.next_wanted()

    def wanted_ahead(self) -> list[str]:
        """URLs that will certainly be needed unless loading fails, the next one first."""
        return self._open.wanted_ahead()

    def wanted_at_most(self) -> int:
        """Maximum number of pages still needed."""
        return self._open.wanted_at_most()

    def why_wanted(self) -> str | None:
        """Why the next page is needed."""
        return self._open.why_wanted()

    def give(self, page: PageLike) -> None:
        """Answers with the page. Its URL may differ after a redirect."""
        wanted = self.next_wanted()
        if wanted is None:
            raise SessionError(f"the session for {self._url} needs no page: call finish()", self._url)
        self._open.give(page_of(page, wanted))

    def give_up(self, cause: str) -> None:
        """Answers that the page can't be loaded, and why."""
        if self.next_wanted() is None:
            raise SessionError(f"the session for {self._url} needs no page: call finish()", self._url)
        self._open.give_up(cause)

    def wants_urls(self) -> bool:
        """Whether a list of the site's URLs would help, since there are too few links."""
        return self._open.wants_urls()

    def offer(self, urls: Iterable[str]) -> None:
        """Offers URLs of pages of the site."""
        self._open.offer(list(urls))

    def finish(self) -> Extraction:
        """Extracts from the pages given so far, and ends the session."""
        session = self._open
        self._is_finished = True
        return Extraction(session.finish())

    def run(self, urls: Iterable[str] = ()) -> Extraction:
        """Loads pages with the loader until the extraction is complete. ``urls`` are used if there are too few links."""
        load = self._loader()
        if self._session is None:
            self._begin(lambda: _not_awaitable(load(self._url), self._url))
        rest = list(urls)
        while True:
            while (wanted := self.next_wanted()) is not None:
                try:
                    page = loaded_page(_not_awaitable(load(wanted), wanted), wanted)
                except SessionError:
                    raise
                except Exception as cause:
                    self.give_up(_reason(cause, wanted))
                else:
                    self.give(page)
            if not self._ask_for_more(rest):
                return self.finish()

    async def run_async(self, urls: Iterable[str] = (), *, concurrency: int = 1) -> Extraction:
        """The same for asynchronous loaders; ``concurrency`` is the number of pages loaded at once."""
        # Slow to import, and most callers don't need it.
        import asyncio

        from .prefetch import Prefetcher, attempt

        load = self._loader()
        if self._session is None:
            self._begin_with(await attempt(load, self._url))
        loading = Prefetcher(load, concurrency)
        rest = list(urls)
        try:
            while True:
                while (wanted := self.next_wanted()) is not None:
                    outcome = await loading.page(wanted, self.wanted_ahead())
                    if isinstance(outcome, Exception):
                        self.give_up(_reason(outcome, wanted))
                    else:
                        # Don't block the event loop.
                        await asyncio.to_thread(self.give, outcome)
                if not self._ask_for_more(rest):
                    return await asyncio.to_thread(self.finish)
        finally:
            await loading.cancel()

    def _loader(self) -> Loader:
        if self._load is None:
            raise SessionError(f"{self._url}: run() needs a function that loads pages (load=)", self._url)
        return self._load

    def _begin(self, load: Callable[[], Any]) -> None:
        try:
            outcome: Page | Exception = loaded_page(load(), self._url)
        except SessionError:
            raise
        except Exception as cause:
            outcome = cause
        self._begin_with(outcome)

    def _begin_with(self, outcome: Page | Exception) -> None:
        if isinstance(outcome, SessionError):
            raise outcome
        if isinstance(outcome, Exception):
            raise LoadError(f"cannot load {self._url}: {_reason(outcome, self._url)}", self._url) from outcome
        self._session = _husk.Session(outcome, self._options)

    def _ask_for_more(self, rest: list[str]) -> bool:
        if not self.wants_urls():
            return False
        self.offer(rest)
        return True


def _not_awaitable(loaded: Any, url: str) -> Any:
    if inspect.isawaitable(loaded):
        if inspect.iscoroutine(loaded):
            loaded.close()
        raise SessionError(f"the loader returned an awaitable for {url}: use `await session.run_async()`", url)
    return loaded


def loaded_page(loaded: Any, url: str) -> Page:
    """The page that a loader returned. Raises `LoadError` if it is none."""
    if loaded is None:
        raise LoadError(f"the loader returned no page for {url}", url)
    return page_of(loaded, url)


def _reason(cause: Exception, url: str) -> str:
    message = str(cause) or type(cause).__name__
    return message if url in message else f"{url}: {message}"
