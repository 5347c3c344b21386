"""Husk: web template extraction.

Given a page and others of its site, it tells the template (what the site wraps around every page) from the content (what
is only here)::

    content = husk.content(html, url="https://example.org/a", pages={...})
    print(content.markdown)

Whole sites are learned once and stripped page by page: `Site` and `Templates`. A `Session` asks for the pages it needs.
``husk.spark`` does all of this for crawls on a cluster.
"""

from ._husk import Page, Row, __version__
from .errors import (
    UrlError,
    HuskError,
    InputError,
    LoadError,
    NoMenuError,
    NoSiblingError,
    NotAPageError,
    OptionError,
    SessionError,
    TemplatesError,
)
from .functions import content, extract, menu, pagelets, template
from .options import default_options
from .results import Content, Entry, Extraction, Menu, Node, Pagelet, Pagelets, Slot, Template, Visit
from .session import Session
from .site import Layout, Lesson, Site, Stripped, Templates

__all__ = [
    "UrlError",
    "Content",
    "Entry",
    "Extraction",
    "HuskError",
    "InputError",
    "Layout",
    "Lesson",
    "LoadError",
    "Menu",
    "NoMenuError",
    "NoSiblingError",
    "Node",
    "NotAPageError",
    "OptionError",
    "Page",
    "Pagelet",
    "Pagelets",
    "Row",
    "Session",
    "SessionError",
    "Site",
    "Slot",
    "Stripped",
    "Template",
    "Templates",
    "TemplatesError",
    "Visit",
    "__version__",
    "content",
    "default_options",
    "extract",
    "menu",
    "pagelets",
    "template",
]
