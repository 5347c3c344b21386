"""Results. Each format is produced on first use, then cached."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

from . import _husk
from .options import to_json
from .tint import tinted


@dataclass(frozen=True)
class Node:
    """A node of the page. Template nodes have support: how many of the compared pages have the node, and how many with the same
    text or target."""

    xpath: str
    support: int | None = None
    verbatim_support: int | None = None


@dataclass(frozen=True)
class Slot:
    """A place in the template where content was removed, numbered as in its HTML."""

    slot: int
    name: str | None
    parent: str
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class MenuItem:
    """An item of a menu."""

    label: str
    url: str | None
    children: tuple[MenuItem, ...]


@dataclass(frozen=True)
class Visit:
    """A page that was requested; ``outcome`` is ``compared``, ``refused`` or ``unavailable``."""

    url: str
    found_at: str | None
    why: str
    outcome: str
    cause: str | None


class _Result:
    """Base class of results."""

    _extraction: _husk.Extraction

    def __init__(self, extraction: _husk.Extraction) -> None:
        self._extraction = extraction

    @property
    def key_page(self) -> str:
        """URL of the page."""
        return self._extraction.key_page

    @property
    def loaded(self) -> list[str]:
        """URLs of all loaded pages, the key page first."""
        return self._extraction.loaded

    @property
    def compared(self) -> list[str]:
        """URLs of the pages that the key page was compared with."""
        return self._extraction.compared

    def _text(self, part: str, format: str, **options: Any) -> str:
        """A part in a format, even if it is empty."""
        return self._extraction.write(part, format, to_json(options), True)

    def _load(self, part: str, format: str = "json", **options: Any) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self._text(part, format, **options))
        return value

    def _repr_html_(self) -> str:
        marked: str = self._load("inspect", "page", offline=True)["html"]
        return tinted(marked, self.key_page, _summary(self._extraction))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.key_page}: {_summary(self._extraction)}>"


def _summary(extraction: _husk.Extraction) -> str:
    support = extraction.support
    if support == 0:
        return "extracted without a template"
    pages = len(extraction.compared)
    if pages == 0:
        return f"template learned from {support} pages"
    return f"compared with {pages} page{'' if pages == 1 else 's'}, {len(extraction.loaded)} loaded"


class Template(_Result):
    """The template of a page."""

    @cached_property
    def html(self) -> str:
        """HTML that opens in a browser, with marked slots and without scripts."""
        return self.to_html()

    def to_html(self, *, scripts: str = "drop", links: str = "absolute") -> str:
        """HTML; ``scripts="keep"`` keeps scripts, ``links="as-written"`` keeps URLs unchanged."""
        return self._text("template", "html", scripts=scripts, links=links)

    def for_engine(self, engine: str, *, scripts: str = "drop", links: str = "absolute") -> str:
        """A template for ``jinja``, ``liquid``, ``handlebars`` or ``html-slots``, with a named placeholder for each slot."""
        return self._text("template", engine, scripts=scripts, links=links)

    @cached_property
    def markdown(self) -> str:
        """Text of the template as Markdown."""
        return self._text("template", "markdown")

    @cached_property
    def text(self) -> str:
        """Text of the template."""
        return self._text("template", "text")

    @cached_property
    def nodes(self) -> list[Node]:
        """Elements and texts in document order, with their support."""
        return [Node(**node) for node in self.to_dict()["nodes"]]

    @cached_property
    def slots(self) -> list[Slot]:
        """Places where content was removed."""
        slots = self.to_dict()["slots"]
        return [Slot(slot["slot"], slot["name"], slot["parent"], tuple(slot["nodes"])) for slot in slots]

    @cached_property
    def xpath(self) -> str:
        """One XPath per line."""
        return self._text("template", "xpath")

    @cached_property
    def outline(self) -> str:
        """The page, one node per line, T in front of template nodes."""
        return self._text("template", "outline")

    @cached_property
    def selectors(self) -> str:
        """CSS selectors to exclude to get the content, one per line, with a tab and the reason."""
        return self._text("template", "selectors")

    @cached_property
    def _object(self) -> dict[str, Any]:
        return self._load("template")

    def to_dict(self) -> dict[str, Any]:
        """The output of ``husk template --format json``."""
        return self._object


class Menu(_Result):
    """The main menu of the page; with ``all`` also every other block of links."""

    def __init__(self, extraction: _husk.Extraction, all: bool = False) -> None:
        super().__init__(extraction)
        self._all = all

    @cached_property
    def html(self) -> str:
        """A list in HTML."""
        return self._text("menu", "html", all=self._all)

    @cached_property
    def markdown(self) -> str:
        """A list in Markdown."""
        return self._text("menu", "markdown", all=self._all)

    @cached_property
    def text(self) -> str:
        """Indented labels."""
        return self._text("menu", "text", all=self._all)

    @cached_property
    def nodes(self) -> list[Node]:
        """Nodes in document order."""
        return [Node(xpath) for xpath in self._text("menu", "xpath", all=self._all).splitlines()]

    @cached_property
    def entries(self) -> tuple[MenuItem, ...]:
        """The items of the main menu."""
        menu = self.to_dict()["menu"]
        return _menu_items(menu["entries"]) if menu else ()

    @cached_property
    def _object(self) -> dict[str, Any]:
        return self._load("menu", all=self._all)

    def to_dict(self) -> dict[str, Any]:
        """The output of ``husk menu --format json``."""
        return self._object


def _menu_items(entries: list[dict[str, Any]]) -> tuple[MenuItem, ...]:
    return tuple(MenuItem(entry["label"], entry["url"], _menu_items(entry["children"])) for entry in entries)


class Content(_Result):
    """The main content of a page."""

    @cached_property
    def html(self) -> str:
        """Clean HTML fragment without scripts."""
        return self._text("content", "html")

    @cached_property
    def document(self) -> str:
        """Clean HTML document with title and language."""
        return self._text("content", "html", document=True)

    @cached_property
    def markdown(self) -> str:
        """The content as Markdown."""
        return self._text("content", "markdown")

    @cached_property
    def text(self) -> str:
        """The content as plain text."""
        return self._text("content", "text")

    @cached_property
    def comments(self) -> str:
        """Readers' comments as Markdown; not part of the content."""
        comments: str = self._load("content", comments=True)["comments"]
        return comments

    @cached_property
    def nodes(self) -> list[Node]:
        """Nodes in document order."""
        return [Node(xpath) for xpath in self._text("content", "xpath").splitlines()]

    @property
    def method(self) -> str:
        """How it was extracted: ``template``, or ``single-page`` if there was nothing to compare with."""
        return self._extraction.content_method

    @property
    def title(self) -> str | None:
        """Title without the name of the site."""
        title: str | None = self._object["title"]
        return title

    @property
    def language(self) -> str | None:
        """Language as a BCP 47 tag."""
        language: str | None = self._object["language"]
        return language

    @cached_property
    def _object(self) -> dict[str, Any]:
        return self._load("content")

    @property
    def posts(self) -> list[dict[str, Any]]:
        """The posts of a thread: ``author``, ``date`` and ``text``. Empty if the page is none."""
        posts: list[dict[str, Any]] = self._object.get("posts", [])
        return posts

    @property
    def reviews(self) -> list[dict[str, Any]]:
        """The reviews of a product: ``author``, ``date``, ``rating`` and ``text``."""
        reviews: list[dict[str, Any]] = self._object.get("reviews", [])
        return reviews

    def with_parts(self, *parts: str) -> str:
        """The content as Markdown with only these parts beside the body text: ``title``, ``byline``, ``captions``, ``comments``."""
        return self._text("content", "markdown", include=list(parts))

    def to_dict(self, content_format: str = "markdown") -> dict[str, Any]:
        """The output of ``husk content --format json``, with the content as ``markdown``, ``text`` or ``html``."""
        if content_format == "markdown":
            return self._object
        return self._load("content", content_format=content_format)


