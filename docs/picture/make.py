#!/usr/bin/env python3
"""Make docs/picture/page-and-template.png: a page of the example site beside its template.

    python3 docs/picture/make.py [--husk PATH] [--chromium PATH] [--output FILE]

It runs `husk template` on a page of examples/site, puts the page and the
template side by side in a small HTML page, and takes a screenshot of that with Chromium.
In the template, the slots (where content was cut out) get a dashed outline.
Only the Python standard library is used (3.11 or later).
"""

import argparse
import html
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE = Path("examples/site")
PAGE_FILE = SITE / "stories/force-eleven-and-other-remarks/index.html"
OUTPUT = ROOT / "docs/picture/page-and-template.png"

PAGE_WIDTH = 1280  # both pages are laid out at this width, in CSS pixels
PANEL_WIDTH = 540  # and scaled down to this one
MARGIN = 40
CAPTION_HEIGHT = 56
MAX_BYTES = 400_000
TIME_LIMIT = 120  # seconds, for each program

CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
]

# Slots are empty, so they need some height to be seen.
SLOT_STYLE = """
[data-husk-slot] {
  min-height: 2.5rem;
  outline: 3px dashed #b93c27;
  outline-offset: 4px;
  border-radius: 4px;
  background: rgb(185 60 39 / 0.06);
}
"""

# Leaves the height of the laid out page where --dump-dom shows it.
MEASURE = """
addEventListener("load", () => {
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  document.documentElement.setAttribute("data-picture-height", height);
});
"""

