"""From what a crawl has of a page to a `Page`."""

from __future__ import annotations

import re

from .. import _husk
from ..errors import AddressError, NotAPageError
from ..functions import NOWHERE

_TAG = re.compile(rb"<[a-zA-Z!/?]")


def page_of_crawl(url: object, html: str | bytes) -> _husk.Page:
    """The page, which belongs to no site if it has no address.

    Raises `NotAPageError` for what is not HTML: documents of other kinds, and text without a single tag.
    """
    # Half of a surrogate pair, which JSON may bring, is no text.
    body = html.encode("utf-8", "replace") if isinstance(html, str) else html
    charset = "utf-8" if isinstance(html, str) else None
    address = url if isinstance(url, str) and url else NOWHERE
    try:
        _husk.Page.from_answer(address, body)
    except AddressError:
        address = NOWHERE
        _husk.Page.from_answer(address, body)
    if not _TAG.search(body):
        raise NotAPageError(f"{address} has no tag in it: it is no HTML", address)
    return _husk.Page(address, body, charset=charset)


def site_of(page: _husk.Page, same_site: str) -> str | None:
    """The site of a page; none if its address does not tell."""
    if page.url == NOWHERE:
        return None
    return page.site(same_site) or None
