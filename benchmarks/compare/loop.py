"""A loop over pages in Python with an extractor from PyPI, as people write it: files or an archive in, seconds out.

    loop.py NAME

A line of JSON with `files` or `archive` is answered by one with the processor time of reading, parsing and extracting, and the
number of pages. The start of Python and its imports are not in it.
"""
import importlib.metadata
import json
import sys
import time
from pathlib import Path

PEERS = Path(__file__).resolve().parent.parent / "content/peers/pypi"
sys.path.append(str(PEERS))

import extract  # noqa: E402  (of the peers: needs the path above)


def main():
    name = sys.argv[1]
    text_of = extract.EXTRACTORS[name]()
    print(json.dumps({"version": importlib.metadata.version(name)}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        started = time.process_time()
        pages = of_archive(request["archive"]) if "archive" in request else of_files(request["files"])
        count = 0
        for html in pages:
            extract.Timed(text_of, {"html": html, "url": "", "language": ""})
            count += 1
        print(json.dumps({"seconds": time.process_time() - started, "pages": count}), flush=True)


def of_files(files):
    for file in files:
        with open(file, "rb") as opened:
            yield opened.read()


def of_archive(archive):
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with open(archive, "rb") as opened:
        for record in ArchiveIterator(opened, record_types=WarcRecordType.response, parse_http=True):
            yield record.reader.read()


if __name__ == "__main__":
    main()
