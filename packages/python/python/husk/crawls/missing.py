"""What is said when the package that an adapter is for is not there."""

from __future__ import annotations


def not_installed(package: str, requirement: str, cause: ImportError) -> ImportError:
    """The error of an adapter whose package cannot be imported; ``requirement`` is what to install."""
    return ImportError(
        f"{package} cannot be imported ({cause}): pip install '{requirement}'", name=cause.name, path=cause.path
    )
