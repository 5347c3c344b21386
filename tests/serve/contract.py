#!/usr/bin/env python3
"""Tests the HTTP API with schemathesis: no server errors, no response that the OpenAPI description does not have.

    contract.py [--husk COMMAND] [--examples N]

The private-address guard is on. The server loads pages through a proxy with a few generated sites: nothing leaves this machine.
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

# At least one request must get each of these responses; otherwise nothing was tested.
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
    parser.add_argument("--husk", default=HUSK, help="the command to test")
    parser.add_argument("--examples", default=40, type=int, help="number of requests per route")
    return parser.parse_args()


def statuses(log):
    """Number of responses by method, path and status."""
    lines = map(json.loads, log.read_text().splitlines())
    return Counter((line["method"], line["path"], line["status"]) for line in lines if line["message"] == "response")


def named(hosts):
    """Hosts that are not IP addresses."""
    return sorted(host for host in hosts if not re.fullmatch(r"[\d.]+(:\d+)?", host))


def find_failures(counts):
    for (method, path, status), times in sorted(counts.items()):
        if status >= 500 and status not in (502, 504):
            yield f"{method} {path} returned {status} {times} times"
    for expected in (403, 422, 502):
        if not any(status == expected for _, _, status in counts):
            yield f"no request returned {expected}"
    for method, path, status in REACHED:
        if not counts[method, path, status]:
            yield f"no {method} {path} returned {status}"


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
        tested = subprocess.run(command, cwd=scratch, env=environment)
        status = server.end()
        failures = list(find_failures(statuses(log)))
        failures += [f"{host} was requested: tests must not use a name server" for host in named(web.asked)]
        by_status = Counter()
        for (_, _, answered), times in statuses(log).items():
            by_status[answered] += times
    print("statuses:", ", ".join(f"{status} {times} times" for status, times in sorted(by_status.items())))
    for failure in failures:
        print("FAILED", failure)
    if status != 0:
        print("FAILED exit status of the server:", status)
    sys.exit(1 if tested.returncode or failures or status else 0)


if __name__ == "__main__":
    main()
