#!/usr/bin/env python3
"""Checks that `husk-lab eval` agrees with the independent scorer on every key page of a corpus.

    agreement.py [--husk target/release/husk] [--lab target/release/husk-lab] [--score ../shared/tools/score.py] [--what PART] [--method METHOD] [CORPUS]

The scorer parses with lexbor and reads what `husk template`, `husk menu` and `husk content` print; `husk-lab eval` runs the
engine itself. Without PART, all parts are checked, templates with the published method and the others with the default. The corpus is
CORPUS, or else $HUSK_CORPUS, or else ../shared/corpus. Where the corpus, the scorer or the parser it needs is missing
(`pip install selectolax`), the check is skipped, and says so.

Exit status: 0 agreed or skipped, 1 some page differs, 2 something could not be run.
"""
import argparse
import importlib.util
import json
import os
import subprocess
import sys

TOLERANCE = 0.0005  # agreement to the third decimal

# Fields of the scorer -> of `husk-lab eval`.
NODES = {"p": "precision", "r": "recall", "f1": "f1"}
WORDS = {"wp": "precision", "wr": "recall", "wf1": "f1"}

# Parts of `husk-lab eval` -> the command that the scorer runs, its arguments besides the method, the method checked.
PARTS = {
    "template": ("template", "", "paper"),
    "menu": ("menu", "", "husk"),
    "content": ("content", "", "husk"),
    "content-alone": ("content", " --alone", "husk"),
}


def main():
    arguments = parse_arguments()
    missing = what_is_missing(arguments)
    if missing:
        print(f"SKIPPED agreement with the independent scorer: {missing}")
        return 0
    parts = [arguments.what] if arguments.what else PARTS
    # A list, so that every part is checked even after a failure.
    return max([check(part, arguments) for part in parts])


def check(part, arguments):
    """Compares the two on a part of all key pages: 1 if something differs, else 0."""
    command, more, method = PARTS[part]
    method = arguments.method or method
    theirs = rows(
        [sys.executable, arguments.score, "--husk", arguments.husk, "--json", "--what", command]
        + ["--args", f"--method {method}{more}", arguments.corpus],
        key="key",
    )
    ours = rows(
        [arguments.lab, "eval", arguments.corpus, "--what", part, "--method", method, "--format", "json"],
        key="key_page",
    )
    faults = list(differences(theirs, ours))
    for fault in faults:
        print(f"{part}: {fault}", file=sys.stderr)
    # The scorer's parser built another tree there. This is not a difference in scoring.
    for (site, key), row in theirs.items():
        if row["unknown"]:
            print(f"{part}: {site} {key}: the scorer does not know {row['unknown']} of the printed nodes")
    print(f"{part} by {method}: {len(theirs)} key pages, {len(faults)} differences from {arguments.score}")
    return 1 if faults else 0


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--husk", default="target/release/husk")
    parser.add_argument("--lab", default="target/release/husk-lab")
    parser.add_argument("--score", default="../shared/tools/score.py")
    parser.add_argument("--what", choices=list(PARTS))
    parser.add_argument("--method")
    parser.add_argument("corpus", nargs="?", default=os.environ.get("HUSK_CORPUS", "../shared/corpus"))
    return parser.parse_args()


def what_is_missing(arguments):
    if not os.path.isdir(arguments.corpus):
        return f"no corpus at {arguments.corpus}"
    if not os.path.isfile(arguments.score):
        return f"no scorer at {arguments.score}"
    if importlib.util.find_spec("selectolax") is None:
        return f"{sys.executable} has no selectolax, which the scorer needs"
    return None


def rows(command, key):
    """The rows that a command prints as JSON, by site and key page."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        report = json.loads(run.stdout)
    except (OSError, subprocess.CalledProcessError, json.JSONDecodeError) as cause:
        print(f"{' '.join(command)}: {cause}\n{getattr(cause, 'stderr', '')}", file=sys.stderr)
        sys.exit(2)
    return {(row["site"], row[key]): row for row in report["rows"]}


def differences(theirs, ours):
    for page in sorted(theirs.keys() | ours.keys()):
        name = " ".join(page)
        if page not in ours or page not in theirs:
            yield f"{name}: only {'the scorer' if page in theirs else 'husk-lab eval'} has this page"
            continue
        their, our = theirs[page], ours[page]
        for counted, fields in (("nodes", NODES), ("words", WORDS)):
            # The scorer counts words only where it has a printed text, and loads only where they are printed.
            for field, our_field in fields.items():
                if field not in their:
                    continue
                their_value, our_value = their[field], our[counted][our_field]
                if abs(their_value - our_value) >= TOLERANCE:
                    yield f"{name}: {our_field} of {counted} is {their_value:.6f} by the scorer, {our_value:.6f} by husk-lab eval"
        if "loaded" in their and their["loaded"] != our["loaded"]:
            yield f"{name}: loaded is {their['loaded']} by the scorer, {our['loaded']} by husk-lab eval"


if __name__ == "__main__":
    sys.exit(main())