class Pagelet:
    """A block of the page with one function, such as ``header`` or ``main-content``."""

    def __init__(self, extraction: _husk.Extraction, number: int, fields: dict[str, Any]) -> None:
        self._extraction, self._number, self._fields = extraction, number, fields

    @property
    def function(self) -> str:
        """Its function."""
        function: str = self._fields["function"]
        return function

    @property
    def parent(self) -> int | None:
        """Index of the enclosing pagelet, if any."""
        parent: int | None = self._fields["parent"]
        return None if parent is None else parent - 1

    @property
    def template(self) -> bool | None:
        """Whether most of it is template, if known."""
        template: bool | None = self._fields["template"]
        return template

    @cached_property
    def nodes(self) -> list[Node]:
        """Roots of its subtrees."""
        support, verbatim = self._fields["support"], self._fields["verbatim_support"]
        return [Node(xpath, support, verbatim) for xpath in self._fields["xpaths"]]

    @cached_property
    def html(self) -> str:
        """Clean HTML."""
        return self._extraction.write_pagelet(self._number, "html")

    @cached_property
    def markdown(self) -> str:
        """Markdown."""
        return self._extraction.write_pagelet(self._number, "markdown")

    @cached_property
    def text(self) -> str:
        """Plain text."""
        return self._extraction.write_pagelet(self._number, "text")

    def to_dict(self) -> dict[str, Any]:
        """Its part of the output of ``husk pagelets --format json``."""
        return self._fields

    def __repr__(self) -> str:
        return f"<Pagelet {self.function} at {self.nodes[0].xpath}>"


