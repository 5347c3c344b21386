"""Templates of many sites in one folder: a file for each, as ``husk learn`` writes it, named after the site."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any
from urllib.parse import quote

from ..errors import TemplatesError
from ..site import Templates

HOLD_SITES = 256
"""The templates of so many sites are held while pages are stripped."""


def file_of(site: str) -> str:
    """The name of the file of a site, such as ``example.org.husk``."""
    return quote(site, safe="") + ".husk"


def write_templates(folder: Any, templates: Templates) -> None:
    """Writes the file of a site into ``folder``, a file system of fsspec."""
    folder.makedirs("", exist_ok=True)
    with folder.open(file_of(templates.site), "wb") as out:
        out.write(templates.to_bytes())


class TemplateFiles:
    """The templates in ``folder``, a file system of fsspec: read when asked for, and held if asked for lately."""

    def __init__(self, folder: Any, hold_sites: int = HOLD_SITES) -> None:
        self._folder, self._hold_sites = folder, max(1, hold_sites)
        self._held: OrderedDict[str, Templates | None] = OrderedDict()

    def of_site(self, site: str) -> Templates | None:
        """What is known of a site; none if it has no file."""
        if site not in self._held:
            self._held[site] = self._read(site)
        self._held.move_to_end(site)
        if len(self._held) > self._hold_sites:
            self._held.popitem(last=False)
        return self._held[site]

    def _read(self, site: str) -> Templates | None:
        file = file_of(site)
        try:
            with self._folder.open(file, "rb") as stored:
                packed = stored.read()
        except FileNotFoundError:
            return None
        try:
            return Templates.from_bytes(packed)
        except TemplatesError as cause:
            raise TemplatesError(f"{file}: {cause}") from None
