"""Talks to husk-dom's debugging tool (its example `dom`), which parses the documents it is sent.

Each way a message is one line with its length in bytes, in decimal, and then that many bytes of UTF-8.
"""
import os
import shlex
import subprocess
import sys
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEFAULT_TOOL = "cargo run -q --release -p husk-dom --example dom --"


class ToolDied(Exception):
    """The tool ended, or was ended because it took too long, instead of answering."""


class DomTool:
    """One running tool; it is started again after a death, so that one bad document costs one answer."""

    def __init__(self, command, mode, timeout=60):
        self.command = shlex.split(command) + [mode]
        self.timeout = timeout
        self.process = None

    def _start(self):
        """Starts the tool and asks it about an empty document; not timed, for it may have to be compiled first."""
        try:
            self.process = subprocess.Popen(self.command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._exchange("")
        except (OSError, ToolDied) as reason:
            self.close()
            sys.exit(f"the tool cannot be used ({shlex.join(self.command)}): {reason}")

    def _exchange(self, html):
        data = html.encode("utf-8")
        into, out = self.process.stdin, self.process.stdout
        try:
            into.write(b"%d\n" % len(data) + data)
            into.flush()
        except BrokenPipeError:
            raise ToolDied("it ended before it had read the document") from None
        header = out.readline()
        if not header:
            raise ToolDied(f"it ended with status {self.process.wait()}")
        try:
            length = int(header)
        except ValueError:
            raise ToolDied(f"it answered {header[:80]!r} where a length was expected") from None
        answer = out.read(length)
        if len(answer) < length:
            raise ToolDied(f"it ended with status {self.process.wait()} in the middle of its answer")
        return answer.decode("utf-8")

    def ask(self, html):
        """The tool's answer for one document. Raises ToolDied; the next call starts a new process."""
        timer = None
        try:
            if self.process is None:
                self._start()
            timer = threading.Timer(self.timeout, self.process.kill)
            timer.start()
            return self._exchange(html)
        except ToolDied:
            self.close()
            raise
        finally:
            if timer:
                timer.cancel()

    def close(self):
        process, self.process = self.process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            try:
                pipe.close()
            except BrokenPipeError:
                pass
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def add_tool_argument(parser):
    parser.add_argument("--tool", default=DEFAULT_TOOL, metavar="COMMAND",
                        help="how to start the parser's tool; the mode is appended (default: %(default)s)")
