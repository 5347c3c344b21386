"""What is compared: programs that are given pages through a pipe, and the command husk."""
import json
import queue
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple, Optional

import options

HERE = Path(__file__).resolve().parent
START_LIMIT = 120  # seconds until a program is ready: imports, stop lists, on a busy machine


class Answer(NamedTuple):
    text: str
    seconds: float
    error: Optional[str]


class Peer:
    """A program that answers a page with its main content. One process serves all pages, until it dies or hangs."""

    sees = "page"

    def __init__(self, name, time_limit, command=None):
        self.name = name
        self.time_limit = time_limit
        self.command = command or command_of(name)
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        # A pipe cannot be read with a time limit everywhere; a queue can.
        self.lines = queue.Queue()
        threading.Thread(target=forward, args=(self.process.stdout, self.lines), daemon=True).start()
        self.version = self.next_line(START_LIMIT)["version"]

    def takes(self, page):
        return True

    def extract(self, page):
        request = {"html": page.html, "url": page.url, "language": page.language}
        try:
            return Answer(**self.ask(request))
        except queue.Empty:
            fault = f"no answer within {self.time_limit:g} s"
        except (OSError, EOFError):
            fault = "the program died"
        self.stop()
        self.start()
        return Answer("", self.time_limit, fault)

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return self.next_line(self.time_limit)

    def next_line(self, limit):
        line = self.lines.get(timeout=limit)
        if line is None:
            raise EOFError(self.name)
        return json.loads(line)

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except BrokenPipeError:  # a page was on its way
            pass


def command_of(name):
    if name in options.PYPI:
        return [sys.executable, HERE / "peers/pypi/extract.py", name]
    if name in options.NPM:
        return ["node", HERE / "peers/npm/extract.mjs", name]
    return [HERE / "peers/dom-smoothie/target/release/husk-benchmark-dom-smoothie"]


def forward(pipe, lines):
    for line in pipe:
        lines.put(line)
    lines.put(None)


class Husk:
    """The command, started for every page: the start of a process is in its time."""

    name = "husk, page alone"
    sees = "page"

    def __init__(self, program, time_limit):
        self.program = program
        self.time_limit = time_limit
        self.folder = tempfile.TemporaryDirectory()
        self.version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split()[-1]

    def takes(self, page):
        return True

    def arguments(self, page):
        file = page.file or Path(self.folder.name) / "page.html"
        if not page.file:
            file.write_bytes(page.data)
        return ["content", file, "--alone", "--base-url", page.url]

    def extract(self, page):
        command = [self.program, *self.arguments(page), "--format", "text", "--quiet"]
        started = time.perf_counter()
        try:
            run = subprocess.run(command, capture_output=True, timeout=self.time_limit)
        except subprocess.TimeoutExpired:
            return Answer("", self.time_limit, f"no answer within {self.time_limit:g} s")
        seconds = time.perf_counter() - started
        last_words = run.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
        error = f"exit status {run.returncode}: {last_words}" if run.returncode else None
        return Answer(run.stdout.decode("utf-8", "replace"), seconds, error)

    def stop(self):
        self.folder.cleanup()


class HuskWithSite(Husk):
    """With a saved site, the siblings are loaded and compared for each page; other sites are learned once, before."""

    name = "husk"
    sees = "page and site"

    def __init__(self, program, time_limit):
        super().__init__(program, time_limit)
        self.learned = {}  # from a page to its file and the templates of its site

    def takes(self, page):
        return page.site is not None

    def arguments(self, page):
        if page.file:
            return ["content", page.file, "--site", page.site.folder, "--base-url", page.site.base_url]
        if page not in self.learned:
            self.learn(page.site)
        file, templates = self.learned[page]
        return ["strip", file, "--template", templates]

    def learn(self, site):
        folder = Path(tempfile.mkdtemp(dir=self.folder.name))
        templates = folder.with_suffix(".husk")
        for number, page in enumerate(site.pages):
            file = folder / f"{number}.html"
            file.write_bytes(page.data)
            self.learned[page] = file, templates
        # If this fails, so does every page of the site: that is where it is reported.
        command = [self.program, "learn", folder, "--base-url", site.base_url, "--output", templates, "--quiet"]
        subprocess.run(command, capture_output=True)


def knows_content(program):
    """Whether this husk is there and has the command: if not, it can only be left out."""
    return Path(program).is_file() and subprocess.run([program, "content", "--help"], capture_output=True).returncode == 0
