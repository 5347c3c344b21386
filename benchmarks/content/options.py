"""The command line of `run`, read twice: to install what is asked for, and to run it. Standard library only."""
import argparse
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Where each peer comes from: the first word is the name of the package.
PYPI = [
    "trafilatura",
    "trafilatura without comments",
    "resiliparse",
    "rs-trafilatura",
    "readability-lxml",
    "jusText",
    "boilerpy3",
    "turbohtml",
]
NPM = ["@mozilla/readability", "defuddle"]
CRATES = ["dom_smoothie"]
PEERS = [*PYPI, *NPM, *CRATES]


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="benchmarks/content/run",
        description="Compares main-content extraction with other extractors on sets of pages.",
    )
    parser.add_argument(
        "sets",
        nargs="*",
        type=Path,
        metavar="SET",
        help="folder of labelled sites, or file NAME.jsonl or NAME.jsonl.xz of pages (default: the corpus)",
    )
    parser.add_argument(
        "--joined-words",
        type=lambda text: text.split(","),
        default=[],
        metavar="NAME,NAME",
        help="sets in which a run of Chinese or Japanese characters is one word (default: each character is one)",
    )
    parser.add_argument("--peers", type=names, default=PEERS, metavar="NAME,NAME", help=", ".join(PEERS))
    parser.add_argument("--husk", type=Path, default=default_husk(), help="the command (default: %(default)s)")
    parser.add_argument("--no-husk", dest="husk", action="store_const", const=None, help="peers only")
    parser.add_argument("--repeat", type=positive, default=3, help="times each page is given; the fastest counts")
    parser.add_argument("--time-limit", type=float, default=20, metavar="SECONDS", help="for a page")
    parser.add_argument("--resume", action="store_true", help="take other extractors' rows from pages.csv in the results")
    parser.add_argument("--results", type=Path, default=Path(__file__).resolve().parent / "results")
    parser.add_argument("--plot", type=Path, help="file of the plot (default: content-peers.svg in the results)")
    parser.add_argument("--update", type=Path, nargs="+", default=[], metavar="FILE", help="documents to update")
    chosen = parser.parse_args(arguments)
    chosen.sets = chosen.sets or [default_corpus()]
    for path in chosen.sets:
        if path is None or not path.is_file():
            require_corpus(parser, path)
    if len({set_name(path) for path in chosen.sets}) < len(chosen.sets):
        parser.error("two sets have the same name")
    return chosen


def set_name(path):
    return re.sub(r"\.jsonl(\.xz)?$", "", path.resolve().name)


def require_corpus(parser, corpus):
    if corpus is None:
        parser.error("no CORPUS, and neither HUSK_CORPUS nor ../shared/corpus is there")
    if not corpus.is_dir():
        parser.error(f"{corpus} is not a folder")


def names(text):
    asked = text.split(",")
    unknown = [name for name in asked if name not in PEERS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no peer {', '.join(unknown)}; there are {', '.join(PEERS)}")
    return asked


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def default_corpus():
    if "HUSK_CORPUS" in os.environ:
        return Path(os.environ["HUSK_CORPUS"])
    beside = ROOT / "../shared/corpus"
    return beside.resolve() if beside.is_dir() else None


def default_husk():
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/husk"
