"""Loads several pages at once, ahead of their use."""

from __future__ import annotations

import asyncio
import inspect

from .pages import Page
from .session import Loader, loaded_page


class Prefetcher:
    """Loads the wanted page, and at the same time those that will be wanted next."""

    def __init__(self, load: Loader, concurrency: int) -> None:
        self._load, self._concurrency = load, max(1, concurrency)
        self._tasks: dict[str, asyncio.Task[Page | Exception]] = {}

    async def page(self, wanted: str, ahead: list[str]) -> Page | Exception:
        """The wanted page, or why it can't be loaded."""
        # `ahead` starts with it.
        for url in list(dict.fromkeys([wanted, *ahead]))[: self._concurrency]:
            if url not in self._tasks:
                self._tasks[url] = asyncio.ensure_future(attempt(self._load, url))
        outcome = await self._tasks[wanted]
        del self._tasks[wanted]
        return outcome

    async def cancel(self) -> None:
        """Cancels all loads and waits for them."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


async def attempt(load: Loader, url: str) -> Page | Exception:
    """The page, or the exception."""
    try:
        loaded = load(url)
        return loaded_page(await loaded if inspect.isawaitable(loaded) else loaded, url)
    except Exception as cause:
        return cause
