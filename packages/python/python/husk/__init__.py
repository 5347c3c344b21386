"""Husk: separate a web page's template from its content.

Given a page and other pages of its site::

    content = husk.content(html, url="https://example.org/a", pages={...})
    print(content.markdown)

`Site` and `Templates` learn a site once and strip page by page. A `Session` asks for the pages it needs. ``husk.spark``,
``husk.ray`` and ``husk.dask`` process crawls on many machines.
"""

from ._husk import Page, Row, __version__
from .errors import (
    HuskError,
    InputError,
    LoadError,
    NoContentError,
    NoMenuError,
    NoSiblingError,
    NotAPageError,
    OptionError,
    SessionError,
    TemplatesError,
    UrlError,
)
from .functions import content, extract, formats, menu, pagelets, template
from .options import default_options
from .results import Content, Extraction, Menu, MenuItem, Node, Pagelet, Pagelets, Slot, Template, Visit
from .session import Session
from .site import Layout, Lesson, Site, StoredSite, Stripped, Templates, TemplateStore

__all__ = [
    "Content",
    "Extraction",
    "HuskError",
    "InputError",
    "Layout",
    "Lesson",
    "LoadError",
    "Menu",
    "MenuItem",
    "NoContentError",
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
    "StoredSite",
    "Stripped",
    "Template",
    "TemplateStore",
    "Templates",
    "TemplatesError",
    "UrlError",
    "Visit",
    "__version__",
    "content",
    "default_options",
    "extract",
    "formats",
    "menu",
    "pagelets",
    "template",
]
