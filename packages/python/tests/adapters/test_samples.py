"""Samples of sites, as all adapters draw them."""

from __future__ import annotations

import random

import pytest

import husk
from husk.crawls.page import page_of_crawl, site_of
from husk.crawls.sample import Sample
from husk.crawls.sample_files import bucket_of
from husk.crawls.template_files import file_of

MOST = 16


def captures(count: int) -> list[husk.Page]:
    """Pages of a site, some URLs several times."""
    chance = random.Random(count)
    return [
        husk.Page(f"https://example.org/{chance.randrange(count)}", f"<p>{chance.randrange(3)}") for _ in range(count)
    ]


def expected_keys(pages: list[husk.Page]) -> list[int]:
    """The expected sample, computed differently."""
    least: dict[str, int] = {}
    for page in pages:
        least[page.url] = min(page.sample_key, least.get(page.url, page.sample_key))
    return sorted(least.values())[:MOST]


def sample_of(pages: list[husk.Page]) -> Sample:
    sample = Sample(MOST)
    for page in pages:
        sample.add(page)
    return sample


@pytest.mark.parametrize("count", [0, 1, 5, 40, 300])
@pytest.mark.parametrize("parts", [1, 2, 7])
def test_samples_of_parts_are_put_together(count: int, parts: int) -> None:
    pages = captures(count)
    together = Sample(MOST)
    for part in reversed(range(parts)):
        sample = sample_of(pages[part::parts])
        together.seen += sample.seen
        for key, packed in sample.packed():
            together.merge(key, packed)
    assert [key for key, _ in together.packed()] == expected_keys(pages)
    assert list(together.packed()) == list(sample_of(pages).packed())
    assert together.seen == count
    assert together.bytes == sum(len(packed) for _, packed in together.packed())
    assert [page.sample_key for page in together.pages()] == expected_keys(pages)


def test_pages_are_found_by_url() -> None:
    pages = captures(8)
    sample = sample_of(pages)
    for page in pages:
        found = sample.page_at(page.url)
        assert found is not None and found.url == page.url
    assert sample.page_at("https://example.org/elsewhere") is None


def test_large_pages_are_fewer() -> None:
    sample = Sample(MOST)
    for number in range(10):
        sample.add(husk.Page(f"https://example.org/{number}", "<p>" + "many words " * 300_000))
    assert len(sample) == 10
    assert len(sample.pages()) == 3


def test_what_is_a_page() -> None:
    assert site_of(page_of_crawl("https://www.example.org/a", "<p>"), "host") == "example.org"
    for url in (None, "", 7, "a", "file:///a"):
        assert site_of(page_of_crawl(url, "<p>"), "host") is None
    for html in ("", "words", "1 < 2", "%PDF-1.4 <p>", b"\x89PNG\r\n\x1a\n<p>"):
        with pytest.raises(husk.NotAPageError):
            page_of_crawl("https://example.org/", html)


def test_names_of_files_are_safe() -> None:
    assert file_of("example.org") == "example.org.husk"
    assert file_of("example.org:8080") == "example.org%3A8080.husk"
    assert "/" not in file_of("file:///../a/")


def test_buckets_are_the_same_in_every_process() -> None:
    assert [bucket_of(site, 16) for site in ("example.org", "lighthouse.example", "")] == [5, 2, 4]
