"""The pages of a corpus as files: which are given to tools, and in which order."""
import random

import key_pages  # of ../content

SEED = 7


def of_corpus(corpus):
    """All pages of all sites in one order that is mixed and always the same."""
    pages = [page for folder, site in key_pages.sites(corpus) for page in of_site(folder, site)]
    random.Random(SEED).shuffle(pages)
    return pages


def of_site(folder, site):
    pages = folder / "pages"
    for file in sorted(pages.rglob("*")):
        if file.suffix in {".html", ".htm"} and file.is_file():
            yield {
                "file": str(file),
                "url": key_pages.address(site["base_url"], file.relative_to(pages).as_posix()),
                "language": site.get("language", ""),
                "site": site["name"],
                "bytes": file.stat().st_size,
            }


def part(pages, every):
    """The places of a part of the pages that has small and large ones as all of them do: every so many-th by size."""
    by_size = sorted(range(len(pages)), key=lambda place: pages[place]["bytes"])
    return sorted(by_size[every // 2 :: every] or by_size[:1])
