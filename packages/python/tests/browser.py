"""A headless Chromium that looks at one file and is gone."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

SWITCHES = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    # Else it may look before frames are there: those in processes of their own are not waited for.
    "--virtual-time-budget=2000",
    "--disable-features=IsolateSandboxedIframes",
)


def chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Chromium:
    def __init__(self, program: str) -> None:
        self._program = program

    def _look(self, url: str, *switches: str) -> bytes:
        done = self._start(url, *switches)
        if done.returncode < 0:
            # Once in some hundred starts the browser itself crashes, which says nothing about the page.
            done = self._start(url, *switches)
        done.check_returncode()
        return done.stdout

    def _start(self, url: str, *switches: str) -> subprocess.CompletedProcess[bytes]:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            words = [self._program, *SWITCHES, f"--user-data-dir={profile}", *switches, url]
            return subprocess.run(words, capture_output=True, timeout=50, check=False)

    def document(self, url: str) -> str:
        """The page as the browser has it after its scripts have run."""
        return self._look(url, "--dump-dom").decode()

    def screenshot(self, url: str, file: Path, *, size: tuple[int, int]) -> None:
        self._look(url, "--window-size={},{}".format(*size), f"--screenshot={file}")
