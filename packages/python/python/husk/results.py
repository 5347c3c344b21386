"""What comes out: each result is written when it is asked for, and then kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

from . import _husk
from .errors import NoMenuError, NoSiblingError
from .tint import tinted


@dataclass(frozen=True)
class Node:
    """A node of the page. How many of the compared pages have it, and how many with the same words or target, is known of
    the template's only."""

    xpath: str
    support: int | None = None
    verbatim_support: int | None = None


@dataclass(frozen=True)
class Slot:
    """A place of the template where content was cut out, numbered as in its HTML."""

    slot: int
    name: str | None
    parent: str
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """An entry of a menu."""

    label: str
    url: str | None
    children: tuple[Entry, ...]


@dataclass(frozen=True)
class Visit:
    """A page that was asked for: ``outcome`` is ``compared``, ``refused`` or ``unavailable``."""

    url: str
    found_at: str | None
    why: str
    outcome: str
    cause: str | None


class _Result:
    """What all results have."""

    _found: _husk.Extraction

    def __init__(self, found: _husk.Extraction) -> None:
        self._found = found

    @property
    def key_page(self) -> str:
        """The address of the page."""
        return self._found.key_page

    @property
    def loaded(self) -> list[str]:
        """Every page that was loaded, the key page first."""
        return self._found.loaded

    @property
    def compared(self) -> list[str]:
        """The pages that the key page was compared with."""
        return self._found.compared

    def _repr_html_(self) -> str:
        return tinted(self._found.marked_page(), self.key_page, _summary(self._found))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.key_page}: {_summary(self._found)}>"


def _summary(found: _husk.Extraction) -> str:
    support = found.support
    if support == 0:
        return "told by the page alone"
    pages = len(found.compared)
    if pages == 0:
        return f"by a template that {support} pages voted on"
    return f"compared with {pages} page{'' if pages == 1 else 's'}, {len(found.loaded)} loaded"


class Template(_Result):
    """The template of a page: what its site wraps around it."""

    @cached_property
    def html(self) -> str:
        """HTML that opens in a browser, with its slots marked; scripts are left out."""
        return self.to_html()

    def to_html(self, *, scripts: str = "drop", links: str = "absolute") -> str:
        """The same; ``scripts="keep"`` leaves them, ``links="as-written"`` leaves addresses as the page has them."""
        return self._found.template_html(scripts, links)

    def for_engine(self, engine: str, *, scripts: str = "drop", links: str = "absolute") -> str:
        """A template for ``jinja``, ``liquid``, ``handlebars`` or ``html-slots``: a named placeholder for each slot."""
        return self._found.template_for(engine, scripts, links)

    @cached_property
    def markdown(self) -> str:
        """What the template says, as Markdown."""
        return self._found.template_written("markdown")

    @cached_property
    def text(self) -> str:
        """What the template says."""
        return self._found.template_written("text")

    @cached_property
    def nodes(self) -> list[Node]:
        """Its elements and texts, in document order, with their support."""
        return [Node(**node) for node in self.to_dict()["nodes"]]

    @cached_property
    def slots(self) -> list[Slot]:
        """Where content was cut out."""
        slots = self.to_dict()["slots"]
        return [Slot(slot["slot"], slot["name"], slot["parent"], tuple(slot["nodes"])) for slot in slots]

    @cached_property
    def xpath(self) -> str:
        """One XPath a line."""
        return self._found.template_xpath()

    @cached_property
    def outline(self) -> str:
        """The page, one node a line, T in front of the template."""
        return self._found.template_outline()

    @cached_property
    def selectors(self) -> str:
        """CSS selectors of what to exclude so that the content is left, one a line, then a tab and why."""
        return self._found.template_selectors()

    @cached_property
    def _object(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self._found.template_json())
        return value

    def to_dict(self) -> dict[str, Any]:
        """What ``husk template --format json`` prints."""
        return self._object


