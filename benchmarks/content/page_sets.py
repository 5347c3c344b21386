"""Sets of pages with the text of their content: key pages of a corpus, or a file with one page per line."""
import base64
import codecs
import json
import lzma
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Optional

import key_pages
import options
import words


@dataclass
class Site:
    """A saved site (a folder of pages that link each other), or the pages of a set that are of one site."""

    name: str
    folder: Optional[Path] = None
    base_url: str = "https://example.org/"
    pages: list = field(default_factory=list)


@dataclass(eq=False)
class Page:
    name: str
    url: str
    data: bytes
    content: str
    word: re.Pattern = words.WORD
    type: str = ""
    language: str = ""
    site: Optional[Site] = None
    file: Optional[Path] = None  # in the folder of its site

    @cached_property
    def html(self):
        return decode(self.data)

    def score(self, text):
        return words.match(words.of(self.content, self.word), words.of(text, self.word))


def read(path, joined_words=()):
    """All pages of a corpus or a file."""
    if path.is_dir():
        return [page for folder, site in key_pages.sites(path) for page in of_site(folder, site)]
    word = words.JOINED if options.set_name(path) in joined_words else words.WORD
    sites = {}
    with (lzma.open if path.suffix == ".xz" else open)(path, "rt", encoding="utf-8") as lines:
        return [of_line(json.loads(line), word, sites) for line in lines]


def of_site(folder, site):
    saved = Site(site["name"], folder / "pages", site["base_url"])
    labels = json.loads((folder / "gold.json").read_text(encoding="utf-8"))
    for label in labels if isinstance(labels, list) else [labels]:
        file = saved.folder / label["key"]
        page = Page(
            name=f"{saved.name} {label['key']}",
            url=key_pages.address(saved.base_url, label["key"]),
            data=file.read_bytes(),
            content="",
            language=site.get("language", ""),
            site=saved,
            file=file,
        )
        page.content = " ".join(key_pages.main_content(page.html, label))
        yield page


def of_line(line, word, sites):
    page = Page(
        name=line["id"],
        url=line["url"],
        data=base64.b64decode(line["html"]),
        content=line["gold"],
        word=word,
        type=line.get("type", ""),
        language=line.get("language", ""),
    )
    if line.get("site"):
        page.site = sites.setdefault(line["site"], Site(line["site"]))
        page.site.pages.append(page)
    return page


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
