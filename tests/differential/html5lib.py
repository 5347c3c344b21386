#!/usr/bin/env python3
"""Runs the html5lib-tests tree-construction cases through husk-dom.

The cases are fetched when the test runs and are never committed: the source archive of the PyPI package turbohtml
carries all of them (they live in web-platform-tests now, html/syntax/parsing/resources) as one JSON file.
Exit status: 0 when nothing fails but the cases of html5lib-known-failures.txt, or when the cases cannot be had; else 1.
"""
import argparse
import collections
import hashlib
import html
import json
import os
import re
import ssl
import sys
import tarfile
import urllib.parse
import urllib.request

from domtool import ROOT, DomTool, ToolDied, add_tool_argument

ARCHIVE = "turbohtml-1.15.4.tar.gz"
SHA256 = "4f107c87c234c78db1c9b847d2090043584dee1fdd637895d0da0a6fcc02c8fe"
MEMBER = "turbohtml-1.15.4/tests/conformance/data/wpt_html_tree.json"
KNOWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "html5lib-known-failures.txt")
SHOWN = 10  # new failures printed in full
KNOWN_HEADER = """\
# Tree-construction cases that fail: file and number of the case in it, counted from 1.
# Written by `html5lib.py --update`; README.md says why they fail.
"""


class Unavailable(Exception):
    """The cases could not be fetched."""


def download(url):
    context = ssl.create_default_context(cafile=os.environ.get("PIP_CERT") or None)
    with urllib.request.urlopen(url, timeout=60, context=context) as answer:
        return answer.read()


def fetch_archive():
    """The source archive, found through the package index that pip uses (PIP_INDEX_URL, or PyPI)."""
    index = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/") + "/turbohtml/"
    try:
        page = download(index).decode("utf-8", "replace")
        links = [urllib.parse.urljoin(index, html.unescape(link)) for link in re.findall(r'href="([^"]+)"', page)]
        found = [link for link in links if urllib.parse.urlsplit(link).path.endswith("/" + ARCHIVE)]
        if not found:
            raise Unavailable(f"{index} does not list {ARCHIVE}")
        return download(urllib.parse.urldefrag(found[0]).url)
    except (OSError, ValueError) as error:
        raise Unavailable(f"{ARCHIVE} could not be downloaded: {error}") from None


def load_cases(cache):
    """The parsed JSON file, from the cache folder or else from the package index."""
    path = os.path.join(cache, ARCHIVE)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        data = b""
    if hashlib.sha256(data).hexdigest() != SHA256:
        data = fetch_archive()
        if hashlib.sha256(data).hexdigest() != SHA256:
            raise Unavailable(f"{ARCHIVE} as downloaded has not the expected SHA-256")
        os.makedirs(cache, exist_ok=True)
        with open(path + ".part", "wb") as file:
            file.write(data)
        os.replace(path + ".part", path)
    with tarfile.open(path) as archive:
        return json.load(archive.extractfile(MEMBER))


def numbered(cases):
    """Each case with its name, as the list of known failures spells it."""
    count = collections.Counter()
    for case in cases:
        count[case["file"]] += 1
        yield f"{case['file']} {count[case['file']]}", case


def why_skipped(case):
    if case["context"] is not None:
        return "#document-fragment: the tool parses whole documents"
    if case["scripting"]:
        return "#script-on: husk-dom parses with the scripting flag off"
    return None


def run(cases, tool):
    """Names of the cases that passed, those that failed with what the tool answered, and the skipped by reason."""
    passed, failed, skipped = [], {}, collections.Counter()
    for name, case in numbered(cases):
        reason = why_skipped(case)
        if reason:
            skipped[reason] += 1
            continue
        try:
            answer = tool.ask(case["data"]).rstrip("\n")
        except ToolDied as death:
            answer = f"(no tree: the tool died, {death})"
        if answer == case["document"]:
            passed.append(name)
        else:
            failed[name] = (case, answer)
    return passed, failed, skipped


def read_known():
    try:
        with open(KNOWN, encoding="utf-8") as file:
            return {line.strip() for line in file if line.strip() and not line.startswith("#")}
    except FileNotFoundError:
        return set()


def in_order(names):
    return sorted(names, key=lambda name: (name.split()[0], int(name.split()[1])))


def show(name, case, answer):
    print(f"--- {name}: {case['data']!r}")
    print("expected:", case["document"], "got:", answer, sep="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    add_tool_argument(parser)
    parser.add_argument("--cache", default=os.path.join(ROOT, "target", "html5lib-tests"), metavar="FOLDER",
                        help="where the downloaded archive is kept (default: target/html5lib-tests)")
    parser.add_argument("--update", action="store_true", help="write the cases that fail now to the list of known ones")
    parser.add_argument("--show", action="append", default=[], metavar="CASE",
                        help="print this case when it fails, as in --show 'tests1.dat 40' ('all': each of them)")
    options = parser.parse_args()

    try:
        data = load_cases(options.cache)
    except Unavailable as reason:
        print(f"SKIPPED: html5lib-tests: skipped: {reason}")
        return 0
    print(f"html5lib-tests: {len(data['cases'])} cases in {len(data['files'])} files, "
          f"web-platform-tests {data['revision'][:12]}")
    with DomTool(options.tool, "tree") as tool:
        passed, failed, skipped = run(data["cases"], tool)

    known = read_known()
    new = in_order(set(failed) - known)
    fixed = in_order(known & set(passed))
    stale = in_order(known - set(passed) - set(failed))
    print(f"passed {len(passed)}, failed {len(failed)} ({len(failed) - len(new)} of them known), "
          f"skipped {sum(skipped.values())}")
    for reason, count in sorted(skipped.items()):
        print(f"  skipped {count}: {reason}")
    for file, count in sorted(collections.Counter(name.split()[0] for name in failed).items()):
        print(f"  failed {count}: {file}")
    wanted = set(options.show) | set(new[:SHOWN] if not options.update else [])
    for name in in_order(failed):
        if name in wanted or "all" in wanted:
            show(name, *failed[name])

    if options.update:
        with open(KNOWN, "w", encoding="utf-8") as file:
            file.write(KNOWN_HEADER)
            file.writelines(name + "\n" for name in in_order(failed))
        print(f"wrote {len(failed)} known failures to {os.path.relpath(KNOWN, ROOT)}")
        return 0
    for name in fixed:
        print(f"passes now, although listed as a known failure: {name}")
    for name in stale:
        print(f"listed as a known failure, but no longer a case that is run: {name}")
    if fixed or stale:
        print("  (--update takes these off the list)")
    if new:
        print(f"FAILED: {len(new)} cases that are not known failures: {', '.join(new)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