class Menu(_Result):
    """The main menu of the page's site; with ``all`` also every other block of links."""

    def __init__(self, found: _husk.Extraction, all: bool = False) -> None:
        super().__init__(found)
        self._all = all

    @cached_property
    def html(self) -> str:
        """A list in HTML."""
        return self._found.menu_html(self._all)

    @cached_property
    def markdown(self) -> str:
        """A list in Markdown."""
        return self._found.menu_markdown(self._all)

    @cached_property
    def text(self) -> str:
        """Labels, indented."""
        return self._found.menu_text(self._all)

    @cached_property
    def nodes(self) -> list[Node]:
        """Its nodes, in document order."""
        return [Node(xpath) for xpath in self._found.menu_xpath(self._all).splitlines()]

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of the main menu, with those below them."""
        menu = self.to_dict()["menu"]
        return _entries(menu["entries"]) if menu else ()

    @cached_property
    def _object(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self._found.menu_json(self._all))
        return value

    def to_dict(self) -> dict[str, Any]:
        """What ``husk menu --format json`` prints."""
        return self._object


def _entries(entries: list[dict[str, Any]]) -> tuple[Entry, ...]:
    return tuple(Entry(entry["label"], entry["url"], _entries(entry["children"])) for entry in entries)


class Content(_Result):
    """What a reader came for."""

    @cached_property
    def html(self) -> str:
        """Clean HTML, without a document around it: nothing in it runs."""
        return self._found.content_html()

    @cached_property
    def document(self) -> str:
        """The same as a document with title and language."""
        return self._found.content_document()

    @cached_property
    def markdown(self) -> str:
        """The content as Markdown."""
        return self._found.content_markdown()

    @cached_property
    def text(self) -> str:
        """The content as plain text."""
        return self._found.content_text()

    @cached_property
    def comments(self) -> str:
        """What readers wrote about it, as Markdown; not part of the content."""
        return self._found.comments("markdown")

    @cached_property
    def nodes(self) -> list[Node]:
        """Its nodes, in document order."""
        return [Node(xpath) for xpath in self._found.content_xpath().splitlines()]

    @property
    def method(self) -> str:
        """What it was told by: ``template``, or ``single-page`` where there was nothing to compare with."""
        return self._found.method

    @property
    def title(self) -> str | None:
        """The title of what is on the page, without the site's name."""
        title: str | None = self._object["title"]
        return title

    @property
    def language(self) -> str | None:
        """Its language, as a BCP 47 tag."""
        language: str | None = self._object["language"]
        return language

    @cached_property
    def _object(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self._found.content_json("markdown"))
        return value

    def to_dict(self, content_format: str = "markdown") -> dict[str, Any]:
        """What ``husk content --format json`` prints; the content in it as ``markdown``, ``text`` or ``html``."""
        if content_format == "markdown":
            return self._object
        value: dict[str, Any] = json.loads(self._found.content_json(content_format))
        return value


class Pagelet:
    """A block of the page that has one function, such as ``header`` or ``main-content``."""

    def __init__(self, found: _husk.Extraction, number: int, fields: dict[str, Any]) -> None:
        self._found, self._number, self._fields = found, number, fields

    @property
    def function(self) -> str:
        """What it is for."""
        function: str = self._fields["function"]
        return function

    @property
    def parent(self) -> int | None:
        """The place of the pagelet that it lies in, if it lies in one."""
        parent: int | None = self._fields["parent"]
        return None if parent is None else parent - 1

    @property
    def template(self) -> bool | None:
        """Whether most of it is template, if that is known."""
        template: bool | None = self._fields["template"]
        return template

    @cached_property
    def nodes(self) -> list[Node]:
        """The subtrees that it consists of."""
        support, verbatim = self._fields["support"], self._fields["verbatim_support"]
        return [Node(xpath, support, verbatim) for xpath in self._fields["xpaths"]]

    @cached_property
    def html(self) -> str:
        """What is in it as clean HTML."""
        return self._found.pagelet_written(self._number, "html")

    @cached_property
    def markdown(self) -> str:
        """What it says, as Markdown."""
        return self._found.pagelet_written(self._number, "markdown")

    @cached_property
    def text(self) -> str:
        """What it says."""
        return self._found.pagelet_written(self._number, "text")

    def to_dict(self) -> dict[str, Any]:
        """What ``husk pagelets --format json`` prints of it."""
        return self._fields

    def __repr__(self) -> str:
        return f"<Pagelet {self.function} at {self.nodes[0].xpath}>"


