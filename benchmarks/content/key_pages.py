"""The key pages of a corpus, with the words of their labelled main content.

The format is that of husk's own evaluation: a folder a site, with site.json, gold.json (CSS selectors) and pages/.
"""
import codecs
import json
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urljoin

from selectolax.lexbor import LexborHTMLParser

import words

# Never content, whatever a label covers.
NEVER_SHOWN = {"script", "style", "noscript", "template", "link", "meta"}


@dataclass
class KeyPage:
    site: str
    key: str  # its file, below the pages of the site
    folder: Path  # of the site
    base_url: str
    language: str
    html: str
    gold: "words.Words"

    @property
    def url(self):
        return address(self.base_url, self.key)

    def __str__(self):
        return f"{self.site} {self.key}"


def address(base_url, file):
    return re.sub(r"(^|/)index\.html?$", r"\1", urljoin(base_url, quote(file)))


def of_corpus(corpus):
    """All key pages, by site."""
    return [page for folder, site in sites(corpus) for page in of_site(folder, site)]


def sites(corpus):
    """The folder of each site, and what it says of itself; a corpus may be a single site."""
    folders = [corpus] if (corpus / "site.json").is_file() else sorted(corpus.iterdir())
    for folder in folders:
        if (folder / "site.json").is_file():
            site = json.loads((folder / "site.json").read_text(encoding="utf-8"))
            site["base_url"] = site["base_url"].rstrip("/") + "/"
            yield folder, site


def of_site(folder, site):
    labels = json.loads((folder / "gold.json").read_text(encoding="utf-8"))
    for label in labels if isinstance(labels, list) else [labels]:
        html = decode((folder / "pages" / label["key"]).read_bytes())
        yield KeyPage(
            site=site["name"],
            key=label["key"],
            folder=folder,
            base_url=site["base_url"],
            language=site.get("language", ""),
            html=html,
            gold=words.of(" ".join(main_content(html, label))),
        )


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


# Labels of encodings that browsers read as a larger one.
READ_AS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "euc-kr": "cp949",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "iso-8859-9": "cp1254",
    "x-mac-roman": "mac-roman",
}
DECLARATION = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)


def decode(data):
    """The text of a page: by its byte order mark, by what it declares, as UTF-8, or else as windows-1252."""
    if data.startswith(codecs.BOM_UTF8):
        return data.decode("utf-8-sig", "replace")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    declared = DECLARATION.search(data, 0, 4096)
    if declared:
        label = declared.group(1).decode("ascii").lower()
        try:
            return data.decode(READ_AS.get(label, label), "replace")
        except LookupError:
            pass  # no such encoding: as if nothing were declared
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
