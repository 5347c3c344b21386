"""Extraction in one call, from given pages."""

from __future__ import annotations

from typing import Any

from . import _husk
from .options import to_json
from .pages import Page, PagesLike, pages_of
from .results import Content, Extraction, Menu, Pagelets, Template

NO_URL = "https://page.invalid/"
"""URL of pages without one; their relative links resolve against it."""


def extract(html: str | bytes, url: str, pages: PagesLike = (), **options: Any) -> Extraction:
    """Compares a page with those of ``pages`` that are needed."""
    return Extraction(_husk.extract(Page(url, html), pages_of(pages), to_json(options)))


def template(html: str | bytes, url: str, pages: PagesLike, **options: Any) -> Template:
    """The template of a page. Raises `NoSiblingError` if no page of ``pages`` is similar enough."""
    return extract(html, url, pages, **options).template


def menu(html: str | bytes, url: str, pages: PagesLike, **options: Any) -> Menu:
    """The main menu of a page. Raises `NoSiblingError` or `NoMenuError` if there is none."""
    return extract(html, url, pages, **options).menu


def content(html: str | bytes, url: str = NO_URL, pages: PagesLike = (), **options: Any) -> Content:
    """The main content of a page. Without other pages of the site, its ``method`` is ``single-page``."""
    return extract(html, url, pages, **options).content


def pagelets(html: str | bytes, url: str, pages: PagesLike, **options: Any) -> Pagelets:
    """The blocks of a page with their functions. Raises `NoSiblingError` if no page of ``pages`` is similar enough."""
    extraction = extract(html, url, pages, **options)
    extraction.require_sibling()
    return extraction.pagelets


def formats(part: str) -> dict[str, str]:
    """The formats that `Extraction.write` has for ``template``, ``menu``, ``content``, ``pagelets`` or ``inspect``, with their help."""
    return dict(_husk.formats(part))
