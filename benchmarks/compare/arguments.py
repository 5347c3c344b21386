"""The command line of `run`, read twice: to install what is asked for, and to run it. Standard library only."""
import argparse
from pathlib import Path

import options  # of ../content
import tools

HERE = Path(__file__).resolve().parent
FIXTURES = options.ROOT / "fixtures/sites"

# Five rounds and this share of the pages for slow tools take about five minutes on an idle machine.
ROUNDS, EVERY = 5, 16


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="benchmarks/compare/run",
        description="Compares the speed of husk with other extractors: the same pages, one core, interleaved rounds.",
    )
    parser.add_argument("corpus", nargs="?", type=Path, help="folder of sites")
    parser.add_argument("--tools", type=names, default=tools.ALL, metavar="NAME,NAME", help=", ".join(tools.ALL))
    parser.add_argument("--rounds", type=options.positive, default=ROUNDS, help="that count; one before them does not")
    parser.add_argument("--every", type=options.positive, default=EVERY, help="slow tools get every so many-th page")
    parser.add_argument("--quick", action="store_true", help="to see that it works: one peer, one round, small pages")
    parser.add_argument("--no-commands", dest="commands", action="store_false", help="not the commands from start to end")
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--plot", type=Path, help="file of the plot (default: speed.svg in the results)")
    chosen = parser.parse_args(arguments)
    if chosen.quick:
        chosen.tools, chosen.rounds = tools.QUICK, 1
    chosen.corpus = chosen.corpus or (FIXTURES if chosen.quick else options.default_corpus())
    options.require_corpus(parser, chosen.corpus)
    return chosen


def names(text):
    asked = text.split(",")
    unknown = [name for name in asked if name not in tools.ALL]
    if unknown:
        raise argparse.ArgumentTypeError(f"no tool {', '.join(unknown)}; there are {', '.join(tools.ALL)}")
    return [name for name in tools.ALL if name in asked]
