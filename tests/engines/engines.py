#!/usr/bin/env python3
"""Renders templates with the engines they were written for, and looks whether a page comes out.

    engines.py [--husk PATH] [--node PATH] [--chromium PATH]

Jinja is rendered by Jinja2, Liquid by LiquidJS, Handlebars by Handlebars.js. Filled with what the key page has, each
template is the key page again; filled with something else, each thing stands in its place. A site whose pages are full of
the engines' own syntax keeps it to the letter. The slots of HTML are read by Chromium.
"""
import argparse
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import jinja2
from selectolax.lexbor import LexborHTMLParser

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
SITE = ROOT / "examples/site"
PAGES = ["history/the-lens/index.html", "visit/opening-hours/index.html",
         "stories/the-night-the-foghorn-stuck/index.html"]
ENGINES = ["jinja", "liquid", "handlebars"]

SYNTAX = ["{{ title }}", "{% raw %}x{% endraw %}", "{# gone #}", "{{{ x }}}", "{{{{raw}}}}x{{{{/raw}}}}", "{{!-- gone --}}",
          "\\{{ x }}", "\\\\{{ x }}", "{{#if x}}", "{%- if -%}", "{{~ x ~}}", "{", "\\", "{{", "}}", "{{ '{' }}"]

failures = []


def check(holds, what):
    print(("ok    " if holds else "FAILED ") + what)
    if not holds:
        failures.append(what)


def husk(args, page, *options):
    command = [args.husk, "template", page, "--quiet", *options]
    return subprocess.run(command, check=True, timeout=60, capture_output=True, text=True).stdout


def render(args, engine, template, values):
    if engine == "jinja":
        # Whether it escapes by itself must not matter: the placeholders say what they want.
        pages = {jinja2.Environment(autoescape=auto, keep_trailing_newline=True).from_string(template).render(values)
                 for auto in (False, True)}
        check(len(pages) == 1, "jinja: the same page with and without autoescape")
        return pages.pop()
    request = json.dumps({"engine": engine, "template": template, "values": values})
    done = subprocess.run([args.node, HERE / "render.js"], input=request, check=True, timeout=60, capture_output=True,
                          text=True)
    return done.stdout


def without_scripts(text):
    tree = LexborHTMLParser(text)
    for node in tree.css("script, noscript"):
        node.decompose()
    return tree


def nodes(tree):
    """Elements with their attributes, and texts, of the body in document order."""
    found = []
    stack = [tree.body]
    while stack:
        node = stack.pop()
        if node.is_text_node:
            words = " ".join(node.text_content.split())
            found += [words] if words else []
            continue
        attributes = sorted((name, value or "") for name, value in node.attributes.items())
        found.append((node.tag, tuple(attributes)))
        stack += reversed(list(node.iter(include_text=True)))
    return found


def head(tree):
    """The title and the metadata of the head, sorted."""
    entries = [tree.css_first("title").text()]
    for node in tree.css("head meta[content], head link[href]"):
        entries.append((node.tag, tuple(sorted(node.attributes.items()))))
    return sorted(map(str, entries))


def comparable(text):
    tree = without_scripts(text)
    for node in tree.css("meta[http-equiv], meta[charset], base"):
        node.decompose()
    return nodes(tree), head(tree)


def check_page(args, page, name):
    placeholders = json.loads(husk(args, page, "--format", "json"))["placeholders"]
    own = {placeholder["name"]: placeholder["value"] for placeholder in placeholders}
    other = {placeholder["name"]: f"other <{placeholder['name']}> & \"more\"" for placeholder in placeholders}
    for placeholder in placeholders:
        if not placeholder["is_text"]:
            other[placeholder["name"]] = f"<i data-other=\"{placeholder['name']}\">{placeholder['name']}</i>"
    other.pop("head_extra", None)
    for engine in ENGINES:
        template = husk(args, page, "--format", engine, "--links", "as-written")
        as_it_was = render(args, engine, template, own)
        check(comparable(as_it_was) == comparable(Path(page).read_text()), f"{name}, {engine}: gives the page back")
        filled = LexborHTMLParser(render(args, engine, template, other))
        for placeholder in placeholders:
            key = placeholder["name"]
            if key not in other:
                continue
            if not placeholder["is_text"]:
                found = filled.css_first(f'[data-other="{key}"]') is not None
            elif placeholder["attribute"]:
                found = any(node.attributes[placeholder["attribute"]] == other[key]
                            for node in filled.css(f"[{placeholder['attribute']}]"))
            else:
                found = any(node.text() == other[key] for node in filled.css("title, textarea"))
            check(found, f"{name}, {engine}: {key} is where it belongs")
    return placeholders


def hostile_site(folder):
    for page in "abcde":
        links = "".join(f'<li><a href="{other}.html">{other}</a></li>' for other in "abcde")
        syntax = "".join(f'<p title="{html.escape(text)}">{html.escape(text)}</p>' for text in SYNTAX)
        Path(folder, f"{page}.html").write_text(
            f"<!DOCTYPE html><title>Page {page} {{{{ x }}}}</title><style>@media{{{{p{{}}}}}}</style>"
            f"<ul class=menu>{links}</ul><div class=syntax>{syntax}</div><!-- {{{{ x }}}} {{% y %}} {{# z #}} -->"
            f"<main><h1>Only {page} {{{{ x }}}}</h1>" + f"<p>Words on {page} {{% y %}} alone.</p>" * ord(page)
            + "</main><footer>C:\\{{ dir }}\\ {% end %}</footer>")


def check_slots(args):
    with tempfile.TemporaryDirectory() as folder:
        template = Path(folder, "template.html")
        written = husk(args, SITE / PAGES[0], "--format", "html-slots", "--links", "as-written")
        template.write_text(written)
        command = [args.chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
                   "--dump-dom", template.as_uri()]
        shown = subprocess.run(command, capture_output=True, timeout=120, check=True).stdout.decode()
        names = re.findall(r'<slot name="(\w+)">', written)
        check("main_content" in names, "html-slots: there is a slot for the main content")
        check(re.findall(r'<slot name="(\w+)">', shown) == names, "html-slots: the browser finds every slot")
        check('<title data-slot="title">' in shown, "html-slots: the title has a name")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--husk", default=str(ROOT / "target/release/husk"))
    options.add_argument("--node", default="node")
    options.add_argument("--chromium", default="chromium")
    args = options.parse_args()
    for tool in (args.husk, args.node, args.chromium):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not there: run scripts/install-tools and cargo build --release")
    for page in PAGES:
        placeholders = check_page(args, str(SITE / page), page)
        names = {placeholder["name"] for placeholder in placeholders}
        check({"title", "main_content"} <= names, f"{page}: title and main content have their names")
    with tempfile.TemporaryDirectory() as folder:
        hostile_site(folder)
        check_page(args, str(Path(folder, "c.html")), "hostile page")
    check_slots(args)
    sys.exit(f"{len(failures)} checks failed" if failures else 0)


if __name__ == "__main__":
    main()
