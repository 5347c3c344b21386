#!/usr/bin/env python3
"""Runs the curl commands of docs/serve.md and docs/guide.md, and checks that all flags are documented.

    examples.py [--husk COMMAND]

The pages of the examples are served by a proxy.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from serving import HUSK, ROOT, Serving
from small_web import SmallWeb

SITE = "1.1.1.1"

failures = []


def check(holds, what):
    print(("ok    " if holds else "FAILED ") + what)
    if not holds:
        failures.append(what)


def commands(text):
    """The curl commands, with their continuation lines."""
    blocks = re.findall(r"```bash\n(.*?)```", text, re.DOTALL)
    lines = [command for block in blocks for command in re.split(r"\n(?=curl )", block)]
    return [line.strip() for line in lines if line.startswith("curl ")]


def make_result(server):
    body = json.dumps({"url": f"http://{SITE}/a"}).encode()
    request = urllib.request.Request(f"{server.address}/v1/results", body, {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))["id"]


def run(command, server, result, scratch):
    line = command.replace("http://localhost:8090", server.address)
    line = line.replace("https://example.org/", f"http://{SITE}/").replace("/sites/example.org", f"/sites/{SITE}")
    line = line.replace("/tmp/", f"{scratch}/").replace("curl ", "curl --silent --show-error --fail ", 1)
    done = subprocess.run(["bash", "-c", line], env={**os.environ, "id": result}, capture_output=True, text=True)
    is_silent = " -o " in command or "-X DELETE" in command
    is_problem = "event: problem" in done.stdout
    check(done.returncode == 0 and (done.stdout or is_silent) and not is_problem, f"{command.splitlines()[0]} {done.stderr}".strip())


def check_options(husk):
    """Every flag is in the table and in the example configuration."""
    table = (ROOT / "docs" / "serve.md").read_text()
    example = (ROOT / "examples" / "serve" / "husk.toml").read_text()
    said = subprocess.run([str(husk), "serve", "--help"], capture_output=True, text=True, check=True).stdout
    own = said.split("Loading from the web:")[0]
    flags = set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", own, re.MULTILINE)) - {"--config", "--help", "--version"}
    check(len(flags) > 15, f"{len(flags)} flags")
    for flag in sorted(flags):
        row = next((row for row in table.splitlines() if row.startswith(f"| `{flag}` |")), None)
        check(row, f"{flag} is in the table")
        key = re.findall(r"`([^`]+)`", row.split("|")[3]) if row else []
        check(not key or f"\n# {key[0]} = " in example, f"{flag} is in examples/serve/husk.toml")
    for name in re.findall(r"env: (HUSK_SERVE_\w+)", own):
        check(f"`{name}`" in table, f"{name} is in the table")


def check_configuration(husk, scratch):
    """The example configuration is valid, also with all comments removed."""
    text = (ROOT / "examples" / "serve" / "husk.toml").read_text()
    every = re.sub(r"^# ([a-z-]+ = )", r"\1", text, flags=re.MULTILINE)
    Path(scratch, "token").write_text("secret\n")
    for name, content in [("as-it-is", text), ("every-key", every)]:
        file = Path(scratch, f"{name}.toml")
        file.write_text(content)
        server = Serving(husk, Path(scratch, f"{name}.log"), "--config", str(file), "--store", str(Path(scratch, name)))
        check(server.end() == 0, f"husk.toml, {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--husk", default=HUSK, help="the command to test")
    husk = parser.parse_args().husk
    texts = [(ROOT / name).read_text() for name in ("docs/guide.md", "docs/serve.md")]
    wanted = [command for text in texts for command in commands(text)]
    check(len(wanted) >= 10, f"{len(wanted)} commands")
    web = SmallWeb(lambda host: host == SITE)
    with tempfile.TemporaryDirectory() as scratch:
        server = Serving(husk, Path(scratch, "log"), "--no-store", "--proxy", f"http://127.0.0.1:{web.port}")
        result = make_result(server)
        for command in wanted:
            run(command, server, result, scratch)
        check(server.end() == 0, "the server exits with 0")
        check_configuration(husk, scratch)
    check_options(husk)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