class Pagelets(_Result, Sequence[Pagelet]):
    """The blocks of a page, in document order."""

    @cached_property
    def _all(self) -> list[Pagelet]:
        fields = self.to_dict()["pagelets"]
        return [Pagelet(self._found, number, one) for number, one in enumerate(fields)]

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
        """A table of the blocks, as ``husk pagelets`` prints it."""
        return self._found.pagelets_text()

    @cached_property
    def markdown(self) -> str:
        """What the outermost blocks say, each under its function."""
        return "\n".join(f"## {one.function}\n\n{one.markdown}" for one in self._all if one.parent is None)

    @cached_property
    def html(self) -> str:
        """What is in the outermost blocks, each a section with its function."""
        outer = (one for one in self._all if one.parent is None)
        return "".join(f'<section data-function="{one.function}">{one.html}</section>\n' for one in outer)

    @cached_property
    def nodes(self) -> list[Node]:
        """The subtrees of all blocks."""
        return [node for one in self._all for node in one.nodes]

    @cached_property
    def _object(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self._found.pagelets_json())
        return value

    def to_dict(self) -> dict[str, Any]:
        """What ``husk pagelets --format json`` prints."""
        return self._object


class Extraction(_Result):
    """All that was found out about a page."""

    @property
    def method(self) -> str:
        """How it was done."""
        return self._found.method

    @property
    def failed(self) -> dict[str, str]:
        """Pages that could not be had or not be used, and why."""
        return dict(self._found.failed)

    @cached_property
    def visits(self) -> list[Visit]:
        """Every page that was asked for, in that order."""
        return [Visit(**visit) for visit in json.loads(self._found.visits_json())]

    @property
    def needs_rendering(self) -> str | None:
        """Why the page, as it was given, seems to need a browser; none if it does not."""
        return self._found.needs_rendering()

    def require_sibling(self) -> None:
        """Raises `NoSiblingError` if the page was compared with nothing."""
        if self._found.support > 0:
            return
        failed = self._found.failed
        cause = (
            f"none of the {len(failed)} that were tried could be used, the first because: {failed[0][1]}"
            if failed
            else "it links to no other page of its site, and none was given that is like it"
        )
        raise NoSiblingError(f"no sibling page to compare {self.key_page} with: {cause}", self.key_page)

    @cached_property
    def template(self) -> Template:
        """What the site wraps around the page. Raises `NoSiblingError` if nothing is known of that."""
        self.require_sibling()
        return Template(self._found)

    @cached_property
    def menu(self) -> Menu:
        """The main menu. Raises `NoMenuError` if there is none."""
        self.require_sibling()
        if not self._found.has_menu():
            raise NoMenuError(f"no main menu found on {self.key_page}", self.key_page)
        return Menu(self._found)

    @cached_property
    def navigation(self) -> Menu:
        """All blocks of links, the main menu among them."""
        self.require_sibling()
        return Menu(self._found, all=True)

    @cached_property
    def content(self) -> Content:
        """What a reader came for; told by the page alone if it was compared with nothing."""
        return Content(self._found)

    @cached_property
    def pagelets(self) -> Pagelets:
        """The blocks of the page."""
        return Pagelets(self._found)

    def inspection(self, *, offline: bool = False) -> str:
        """One HTML file to look at, as ``husk inspect`` writes it. For browsers: a script of ours in it does the tinting."""
        return self._found.inspection(offline)
