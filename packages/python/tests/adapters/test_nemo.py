"""The extractor and the stages for NeMo Curator, run by its executor on Ray."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

from adapter_docs import run_example
from adapter_package import require_package

require_package("nemo_curator", "nemo-curator")

import pytest
from crawled import SMALL_SITE, check_stripped, crawl, expected_rows, in_sample_order, write_warcs
from nemo_curator.stages.text.download.base.iterator import DocumentIterateExtractStage
from nemo_curator.stages.text.download.common_crawl.extract import CommonCrawlHTMLExtractor
from nemo_curator.stages.text.download.common_crawl.warc_iterator import CommonCrawlWarcIterator
from nemo_curator.tasks import EmptyTask, FileGroupTask
from site_pages import LIGHTHOUSE_SITE, TICKETS

import husk
from husk.nemo import HuskAlgorithm, HuskExtractor, LearnSites, SampleSites


def record(url: str | None, html: bytes) -> dict[str, Any]:
    return {"url": url, "warc_id": "1", "source_id": "a.warc.gz", "content": html}


def learned() -> husk.Templates:
    templates = husk.Templates("lighthouse.example")
    templates.learn(in_sample_order())
    return templates


def learn(folder: Path, files: int, **options: Any) -> dict[str, bytes]:
    """The files of templates, of a crawl in so many archives, each a task; without Ray."""
    write_warcs(folder / "crawl", crawl(), files)
    sample = SampleSites(str(folder / "samples"), **options)
    sampled = [sample.process(FileGroupTask("crawl", [str(file)])) for file in sorted((folder / "crawl").iterdir())]
    assert all(Path(file).exists() for task in sampled for file in task.data)
    find, learn = LearnSites(str(folder / "samples"), str(folder / "templates")).decompose()
    written = [file for task in find.process(EmptyTask()) for file in learn.process(task).data]
    assert written == [str(folder / "templates/lighthouse.example.husk")]
    return {file.name: file.read_bytes() for file in (folder / "templates").iterdir()}


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    write_warcs(tmp_path / "crawl", crawl(), files=3)
    run_example("NeMo Curator", tmp_path)
    lines = [line for file in (tmp_path / "out").iterdir() for line in file.read_text().splitlines()]
    rows = {row["url"]: row for row in map(json.loads, lines)}
    assert len(lines) == len(rows) and rows.keys() == crawl().keys()
    check_stripped({url: row["text"] for url, row in rows.items()})
    for url, row in expected_rows("markdown").items():
        assert rows[url]["text"] == row.content
        assert rows[url]["method"] == row.method and rows[url]["layout"] == row.layout
        assert rows[url]["template_share"] == pytest.approx(row.template_share)
        assert rows[url]["warnings"] == row.warnings
        assert rows[url]["language"] == "ENGLISH"
        assert rows[url]["source_id"].endswith(".warc.gz") and rows[url]["warc_id"]
    for url in SMALL_SITE:
        assert rows[url]["method"] == "single-page" and rows[url]["warnings"] == ["too-few-pages"]


def test_templates_do_not_depend_on_the_tasks(tmp_path: Path) -> None:
    in_one = learn(tmp_path / "1", files=1)
    assert in_one == learn(tmp_path / "4", files=4) == learn(tmp_path / "small", files=2, hold_bytes=8_000)
    assert in_one == {"lighthouse.example.husk": learned().to_bytes()}


def test_by_the_stage_of_nemo_curator(tmp_path: Path) -> None:
    write_warcs(tmp_path / "crawl", crawl(), files=1)
    extractor = HuskExtractor({"lighthouse.example": learned()})
    stage = DocumentIterateExtractStage(iterator=CommonCrawlWarcIterator(), extractor=extractor)
    batch = stage.process(FileGroupTask("crawl", [str(tmp_path / "crawl/000.warc.gz")])).to_pandas()
    assert set(extractor.output_columns()) <= set(batch.columns)
    assert set(batch.columns) == set(stage.outputs()[1])
    check_stripped(dict(zip(batch["url"], batch["text"], strict=True)))
    assert batch["method"].value_counts().to_dict() == {"template": 20, "single-page": 2}


def test_a_folder_and_a_mapping_are_the_same(tmp_path: Path) -> None:
    templates = learned()
    templates.save(tmp_path / "lighthouse.example.husk")
    by_folder, by_mapping = HuskExtractor(str(tmp_path)), HuskExtractor({"lighthouse.example": templates})
    sent = pickle.loads(pickle.dumps(by_folder))
    for url, html in crawl().items():
        actual = by_mapping.extract(record(url, html))
        assert actual is not None
        assert actual == by_folder.extract(record(url, html)) == sent.extract(record(url, html))


def test_non_pages_are_dropped_and_pages_without_url_are_kept() -> None:
    extractor = HuskExtractor({"lighthouse.example": learned()})
    html = LIGHTHOUSE_SITE.pages[TICKETS]
    for body in (b"", b"User-agent: *", b"%PDF-1.4 <a>", b"<p></p>", b"\x89PNG\r\n\x1a\n"):
        assert extractor.extract(record(TICKETS, body)) is None, body
    for url in (None, "", "tickets", "file:///tickets.html"):
        actual = extractor.extract(record(url, html))
        assert actual is not None and "visible thesis" in actual["text"]
        assert actual["warnings"] == ["too-few-pages"]


def test_the_algorithm_is_taken_by_the_extractor_of_nemo_curator() -> None:
    extractor = CommonCrawlHTMLExtractor(algorithm=HuskAlgorithm())
    actual = extractor.extract(record(TICKETS, LIGHTHOUSE_SITE.pages[TICKETS]))
    assert actual is not None
    assert actual["text"] == husk.content(LIGHTHOUSE_SITE.pages[TICKETS]).text.strip()
    assert HuskAlgorithm().extract_text("no tag", frozenset(), "ENGLISH") is None


def test_invalid_settings_fail_early(tmp_path: Path) -> None:
    with pytest.raises(husk.OptionError, match="content_format"):
        HuskExtractor(content_format="html")
    with pytest.raises(husk.OptionError, match="same_site"):
        SampleSites(str(tmp_path), same_site="planet")


def test_without_nemo_curator_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['nemo_curator'] = None\nimport husk.nemo"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert "pip install 'nemo-curator>=1.4'" in ended.stderr
