#!/usr/bin/env python3
"""Tries the HTTP API with schemathesis by its own description: no mistake of the server, no answer that is not described.

    contract.py [--husk COMMAND] [--examples N]

The private-address guard is on. The server reaches the web through a proxy of ours, which knows a few made-up sites: nothing
leaves this machine, and yet pages are loaded, compared and learned.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from hooks import HOSTS
from serving import HUSK, Serving
from small_web import SmallWeb

HERE = Path(__file__).resolve().parent

# Of these, some requests must have got so far; otherwise nothing was tried.
REACHED = [
    ("POST", "/v1/template", 200),
    ("POST", "/v1/menu", 200),
    ("POST", "/v1/content", 200),
    ("POST", "/v1/pagelets", 200),
    ("POST", "/v1/inspect", 200),
    ("POST", "/v1/results", 201),
    ("GET", "/v1/sites", 200),
]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--husk", default=HUSK, help="the command to try")
    parser.add_argument("--examples", default=40, type=int, help="how many requests are made up for each route")
    return parser.parse_args()


def statuses(log):
    """How often which way of asking a route was answered by which status."""
    lines = map(json.loads, log.read_text().splitlines())
    return Counter((line["method"], line["path"], line["status"]) for line in lines if line["message"] == "answered")


def named(hosts):
    """Those hosts that are not written as numbers."""
    return sorted(host for host in hosts if not re.fullmatch(r"[\d.]+(:\d+)?", host))


def mistakes(counts):
    for (method, path, status), times in sorted(counts.items()):
        if status >= 500 and status not in (502, 504):
            yield f"{method} {path} was answered {times} times by {status}"
    for expected in (403, 422, 502):
        if not any(status == expected for _, _, status in counts):
            yield f"nothing was answered by {expected}: the requests do not get far enough"
    for method, path, status in REACHED:
        if not counts[method, path, status]:
            yield f"no {method} {path} was answered by {status}: the requests do not get far enough"


def main():
    options = arguments()
    web = SmallWeb(lambda host: host in HOSTS)
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "log"
        server = Serving(options.husk, log, "--no-store", "--proxy", f"http://127.0.0.1:{web.port}", "--log", "json", "--max-time", "20")
        command = [
            str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(HERE / "schemathesis.toml"),
            "run", f"{server.address}/v1/openapi.json", "--checks", "all", "--max-examples", str(options.examples),
            "--no-color",
        ]
        environment = {**os.environ, "PYTHONPATH": str(HERE)}
        tried = subprocess.run(command, cwd=scratch, env=environment)
        status = server.end()
        found = list(mistakes(statuses(log)))
        found += [f"{host} was asked for, which is a name: a name server was asked as well" for host in named(web.asked)]
        by_status = Counter()
        for (_, _, answered), times in statuses(log).items():
            by_status[answered] += times
    print("statuses:", ", ".join(f"{status} {times} times" for status, times in sorted(by_status.items())))
    for mistake in found:
        print("FAILED", mistake)
    if status != 0:
        print("FAILED the server ended with", status)
    sys.exit(1 if tried.returncode or found or status else 0)


if __name__ == "__main__":
    main()
