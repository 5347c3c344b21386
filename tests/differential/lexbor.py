#!/usr/bin/env python3
"""Compares the trees of husk-dom with those of lexbor (PyPI: selectolax), node by node, as lists of XPaths.

Compared are the pages of a corpus folder, if there is one, and generated broken documents. A difference whose kind is
explained in lexbor-known-differences.md is counted under its name; any other is printed and makes the exit status 1.
"""
import argparse
import codecs
import collections
import importlib.metadata
import os
import re
import sys

import nasty
from domtool import ROOT, DomTool, ToolDied, add_tool_argument

try:
    from selectolax.lexbor import LexborHTMLParser
except ImportError:
    LexborHTMLParser = None

DEEPEST = 400  # generated documents are less deep


# Decoding. Some labels stand for more than they say, for browsers read them so.
SUPERSETS = {
    "gb18030": ("gb2312", "gbk"),
    "cp932": ("shift_jis", "shift-jis", "x-sjis"),
    "cp949": ("euc-kr",),
    "cp1252": ("iso-8859-1", "latin1", "us-ascii", "ascii"),
    "cp1254": ("iso-8859-9",),
    "mac-roman": ("x-mac-roman",),
}
CODECS = {label: codec for codec, labels in SUPERSETS.items() for label in labels}
DECLARATION = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)


def decode(data):
    """The text of a page: by its byte order mark, its declaration, as UTF-8, or else as windows-1252."""
    if data.startswith(codecs.BOM_UTF8):
        text = data.decode("utf-8-sig", "replace")
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", "replace")
    else:
        declared = DECLARATION.search(data, 0, 4096)
        label = declared.group(1).decode("ascii", "replace").lower() if declared else "utf-8"
        try:
            text = data.decode(CODECS.get(label, label), "replace" if declared else "strict")
        except (LookupError, UnicodeError):
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError:
                text = data.decode("cp1252", "replace")
    # UTF-8 cannot carry lone surrogates, and a byte order mark at the start does not belong to the page.
    return re.sub("[\ud800-\udfff]", "\ufffd", text).lstrip("\ufeff")


# The two trees.
def lexbor_paths(html):
    """The XPaths of lexbor's elements and texts in document order, as the tool's mode `xpath` lists them."""
    root = LexborHTMLParser(html).root
    path = f"/{root.tag}[1]"
    paths = [path]
    stack = [(path, root.iter(include_text=True), collections.Counter())]
    while stack:
        path, children, count = stack[-1]
        for child in children:
            if not (child.is_text_node or child.is_element_node):
                continue  # comments, processing instructions
            name = "text()" if child.is_text_node else child.tag
            count[name] += 1
            paths.append(f"{path}/{name}[{count[name]}]")
            if child.is_element_node:
                stack.append((paths[-1], child.iter(include_text=True), collections.Counter()))
                break
        else:
            stack.pop()
    return paths


def depth(paths):
    return max(path.count("/") for path in paths)


class Comparison:
    """Asks both parsers; a document for which the tool dies differs, too."""

    def __init__(self, tool):
        self.tool = tool

    def trees(self, html):
        try:
            ours = self.tool.ask(html).removesuffix("\n").split("\n")
        except ToolDied as death:
            ours = [f"(no tree: the tool died, {death})"]
        return ours, lexbor_paths(html)

    def differs(self, html):
        ours, theirs = self.trees(html)
        return ours != theirs

    def first_difference(self, html):
        ours, theirs = self.trees(html)
        for place in range(max(len(ours), len(theirs))):
            pair = [paths[place] if place < len(paths) else "(no more nodes)" for paths in (ours, theirs)]
            if pair[0] != pair[1]:
                return pair
        return None


# Known differences. Each is recognised by what makes it go away: the rewritten document keeps everything of the
# original but the trigger, and if the trees agree then, that kind was the reason. lexbor-known-differences.md has the
# explanations, under the same names.
Kind = collections.namedtuple("Kind", "name example pattern replacement")


def kind(name, example, pattern, replacement):
    return Kind(name, example, re.compile(pattern, re.IGNORECASE | re.DOTALL), replacement)


TAG = r"<(?:%s)\b(?:[^>']|'[^']*')*>"
KINDS = [
    kind("selectedcontent", "<select><button><selectedcontent></button><option>x",
         r"(</?)selectedcontent", r"\1x-selected"),
    kind("image-in-table", "<table><image>", r"<image\b", "<img"),
    kind("textarea-formatting", "<p><b><p><textarea>x", r"<textarea", "x<textarea"),
    kind("svg-sup", "<svg><sup>", r"<sup\b", "<sub"),
    kind("after-frameset-text", "<frameset></frameset></html> x", r"</html\b[^>]*>", ""),
    kind("foreign-implied-end", "<form><svg><option></form>x",
         r"<(svg|math)\b.*", lambda rest: re.sub(r"(?i)(</?)(opt|r[bpt])", r"\1x-\2", rest[0])),
]
ADOPTION = "adoption-order"
ADOPTION_EXAMPLE = "<b><i><div><s><x><x><x><div></b>x"
ADOPTION_TAGS = 9  # a document that shows it cannot have fewer


def without_formatting(paths):
    """What is left of the tree when its formatting elements give way to their children."""
    nodes = []
    for path in paths:
        names = re.sub(r"\[\d+\]", "", path).split("/")
        if names[-1] in nasty.FORMATTING:
            continue
        names = [name for name in names if name not in nasty.FORMATTING]
        if not (nodes and names[-1] == "text()" and names == nodes[-1]):  # texts that meet count as one
            nodes.append(names)
    return nodes


def strip(html, kinds):
    for known in kinds:
        html = known.pattern.sub(known.replacement, html)
    return html


