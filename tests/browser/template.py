#!/usr/bin/env python3
"""Opens extracted templates in Chromium, as a user would, and checks what it makes of them.

    template.py [--husk PATH] [--chromium PATH] [--output FOLDER]

For some pages of the example site: the browser's tree of the template is the one that Husk wrote, the menu is there,
the content is not, and the top of the template looks to the pixel like the top of the page. For a page full of
scripts: none of them runs. Screenshots of page and template stay in the output folder.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageChops
from selectolax.lexbor import LexborHTMLParser

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "examples/site"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run", "--hide-scrollbars", "--allow-file-access-from-files"]
HEADER = 100  # so many pixels from the top belong to header and menu on every page of the example site

# page, a text of its template, a text of its content
PAGES = [
    ("history/the-lens/index.html", "Around the site", "A flame shines in all directions"),
    ("visit/opening-hours/index.html", "A letter from the rock", "<h1>Opening hours"),
    ("stories/the-night-the-foghorn-stuck/index.html", "Around the site", "<h1>The night the foghorn stuck"),
]

HOSTILE = """<!DOCTYPE html><title>{name}</title><meta http-equiv="refresh" content="0;url=javascript:document.title='ran'">
<body onload="document.title='ran'"><nav><a href="a.html">A</a> <a href="b.html">B</a> <a href="c.html">C</a></nav>
<script>document.title='ran'</script><svg onload="document.title='ran'"></svg><img src="x" onerror="document.title='ran'">
<iframe src="javascript:parent.document.title='ran'"></iframe><details open ontoggle="document.title='ran'">d</details>
<p>{name}</p>"""

failures = []


def check(holds, what):
    print(("ok    " if holds else "FAILED ") + what)
    if not holds:
        failures.append(what)


# Once in some hundred starts the browser itself crashes, which says nothing about the page.
STARTS = 3


def chromium(args, page, *extra):
    for start in range(STARTS):
        with tempfile.TemporaryDirectory() as profile:
            command = [args.chromium, *FLAGS, f"--user-data-dir={profile}", *extra, page.as_uri()]
            done = subprocess.run(command, capture_output=True, timeout=120)
        has_crashed = done.returncode < 0
        if not has_crashed or start + 1 == STARTS:
            done.check_returncode()
            return done.stdout.decode("utf-8", "replace")


def screenshot(args, page, name):
    picture = args.output / f"{name}.png"
    chromium(args, page, "--window-size=1280,1600", f"--screenshot={picture}")
    return Image.open(picture).convert("RGB")


def template_of(args, page, output):
    subprocess.run([args.husk, "template", page, "-o", output, "--quiet"], check=True, timeout=60)
    return output.read_text()


def outline(html):
    """Names of all elements in document order, with their depth."""
    lines = []
    stack = [(LexborHTMLParser(html).root, 0)]
    while stack:
        node, depth = stack.pop()
        lines.append((depth, node.tag))
        children = [child for child in node.iter(include_text=False)]
        stack.extend((child, depth + 1) for child in reversed(children))
    return lines


def check_page(args, page, template_text, content_text):
    name = page.replace("/index.html", "").replace("/", "-")
    template = args.output / f"{name}.template.html"
    html = template_of(args, SITE / page, template)
    shown = chromium(args, template, "--dump-dom")
    check(outline(shown) == outline(html), f"{page}: the browser builds the tree that was written")
    check(template_text in shown and 'class="menu"' in shown, f"{page}: menu and footer are in the template")
    check(content_text in (SITE / page).read_text() and content_text not in shown, f"{page}: the content is not")
    check("data-husk-slot" in shown and "<!--husk:slot 1-->" in shown, f"{page}: slots are marked")

    of_page = screenshot(args, SITE / page, f"{name}.page")
    of_template = screenshot(args, template, f"{name}.template")
    box = (0, 0, of_page.width, HEADER)
    difference = ImageChops.difference(of_page.crop(box), of_template.crop(box)).getbbox()
    check(difference is None, f"{page}: header and menu look the same in page and template")
    check(len(of_page.crop(box).getcolors(1 << 20)) > 20, f"{page}: there is something to see")


def check_hostile(args):
    with tempfile.TemporaryDirectory() as folder:
        for name in "key", "a", "b", "c":
            Path(folder, f"{name}.html").write_text(HOSTILE.format(name=name))
        page = Path(folder, "key.html")
        shown_as_is = chromium(args, page, "--dump-dom")
        check("<title>ran</title>" in shown_as_is, "hostile page: its scripts do run when it is opened as it is")
        template = Path(folder, "template.html")
        html = template_of(args, page, template)
        shown = chromium(args, template, "--dump-dom")
        check("<title>ran</title>" not in shown, "hostile page: none runs in its template")
        check(not re.search(r"<script|\son\w+=|javascript:|http-equiv", html), "hostile page: none is written")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--husk", default=str(ROOT / "target/release/husk"))
    options.add_argument("--chromium", default="chromium")
    options.add_argument("--output", type=Path, default=ROOT / "target/browser")
    args = options.parse_args()
    if not shutil.which(args.chromium):
        sys.exit(f"{args.chromium} is not installed: run scripts/install-tools, or name it by --chromium")
    if not shutil.which(args.husk):
        sys.exit(f"{args.husk} does not exist: run cargo build --release, or name it by --husk")
    args.output.mkdir(parents=True, exist_ok=True)
    for page in PAGES:
        check_page(args, *page)
    check_hostile(args)
    print(f"screenshots are in {args.output}")
    sys.exit(f"{len(failures)} checks failed" if failures else 0)


if __name__ == "__main__":
    main()
