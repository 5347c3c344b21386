"""Runs all tools on the pages in interleaved rounds, and summarises their times."""
import queue
from dataclasses import dataclass, field
from statistics import median


@dataclass
class Measured:
    """What one tool took for each page of each round that counts. Pages are known by their places."""

    name: str
    version: str
    places: list
    processor: list = field(default_factory=list)  # of rounds, each a dictionary from places to seconds
    clock: list = field(default_factory=list)
    memory: int = 0
    faults: dict = field(default_factory=dict)  # from places to what went wrong
    failure: str = None  # why there are no more rounds of it


def measure(tools, pages, places, rounds, progress):
    """One round to warm up, which counts for nothing, then those that count.

    In each round every tool has its turn, so that whatever else the machine does meets all alike; every other round
    runs in reverse order, so that no tool always follows the same other one.
    """
    measured = [Measured(tool.name, tool.version, places[tool.name]) for tool in tools]
    turns = list(zip(tools, measured))
    for number in range(rounds + 1):
        for tool, one in turns if number % 2 == 0 else reversed(turns):
            if one.failure is None:
                progress(f"round {number}/{rounds}: {tool.name}")
                take_turn(tool, one, pages, counts=number > 0)
    progress("")
    return measured


def take_turn(tool, one, pages, counts):
    try:
        answers = tool.round([pages[place] for place in one.places])
        one.memory = tool.most_memory()
    except queue.Empty:
        one.failure = f"no answer within {tool.time_limit:g} s"
        return
    except (OSError, EOFError):
        one.failure = "the program died"
        return
    if counts:
        one.processor.append(dict(zip(one.places, answers["processor"], strict=True)))
        one.clock.append(dict(zip(one.places, answers["clock"], strict=True)))
    one.faults = {place: error for place, error in zip(one.places, answers["errors"], strict=True) if error}


@dataclass
class Speed:
    """The results of a tool."""

    tool: str
    version: str
    pages: int
    pages_per_second: float
    megabytes_per_second: float
    times_as_long: float  # as the first tool for the same pages
    delay: float  # the clock's time, in terms of processor time
    megabytes_of_memory: float
    faults: list


def speed(one, first, pages):
    """By processor time; the median over the rounds."""
    seconds = median(sum(times.values()) for times in one.processor)
    size = sum(pages[place]["bytes"] for place in one.places)
    return Speed(
        tool=one.name,
        version=one.version,
        pages=len(one.places),
        pages_per_second=len(one.places) / seconds,
        megabytes_per_second=size / 1e6 / seconds,
        times_as_long=times_as_long(one, first),
        delay=median(sum(times.values()) for times in one.clock) / seconds,
        megabytes_of_memory=one.memory / 1e6,
        faults=[f"{pages[place]['file']}: {error}" for place, error in one.faults.items()],
    )


def times_as_long(one, other):
    """How many times as long one tool takes as another, each round by itself, on the pages that both were given."""
    both = [place for place in one.places if place in other.processor[0]]
    return median(
        sum(times[place] for place in both) / sum(other_times[place] for place in both)
        for times, other_times in zip(one.processor, other.processor)
    )
