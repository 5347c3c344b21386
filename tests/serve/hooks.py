"""Generators for schemathesis: URLs that can be loaded, and valid archives.

Nothing leaves this machine: the server uses a proxy that has pages of a few hosts.
"""
import schemathesis
from hypothesis import strategies

# IP addresses, so that no name server is used.
HOSTS = ["1.1.1.1", "8.8.4.4"]
NOT_LOADED = ["9.9.9.9", "127.0.0.1", "10.1.2.3", "[::1]", "169.254.169.254", "0x7f.1"]

PATHS = strategies.text("abcxyz019-_./~%&=?é", max_size=30).map(lambda path: path.replace("%", "%25"))


def addresses():
    hosts = strategies.sampled_from(HOSTS * 3 + NOT_LOADED)
    return strategies.builds("{}://{}/{}".format, strategies.sampled_from(["http"] * 4 + ["https"]), hosts, PATHS)


schemathesis.openapi.format("web-address", addresses())


def record(address, text):
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>{text}</title><nav><a href=/>Home</a></nav><p>{text}"
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: {address}\r\n"
        f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(answer.encode())}\r\n\r\n"
    )
    return (head + answer + "\r\n\r\n").encode()


ARCHIVES = strategies.lists(strategies.builds(record, addresses(), strategies.text("abc äöü<>&", max_size=40)), min_size=1, max_size=4)

schemathesis.openapi.media_type("application/warc", ARCHIVES.map(b"".join))


@schemathesis.hook
def before_call(context, case, kwargs):
    """Removes what would use a name server, and what OpenAPI cannot express."""
    # The query parameters `page` and `method` are for archives only.
    if case.media_type == "application/json" and isinstance(case.query, dict):
        for name in ["page", "method"]:
            case.query.pop(name, None)
    # The example of the OpenAPI description.
    body = case.body
    if isinstance(body, dict) and isinstance(body.get("url"), str):
        body["url"] = body["url"].replace("https://example.org", f"http://{HOSTS[0]}")
