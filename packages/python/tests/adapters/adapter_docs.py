"""The examples of docs/adapters.md, run as programs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from repository import ROOT

DOCS = ROOT / "docs" / "adapters.md"


def example(heading: str) -> str:
    """The Python example below a heading."""
    section = DOCS.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    [code] = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    return str(code)


def run_example(heading: str, folder: Path, **replaced: str) -> str:
    """Runs it in a folder, with some texts replaced, and returns what it says."""
    code = example(heading)
    for text, other in replaced.items():
        assert text in code, f"the example of {heading} does not say {text}"
        code = code.replace(text, other)
    return run_program(code, folder)


def run_program(code: str, folder: Path) -> str:
    program = folder / "example.py"
    program.write_text(code, encoding="utf-8")
    words = [sys.executable, program.name]
    ended = subprocess.run(
        words, cwd=folder, env=_environment(), capture_output=True, text=True, timeout=300, check=False
    )
    assert ended.returncode == 0, ended.stdout[-2000:] + ended.stderr[-4000:]
    return ended.stdout + ended.stderr


def _environment() -> dict[str, str]:
    # The package may have been found by a path that a new process does not know.
    return os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
