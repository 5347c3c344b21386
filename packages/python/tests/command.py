"""The command `husk`, which the package has to agree with."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT

PLACES = (ROOT / "target/release/husk", ROOT / "target/debug/husk")


def require(found: bool, what: str) -> None:
    """Skips the test where something is missing, or fails it where everything has to be there."""
    if found:
        return
    if os.environ.get("HUSK_REQUIRE_TOOLS"):
        pytest.fail(f"{what}, and HUSK_REQUIRE_TOOLS is set")
    pytest.skip(what)


def find_command() -> Path | None:
    named = os.environ.get("HUSK_COMMAND")
    if named:
        assert Path(named).is_file(), f"HUSK_COMMAND is {named}, which is no file"
        return Path(named)
    return next((place for place in PLACES if place.exists()), None)


class Command:
    """Runs `husk` and hands over what it prints."""

    def __init__(self, program: Path) -> None:
        self._program = program

    def answer(self, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
        words = [str(self._program), *map(str, arguments)]
        return subprocess.run(words, capture_output=True, timeout=60, check=False)

    def bytes(self, *arguments: str | Path) -> bytes:
        answer = self.answer(*arguments)
        assert answer.returncode == 0, answer.stderr.decode()
        return answer.stdout

    def text(self, *arguments: str | Path) -> str:
        return self.bytes(*arguments).decode()

    def json(self, *arguments: str | Path) -> Any:
        return json.loads(self.bytes(*arguments))
