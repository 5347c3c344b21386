"""What callers have for a page, made a `Page`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Union

from ._husk import Page as Page

PageLike = Union[Page, "tuple[str, str | bytes]", Any]
"""A `Page`, an address with its HTML, or the response of an HTTP client."""

PagesLike = Union[Iterable[PageLike], Mapping[str, "str | bytes"]]
"""Pages, or HTML by address."""


def page_of(value: PageLike, wanted: str | None = None) -> Page:
    """A page from what somebody has of it; ``wanted`` is its address if that is known otherwise."""
    if isinstance(value, Page):
        return value
    if isinstance(value, (str, bytes)):
        if wanted is None:
            raise TypeError("HTML without its address: give husk.Page(url, html), or the pair (url, html)")
        return Page(wanted, value)
    if isinstance(value, tuple) and len(value) == 2:
        return Page(str(value[0]), value[1])
    if hasattr(value, "url") and (hasattr(value, "headers") or hasattr(value, "status")):
        return _of_response(value)
    about = f" for {wanted}" if wanted else ""
    raise TypeError(
        f"{type(value).__name__} is no page{about}: give HTML, the pair (url, html), husk.Page, "
        "or a response of requests, httpx or scrapy"
    )


def pages_of(values: PagesLike) -> list[Page]:
    """All pages of a list or of a mapping from addresses to HTML."""
    if isinstance(values, Mapping):
        return [page_of((url, html)) for url, html in values.items()]
    if isinstance(values, (str, bytes)):
        raise TypeError("pages are a list of (url, html) or husk.Page, or HTML by address, not one text")
    return [page_of(value) for value in values]


def _of_response(response: Any) -> Page:
    """From requests and httpx (status_code, content) or scrapy (status, body)."""
    status = getattr(response, "status_code", None) or getattr(response, "status", None) or 200
    body = getattr(response, "content", None)
    if not isinstance(body, bytes):
        body = getattr(response, "body", None)
    if not isinstance(body, bytes):
        raise TypeError(f"the response for {response.url} has no bytes in `content` or `body`: read it first")
    kind = response.headers.get("content-type") if getattr(response, "headers", None) else None
    if isinstance(kind, bytes):
        kind = kind.decode("latin-1")
    return Page.from_response(str(response.url), body, status=int(status), content_type=kind)