def explain(html, comparison):
    """For a document that differs: the name of the known difference, or None and the document made small."""
    needed = list(KINDS)
    stripped = strip(html, needed)
    if not comparison.differs(stripped):
        for known in reversed(KINDS):  # the last ones rewrite the most
            fewer = [other for other in needed if other != known]
            if not comparison.differs(strip(html, fewer)):
                needed = fewer
        return " + ".join(known.name for known in needed), None
    small, is_smallest = shrink_html(html, lambda candidate: comparison.differs(strip(candidate, KINDS)))
    small = strip(small, KINDS)  # and all the while, so that it cannot come down to a known difference
    if is_smallest and len(re.findall(r"</?[a-z]", small, re.IGNORECASE)) >= ADOPTION_TAGS:
        ours, theirs = comparison.trees(small)
        if without_formatting(ours) == without_formatting(theirs):
            return ADOPTION, None
    return None, small


# Making a document small.
def shrink(parts, still_differs):
    """Leaves out runs of parts, long ones first, for as long as the document still differs."""
    size = max(1, len(parts) // 2)
    while True:
        start, removed = 0, False
        while start < len(parts):
            fewer = parts[:start] + parts[start + size:]
            if fewer and still_differs("".join(fewer)):
                parts, removed = fewer, True
            else:
                start += size
        if size == 1 and not removed:
            return parts
        size = max(1, size // 2)


def shrink_html(html, differs, attempts=5000):
    """The document without the tags, texts and characters that are not needed; and whether the attempts sufficed."""
    made = 0

    def still_differs(candidate):
        nonlocal made
        made += 1
        return made <= attempts and differs(candidate)

    parts = shrink(re.findall(r"<[^>]*>?|[^<]+", html), still_differs)
    small = "".join(shrink(list("".join(parts)), still_differs))
    return small, made <= attempts


# The two parts of the test, and the report.
class Report:
    def __init__(self, comparison, shown):
        self.comparison = comparison
        self.shown = shown
        self.known = collections.Counter()
        self.unknown = 0
        self.unexamined = 0

    def check(self, label, html, print_document=False):
        """Compares one document. After `shown` unknown differences it only counts, for explaining takes time."""
        if not self.comparison.differs(html):
            return
        if self.unknown >= self.shown:
            self.unexamined += 1
            return
        name, small = explain(html, self.comparison)
        if name:
            self.known[name] += 1
            return
        self.unknown += 1
        print(f"--- {label} differs first at")
        self.print_difference(html)
        if print_document:
            print(f"  document: {html!r}")
        print(f"  made small: {small!r}")
        self.print_difference(small)

    def print_difference(self, html):
        ours, theirs = self.comparison.first_difference(html)
        print(f"  husk-dom: {ours}\n  lexbor:   {theirs}")


def pages(folder):
    for place, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            if file.lower().endswith((".html", ".htm")):
                yield os.path.join(place, file)


def compare_corpus(folder, report):
    if not os.path.isdir(folder):
        print(f"SKIPPED: corpus: skipped: there is no folder {folder}")
        return
    count = 0
    for path in pages(folder):
        with open(path, "rb") as file:
            report.check(os.path.relpath(path, folder), decode(file.read()))
        count += 1
    print(f"corpus: {count} pages compared")


def compare_generated(number, seed, report):
    compared, deepest = 0, 0
    for index in range(number):
        html = "".join(nasty.document(seed, index))
        height = depth(lexbor_paths(html))
        if height >= DEEPEST:
            continue
        deepest = max(deepest, height)
        report.check(f"generated document {index} of seed {seed}", html, print_document=True)
        compared += 1
    print(f"generated: {compared} documents compared, up to {deepest} levels deep; "
          f"{number - compared} left out for a depth of {DEEPEST} or more")


def check_examples(comparison):
    """Prints the known differences that no longer occur."""
    for name, example in [(known.name, known.example) for known in KINDS] + [(ADOPTION, ADOPTION_EXAMPLE)]:
        if not comparison.differs(example):
            print(f"known difference {name} is gone: both give the same tree for {example!r}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    corpus = os.environ.get("HUSK_CORPUS") or os.path.join(ROOT, "..", "shared", "corpus")
    parser.add_argument("corpus", nargs="?", default=corpus,
                        help="folder whose .html and .htm files are compared (default: $HUSK_CORPUS, or ../shared/corpus)")
    parser.add_argument("--generated", type=int, default=3000, metavar="N",
                        help="number of generated documents (default: %(default)s)")
    parser.add_argument("--seed", default="1", help="another seed gives other documents (default: %(default)s)")
    parser.add_argument("--show", type=int, default=10, metavar="N",
                        help="unknown differences that are printed (default: %(default)s)")
    add_tool_argument(parser)
    options = parser.parse_args()

    if LexborHTMLParser is None:
        print("SKIPPED: lexbor: skipped: the Python package selectolax is not installed")
        return 0
    print(f"lexbor: as in selectolax {importlib.metadata.version('selectolax')}")
    with DomTool(options.tool, "xpath") as tool:
        comparison = Comparison(tool)
        report = Report(comparison, options.show)
        check_examples(comparison)
        compare_corpus(os.path.normpath(options.corpus), report)
        compare_generated(options.generated, options.seed, report)
    for name, count in sorted(report.known.items()):
        print(f"  known difference in {count} documents: {name}")
    if report.unknown or report.unexamined:
        print(f"FAILED: {report.unknown} documents differ for no known reason"
              + (f", and {report.unexamined} more differ that were not looked into" if report.unexamined else ""))
        return 1
    print("no unknown differences")
    return 0


if __name__ == "__main__":
    sys.exit(main())
