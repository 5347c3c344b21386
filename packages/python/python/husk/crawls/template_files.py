"""Templates of many sites in one folder: a file of ``husk learn`` for each, named after the site."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any
from urllib.parse import quote

from ..errors import TemplatesError
from ..site import Templates

HOLD_SITES = 256
"""Sites whose templates are cached."""


def file_of(site: str) -> str:
    """The file name for a site, such as ``example.org.husk``."""
    return quote(site, safe="") + ".husk"


def write_templates(folder: Any, templates: Templates) -> None:
    """Writes the file of a site to ``folder``, an fsspec file system."""
    folder.makedirs("", exist_ok=True)
    with folder.open(file_of(templates.site), "wb") as out:
        out.write(templates.to_bytes())


class TemplateFiles:
    """The templates in ``folder``, an fsspec file system, with a cache of the most recently used."""

    def __init__(self, folder: Any, hold_sites: int = HOLD_SITES) -> None:
        self._folder, self._hold_sites = folder, max(1, hold_sites)
        self._cache: OrderedDict[str, Templates | None] = OrderedDict()

    def of_site(self, site: str) -> Templates | None:
        """The templates of a site; none if it has no file."""
        if site not in self._cache:
            self._cache[site] = self._read(site)
        self._cache.move_to_end(site)
        if len(self._cache) > self._hold_sites:
            self._cache.popitem(last=False)
        return self._cache[site]

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
