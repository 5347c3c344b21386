"""The types that are declared hold, and those of the compiled module are those that it has."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command import require
from repository import PACKAGE

import husk

SOURCES = Path(husk.__file__).parent
# Where packages are installed, mypy looks by itself, and complains otherwise.
IMPORTS = {} if "site-packages" in SOURCES.parts else {"MYPYPATH": str(SOURCES.parent), "PYTHONPATH": str(SOURCES.parent)}
Check = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """Runs a module of mypy with the configuration of the package."""
    require(importlib.util.find_spec("mypy") is not None, "mypy is not installed")
    cache = str(tmp_path_factory.mktemp("mypy"))
    environment = {**os.environ, **IMPORTS, "MYPY_CACHE_DIR": cache}

    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", *map(str, words)]
        return subprocess.run(command, cwd=PACKAGE, env=environment, capture_output=True, text=True, timeout=300, check=False)

    return run


def test_the_package(check: Check) -> None:
    checked = check("mypy", "--config-file", "pyproject.toml", "--strict", PACKAGE / "python/husk")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_compiled_module(check: Check) -> None:
    checked = check("mypy.stubtest", "--mypy-config-file", "pyproject.toml", "husk._husk")
    assert checked.returncode == 0, checked.stdout + checked.stderr


WRONG = {
    "husk.content(42)": 'incompatible type "int"',
    'husk.content("<p>").markdwn': 'has no attribute "markdwn"',
    "len(husk.Site({}).learn())": 'incompatible type "Templates"',
    'husk.Page("https://a.example/")': 'Missing positional argument "html"',
}


def test_mistakes_are_found(check: Check, tmp_path: Path) -> None:
    """Types that allowed everything would hold as well."""
    file = tmp_path / "mistakes.py"
    file.write_text("\n".join(["import husk", *WRONG]))
    actual = check("mypy", "--strict", file).stdout.splitlines()
    for number, complaint in enumerate(WRONG.values(), start=2):
        assert [line for line in actual if f"{file.name}:{number}: error: " in line and complaint in line], actual
