"""Where things are in the repository."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parents[1]
LIGHTHOUSE = ROOT / "fixtures" / "sites" / "lighthouse" / "pages"
HOSTILE = ROOT / "fixtures" / "hostile"
