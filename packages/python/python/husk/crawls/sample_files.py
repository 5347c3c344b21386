"""Samples of sites on their way from the tasks that draw them to those that learn.

Each task writes a file for each bucket of sites, or several where it would hold too much. A file has its sites by name,
so that the files of a bucket can be read side by side, one site at a time.
"""

from __future__ import annotations

import errno
import hashlib
import struct
from collections.abc import Callable, Iterator
from typing import Any

from .._husk import Page
from ..errors import InputError
from .sample import SAMPLE_PAGES, Sample

BUCKETS = 16
"""Into so many parts sites are divided; so many tasks can learn at once."""

HOLD_BYTES = 256 << 20
"""So many bytes of packed pages a task holds before it writes them."""

_HEAD = struct.Struct("<8sI")  # what it is, how many pages of a site are drawn at most
_KIND = b"husk-s01"
_SITE = struct.Struct("<IQI")  # length of its name, pages seen, pages drawn
_PAGE = struct.Struct("<QI")  # lot, length

# What a site costs beside its pages.
_SITE_BYTES = 1 << 10


def bucket_of(site: str, buckets: int) -> int:
    """The bucket of a site: the same in every process."""
    digest = hashlib.blake2b(site.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % buckets


class SampleWriter:
    """Draws the samples of sites and writes them below ``folder``, a file system of fsspec.

    ``name`` is that of the task: what it wrote before is replaced. At most ``hold_bytes`` of pages are held.
    """

    def __init__(
        self,
        folder: Any,
        name: str,
        *,
        buckets: int = BUCKETS,
        sample_pages: int = SAMPLE_PAGES,
        hold_bytes: int = HOLD_BYTES,
    ) -> None:
        self._folder, self._name, self._buckets = folder, name, buckets
        self._sample_pages, self._hold_bytes = sample_pages, hold_bytes
        self._samples: dict[str, Sample] = {}
        # Of sites that had enough pages when they were written: what is not drawn any more.
        self._cutoffs: dict[str, int] = {}
        self._held = 0
        self._runs = 0
        self.files: list[str] = []
        """What was written so far, as names within the folder."""
        for file in folder.glob(f"bucket-*/{name}-*.samples"):
            folder.rm_file(file)

    def add(self, site: str, page: Page) -> bool:
        """Counts a page of a site, and tells whether it is drawn."""
        sample = self._samples.get(site)
        if sample is None:
            sample = self._samples[site] = self._begun(site)
            self._held += _SITE_BYTES
        before = sample.bytes
        is_drawn = sample.add(page)
        self._held += sample.bytes - before
        if self._held > self._hold_bytes:
            self.flush()
        return is_drawn

    def _begun(self, site: str) -> Sample:
        if site in self._cutoffs:
            return Sample(self._sample_pages, self._cutoffs[site])
        return Sample(self._sample_pages)

    def flush(self) -> None:
        """Writes what is held. It has to be called in the end."""
        by_bucket: dict[int, list[str]] = {}
        for site in sorted(self._samples):
            by_bucket.setdefault(bucket_of(site, self._buckets), []).append(site)
            if self._samples[site].is_full:
                self._cutoffs[site] = self._samples[site].cutoff
        for bucket, sites in sorted(by_bucket.items()):
            self._write(f"bucket-{bucket:05d}/{self._name}-{self._runs:05d}.samples", sites)
        self._samples = {}
        self._held = 0
        self._runs += 1

    def _write(self, file: str, sites: list[str]) -> None:
        self._folder.makedirs(file.rsplit("/", 1)[0], exist_ok=True)
        with self._folder.open(file, "wb") as out:
            out.write(_HEAD.pack(_KIND, self._sample_pages))
            for site in sites:
                _write_site(out, site, self._samples[site])
        self.files.append(file)


def _write_site(out: Any, site: str, sample: Sample) -> None:
    name = site.encode()
    out.write(_SITE.pack(len(name), sample.seen, len(sample)))
    out.write(name)
    for lot, packed in sample.packed():
        out.write(_PAGE.pack(lot, len(packed)))
        out.write(packed)


def buckets_in(folder: Any) -> list[str]:
    """The buckets that samples were written into, by name."""
    return sorted({file.split("/")[-2] for file in folder.glob("bucket-*/*.samples")})


def samples_in(folder: Any, bucket: str) -> Iterator[tuple[str, Sample]]:
    """The sites of a bucket by name, each with its sample put together; one of them is held."""
    parts: list[_Part] = []
    try:
        for file in sorted(folder.glob(f"{bucket}/*.samples")):
            parts.append(_Part(file, _opened(folder, file, len(parts))))
        while sites := [part.site for part in parts if part.site is not None]:
            site = min(sites)
            sample = Sample(min(part.sample_pages for part in parts))
            for part in parts:
                if part.site == site:
                    part.add_to(sample)
            yield site, sample
    finally:
        for part in parts:
            part.close()


def _opened(folder: Any, file: str, open_by_now: int) -> Any:
    try:
        return folder.open(file, "rb")
    except OSError as cause:
        if cause.errno != errno.EMFILE:
            raise
        raise InputError(
            f"{file} cannot be opened beside {open_by_now} others: each task that sampled left one, so raise the limit of "
            "open files (ulimit -n), or sample with fewer tasks"
        ) from cause


class _Part:
    """A file of samples that is read site by site; ``site`` is the next, none at the end."""

    site: str | None

    def __init__(self, name: str, file: Any) -> None:
        self._name, self._file = name, file
        self.close: Callable[[], None] = file.close
        kind, self.sample_pages = _HEAD.unpack(self._read(_HEAD.size))
        if kind != _KIND:
            raise InputError(f"{name} is no file of samples that this version can read")
        self._next()

    def add_to(self, sample: Sample) -> None:
        sample.seen += self._seen
        for _ in range(self._drawn):
            lot, length = _PAGE.unpack(self._read(_PAGE.size))
            sample.merge(lot, self._read(length))
        self._next()

    def _next(self) -> None:
        head = self._file.read(_SITE.size)
        if not head:
            self.site = None
            return
        if len(head) < _SITE.size:
            raise self._cut_off()
        length, self._seen, self._drawn = _SITE.unpack(head)
        self.site = self._read(length).decode()

    def _read(self, length: int) -> bytes:
        read: bytes = self._file.read(length)
        if len(read) < length:
            raise self._cut_off()
        return read

    def _cut_off(self) -> InputError:
        return InputError(f"{self._name} ends before its end: draw the samples anew")
