#!/usr/bin/env python3
"""Opens reports of `husk inspect` in Chromium, and looks at, points at and clicks what is there.

    inspect.py [--husk PATH] [--chromium PATH] [--output FOLDER]

On a page of the example site: boxes show and hide the tints, by mouse and by keyboard; pointing at the page shows its
support and pagelet; its links do nothing; the report fits a phone, has a dark mode and prints. On a hostile page: none of
its scripts run, and it requests only pictures and style sheets, or nothing with --offline; all its URLs lead to a server
on this machine, which records the requests. Screenshots stay in the output folder.
"""
import argparse
import base64
import http.server
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from chromium import Browser
from PIL import ImageChops

ROOT = Path(__file__).resolve().parents[2]
LENS = ROOT / "examples/site/history/the-lens/index.html"
HOSTILE = ROOT / "fixtures/hostile"

failures = []


def check(holds, what):
    print(("ok    " if holds else "FAILED ") + what)
    if not holds:
        failures.append(what)


class Server:
    """A server that serves the hostile page and remembers what was asked for."""

    def __init__(self):
        requests = self.requests = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=str(HOSTILE))

            def do_GET(self):
                requests.append(self.path)
                super().do_GET()

            do_POST = do_HEAD = do_GET

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def asked(self):
        asked, self.requests[:] = list(self.requests), []
        return asked


def inspect(args, page, name, *extra):
    report = args.output / f"{name}.html"
    command = [args.husk, "inspect", page, "-o", report, "--quiet", *extra]
    subprocess.run([str(part) for part in command], check=True, timeout=120)
    return report


def shown(browser, kind):
    """Whether tints of a kind are there and show."""
    return browser.value(
        f"""[...document.querySelectorAll('#tints .{kind}')].some((box) => {{
            const style = getComputedStyle(box);
            return style.display !== 'none' && style.visibility !== 'hidden' && box.offsetWidth > 20;
        }})""")


def place_in_frame(browser, selector):
    """Where the middle of an element of the page is in the window."""
    return browser.value(
        f"""(() => {{
            const frame = document.getElementById('page');
            const element = Document.prototype.querySelector.call(frame.contentDocument, {json.dumps(selector)});
            const stage = document.getElementById('stage');
            const inside = Element.prototype.getBoundingClientRect.call(element);
            stage.scrollTop = inside.top - 50;
            const outside = frame.getBoundingClientRect();
            return [outside.left + inside.left + Math.min(inside.width / 2, 40), outside.top + inside.top + inside.height / 2];
        }})()""")


def check_example(args, browser):
    report = inspect(args, LENS, "lens")
    browser.open(report.as_uri())
    with_all = browser.picture(args.output / "lens.png")
    check(shown(browser, "t") and shown(browser, "c"), "template and content are tinted")
    for kind, letter in ("template", "t"), ("content", "c"):
        browser.value(f"document.getElementById('show-{kind}').click()")
        time.sleep(0.3)
        check(not shown(browser, letter), f"{kind}: its box hides the tint")
        changed = ImageChops.difference(with_all, browser.picture()).getbbox()
        check(changed is not None and changed[3] - changed[1] > 30, f"{kind}: the picture is another one")
        browser.value(f"document.getElementById('show-{kind}').focus()")
        browser.press_space()
        check(shown(browser, letter), f"{kind}: the space bar shows it again")
    check(not shown(browser, "box"), "pagelets do not show at first")
    browser.value("document.getElementById('show-pagelets').click()")
    check(shown(browser, "box"), "pagelets: their box shows them")
    labels = browser.value("[...document.querySelectorAll('#tints .box b')].map((label) => label.textContent)")
    check({"header", "main content", "footer"} <= set(labels), f"pagelets have labels: {labels}")
    browser.picture(args.output / "lens-pagelets.png")

    browser.mouse(*place_in_frame(browser, "header a"))
    what = browser.value("document.getElementById('what').innerText")
    check("support 4 of 4 pages" in what and "header" in what, f"pointing shows support and pagelet: {what!r}")
    check("/html[1]/body[1]/header[1]" in what, "pointing shows the XPath")
    browser.mouse(*place_in_frame(browser, "h1"))
    what = browser.value("document.getElementById('what').innerText")
    check("main content" in what, f"pointing at the heading shows that it is content: {what!r}")

    before = browser.value("location.href")
    browser.mouse(*place_in_frame(browser, "header a"), click=True)
    time.sleep(0.7)
    same = browser.value("[location.href, document.getElementById('page').contentDocument.location.href].join(' ')")
    check(same == f"{before} about:srcdoc", "links of the page lead nowhere")
    browser.value("document.querySelector('button.find').click()")
    check(browser.value("document.querySelectorAll('#tints .lit').length") > 0, "a line of the table lights its pagelet")

    lines = browser.value("document.querySelectorAll('svg .edge.clique').length")
    check(lines == 10, f"the pages that all link to each other are drawn: {lines} lines among 5 pages")
    browser.dark(True)
    back = browser.value("getComputedStyle(document.body).backgroundColor")
    check(back == "rgb(20, 24, 29)", f"there is a dark look: {back}")
    browser.value("scrollTo(0, 0)")
    browser.picture(args.output / "lens-dark.png")
    browser.dark(False)
    browser.size(390, 844, mobile=True)
    time.sleep(1)
    width = browser.value("document.documentElement.scrollWidth")
    check(width <= 390, f"the report fits a telephone: {width} pixels")
    browser.picture(args.output / "lens-phone.png")
    browser.size(1280, 1000)
    pdf = base64.b64decode(browser.send("Page.printToPDF", printBackground=True)["data"])
    (args.output / "lens.pdf").write_bytes(pdf)
    check(pdf.startswith(b"%PDF") and len(pdf) > 20_000, "the report prints")


