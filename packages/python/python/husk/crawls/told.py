"""What is told of one page by what is known of its site."""

from __future__ import annotations

from typing import Any

from .._husk import Page, Row
from ..site import Templates

FIELDS = ("told_by", "layout", "template_share", "warnings")
"""What adapters say of a page beside its content: fields of ``husk bulk``."""


def told(page: Page, templates: Templates | None, content_format: str) -> Row:
    """The row of a page; without templates it is told by the page alone, and marked ``too-few-pages``."""
    if templates is None:
        [row] = Templates("").rows([page], content_format=content_format, enough_pages=False)
    else:
        [row] = templates.rows([page], content_format=content_format)
    return row


def remarks_of(row: Row) -> dict[str, Any]:
    """How the content of a row was told."""
    return {field: getattr(row, field) for field in FIELDS}
