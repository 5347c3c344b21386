"""The blocks for datatrove, in its own executor."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from adapter_docs import run_example
from adapter_package import require_package

require_package("datatrove", "datatrove")

import pytest
from crawled import SMALL_SITE, check_stripped, crawl, expected_rows, in_sample_order, write_warcs
from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.utils.stats import PipelineStats
from site_pages import LIGHTHOUSE_SITE, TICKETS

import husk
from husk.datatrove import LearnSites, SampleSites, StripTemplates


def documents(pages: dict[str, bytes]) -> list[Document]:
    return [Document(html.decode(), url, metadata={"url": url}) for url, html in pages.items()]


def learn(folder: Path, documents: list[Document], tasks: int, **options: Any) -> dict[str, bytes]:
    """The files of templates, with documents dealt out to so many tasks."""
    samples, templates = str(folder / "samples"), str(folder / "templates")
    for rank in range(tasks):
        part = documents[rank::tasks]
        assert list(SampleSites(samples, **options).run(iter(part), rank, tasks)) == part
    for rank in range(2):
        assert list(LearnSites(samples, templates).run(None, rank, 2)) == []
    return {file.name: file.read_bytes() for file in Path(templates).iterdir()}


def strip(folder: Path, documents: list[Document], **options: Any) -> tuple[list[Document], dict[str, Any]]:
    block = StripTemplates(str(folder / "templates"), **options)
    stripped = list(block.run(iter(documents)))
    return stripped, {name: stat.total for name, stat in block.stats.stats.items()}


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    write_warcs(tmp_path / "crawl", crawl(), files=3)
    run_example("datatrove", tmp_path)
    rows = [
        json.loads(line)
        for file in sorted((tmp_path / "out").iterdir())
        for line in gzip.decompress(file.read_bytes()).splitlines()
    ]
    actual = {row["metadata"]["url"]: row for row in rows}
    assert actual.keys() == crawl().keys()
    check_stripped({url: row["text"] for url, row in actual.items()})
    assert [file.name for file in (tmp_path / "templates").iterdir()] == ["lighthouse.example.husk"]
    for url, row in expected_rows("markdown").items():
        assert actual[url]["text"] == row.content
        for field in ("method", "layout", "template_share", "warnings"):
            assert actual[url]["metadata"][field] == getattr(row, field), (url, field)
    for url in SMALL_SITE:
        assert actual[url]["metadata"]["method"] == "single-page"
        assert actual[url]["metadata"]["warnings"] == ["too-few-pages"]
        assert "read by itself" in actual[url]["text"]


def test_templates_do_not_depend_on_the_tasks(tmp_path: Path) -> None:
    in_one = learn(tmp_path / "1", documents(crawl()), tasks=1)
    in_three = learn(tmp_path / "3", documents(crawl()), tasks=3)
    # Everything is written after nearly every page.
    in_small_parts = learn(tmp_path / "small", documents(crawl())[::-1], tasks=2, hold_bytes=8_000, buckets=3)
    assert in_one.keys() == {"lighthouse.example.husk"}
    assert in_one == in_three == in_small_parts
    assert len(list((tmp_path / "small/samples").rglob("*.samples"))) > 4
    templates = husk.Templates("lighthouse.example")
    templates.learn(in_sample_order())
    assert in_one["lighthouse.example.husk"] == templates.to_bytes()


def test_samples_have_the_lowest_keys(tmp_path: Path) -> None:
    in_one = learn(tmp_path / "1", documents(LIGHTHOUSE_SITE.pages), tasks=1, sample_pages=8)
    in_three = learn(tmp_path / "3", documents(LIGHTHOUSE_SITE.pages), tasks=3, sample_pages=8)
    templates = husk.Templates("lighthouse.example")
    templates.learn(in_sample_order()[:8])
    assert in_one == in_three == {"lighthouse.example.husk": templates.to_bytes()}
    for hold_bytes in (8_000, 16_000, 24_000, 32_000):
        folder = tmp_path / str(hold_bytes)
        in_parts = learn(folder, documents(LIGHTHOUSE_SITE.pages) * 3, tasks=1, sample_pages=8, hold_bytes=hold_bytes)
        assert in_parts == in_one


def test_full_samples_are_not_written_again(tmp_path: Path) -> None:
    block = SampleSites(str(tmp_path), sample_pages=3, hold_bytes=12_000)
    list(block.run(iter(documents(LIGHTHOUSE_SITE.pages) * 20)))
    assert block.stats["sampled"].total < 40


def test_each_site_is_learned_once(tmp_path: Path) -> None:
    """Tasks have met other sites, or the same ones in another order, and several of them are in one bucket."""
    pages = {
        url.replace("lighthouse.example", f"{name}.example"): html
        for place, name in enumerate("edcbafgh")
        for url, html in list(LIGHTHOUSE_SITE.pages.items())[place:]
    }
    samples, templates = str(tmp_path / "samples"), str(tmp_path / "templates")
    given = documents(pages)
    for rank, part in enumerate((given[:30], given[70:], given[30:70])):
        list(SampleSites(samples, buckets=3).run(iter(part), rank, 3))
    blocks = [LearnSites(samples, templates) for _ in range(2)]
    for rank, block in enumerate(blocks):
        list(block.run(None, rank, 2))
    learned = sum((block.stats for block in blocks[1:]), start=blocks[0].stats).stats
    assert learned["sites"].total == learned["learned"].total == 8
    assert learned["pages"].total == len(pages)
    in_one = learn(tmp_path / "1", given, tasks=1)
    assert in_one == {file.name: file.read_bytes() for file in Path(templates).iterdir()}
    assert len(in_one) == 8


def test_a_task_that_runs_again_replaces_what_it_wrote(tmp_path: Path) -> None:
    pages = documents(crawl())
    learn(tmp_path, pages, tasks=3, hold_bytes=8_000)
    again = learn(tmp_path, pages, tasks=3)
    assert again == learn(tmp_path / "new", pages, tasks=3)
    block = LearnSites(str(tmp_path / "samples"), str(tmp_path / "templates"))
    list(block.run())
    assert block.stats["pages"].total == len(pages)


def test_several_captures_of_a_url_are_sampled_once(tmp_path: Path) -> None:
    again = [Document(html.decode() + "<!-- later -->", url, metadata={"url": url}) for url, html in crawl().items()]
    both = documents(crawl()) + again
    assert learn(tmp_path / "1", both, tasks=1) == learn(tmp_path / "3", both, tasks=3)
    assert husk.Templates.load(tmp_path / "1/templates/lighthouse.example.husk").pages == 20
    # Two pages, each captured twice, are enough to learn from, as for `husk bulk`.
    assert (tmp_path / "1/templates/small.example.husk").exists()


def test_non_pages_are_dropped_and_pages_without_url_are_kept(tmp_path: Path) -> None:
    learn(tmp_path, documents(crawl()), tasks=1)
    html = LIGHTHOUSE_SITE.pages[TICKETS].decode()
    odd = [
        Document("just words", "words", metadata={"url": "https://lighthouse.example/a.txt"}),
        Document("%PDF-1.4 <a>", "pdf", metadata={"url": "https://lighthouse.example/a.pdf"}),
        Document("<p></p>", "nothing", metadata={"url": "https://lighthouse.example/nothing"}),
        Document(html, "no URL"),
        Document(html, "not a URL", metadata={"url": "tickets"}),
        Document(html, "not of the web", metadata={"url": "file:///tickets.html"}),
        Document(html + "\ud800", "half a letter", metadata={"url": TICKETS}),
    ]
    sampler = SampleSites(str(tmp_path / "odd"))
    assert len(list(sampler.run(iter(odd)))) == len(odd)
    assert {name: stat.total for name, stat in sampler.stats.stats.items()} == {
        "total": 7, "not_html": 2, "no_site": 3, "sampled": 2,
    }  # fmt: skip
    stripped, stats = strip(tmp_path, odd)
    kept = {document.id: document for document in stripped}
    assert kept.keys() == {"no URL", "not a URL", "not of the web", "half a letter"}
    assert stats["not_html"] == 2 and stats["no_content"] == 1 and stats["no_site"] == 3
    assert stats["total"] == 7 and stats["forwarded"] == 4 and stats["dropped"] == 3
    assert "visible thesis" in kept["no URL"].text
    assert kept["no URL"].metadata["warnings"] == ["too-few-pages"]
    assert kept["half a letter"].metadata["method"] == "template"


def test_the_url_key_can_be_changed(tmp_path: Path) -> None:
    moved = [Document(html.decode(), url, metadata={"page": url}) for url, html in crawl().items()]
    learn(tmp_path, moved, tasks=2, url_key="page")
    stripped, stats = strip(tmp_path, moved, url_key="page")
    assert stats["template"] == 20
    check_stripped({document.id: document.text for document in stripped})


def test_few_sites_are_held(tmp_path: Path) -> None:
    html = LIGHTHOUSE_SITE.pages
    sites = [f"https://{name}.example/" for name in "abc"]
    pages = {url.replace(LIGHTHOUSE_SITE.base_url, site): page for url, page in html.items() for site in sites}
    learn(tmp_path, documents(pages), tasks=2)
    wide, _ = strip(tmp_path, documents(pages))
    narrow, _ = strip(tmp_path, documents(pages), hold_sites=1)
    assert narrow == wide
    assert {document.metadata["method"] for document in wide} == {"template"}


def test_tasks_in_processes(tmp_path: Path) -> None:
    """Blocks go to other processes, and their stats come back."""
    learn(tmp_path, documents(crawl()), tasks=1)
    executor = LocalPipelineExecutor(
        [documents(crawl()), StripTemplates(str(tmp_path / "templates"))],
        tasks=2,
        logging_dir=str(tmp_path / "logs"),
    )
    stats = executor.run()
    assert isinstance(stats, PipelineStats)
    [actual] = [stat for stat in stats.stats if "Husk" in stat.name]
    assert actual.stats["template"].total == 40
    assert actual.stats["too-few-pages"].total == 4


def test_invalid_settings_fail_early(tmp_path: Path) -> None:
    with pytest.raises(husk.OptionError, match="content_format"):
        StripTemplates(str(tmp_path), content_format="html")
    with pytest.raises(husk.OptionError, match="same_site"):
        SampleSites(str(tmp_path), same_site="planet")


def test_a_truncated_sample_file_is_an_error(tmp_path: Path) -> None:
    learn(tmp_path, documents(crawl()), tasks=1)
    [file, *_] = sorted((tmp_path / "samples").rglob("*.samples"), key=lambda file: -file.stat().st_size)
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(husk.InputError, match="is truncated"):
        list(LearnSites(str(tmp_path / "samples"), str(tmp_path / "templates")).run())


def test_without_datatrove_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['datatrove'] = None\nimport husk.datatrove"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert "pip install 'husk-web[datatrove]'" in ended.stderr
