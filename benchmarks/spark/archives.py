"""Crawls made of the pages of a corpus, as several archives."""
import gzip
import os
import subprocess
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


def of_corpus(corpus, pages, files, folder):
    """So many pages in so many files: what benchmarks/compare/scale measures with, cut into pieces."""
    folder.mkdir(parents=True)
    whole = folder / "whole"
    command = [TARGET / "release/examples/crawl", corpus, whole, str(pages)]
    if subprocess.run(command, stdout=sys.stderr).returncode != 0:
        sys.exit(f"no crawl of {pages} pages could be made of {corpus}")
    paths = [folder / f"part-{number:03}.warc.gz" for number in range(files)]
    opened = [path.open("wb") for path in paths]
    for number, member in enumerate(members(whole.read_bytes())):
        opened[number % files].write(member)
    for file in opened:
        file.close()
    whole.unlink()
    return paths


PIECE = 1 << 14


def members(packed):
    """The members of a gzip file, a record each, as they are."""
    at = 0
    while at < len(packed):
        begin, reader = at, zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        # In small pieces, since what is left of one is copied.
        while not reader.eof:
            if at >= len(packed):
                raise gzip.BadGzipFile("the last record is cut off")
            reader.decompress(packed[at : at + PIECE])
            at = min(at + PIECE, len(packed)) - len(reader.unused_data)
        yield packed[begin:at]
