"""Exceptions."""

from __future__ import annotations


class HuskError(Exception):
    """Base class of all exceptions; ``url`` is the page concerned, if any."""

    def __init__(self, message: str, url: str | None = None) -> None:
        super().__init__(message)
        self.url = url

    def __reduce__(self) -> tuple[type[HuskError], tuple[str, str | None]]:
        # Spark pickles exceptions.
        return type(self), (str(self), self.url)


class UrlError(HuskError, ValueError):
    """Invalid URL."""


class OptionError(HuskError, ValueError):
    """Unknown option or invalid value."""


class NotAPageError(HuskError):
    """The response is not a page: an error, an image, another type of document."""


class LoadError(HuskError):
    """The key page could not be loaded; ``__cause__`` is the exception of the loader."""


class NoSiblingError(HuskError):
    """No other page of the site to compare with, so the template is unknown."""


class NoMenuError(HuskError):
    """The page has no main menu."""


class NoContentError(HuskError):
    """The page has no content."""


class SessionError(HuskError):
    """The session is finished, or was used incorrectly."""


class InputError(HuskError):
    """A folder or archive can't be read."""


class TemplatesError(HuskError):
    """Templates can't be read or learned."""
