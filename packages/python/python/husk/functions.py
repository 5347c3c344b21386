"""One call for pages that are at hand."""

from __future__ import annotations

from typing import Any

from . import _husk
from .options import to_json
from .pages import Page, PagesLike, pages_of
from .results import Content, Extraction, Menu, Pagelets, Template

NO_URL = "https://page.invalid/"
"""The address of a page that was given without one: links on it lead there."""


def extract(html: str | bytes, url: str, pages: PagesLike = (), **options: Any) -> Extraction:
    """All that other pages of the site tell about a page. Of ``pages`` those are compared that the page asks for."""
    found = _husk.extract(Page(url, html), pages_of(pages), to_json(options))
    return Extraction(found)


def template(html: str | bytes, url: str, pages: PagesLike, **options: Any) -> Template:
    """The template of a page, found with other pages of its site. Raises `NoSiblingError` if none of them is of use."""
    return extract(html, url, pages, **options).template


def menu(html: str | bytes, url: str, pages: PagesLike, **options: Any) -> Menu:
    """The main menu of a page's site. Raises `NoSiblingError` or `NoMenuError` if it cannot be told."""
    return extract(html, url, pages, **options).menu


def content(html: str | bytes, url: str = NO_URL, pages: PagesLike = (), **options: Any) -> Content:
    """What a reader came for. Without other pages of the site it is told by the page alone: see ``method``."""
    return extract(html, url, pages, **options).content


def pagelets(html: str | bytes, url: str, pages: PagesLike, **options: Any) -> Pagelets:
    """The blocks of a page with their functions. Raises `NoSiblingError` if no page is of use: `content` needs none."""
    extraction = extract(html, url, pages, **options)
    extraction.require_sibling()
    return extraction.pagelets
