"""What can go wrong. Every exception says which page it is about, where there is one."""

from __future__ import annotations


class HuskError(Exception):
    """Anything that Husk complains of; ``url`` is the page it is about, if there is one."""

    def __init__(self, message: str, url: str | None = None) -> None:
        super().__init__(message)
        self.url = url

    def __reduce__(self) -> tuple[type[HuskError], tuple[str, str | None]]:
        # Engines send exceptions from one process to another.
        return type(self), (str(self), self.url)


class UrlError(HuskError, ValueError):
    """Something is no address."""


class OptionError(HuskError, ValueError):
    """An option is not known, or has a value that it cannot have."""


class NotAPageError(HuskError):
    """What a server answered is no page: an error, a picture, a document of another kind."""


class LoadError(HuskError):
    """The page itself could not be loaded; the loader's exception is its cause."""


class NoSiblingError(HuskError):
    """No other page of the site could be compared with the page, so nothing is known of its template."""


class NoMenuError(HuskError):
    """The page has no main menu."""


class SessionError(HuskError):
    """A session is finished, or was used in another way than it can be."""


class InputError(HuskError):
    """A folder or an archive cannot be read."""


class TemplatesError(HuskError):
    """Templates cannot be read, or nothing could be learned."""
