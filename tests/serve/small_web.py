"""Generated sites in one process: every host has the same kinds of pages, with text of its own."""
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

SECTIONS = 12

LAYOUT = """<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{title} - {site}</title></head><body>
<header><a href=/>{site}</a><form action=/search><input name=q></form></header>
<nav><ul>{menu}</ul></nav>
<main><h1>{title}</h1>{text}</main>
<aside><h2>Also here</h2><ul><li><a href=/about>About us</a></li><li><a href=/contact>Contact</a></li></ul></aside>
<footer><p>All of {site}, since 1987</p><a href=/imprint>Imprint</a></footer></body></html>
"""


def page(site, path):
    menu = "".join(f"<li><a href=/section/{number}>Section {number}</a></li>" for number in range(SECTIONS))
    title = f"On {path.strip('/') or 'everything'}"
    text = "".join(
        f"<p>Paragraph {number} of {path} on {site}: " + " ".join(f"word{number * 31 + place} of {title}" for place in range(12))
        + "</p>"
        for number in range(6)
    )
    return LAYOUT.format(title=title, site=site, menu=menu, text=text)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body in one write: a second write would wait for the acknowledgement of the first.
    wbufsize = -1

    def do_GET(self):
        # A proxy gets the full URL, a server the path.
        address = urlsplit(self.path)
        host = address.netloc or self.headers.get("Host", "")
        self.server.asked.add(host)
        if not self.server.knows(host):
            return self.answer(502, "text/plain", "no such host")
        if address.path == "/robots.txt":
            return self.answer(404, "text/plain", "none")
        return self.answer(200, "text/html; charset=utf-8", page(host, address.path))

    def answer(self, status, kind, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def do_CONNECT(self):
        self.server.asked.add(self.path)
        self.answer(502, "text/plain", "CONNECT is not supported")

    def log_message(self, *arguments):
        pass


class SmallWeb(ThreadingHTTPServer):
    """Listens on a loopback address of your choice."""

    daemon_threads = True
    request_queue_size = 512

    def __init__(self, knows=lambda host: True, address="127.0.0.1", port=0):
        super().__init__((address, port), Handler)
        self.knows = knows
        self.asked = set()
        self.port = self.server_port
        threading.Thread(target=self.serve_forever, daemon=True).start()
