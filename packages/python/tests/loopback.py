"""Servers on this machine only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

KINDS = {".html": "text/html; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml"}


class Server(ThreadingHTTPServer):
    """Serves files of a folder and pages given by their paths, and remembers what it was asked for."""

    daemon_threads = True

    def __init__(self, folder: Path | None, pages: dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.folder, self.pages = folder, pages
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Answer(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        path = self.path.partition("?")[0]
        if path.endswith("/index.html"):
            self.send_response(301)
            self.send_header("Location", path.removesuffix("index.html"))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self._send(path)

    do_POST = do_GET

    def _send(self, path: str) -> None:
        body, kind = self.server.pages.get(path), KINDS[".html"]
        if body is None and self.server.folder is not None:
            file = self.server.folder / (path.lstrip("/") + ("index.html" if path.endswith("/") else ""))
            kind = KINDS.get(file.suffix, "application/octet-stream")
            body = file.read_bytes() if file.is_file() else None
        self.send_response(200 if body is not None else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: object) -> None:
        """What was asked for is remembered instead."""


@contextmanager
def serving(folder: Path | None = None, pages: dict[str, bytes] | None = None) -> Iterator[Server]:
    with Server(folder, pages or {}) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