COMPOSED = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>The page and its template</title>
<style>
body {{ display: flex; align-items: flex-start; gap: {margin}px; margin: 0; padding: 0 {margin}px; background: #e9f0f2; }}
figure {{ margin: 0; }}
figcaption {{
  height: {caption}px; color: #1d2e3f; text-align: center;
  font: 600 22px/{caption}px -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
}}
div {{ width: {panel}px; overflow: hidden; border-radius: 8px; box-shadow: 0 2px 14px rgb(29 46 63 / 0.22); }}
iframe {{ display: block; width: {page}px; border: 0; transform: scale({scale}); transform-origin: 0 0; }}
</style>
{figures}
</html>
"""

FIGURE = """<figure>
<figcaption>{caption}</figcaption>
<div style="height: {shown}px"><iframe src="{src}" style="height: {height}px"></iframe></div>
</figure>"""


class Failure(Exception):
    """Something that the user has to put right; the message says what."""


def run(what, command):
    """Run a program and return its standard output; raise Failure with its own words."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=ROOT,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIME_LIMIT,
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"{what} did not finish within {TIME_LIMIT} seconds") from None
    except OSError as error:
        raise Failure(f"{what} cannot be started: {error}") from None
    if done.returncode != 0:
        raise Failure(f"{what} failed with exit status {done.returncode}:\n{done.stderr.strip()}")
    return done.stdout


def find_husk(path):
    path = path if path.is_absolute() else Path.cwd() / path
    if not path.is_file():
        raise Failure(
            f"husk not found at {path}\n"
            "build it with `cargo build --release`, or name another one with --husk PATH"
        )
    return path


def find_chromium(name):
    found = shutil.which(name)
    if found is None:
        raise Failure(
            f"chromium not found (looked for `{name}`)\n"
            "install it, for example with `apt install chromium`, or name another one with --chromium PATH"
        )
    return found


class Chromium:
    """Chromium without a window, with a profile of its own that is thrown away."""

    def __init__(self, program, folder):
        self.command = [program, *CHROMIUM_FLAGS, f"--user-data-dir={folder / 'profile'}"]

    def height(self, page):
        """The height of a page (one made by `prepare`) in CSS pixels."""
        dom = run("chromium", [*self.command, f"--window-size={PAGE_WIDTH},900", "--dump-dom", page.as_uri()])
        found = re.search(r'data-picture-height="(\d+)"', dom)
        if found is None or int(found[1]) == 0:
            raise Failure(f"chromium could not lay out {page}")
        return int(found[1])

    def screenshot(self, page, width, height, scale, target):
        options = [
            f"--window-size={width},{height}",
            f"--force-device-scale-factor={scale}",
            f"--screenshot={target}",
        ]
        target.unlink(missing_ok=True)
        run("chromium", [*self.command, *options, page.as_uri()])
        if not target.is_file():
            raise Failure("chromium ended without writing the picture")


def prepare(source, base, style, target):
    """Copy a page so that it can lie in another folder, with a style added, ready to be measured."""
    text = source.read_text(encoding="utf-8")
    start = f'<base href="{html.escape(base.as_uri())}">'
    end = f"<style>{style}</style><script>{MEASURE}</script>"
    text, heads = re.subn(r"<head(\s[^>]*)?>", lambda m: m[0] + start, text, count=1)
    text, ends = re.subn(r"</head\s*>", lambda m: end + m[0], text, count=1)
    if heads != 1 or ends != 1:
        raise Failure(f"{source} has no <head>, so the picture cannot be made from it")
    target.write_text(text, encoding="utf-8")
    return target


def compose(panels, target):
    """Write the page with the panels side by side; return its width and height."""
    scale = PANEL_WIDTH / PAGE_WIDTH
    figures = [
        FIGURE.format(caption=caption, src=html.escape(page.as_uri()), height=height, shown=round(height * scale))
        for caption, page, height in panels
    ]
    target.write_text(
        COMPOSED.format(
            margin=MARGIN,
            caption=CAPTION_HEIGHT,
            panel=PANEL_WIDTH,
            page=PAGE_WIDTH,
            scale=scale,
            figures="\n".join(figures),
        ),
        encoding="utf-8",
    )
    width = len(panels) * (PANEL_WIDTH + MARGIN) + MARGIN
    height = CAPTION_HEIGHT + round(max(height for _, _, height in panels) * scale) + MARGIN
    return width, height


def make(husk, chromium, output):
    husk = find_husk(husk)
    program = find_chromium(chromium)
    if not (ROOT / PAGE_FILE).is_file():
        raise Failure(f"{PAGE_FILE} not found below {ROOT}: the example site is missing")
    with tempfile.TemporaryDirectory(prefix="husk-picture-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        browser = Chromium(program, folder)
        raw = folder / "raw.html"
        run("husk", [husk, "template", PAGE_FILE, "--site", SITE, "-o", raw])
        if not raw.is_file():
            raise Failure("husk ended without writing the template")
        if "data-husk-slot" not in raw.read_text(encoding="utf-8"):
            print("note: no slot (data-husk-slot) in the template, so none is outlined", file=sys.stderr)

        base = ROOT / PAGE_FILE
        page = prepare(base, base, "", folder / "page.html")
        template = prepare(raw, base, SLOT_STYLE, folder / "template.html")
        panels = [
            ("the page", page, browser.height(page)),
            ("its template", template, browser.height(template)),
        ]
        composed = folder / "composed.html"
        width, height = compose(panels, composed)

        # As sharp as the limit on the size allows.
        shot = folder / "shot.png"
        for scale in (2, 1.5, 1.25, 1):
            browser.screenshot(composed, width, height, scale, shot)
            if shot.stat().st_size <= MAX_BYTES:
                break
        else:
            raise Failure(f"the picture has {shot.stat().st_size} bytes, more than {MAX_BYTES}, even at scale 1")
        output.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(shot, output)
        print(f"{output}: {shot.stat().st_size} bytes, {width} x {height} at scale {scale}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description="Make the picture of a page beside its template.")
    parser.add_argument(
        "--husk",
        type=Path,
        default=ROOT / "target/release/husk",
        metavar="PATH",
        help="the husk command (default: target/release/husk)",
    )
    parser.add_argument("--chromium", default="chromium", metavar="PATH", help="the browser (default: chromium)")
    parser.add_argument(
        "--output",
        type=Path,
        default=OUTPUT,
        metavar="FILE",
        help="where the picture goes (default: docs/picture/page-and-template.png)",
    )
    options = parser.parse_args()
    try:
        make(options.husk, options.chromium, options.output)
    except (Failure, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
