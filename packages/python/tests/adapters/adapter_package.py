"""Whether the package that an adapter is for is there."""

from __future__ import annotations

import importlib.util
import os

import pytest


def require_package(module: str, package: str) -> None:
    """Skips a file of tests whose package is not installed, or fails it where everything has to be there."""
    if importlib.util.find_spec(module) is not None:
        return
    missing = f"{package} is not installed"
    if os.environ.get("HUSK_REQUIRE_TOOLS"):
        pytest.fail(f"{missing}, and HUSK_REQUIRE_TOOLS is set", pytrace=False)
    pytest.skip(missing, allow_module_level=True)
