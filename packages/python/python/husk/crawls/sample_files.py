"""Files of samples, from the tasks that sample to the tasks that learn.

Each task writes a file per bucket of sites, or several to bound its memory. Sites are sorted by name, so that the files of a
bucket can be merged one site at a time.
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
"""Number of groups of sites, hence of tasks that can learn at once."""

HOLD_BYTES = 256 << 20
"""Bytes of packed pages that a task buffers."""

_HEAD = struct.Struct("<8sI")  # format, pages per sample
_FORMAT = b"husk-s01"
_SITE = struct.Struct("<IQI")  # length of the name, pages seen, pages sampled
_PAGE = struct.Struct("<QI")  # sample key, length

# Approximate memory of a site without pages.
_SITE_BYTES = 1 << 10


def bucket_of(site: str, buckets: int) -> int:
    """The bucket of a site: the same in every process."""
    digest = hashlib.blake2b(site.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % buckets


class SampleWriter:
    """Samples sites and writes the samples to ``folder``, an fsspec file system.

    ``name`` is the name of the task; its earlier files are replaced. At most ``hold_bytes`` of pages are buffered.
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
        # Of sites whose samples were full when written.
        self._cutoffs: dict[str, int] = {}
        self._held = 0
        self._runs = 0
        self.files: list[str] = []
        """Files written so far, relative to the folder."""
        for file in folder.glob(f"bucket-*/{name}-*.samples"):
            folder.rm_file(file)

    def add(self, site: str, page: Page) -> bool:
        """Counts a page of a site. Returns whether it is sampled."""
        sample = self._samples.get(site)
        if sample is None:
            sample = self._samples[site] = self._new_sample(site)
            self._held += _SITE_BYTES
        before = sample.bytes
        is_sampled = sample.add(page)
        self._held += sample.bytes - before
        if self._held > self._hold_bytes:
            self.flush()
        return is_sampled

    def _new_sample(self, site: str) -> Sample:
        if site in self._cutoffs:
            return Sample(self._sample_pages, self._cutoffs[site])
        return Sample(self._sample_pages)

    def flush(self) -> None:
        """Writes the buffered pages. Must be called at the end."""
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
            out.write(_HEAD.pack(_FORMAT, self._sample_pages))
            for site in sites:
                _write_site(out, site, self._samples[site])
        self.files.append(file)


def _write_site(out: Any, site: str, sample: Sample) -> None:
    name = site.encode()
    out.write(_SITE.pack(len(name), sample.seen, len(sample)))
    out.write(name)
    for key, packed in sample.packed():
        out.write(_PAGE.pack(key, len(packed)))
        out.write(packed)


def buckets_in(folder: Any) -> list[str]:
    """The names of the buckets with samples."""
    return sorted({file.split("/")[-2] for file in folder.glob("bucket-*/*.samples")})


def samples_in(folder: Any, bucket: str) -> Iterator[tuple[str, Sample]]:
    """The sites of a bucket with their merged samples, one at a time, by name."""
    parts: list[_SampleFile] = []
    try:
        for file in sorted(folder.glob(f"{bucket}/*.samples")):
            parts.append(_SampleFile(file, _open_file(folder, file, len(parts))))
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


def _open_file(folder: Any, file: str, open_by_now: int) -> Any:
    try:
        return folder.open(file, "rb")
    except OSError as cause:
        if cause.errno != errno.EMFILE:
            raise
        raise InputError(
            f"cannot open {file} with {open_by_now} files open: raise the limit of open files (ulimit -n), or sample with "
            "fewer tasks"
        ) from cause


class _SampleFile:
    """A file of samples, read site by site. ``site`` is the next one, none at the end."""

    site: str | None

    def __init__(self, name: str, file: Any) -> None:
        self._name, self._file = name, file
        self.close: Callable[[], None] = file.close
        file_format, self.sample_pages = _HEAD.unpack(self._read(_HEAD.size))
        if file_format != _FORMAT:
            raise InputError(f"{name} is not a file of samples of this version")
        self._next()

    def add_to(self, sample: Sample) -> None:
        sample.seen += self._seen
        for _ in range(self._sampled):
            key, length = _PAGE.unpack(self._read(_PAGE.size))
            sample.merge(key, self._read(length))
        self._next()

    def _next(self) -> None:
        head = self._file.read(_SITE.size)
        if not head:
            self.site = None
            return
        if len(head) < _SITE.size:
            raise self._truncated()
        length, self._seen, self._sampled = _SITE.unpack(head)
        self.site = self._read(length).decode()

    def _read(self, length: int) -> bytes:
        read: bytes = self._file.read(length)
        if len(read) < length:
            raise self._truncated()
        return read

    def _truncated(self) -> InputError:
        return InputError(f"{self._name} is truncated: sample again")
