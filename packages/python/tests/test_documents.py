"""The examples in the documents run, and the reference names everything."""

from __future__ import annotations

import dataclasses
import gzip
import re
import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests
from archives import warc
from repository import PACKAGE, ROOT
from site_pages import LIGHTHOUSE_SITE, TICKETS

import husk

README = PACKAGE / "README.md"
REFERENCE = ROOT / "docs" / "python.md"
EXAMPLE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where examples find the files that they name, and the web that they load from."""
    shutil.copytree(LIGHTHOUSE_SITE.folder, tmp_path / "lighthouse")
    (tmp_path / "crawl.warc.gz").write_bytes(gzip.compress(warc(LIGHTHOUSE_SITE.pages)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", answer_of_httpx)
    monkeypatch.setattr(requests, "get", answer_of_requests)
    return tmp_path


def body_of(url: str) -> bytes | None:
    try:
        return LIGHTHOUSE_SITE.load(url)[1]
    except KeyError:
        return None


async def answer_of_httpx(transport: object, request: httpx.Request) -> httpx.Response:
    body = body_of(str(request.url))
    return httpx.Response(404 if body is None else 200, content=body, headers={"content-type": "text/html"})


def answer_of_requests(url: str) -> requests.Response:
    response = requests.Response()
    body = body_of(url)
    response.url, response.status_code, response._content = url, 404 if body is None else 200, body or b""
    return response


@pytest.mark.parametrize("document", [README, REFERENCE], ids=lambda file: file.name)
def test_examples(document: Path, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All examples of a document, one after the other, as somebody would try them."""
    names: dict[str, Any] = {"html": LIGHTHOUSE_SITE.pages[TICKETS], "url": TICKETS, "pages": LIGHTHOUSE_SITE.pages}
    text = document.read_text()
    examples = list(EXAMPLE.finditer(text))
    assert len(examples) >= 5
    for example in examples:
        line = text.count("\n", 0, example.start(1))
        exec(compile("\n" * line + example[1], str(document), "exec"), names)
    printed = capsys.readouterr().out
    assert "# Tickets" in printed
    assert (place / "lighthouse.husk").exists() or (place / "rows.jsonl").read_text().count("\n") == len(LIGHTHOUSE_SITE.pages)


def test_the_example_of_the_project(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"html": LIGHTHOUSE_SITE.pages[TICKETS], "pages": LIGHTHOUSE_SITE.pages}
    [example] = EXAMPLE.findall((ROOT / "docs/library.md").read_text())
    exec(compile(example, "library.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "# Tickets" in printed and printed.count("https://lighthouse.example/stories/") > 3


DESCRIBED = [
    husk.Extraction,
    husk.Template,
    husk.Menu,
    husk.Content,
    husk.Pagelet,
    husk.Session,
    husk.Site,
    husk.Templates,
    husk.Stripped,
    husk.Page,
    husk.Row,
]
FIELDS = [husk.Node, husk.Slot, husk.MenuItem, husk.Visit, husk.Layout, husk.Lesson]


def test_the_reference_names_everything() -> None:
    prose = EXAMPLE.sub("", REFERENCE.read_text())
    in_code = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", prose))))
    wanted = {name for name in husk.__all__ if not name.startswith("_")}
    for kind in DESCRIBED:
        wanted |= {name for name in vars(kind) if not name.startswith("_")}
    for kind in FIELDS:
        wanted |= {field.name for field in dataclasses.fields(kind)}
    wanted |= set(husk.default_options())
    assert wanted - in_code == set()


def test_docstrings_are_there() -> None:
    for name in husk.__all__:
        if not name.startswith("_"):
            assert getattr(husk, name).__doc__, name
