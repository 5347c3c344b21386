"""Builds the row of one page."""

from __future__ import annotations

from typing import Any

from .._husk import Page, Row
from ..site import Templates

FIELDS = ("method", "layout", "template_share", "warnings")
"""The fields of ``husk bulk`` that adapters add beside the content."""


def build_row(page: Page, templates: Templates | None, content_format: str) -> Row:
    """The row of a page. Without templates its method is ``single-page``, and it gets the warning ``too-few-pages``."""
    if templates is None:
        [row] = Templates("").rows([page], content_format=content_format, enough_pages=False)
    else:
        [row] = templates.rows([page], content_format=content_format)
    return row


def row_fields(row: Row) -> dict[str, Any]:
    """The values of `FIELDS`."""
    return {field: getattr(row, field) for field in FIELDS}
