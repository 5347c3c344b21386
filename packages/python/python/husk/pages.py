"""Makes a `Page` from what callers have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Union

from ._husk import Page as Page

PageLike = Union[Page, "tuple[str, str | bytes]", Any]
"""A `Page`, a pair of URL and HTML, or the response of an HTTP client."""

PagesLike = Union[Iterable[PageLike], Mapping[str, "str | bytes"]]
"""Pages, or a mapping from URL to HTML."""


def page_of(value: PageLike, wanted: str | None = None) -> Page:
    """Makes a page; ``wanted`` is its URL if the value has none."""
    if isinstance(value, Page):
        return value
    if isinstance(value, (str, bytes)):
        if wanted is None:
            raise TypeError("HTML without a URL: pass husk.Page(url, html) or the pair (url, html)")
        return Page(wanted, value)
    if isinstance(value, tuple) and len(value) == 2:
        return Page(str(value[0]), value[1])
    if hasattr(value, "url") and (hasattr(value, "headers") or hasattr(value, "status")):
        return _of_response(value)
    suffix = f" for {wanted}" if wanted else ""
    raise TypeError(
        f"{type(value).__name__} is not a page{suffix}: expected HTML, the pair (url, html), husk.Page, "
        "or a response of requests, httpx or scrapy"
    )


def pages_of(values: PagesLike) -> list[Page]:
    """Makes pages from a list or mapping."""
    if isinstance(values, Mapping):
        return [page_of((url, html)) for url, html in values.items()]
    if isinstance(values, (str, bytes)):
        raise TypeError("pages must be a list of (url, html) or husk.Page, or a mapping from URL to HTML")
    return [page_of(value) for value in values]


def _of_response(response: Any) -> Page:
    """From requests and httpx (status_code, content) or scrapy (status, body)."""
    status = getattr(response, "status_code", None) or getattr(response, "status", None) or 200
    body = getattr(response, "content", None)
    if not isinstance(body, bytes):
        body = getattr(response, "body", None)
    if not isinstance(body, bytes):
        raise TypeError(f"the response for {response.url} has no bytes in `content` or `body`: read the body first")
    content_type = response.headers.get("content-type") if getattr(response, "headers", None) else None
    if isinstance(content_type, bytes):
        content_type = content_type.decode("latin-1")
    return Page.from_response(str(response.url), body, status=int(status), content_type=content_type)
