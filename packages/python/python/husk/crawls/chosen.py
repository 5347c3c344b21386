"""The templates that the pages of a site are stripped with, and the update of the template store."""

from __future__ import annotations

import hashlib
import os
import shutil
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from .. import _husk
from .._husk import Page
from ..site import Templates


@dataclass(frozen=True)
class StoreRun:
    """A run with a template store, at a path that all workers reach."""

    store: str
    started: str = field(default_factory=lambda: datetime.now(timezone.utc).isoformat())
    name: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def updates(self) -> str:
        """The folder of the updates that workers write."""
        folder = os.path.dirname(self.store) if self.store.endswith(".redb") else self.store
        return os.path.join(folder, f"updates-{self.name}")

    def begin(self) -> None:
        """Creates the store, if there is none, and the folder of updates."""
        _husk.Store.create(self.store)
        os.makedirs(self.updates, exist_ok=True)

    def finish(self) -> None:
        """Makes all updates in the store, at once."""
        files = sorted(entry.path for entry in os.scandir(self.updates) if not entry.name.startswith("."))
        _husk.Store.update(self.store, self.name, files)
        shutil.rmtree(self.updates)


@dataclass(frozen=True)
class ChosenTemplates:
    """Templates with their source, as rows name it."""

    templates: Templates
    source: str = "learned"
    has_enough_pages: bool = True
    update: bytes = b""

    def pack(self) -> bytes:
        """Templates and source."""
        return self.source.encode() + b"\n" + self.templates.to_bytes()

    @staticmethod
    def unpack(packed: bytes) -> ChosenTemplates:
        """The inverse of `pack`."""
        source, _, templates = packed.partition(b"\n")
        return ChosenTemplates(Templates.from_bytes(templates), source.decode())

    def row_builder(self, fields: Iterable[str], content_format: str) -> _husk.RowBuilder:
        """A builder of rows."""
        learned = self.templates._learned
        return learned.row_builder(list(fields), content_format, self.has_enough_pages, self.source)


class TemplateChooser:
    """Chooses templates in a task: stored ones, or newly learned ones."""

    def __init__(self, run: StoreRun | None, min_pages: int) -> None:
        self._run, self._min_pages = run, min_pages
        # Only as long as the task: the store can't be updated while it is open.
        self._store = _husk.Store(run.store) if run is not None else None

    def choose(self, site: str, count: int, sample: list[Page]) -> ChosenTemplates:
        """The templates of a site with so many pages."""
        if self._store is not None and self._run is not None:
            chosen = self._store.choose(site, count, sample, self._min_pages, self._run.started)
            learned, source, has_enough_pages, update = chosen
            return ChosenTemplates(Templates(site, learned), source, has_enough_pages, update)
        templates = Templates(site)
        has_enough_pages = count >= self._min_pages
        if has_enough_pages:
            templates.learn(sample)
        return ChosenTemplates(templates, has_enough_pages=has_enough_pages)


class UpdateFile:
    """The updates of the sites of a task: all or none. A repeated task replaces the file."""

    def __init__(self, run: StoreRun | None) -> None:
        self._run, self._path = run, ""
        self._file: Any = None

    def add(self, site: str, update: bytes) -> None:
        """Adds the update of a site, if there is one."""
        if self._run is None or not update:
            return
        if self._file is None:
            name = hashlib.blake2b(site.encode(), digest_size=16).hexdigest()
            self._path = os.path.join(self._run.updates, name)
            self._file = open(self._temporary(), "wb")
        self._file.write(update)

    def finish(self) -> None:
        """Makes it visible."""
        if self._file is not None:
            self._file.close()
            os.replace(self._file.name, self._path)

    def _temporary(self) -> str:
        folder, name = os.path.split(self._path)
        return os.path.join(folder, f".{name}.{uuid.uuid4().hex}")