def titles(browser):
    return browser.value("document.title + ' ' + [...document.querySelectorAll('iframe[sandbox=allow-same-origin]')]"
                         ".map((frame) => Object.getOwnPropertyDescriptor(Document.prototype, 'title').get"
                         ".call(frame.contentDocument)).join(' ')")


def check_hostile(args, browser, server):
    browser.open(server.address + "key.html", 2)
    hits = server.asked()
    check("/hit?fetch" in hits, "hostile page: its scripts do run when it is opened as it is")
    site = ["--site", HOSTILE, "--base-url", server.address]
    for extra in [], ["--offline"]:
        name = "hostile" + "".join(extra)
        report = inspect(args, HOSTILE / "key.html", name, *site, *extra)
        server.asked()
        browser.open(report.as_uri())
        for selector in "#js", "#jt", "#top", "button", "#target":
            try:
                browser.mouse(*place_in_frame(browser, selector), click=True)
            except RuntimeError:
                # It is under what covers the page, or not there at all.
                pass
        browser.picture(args.output / f"{name}.png")
        check(browser.value("location.href") == report.as_uri(), f"{name}: the report is still there")
        check("ran" not in titles(browser).split(), f"{name}: no script of the page ran")
        check(browser.value("document.querySelectorAll('#tints i').length") > 0, f"{name}: the page is tinted all the same")
        what = browser.value("document.getElementById('what').innerText")
        check("/html[1]/body[1]" in what, f"{name}: pointing works all the same: {what!r}")
        asked = server.asked()
        harmless = ("style", "background", "body", "img", "srcset", "input", "import", "inline", "behaviour", "svgimage", "poster")
        odd = [path for path in asked if path.split("?")[-1] not in harmless and not path.endswith("/x")]
        if extra:
            check(asked == [], f"{name}: nothing is asked for: {asked}")
        else:
            check(asked != [] and odd == [], f"{name}: only pictures and style are asked for: {odd} of {len(asked)}")


def check_large(args, browser):
    with tempfile.TemporaryDirectory() as folder:
        deep = "<table><tr><td>" * 400
        rows = "".join(f"<tr><td>{number}<td><a href='x{number}'>cell <b>{number}</b></a>" for number in range(20_000))
        Path(folder, "page.html").write_text(f"<title>Large</title><p>Words{deep}{deep}<table>{rows}")
        report = inspect(args, Path(folder, "page.html"), "large")
    browser.open(report.as_uri(), 12)
    drawn = browser.value("document.querySelectorAll('#tints i').length")
    check(drawn > 0, f"a page of 100,000 nodes opens: {report.stat().st_size >> 20} MB, {drawn} boxes")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--husk", default=str(ROOT / "target/release/husk"))
    options.add_argument("--chromium", default="chromium")
    options.add_argument("--output", type=Path, default=ROOT / "target/browser")
    args = options.parse_args()
    for program, remedy in (args.chromium, "run scripts/install-tools"), (args.husk, "run cargo build --release"):
        if not shutil.which(program):
            sys.exit(f"{program} does not exist: {remedy}, or name another")
    args.output = args.output.resolve()
    args.output.mkdir(parents=True, exist_ok=True)
    server = Server()
    browser = Browser(args.chromium)
    try:
        check_example(args, browser)
        check_hostile(args, browser, server)
        check_large(args, browser)
    finally:
        browser.close()
    print(f"screenshots are in {args.output}")
    sys.exit(f"{len(failures)} checks failed" if failures else 0)


if __name__ == "__main__":
    main()
