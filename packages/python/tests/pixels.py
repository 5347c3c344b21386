"""The colours of a PNG file, read without any other package."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from pathlib import Path

CHANNELS = {2: 3, 6: 4}


def colours(file: Path) -> Counter[str]:
    """How many pixels have which colour."""
    width, height, channels, data = _read(file.read_bytes())
    stride = width * channels
    counted: Counter[str] = Counter()
    above = bytearray(stride)
    for row in range(height):
        start = row * (stride + 1)
        above = _unfiltered(data[start], bytearray(data[start + 1 : start + 1 + stride]), above, channels)
        counted.update(f"#{above[place : place + 3].hex()}" for place in range(0, stride, channels))
    return counted


def _read(png: bytes) -> tuple[int, int, int, bytes]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert depth == 8
    place, packed = 8, b""
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            packed += png[place + 8 : place + 8 + length]
        place += length + 12
    return width, height, CHANNELS[kind], zlib.decompress(packed)


def _unfiltered(kind: int, line: bytearray, above: bytearray, step: int) -> bytearray:
    """A line of pixels from its differences to its neighbours: section 9 of the PNG specification."""
    for place in range(len(line)):
        left = line[place - step] if place >= step else 0
        up = above[place]
        corner = above[place - step] if place >= step else 0
        predicted = (0, left, up, (left + up) // 2, _paeth(left, up, corner))[kind]
        line[place] = (line[place] + predicted) & 0xFF
    return line


def _paeth(left: int, up: int, corner: int) -> int:
    estimate = left + up - corner
    return min((left, up, corner), key=lambda each: abs(estimate - each))