class Pagelets(_Result, Sequence[Pagelet]):
    """The blocks of a page, in document order."""

    @cached_property
    def _all(self) -> list[Pagelet]:
        fields = self.to_dict()["pagelets"]
        return [Pagelet(self._extraction, number, one) for number, one in enumerate(fields)]

    @overload
    def __getitem__(self, index: int) -> Pagelet: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Pagelet]: ...
    def __getitem__(self, index: int | slice) -> Pagelet | Sequence[Pagelet]:
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Pagelet]:
        return iter(self._all)

    @cached_property
    def text(self) -> str:
        """A table of the blocks: the output of ``husk pagelets``."""
        return self._text("pagelets", "text")

    @cached_property
    def markdown(self) -> str:
        """The outermost blocks as Markdown, each with its function as heading."""
        return "\n".join(f"## {one.function}\n\n{one.markdown}" for one in self._all if one.parent is None)

    @cached_property
    def html(self) -> str:
        """The outermost blocks as HTML sections with their functions."""
        outer = (one for one in self._all if one.parent is None)
        return "".join(f'<section data-function="{one.function}">{one.html}</section>\n' for one in outer)

    @cached_property
    def nodes(self) -> list[Node]:
        """Roots of the subtrees of all blocks."""
        return [node for one in self._all for node in one.nodes]

    @cached_property
    def _object(self) -> dict[str, Any]:
        return self._load("pagelets")

    def to_dict(self) -> dict[str, Any]:
        """The output of ``husk pagelets --format json``."""
        return self._object


class Extraction(_Result):
    """The result of an extraction, with all of its parts."""

    @property
    def method(self) -> str:
        """Name of the extraction method, such as ``husk``."""
        return self._extraction.method

    @property
    def failed(self) -> dict[str, str]:
        """Pages that could not be loaded or used, and why."""
        return dict(self._extraction.failed)

    @cached_property
    def visits(self) -> list[Visit]:
        """Every requested page in order."""
        return [Visit(**visit) for visit in json.loads(self._extraction.visits_json())]

    @property
    def needs_rendering(self) -> str | None:
        """Why the page seems to need rendering in a browser; none if it doesn't."""
        return self._extraction.needs_rendering()

    def require_sibling(self) -> None:
        """Raises `NoSiblingError` if there was no page to compare with."""
        self._extraction.require_sibling()

    @cached_property
    def template(self) -> Template:
        """The template. Raises `NoSiblingError` if it is unknown."""
        self.require_sibling()
        return Template(self._extraction)

    @cached_property
    def menu(self) -> Menu:
        """The main menu. Raises `NoMenuError` if there is none."""
        self.require_sibling()
        self._extraction.require_menu()
        return Menu(self._extraction)

    @cached_property
    def navigation(self) -> Menu:
        """All blocks of links, including the main menu."""
        self.require_sibling()
        return Menu(self._extraction, all=True)

    @cached_property
    def content(self) -> Content:
        """The main content."""
        return Content(self._extraction)

    @cached_property
    def pagelets(self) -> Pagelets:
        """The blocks of the page."""
        return Pagelets(self._extraction)

    def inspection(self, *, offline: bool = False) -> str:
        """The HTML file of ``husk inspect``. It needs a browser that runs its script."""
        return self._text("inspect", "html", offline=offline)

    def write(self, part: str, format: str, **options: Any) -> str:
        """A part of the page in a format, as ``husk PART --format FORMAT`` prints it; `formats` lists the formats.

        Raises `NoSiblingError`, `NoMenuError` or `NoContentError` if the page does not have the part.
        """
        return self._extraction.write(part, format, to_json(options), False)
