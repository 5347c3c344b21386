#!/usr/bin/env python3
"""Opens site reports in Chromium, and sorts, filters and opens what is there.

    report.py [--tool COMMAND] [--chromium PATH] [--output FOLDER]

With some sites, with more than are listed, and with hostile names: the page says nothing on the console, asks for
nothing, runs nothing of what sites are called, sorts by every column, finds sites by their names, fits a telephone, has a dark look and
prints. Without scripts the list is there all the same. Screenshots stay in the output folder.
"""
import argparse
import base64
import http.server
import json
import math
import random
import shlex
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from chromium import Browser

ROOT = Path(__file__).resolve().parents[2]
TOOL = "cargo run -q --release -p husk-bulk --example report --"

failures = []


def check(holds, what):
    print(("ok    " if holds else "FAILED ") + what)
    if not holds:
        failures.append(what)


class Server:
    """A server that remembers what was asked for."""

    def __init__(self):
        asked = self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_response(404)
                self.end_headers()

            do_POST = do_HEAD = do_GET

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def shares(template, page):
    return {key: template[key] / page[key] if page[key] else None for key in page}


def site(name, pages, share, layouts=1, menu=(), warnings=None, model=None):
    """A line of sites.jsonl; without a share for a site of which no template is known."""
    measured = 0 if share is None else pages
    page = {"bytes": 40_000 * measured, "words": 900 * measured, "links": 80 * measured}
    parts = {"bytes": 1.0, "words": 0.7, "links": 1.2}
    template = {key: int(min(1, (share or 0) * parts[key]) * page[key]) for key in page}
    sizes = [0, 0, 0, pages // 8, pages // 4, pages // 2]
    return {
        "site": name, "pages": pages, "captured_bytes": 41_000 * pages, "page_sizes": sizes,
        "single_page": pages - measured, "unknown_layout": pages - measured, "measured": measured,
        "page": page, "template": template, "share": shares(template, page),
        "layouts": [
            {"id": f"{name[:8]}-{number}", "pages": max(1, pages // (number + 1)) if measured else 0, "support": min(pages, 64),
             "model": model or f"https://{name}/page/{number}", "share": shares(template, page)}
            for number in range(layouts if measured else 0)],
        "menu": list(menu), "menu_omitted": 0, "warnings": warnings or {},
    }


def entry(label, url=None, children=()):
    return {"label": label, "url": url, "children": list(children)}


MENU = [entry("Home", "https://tea.example/"),
        entry("Teas", "https://tea.example/teas", [entry("Green", "https://tea.example/green"), entry("Black", None)]),
        entry("About us", "https://tea.example/about")]


def some_sites():
    chance = random.Random(7)
    sites = [site(f"{word}.example", int(10 ** chance.uniform(0.5, 4.6)), min(0.97, max(0.03, chance.gauss(0.47, 0.16))),
                  layouts=chance.randint(1, 6), menu=MENU)
             for word in "tea cups pots spoons honey lemon sugar milk cake bread butter jam tray kettle leaf garden market".split()]
    sites += [site(f"small-{number}.example", number, None, warnings={"too-few-pages": number}) for number in (1, 2)]
    sites += [site("מרק.example", 120, 0.5, menu=[entry("בית", "https://soup.example/")]),
              site("a-" + "very-" * 30 + "long-name.example", 77, 0.61, warnings={"unknown-layout": 9, "low-coverage": 2})]
    return sorted(sites, key=lambda line: line["site"])


def many_sites():
    chance = random.Random(11)
    return [site(f"site-{number:05}.example", max(1, int(10 ** abs(chance.gauss(1.2, 1)))),
                 None if chance.random() < 0.1 else 1 / (1 + math.exp(-chance.gauss(0, 0.9))), layouts=chance.randint(1, 12), menu=MENU)
            for number in range(20_000)]


def hostile_sites(address):
    run = f"</title></script><script>document.title='ran'</script><img src='{address}img' onerror=\"document.title='ran'\">"
    quotes = f"\" onmouseover=\"document.title='ran'\" style=\"background:url({address}style)\" x=\""
    menu = [entry(name, link) for name in (run, quotes) for link in ("javascript:document.title='ran'", f"{address}{quotes}", run)]
    return [site(name, 50, 0.5, layouts=2, menu=menu, warnings={name: 3}, model=model)
            for name in (run, quotes, "</style>" + run, "--><!--" + run, "]]>" + run)
            for model in ("javascript:document.title='ran'", f"{address}model")]


def report(args, name, sites):
    lines = args.output / f"{name}.jsonl"
    lines.write_text("".join(json.dumps(line) + "\n" for line in sites))
    page = args.output / f"{name}.html"
    subprocess.run([*shlex.split(args.tool), lines, page], check=True, timeout=1800, cwd=ROOT)
    lines.unlink()
    return page


# Collected before anything of the page runs.
WATCH = """window.said = [];
for (const kind of ["error", "warn", "log"]) console[kind] = (...words) => said.push(words.join(" "));
addEventListener("error", (event) => said.push(event.message ?? "error"));
addEventListener("securitypolicyviolation", (event) => said.push("policy: " + event.violatedDirective));"""

SHOWN = "[...document.querySelectorAll('#sites > details')].filter((row) => row.offsetHeight > 0)"


def open_report(browser, page):
    browser.open(page.as_uri(), 1)
    for _ in range(100):
        if browser.value("document.readyState") == "complete" and browser.value("location.href") == page.as_uri():
            return
        time.sleep(0.2)


def quiet(browser, name):
    said = browser.value("window.said")
    check(said == [], f"{name}: nothing on the console: {said}")
    loaded = browser.value("performance.getEntriesByType('resource').map((entry) => entry.name)")
    check(loaded == [], f"{name}: nothing is loaded: {loaded}")


def sort_by(browser, key):
    browser.value(f"document.querySelector('#columns [data-key={key}]').click()")
    return browser.value(f"{SHOWN}.map((row) => row.dataset.{key} ?? null)")


def find(browser, words):
    browser.value(f"""(() => {{ const field = document.getElementById('search'); field.value = {json.dumps(words)};
        field.dispatchEvent(new Event('input')); }})()""")
    return browser.value(f"{SHOWN}.map((row) => row.dataset.site)")


def check_some(args, browser):
    sites = some_sites()
    page = report(args, "report", sites)
    open_report(browser, page)
    quiet(browser, "some sites")
    names = browser.value(f"{SHOWN}.map((row) => row.dataset.site)")
    by_pages = [line["site"] for line in sorted(sites, key=lambda line: (-line["pages"], line["site"]))]
    check(names == by_pages, "all sites are listed, the largest first")
    for key in "bytes", "words", "links", "layouts":
        values = [float(value) for value in sort_by(browser, key) if value is not None]
        check(values == sorted(values, reverse=True) and len(values) > 10, f"{key}: the greatest first")
        all_values = sort_by(browser, key)
        values = [float(value) for value in all_values if value is not None]
        check(values == sorted(values), f"{key}: a second click turns it round")
        check(None not in all_values[:len(values)], f"{key}: sites without a value come last")
    pressed = browser.value("[...document.querySelectorAll('[aria-pressed=true]')].map((button) => button.dataset.key)")
    check(pressed == ["layouts"], f"the sorted column is marked: {pressed}")
    first = sort_by(browser, "site")
    check(first[0].startswith("a-very") and len(first) == len(sites), "site: by name")
    check(find(browser, "SMALL-2 example") == ["small-2.example"], "words of the name find a site")
    said = browser.value("document.getElementById('shown').textContent")
    check(said == f"1 of {len(sites)}", f"the number of matches is shown: {said!r}")
    check(find(browser, "nowhere") == [], "what is nowhere is not found")
    browser.picture(args.output / "report-none.png", whole=True)
    check(len(find(browser, "")) == len(sites), "an empty field shows all")
    sort_by(browser, "pages")
    browser.value("document.querySelector('[data-site=\"tea.example\"] summary').click()")
    text = browser.value("document.querySelector('[data-site=\"tea.example\"]').innerText")
    check("About us" in text and "https://tea.example/page/0" in text, "a line opens to layouts and menu")
    browser.value("document.querySelector('[data-site^=a-very] summary').click()")
    text = browser.value("document.querySelector('[data-site^=a-very]').innerText")
    check("none of the learned layouts fits" in text, "and to warnings, with what they mean")
    look(args, browser, "report")
    quiet(browser, "some sites, used")


def look(args, browser, name):
    """Screenshots as people see it, and what can be measured of them."""
    whole_page(args, browser, name)
    browser.dark(True)
    back = browser.value("getComputedStyle(document.body).backgroundColor")
    check(back == "rgb(20, 24, 29)", f"{name}: there is a dark look: {back}")
    whole_page(args, browser, f"{name}-dark")
    browser.dark(False)
    browser.size(390, 844, mobile=True)
    time.sleep(0.5)
    width = browser.value("document.documentElement.scrollWidth")
    check(width <= 390, f"{name}: it fits a telephone: {width} pixels")
    whole_page(args, browser, f"{name}-phone", 390)
    browser.size(1280, 1000)
    pdf = base64.b64decode(browser.send("Page.printToPDF", printBackground=False)["data"])
    (args.output / f"{name}.pdf").write_bytes(pdf)
    check(pdf.startswith(b"%PDF") and len(pdf) > 20_000, f"{name}: it prints")


def whole_page(args, browser, name, width=1280):
    height = min(browser.value("document.documentElement.scrollHeight"), 6000)
    browser.size(width, height, mobile=width < 800)
    browser.value("scrollTo(0, 0)")
    time.sleep(0.5)
    browser.picture(args.output / f"{name}.png")
    browser.size(width, 1000, mobile=width < 800)


def check_many(args, browser):
    page = report(args, "many", many_sites())
    size = page.stat().st_size
    check(size < 8_000_000, f"20,000 sites: the page is {size / 1e6:.1f} MB")
    open_report(browser, page)
    quiet(browser, "20,000 sites")
    listed = browser.value("document.querySelectorAll('#sites > details').length")
    text = browser.value("document.body.innerText")
    check(listed == 1000 and "1,000 of 20,000 sites" in text, "the largest are listed, and it says so")
    check(browser.value("document.querySelectorAll('figure rect[opacity]').length") > 100, "all are drawn")
    sort_by(browser, "words")
    check(browser.value(f"{SHOWN}.length") == 1000, "sorting loses none")
    sort_by(browser, "pages")
    whole_page(args, browser, "many")


def check_hostile(args, browser):
    server = Server()
    page = report(args, "hostile", hostile_sites(server.address))
    open_report(browser, page)
    title = browser.value("document.title")
    check(title == "Templates of 10 sites", f"hostile names: the title is ours: {title!r}")
    browser.value("document.querySelectorAll('details').forEach((row) => { row.open = true; })")
    links = browser.value("[...document.links].map((link) => link.protocol)")
    check(len(links) > 10 and set(links) == {"http:"}, f"hostile names: links lead to the web: {set(links)}")
    for line in range(0, 1000, 90):
        browser.mouse(200, line)
    browser.picture(args.output / "hostile.png")
    check(browser.value("document.title") == title, "hostile names: none of them runs")
    check(browser.value("document.querySelectorAll('img, script:not(:last-of-type), [onmouseover], [onerror]').length") == 0,
          "hostile names: none became an element")
    quiet(browser, "hostile names")
    check(server.asked == [], f"hostile names: nothing is asked for: {server.asked}")


def check_without_scripts(args, browser):
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    browser.open((args.output / "report.html").as_uri(), 2)
    browser.send("Emulation.setScriptExecutionDisabled", value=False)
    check(browser.value("document.getElementById('find').hidden"), "without scripts: no field that would do nothing")
    check(browser.value("[...document.querySelectorAll('#columns button')].every((button) => button.disabled)"),
          "without scripts: no button that would do nothing")
    browser.value("document.querySelector('#sites > details').open = true")
    check(browser.value("document.querySelector('#sites > details .more').offsetHeight") > 50, "without scripts: lines open")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--tool", default=TOOL)
    options.add_argument("--chromium", default="chromium")
    options.add_argument("--output", type=Path, default=ROOT / "target/browser/report")
    args = options.parse_args()
    args.output = args.output.resolve()
    if not shutil.which(args.chromium):
        sys.exit(f"{args.chromium} is not installed: run scripts/install-tools, or name it by --chromium")
    args.output.mkdir(parents=True, exist_ok=True)
    browser = Browser(args.chromium)
    browser.send("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    try:
        check_some(args, browser)
        check_many(args, browser)
        check_hostile(args, browser)
        check_without_scripts(args, browser)
    finally:
        browser.close()
    print(f"screenshots are in {args.output}")
    sys.exit(f"{len(failures)} checks failed" if failures else 0)


if __name__ == "__main__":
    main()
