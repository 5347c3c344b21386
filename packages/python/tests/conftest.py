"""What many tests need."""

from __future__ import annotations

import pytest
from command import Command, find_command, require
from site_pages import LIGHTHOUSE_SITE, TICKETS

import husk


@pytest.fixture(scope="session")
def command() -> Command:
    program = find_command()
    require(program is not None, "there is no command `husk`: build it, or name it in HUSK_COMMAND")
    assert program is not None
    return Command(program)


@pytest.fixture(scope="session")
def pages() -> dict[str, bytes]:
    """The lighthouse's pages by URL."""
    return LIGHTHOUSE_SITE.pages


@pytest.fixture(scope="session")
def tickets(pages: dict[str, bytes]) -> husk.Extraction:
    """What is known of one page of the lighthouse."""
    return husk.extract(pages[TICKETS], TICKETS, pages)


@pytest.fixture(scope="session")
def lighthouse() -> husk.Site:
    return husk.Site(LIGHTHOUSE_SITE.folder, base_url=LIGHTHOUSE_SITE.base_url)
