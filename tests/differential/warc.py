#!/usr/bin/env python3
"""Exchanges archives with warcio (PyPI), in both directions.

What warcio writes, gzip and plain, WARC 1.0 and 1.1, with chunks, codings, repetitions and other records, has to be read by
husk-sources as warcio reads it. What husk-sources writes has to pass `warcio check`, to be read by warcio as it was, and its
index has to lead to the records. husk-sources is asked through its example `captures`. Exit status: 0 when all of that
holds, or when warcio is not there (unless HUSK_REQUIRE_TOOLS is 1); else 1.
"""
import argparse
import glob
import gzip
import hashlib
import io
import json
import os
import shlex
import subprocess
import sys
import tempfile

try:
    from warcio.archiveiterator import ArchiveIterator
    from warcio.bufferedreaders import ChunkedDataReader
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter
except ImportError:
    ArchiveIterator = None

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEFAULT_TOOL = "cargo run -q --release -p husk-sources --example captures --"
SITE = "http://example.org"
TEXT = "<!doctype html><title>Chunks</title><p>Text that came in chunks, ä and all."


def chunked(body, size):
    chunks = [body[at:at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"


def answers():
    """Path, status line, header fields and body of what is stored as `response`."""
    html = ("Content-Type", "text/html; charset=utf-8")
    text = TEXT.encode()
    yield "/", "200 OK", [html], text
    yield "/chunked", "200 OK", [html, ("Transfer-Encoding", "chunked")], chunked(text, 7)
    yield "/chunked-gzip", "200 OK", [html, ("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip")], chunked(
        gzip.compress(text, mtime=0), 16)
    yield "/not-chunked", "200 OK", [html, ("Transfer-Encoding", "chunked")], text
    yield "/gzip", "200 OK", [html, ("Content-Encoding", "gzip")], gzip.compress(text, mtime=0)
    yield "/moved", "301 Moved Permanently", [("Location", "/")], b""
    yield "/gone", "404 Not Found", [html], b"<p>No"
    yield "/empty", "200 OK", [html], b""
    yield "/image.png", "200 OK", [("Content-Type", "image/png")], bytes(range(256)) * 1000
    yield "/records", "200 OK", [html], b"<pre>\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\n\r\n" * 3
    yield "/cookies", "200 OK", [html, ("Set-Cookie", "a=b"), ("Set-Cookie", "c=d")], text
    for page in sorted(glob.glob(os.path.join(ROOT, "fixtures/sites/*/pages/**/*.html"), recursive=True))[:40]:
        with open(page, "rb") as file:
            yield "/pages/" + os.path.basename(page), "200 OK", [html], file.read()


def write_theirs(path, is_gzip, version):
    """Writes an archive with warcio."""
    with open(path, "wb") as out:
        writer = WARCWriter(out, gzip=is_gzip, warc_version=version)
        writer.write_record(writer.create_warcinfo_record("x.warc", {"software": "warcio"}))
        for target, status, fields, body in answers():
            http = StatusAndHeaders(status, fields, protocol="HTTP/1.1")
            record = writer.create_warc_record(SITE + target, "response", payload=io.BytesIO(body), http_headers=http,
                                               length=len(body))
            http = StatusAndHeaders(f"GET {target} HTTP/1.1", [("Host", "example.org")], is_http_request=True)
            request = writer.create_warc_record(SITE + target, "request", payload=io.BytesIO(b""), http_headers=http)
            writer.write_request_response_pair(request, record)
            if target == "/":
                original = record
        writer.write_record(writer.create_warc_record(
            SITE + "/resource", "resource", payload=io.BytesIO(TEXT.encode()), warc_content_type="text/html"))
        http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        writer.write_record(writer.create_revisit_record(
            SITE + "/again", digest=original.rec_headers["WARC-Payload-Digest"],
            refers_to_uri=original.rec_headers["WARC-Target-URI"], refers_to_date=original.rec_headers["WARC-Date"],
            http_headers=http))
        writer.write_record(writer.create_warc_record(
            "dns:example.org", "response", payload=io.BytesIO(b"192.0.2.1"), warc_content_type="text/dns"))


def read_by_warcio(path):
    """What warcio finds in an archive: address, status and body of each answer, transfer coding undone."""
    found = []
    with open(path, "rb") as file:
        for record in ArchiveIterator(file):
            url = record.rec_headers.get_header("WARC-Target-URI") or ""
            if record.rec_type not in ("response", "resource") or not url.startswith("http"):
                continue
            http = record.http_headers
            status = int(http.get_statuscode()) if http else 200
            coding = http.get_header("Transfer-Encoding") if http else None
            stream = ChunkedDataReader(record.raw_stream) if coding == "chunked" else record.raw_stream
            found.append((url, status, hashlib.sha1(stream.read()).hexdigest()))
    return found


class Tool:
    """The example `captures`."""

    def __init__(self, command):
        self.command = shlex.split(command)

    def run(self, *arguments):
        done = subprocess.run(self.command + list(arguments), cwd=ROOT, capture_output=True, timeout=1200, check=False)
        if done.returncode != 0 or done.stderr:
            sys.exit(f"captures {shlex.join(arguments)}: {done.stderr.decode()} (status {done.returncode})")
        return done.stdout.decode()

    def read(self, path):
        lines = [json.loads(line) for line in self.run(path).splitlines()]
        return [(line["url"], line["status"], line["sha1"]) for line in lines]


class Failures(list):
    """What failed, of how much was checked."""

    checked = 0

    def check(self, name, is_good, detail=""):
        self.checked += 1
        if not is_good:
            self.append(name)
            print(f"FAILED: {name}\n  {detail}")


def difference(ours, theirs):
    only = [row for row in ours if row not in theirs], [row for row in theirs if row not in ours]
    return f"{len(ours)} and {len(theirs)} answers; only ours {only[0][:3]}, only theirs {only[1][:3]}"


def passes_check(path):
    """Whether `warcio check` finds every digest right."""
    command = [sys.executable, "-c", "from warcio.cli import main; main()", "check", path]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def check_index(failures, name, path, index):
    """Whether each line of an index leads to the record that it names."""
    wrong = []
    lines = [json.loads(line.split(" ", 2)[2]) for line in index.splitlines()]
    for line in lines:
        with open(path, "rb") as file:
            file.seek(int(line["offset"]))
            data = file.read(int(line["length"]))
        record = next(iter(ArchiveIterator(io.BytesIO(data))))
        if record.rec_headers.get_header("WARC-Target-URI") != line["url"]:
            wrong.append(line)
    failures.check(f"{name}: the index leads to the records", bool(lines) and not wrong, wrong[:3])


def compare(tool, folder):
    failures = Failures()
    for version in ("1.0", "1.1"):
        for ending in ("warc", "warc.gz"):
            name = f"theirs-{version}.{ending}"
            path = os.path.join(folder, name)
            write_theirs(path, ending.endswith("gz"), f"WARC/{version}")
            theirs, ours = read_by_warcio(path), tool.read(path)
            failures.check(f"{name}: {len(theirs)} answers as warcio reads them", ours == theirs, difference(ours, theirs))
            loaded = {line["url"]: line for line in map(json.loads, tool.run("--load", path).splitlines())}
            again = loaded.get(SITE + "/again", {})
            failures.check(f"{name}: the repetition is resolved", "ä and all" in again.get("text", ""), again)
            texts = [loaded[SITE + page].get("text") for page in ("/", "/chunked", "/chunked-gzip", "/not-chunked", "/gzip")]
            failures.check(f"{name}: codings are undone", len(set(texts)) == 1 and texts[0], texts)
            for copy_ending in ("warc", "warc.gz", "warc.zst"):
                copy_name = f"ours-{version}-{ending}.{copy_ending}"
                copy = os.path.join(folder, copy_name)
                index = tool.run("--copy", copy, path)
                failures.check(f"{copy_name}: reads as it was", tool.read(copy) == theirs)
                if copy_ending == "warc.zst":
                    continue  # warcio cannot read them
                found = read_by_warcio(copy)
                failures.check(f"{copy_name}: warcio reads the same", found == theirs, difference(theirs, found))
                failures.check(f"{copy_name}: warcio check passes", passes_check(copy))
                check_index(failures, copy_name, copy, index)
    with open(copy := os.path.join(folder, "ours-1.1-warc.warc"), "r+b") as file:
        data = file.read().replace(b"in chunks", b"in CHUNKS", 1)
        file.seek(0)
        file.write(data)
    failures.check("warcio check notices a changed body", not passes_check(copy))
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default=DEFAULT_TOOL, metavar="COMMAND", help="how to start it (default: %(default)s)")
    options = parser.parse_args()
    if ArchiveIterator is None:
        print("SKIPPED: warcio is not installed (scripts/install-tools does it)")
        return 1 if os.environ.get("HUSK_REQUIRE_TOOLS") == "1" else 0
    with tempfile.TemporaryDirectory() as folder:
        failures = compare(Tool(options.tool), folder)
    print(f"{failures.checked} checks, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
