"""Makes a `Page` from a record of a crawl."""

from __future__ import annotations

import re

from .. import _husk
from ..errors import NotAPageError, UrlError
from ..functions import NO_URL

_TAG = re.compile(rb"<[a-zA-Z!/?]")


def page_of_crawl(url: object, html: str | bytes) -> _husk.Page:
    """The page; without a valid URL it belongs to no site.

    Raises `NotAPageError` if it is not HTML: a document of another type, or text without tags.
    """
    # JSON may contain lone surrogates.
    body = html.encode("utf-8", "replace") if isinstance(html, str) else html
    charset = "utf-8" if isinstance(html, str) else None
    page_url = url if isinstance(url, str) and url else NO_URL
    try:
        _husk.Page.from_response(page_url, body)
    except UrlError:
        page_url = NO_URL
        _husk.Page.from_response(page_url, body)
    if not _TAG.search(body):
        raise NotAPageError(f"{page_url} is not HTML: it has no tags", page_url)
    return _husk.Page(page_url, body, charset=charset)


def site_of(page: _husk.Page, same_site: str) -> str | None:
    """The site of a page; none if its URL has no host."""
    if page.url == NO_URL:
        return None
    return page.site(same_site) or None
