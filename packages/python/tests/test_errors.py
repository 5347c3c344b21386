"""Every exception names its page, and can be sent to another process."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from responses import Response

import husk
from husk import errors

URL = "https://a.example/page"
CLASSES = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, husk.HuskError)]


def loading(answer: Any) -> Callable[[], Any]:
    return lambda: husk.Session(URL, load=lambda url: answer).run()


NAMING = [
    pytest.param(husk.UrlError, lambda: husk.Page("page.html", "<p>"), "page.html", id="url"),
    pytest.param(husk.NotAPageError, lambda: husk.Page.from_response(URL, b"", status=500), URL, id="not-a-page"),
    pytest.param(husk.LoadError, loading(None), URL, id="load"),
    pytest.param(husk.LoadError, loading(Response(URL, b"", 404)), URL, id="load-answer"),
    pytest.param(husk.NoSiblingError, lambda: husk.template("<p>", URL, {}), URL, id="no-sibling"),
    pytest.param(husk.NoSiblingError, lambda: husk.Templates("a.example").strip("<p>", URL).template, URL, id="not-learned"),
    pytest.param(husk.SessionError, lambda: husk.Session(URL), URL, id="session"),
    pytest.param(husk.InputError, lambda: husk.Site(URL), URL, id="input"),
]

NAMELESS = [
    pytest.param(husk.OptionError, lambda: husk.content("<p>", URL, colour="red"), id="option"),
    pytest.param(husk.TemplatesError, lambda: husk.Templates.from_bytes(b""), id="templates"),
    pytest.param(husk.InputError, lambda: husk.Site(Path("no/such/folder")), id="input"),
    pytest.param(husk.InputError, lambda: husk.Page.unpack(b"noise"), id="packed"),
]


@pytest.mark.parametrize(("kind", "fail", "url"), NAMING)
def test_the_page_is_named(kind: type[husk.HuskError], fail: Callable[[], Any], url: str) -> None:
    with pytest.raises(kind, match=url) as caught:
        fail()
    assert caught.value.url == url
    assert_pickles(caught.value)


@pytest.mark.parametrize(("kind", "fail"), NAMELESS)
def test_there_may_be_no_page(kind: type[husk.HuskError], fail: Callable[[], Any]) -> None:
    with pytest.raises(kind) as caught:
        fail()
    assert caught.value.url is None
    assert_pickles(caught.value)


@pytest.mark.parametrize("kind", CLASSES)
def test_every_class(kind: type[husk.HuskError]) -> None:
    assert kind.__name__ in husk.__all__
    assert kind.__doc__
    assert_pickles(kind("something is wrong", URL))
    assert_pickles(kind("something is wrong"))


def assert_pickles(error: husk.HuskError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), again.url) == (str(error), error.url)


def test_errors_of_values_are_value_errors() -> None:
    assert issubclass(husk.UrlError, ValueError)
    assert issubclass(husk.OptionError, ValueError)


def test_messages_say_what_to_do() -> None:
    with pytest.raises(husk.UrlError, match="expected one like https://example.org/"):
        husk.content("<p>", "www.example.org")
