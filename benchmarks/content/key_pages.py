"""The sites of a corpus, and the labelled main content of their key pages.

The format is that of husk's own evaluation: a folder a site, with site.json, gold.json (CSS selectors) and pages/.
"""
import json
import re
from urllib.parse import quote, urljoin

from selectolax.lexbor import LexborHTMLParser

# Never content, whatever a label covers.
NEVER_SHOWN = {"script", "style", "noscript", "template", "link", "meta"}


def address(base_url, file):
    return re.sub(r"(^|/)index\.html?$", r"\1", urljoin(base_url, quote(file)))


def sites(corpus):
    """The folder of each site, and what it says of itself; a corpus may be a single site."""
    folders = [corpus] if (corpus / "site.json").is_file() else sorted(corpus.iterdir())
    for folder in folders:
        if (folder / "site.json").is_file():
            site = json.loads((folder / "site.json").read_text(encoding="utf-8"))
            site["base_url"] = site["base_url"].rstrip("/") + "/"
            yield folder, site


def main_content(html, label):
    """The texts that the label calls main content: in elements it covers, or directly in elements it gives the text of."""
    page = LexborHTMLParser(html)
    covered = elements(page, label.get("main_content", []))
    texts_only = elements(page, [text["text_of"] for text in label.get("main_content_text", [])])
    pending = [(page.root, False)]
    while pending:
        node, inside = pending.pop()
        inside = inside or node.mem_id in covered
        for child in node.iter(include_text=True):
            if child.tag == "-text":
                if inside or node.mem_id in texts_only:
                    yield child.text_content or ""
            elif child.tag not in NEVER_SHOWN:
                pending.append((child, inside))


def elements(page, selectors):
    """By their identity in the tree, since nodes that are asked for twice are two objects."""
    return {element.mem_id for selector in selectors for element in page.css(selector)}
