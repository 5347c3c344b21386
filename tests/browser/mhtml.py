#!/usr/bin/env python3
"""Lets Chromium save pages as MHTML, has their template found, and opens it in Chromium.

    mhtml.py [--husk PATH | --example PATH] [--chromium PATH] [--output FOLDER]

The example site is served on this machine, and its pages are given what browsers save under names of their own: a style
sheet without address, and a frame. Of one saved page the template is found with the help of the others. It looks at its
top like the page, although nothing is asked of the server when it is opened; and no script of the frame runs.
--example names the example `snapshot` of husk-sources, which is run instead of `husk template`.
"""
import argparse
import functools
import http.server
import shutil
import subprocess
import sys
import threading
from pathlib import Path

from chromium import Browser
from PIL import ImageChops

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "examples/site"
HEADER = 100  # so many pixels from the top belong to header and menu on every page of the example site
PAGES = ["history/the-lens/", "history/the-keepers/", "history/the-tower/", "history/", "visit/tickets/"]

# As a script of the page would. The style is important: Chromium puts such style sheets in front of all others when it
# saves a page.
ADDED = """document.head.insertAdjacentHTML(
    'beforeend', '<style>.site-header { background: rgb(253, 238, 221) !important }</style>');
const frame = document.createElement('iframe');
frame.srcdoc = '<p>framed<script>parent.document.title = "ran"</' + 'script>';
document.querySelector('footer').append(frame);"""

failures = []


def check(holds, what):
    print(("ok    " if holds else "FAILED ") + what)
    if not holds:
        failures.append(what)


class Handler(http.server.SimpleHTTPRequestHandler):
    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *arguments):
        pass


def save(browser, address, file):
    """Saves a page, and gives the picture of it."""
    browser.open(address, 1.5)
    browser.value(ADDED)
    data = browser.send("Page.captureSnapshot", format="mhtml")["data"]
    file.write_text(data, newline="")
    return browser.picture(file.with_suffix(".png"))


def template_of(args, page, output):
    if args.example:
        done = subprocess.run([args.example, page], check=True, timeout=120, stdout=subprocess.PIPE)
        output.write_bytes(done.stdout)
    else:
        subprocess.run([args.husk, "template", page, "-o", output, "--quiet"], check=True, timeout=120)
    return output.read_text()


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--husk", default=str(ROOT / "target/release/husk"))
    options.add_argument("--example")
    options.add_argument("--chromium", default="chromium")
    options.add_argument("--output", type=Path, default=ROOT / "target/browser/mhtml")
    args = options.parse_args()
    if not shutil.which(args.chromium):
        sys.exit(f"{args.chromium} is not installed: run scripts/install-tools, or name it by --chromium")
    program = args.example or args.husk
    if not shutil.which(program):
        sys.exit(f"{program} does not exist: build it, or name it by --husk or --example")
    shutil.rmtree(args.output, ignore_errors=True)
    args.output.mkdir(parents=True)

    handler = functools.partial(Handler, directory=str(SITE))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = Browser(args.chromium)
    try:
        check_pages(args, browser, f"http://127.0.0.1:{server.server_port}/")
    finally:
        browser.close()
    print(f"saved pages, template and pictures are in {args.output}")
    sys.exit(f"{len(failures)} checks failed" if failures else 0)


def check_pages(args, browser, site):
    # The URL cannot be derived from the file name.
    files = [args.output / f"saved {number}.mhtml" for number in range(len(PAGES))]
    pictures = [save(browser, site + page, file) for page, file in zip(PAGES, files)]
    key = files[0].read_text()
    check("cid:css-" in key and "cid:frame-" in key, "Chromium saves style and frame under names of its own")

    template = args.output / "template.html"
    html = template_of(args, files[0], template)
    check("cid:" not in html, "no such name is left in the template")
    check("A flame shines in all directions" not in html and "data-husk-slot" in html, "the content is cut out")
    check('class="menu"' in html and f'href="{site}visit/index.html"' in html, "the menu is there, and leads to the site")

    Handler.asked.clear()
    browser.open(template.as_uri())
    of_template = browser.picture(args.output / "template.png")
    # Chromium does not save icons.
    asked = [path for path in Handler.asked if "favicon" not in path]
    check(not asked, f"nothing is asked for when the template is opened: {asked}")
    box = (0, 0, of_template.width, HEADER)
    difference = ImageChops.difference(pictures[0].crop(box), of_template.crop(box)).getbbox()
    check(difference is None, "header and menu look the same in page and template")
    check(len(of_template.crop(box).getcolors(1 << 20)) > 20, "there is something to see")
    header = "getComputedStyle(document.querySelector('.site-header')).backgroundColor"
    check(browser.value(header) == "rgb(253, 238, 221)", "the style without address is there")
    logo = "document.querySelector('.brand img')"
    check(browser.value(f"{logo}.naturalWidth > 0 && {logo}.src.startsWith('data:image/svg+xml')"), "the logo shows")
    check(browser.value("document.title") != "ran", "no script of the saved frame runs")


if __name__ == "__main__":
    main()
