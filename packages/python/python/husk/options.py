"""Extraction options: those of ``husk.toml``, with underscores instead of hyphens."""

from __future__ import annotations

import json
from typing import Any

from . import _husk
from .errors import OptionError


def default_options() -> dict[str, Any]:
    """All options with their defaults."""
    options: dict[str, Any] = _with_underscores(json.loads(_husk.default_options()))
    return options


def to_json(options: dict[str, Any]) -> str:
    """Options as JSON for the engine."""
    try:
        return json.dumps(_with_hyphens(options))
    except TypeError as cause:
        raise OptionError(f"options: {cause}") from None


def _with_hyphens(value: Any) -> Any:
    if isinstance(value, dict):
        return {name.replace("_", "-"): _with_hyphens(item) for name, item in value.items()}
    return value


def _with_underscores(value: Any) -> Any:
    if isinstance(value, dict):
        return {name.replace("-", "_"): _with_underscores(item) for name, item in value.items()}
    return value
