"""How results show in notebooks: the page itself with its parts in colours.

The page is one that the engine made for this: without scripts, handlers and addresses to load from, and with a policy that
forbids them. It is put into a frame that may do nothing, so that neither what it says nor its style sheets reach the notebook.
"""

from __future__ import annotations

import html
from typing import NamedTuple


class _Tint(NamedTuple):
    """The colours of a part: one for the legend and the outline, and a light one for the ground behind its words."""

    name: str
    colour: str
    ground: str


# Grounds are opaque, since parts within parts of the same kind would get darker and darker.
_TINTS = {
    "t": _Tint("template", "#0064a8", "#d6e6f2"),
    "m": _Tint("menu", "#b0458a", "#f8d6ec"),
    "c": _Tint("content", "#007f5c", "#d4f0e6"),
    "o": _Tint("only here", "#a06a00", "#f6e8cd"),
}

# Style sheets of the site are not loaded, so nothing would open a menu that waits for a click.
_OPENED = "[popover]{display:block!important;position:static!important;margin:0;border:0;padding:0;width:auto}"

_HEIGHT = 420


def tinted(marked_page: str, title: str, summary: str) -> str:
    """HTML for a notebook: a line on what was found, a legend, and the page."""
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
    ground = f"{part}{{outline:1px solid {tint.colour}!important;background-color:{tint.ground}!important}}"
    # An outline shows where a part begins, not every piece of it.
    return f"{ground}{part} {part}{{outline:none!important}}"


def _legend() -> str:
    return " ".join(
        f'<span style="display:inline-block;margin-right:1em"><span style="display:inline-block;width:.8em;height:.8em;'
        f'background:{tint.ground};border:1px solid {tint.colour};margin-right:.3em"></span>{tint.name}</span>'
        for tint in _TINTS.values()
    )
