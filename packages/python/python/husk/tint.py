"""Shows results in notebooks: the page with its parts in colours.

The engine makes the page without scripts, event handlers and external URLs, with a content security policy that forbids them.
It is shown in a sandboxed frame, so neither its content nor its style sheets affect the notebook.
"""

from __future__ import annotations

import html
from typing import NamedTuple


class _Tint(NamedTuple):
    """The colours of a part: for legend and outline, and a light one for the background."""

    name: str
    colour: str
    background: str


# Opaque, since nested parts would get darker otherwise.
_TINTS = {
    "t": _Tint("template", "#0064a8", "#d6e6f2"),
    "m": _Tint("menu", "#b0458a", "#f8d6ec"),
    "c": _Tint("content", "#007f5c", "#d4f0e6"),
    "o": _Tint("only here", "#a06a00", "#f6e8cd"),
}

# Opens popover menus, since scripts don't run.
_OPENED = "[popover]{display:block!important;position:static!important;margin:0;border:0;padding:0;width:auto}"

_HEIGHT = 420


def tinted(marked_page: str, title: str, summary: str) -> str:
    """HTML for a notebook: summary, legend and page."""
    page = f"{marked_page}<style>{_OPENED}{_rules()}</style>"
    return (
        f'<div style="font-size:13px"><strong>{html.escape(title)}</strong> {html.escape(summary)}<br>{_legend()}'
        '<iframe sandbox="" referrerpolicy="no-referrer" '
        f'style="width:100%;height:{_HEIGHT}px;border:1px solid #ccc;background:#fff" '
        f'srcdoc="{html.escape(page, quote=True)}"></iframe></div>'
    )


def _rules() -> str:
    return "".join(_rule(f'[data-husk^="{letter}"]', tint) for letter, tint in _TINTS.items())


def _rule(part: str, tint: _Tint) -> str:
    rule = f"{part}{{outline:1px solid {tint.colour}!important;background-color:{tint.background}!important}}"
    # Only the outermost node of a part gets an outline.
    return f"{rule}{part} {part}{{outline:none!important}}"


def _legend() -> str:
    return " ".join(
        f'<span style="display:inline-block;margin-right:1em"><span style="display:inline-block;width:.8em;height:.8em;'
        f'background:{tint.background};border:1px solid {tint.colour};margin-right:.3em"></span>{tint.name}</span>'
        for tint in _TINTS.values()
    )
