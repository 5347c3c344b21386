"""Web archives, written by hand."""

from __future__ import annotations

import uuid
from collections.abc import Mapping


def warc(pages: Mapping[str, bytes]) -> bytes:
    """An archive of pages."""
    return b"".join(_response(url, html) for url, html in pages.items())


def _response(url: str, html: bytes) -> bytes:
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(html) + html
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
        f"WARC-Record-ID: <{uuid.uuid5(uuid.NAMESPACE_URL, url).urn}>\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"
