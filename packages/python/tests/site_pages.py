"""Saved sites as pages by URL, as their servers would have them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urljoin

from repository import HOSTILE, LIGHTHOUSE

INDEX = "index.html"


@dataclass(frozen=True)
class SavedSite:
    """A folder, and the URL that it was saved from."""

    folder: Path
    base_url: str

    @cached_property
    def pages(self) -> dict[str, bytes]:
        """All pages, in the order of their files."""
        files = sorted(self.folder.rglob("*.html"), key=lambda file: self.address(file))
        return {self.address(file): file.read_bytes() for file in files}

    def address(self, file: Path) -> str:
        """``visit/index.html`` is served as ``visit/``."""
        path = file.relative_to(self.folder).as_posix()
        return urljoin(self.base_url, path.removesuffix(INDEX) if file.name == INDEX else path)

    def load(self, url: str) -> tuple[str, bytes]:
        """The page at a URL, with the URL after redirects. Raises `KeyError` if there is none."""
        address = url.partition("#")[0]
        address = address.removesuffix(INDEX) if address.endswith(f"/{INDEX}") else address
        return address, self.pages[address]


LIGHTHOUSE_SITE = SavedSite(LIGHTHOUSE, "https://lighthouse.example/")
HOSTILE_SITE = SavedSite(HOSTILE, "https://hostile.example/")
TICKETS = "https://lighthouse.example/visit/tickets/"
