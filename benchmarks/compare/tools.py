"""What is measured, and how each is started. Standard library only."""
import os
import shutil
import sys
from pathlib import Path

import extractors  # of ../content, as are the next two
import options
import setup_peers

STRIP = "husk strip"
HTML5EVER = "parsing by html5ever"
# The modes of the example `peer`.
OURS = {
    STRIP: ["strip"],
    "husk content --alone": ["content"],
    HTML5EVER: ["html5ever"],
    "parsing alone": ["parse"],
}
PEERS = ["resiliparse", "dom_smoothie", "rs-trafilatura", "jusText", "trafilatura", "@mozilla/readability"]
ALL = [*OURS, *PEERS]
QUICK = [*OURS, "resiliparse"]
# Loops in Python that commands are compared with.
LOOPS = ["resiliparse", "turbohtml"]
# These are given a part of the pages.
SLOW = {"rs-trafilatura", "jusText", "trafilatura", "@mozilla/readability"}

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", options.ROOT / "target"))
ROUND_LIMIT = 600  # seconds for one tool and one round: who takes longer hangs


CARGO = ["cargo", "build", "--release", "--quiet"]


def build(*targets):
    if os.environ.get("HUSK_PREBUILT") == "1":
        return
    setup_peers.need("cargo")
    setup_peers.call([*CARGO, *targets], options.ROOT)


class Tool(extractors.Peer):
    """A program that answers many pages at once, on one core."""

    def __init__(self, name, core, corpus):
        super().__init__(name, ROUND_LIMIT, [*pinned_to([core]), *command_of(name, corpus)])

    def round(self, pages):
        """Answers all pages; gives a list of seconds a page by processor time and by the clock, and what went wrong."""
        return self.ask({"pages": pages})

    def most_memory(self):
        """In bytes, since the program was started."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        kib = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:"))
        return int(kib) * 1024


def command_of(name, corpus):
    if name not in OURS:
        return extractors.command_of(name)
    learned_from = [corpus] if name == STRIP else []
    return [TARGET / "release/examples/peer", *OURS[name], *learned_from]


def pinned_to(cores):
    if shutil.which("taskset") is None:
        sys.exit("please install taskset (Debian: util-linux)")
    return ["taskset", "--cpu-list", ",".join(str(core) for core in cores)]
