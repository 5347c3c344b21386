"""The error for a missing package that an adapter needs."""

from __future__ import annotations


def not_installed(package: str, requirement: str, cause: ImportError) -> ImportError:
    """The error of an adapter whose package can't be imported; ``requirement`` is what to install."""
    return ImportError(
        f"cannot import {package} ({cause}): pip install '{requirement}'", name=cause.name, path=cause.path
    )
