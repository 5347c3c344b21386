"""Answers that look like those of HTTP clients."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Response:
    """As requests and httpx have it."""

    url: Any
    content: bytes
    status_code: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "text/html"})


@dataclass
class ScrapyResponse:
    """As scrapy has it: headers are bytes."""

    url: str
    body: bytes
    status: int = 200
    headers: dict[str, bytes] = field(default_factory=lambda: {"content-type": b"text/html"})


@dataclass
class UnreadResponse:
    """As aiohttp has it, before its body is read."""

    url: str
    content: object
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
