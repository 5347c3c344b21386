"""What husk must reach beside others, in the same run."""
from typing import NamedTuple

import tools


class Promise(NamedTuple):
    """`husk strip` must be so many times as fast as a tool."""

    tool: str
    times: float


PROMISES = [
    Promise(tools.HTML5EVER, 0.75),
    Promise("resiliparse", 2),
    Promise("trafilatura", 25),
]


def check(speeds):
    """A line for each promise that could be checked, and whether all of these are kept."""
    reached = {speed.tool: speed.times_as_long for speed in speeds}
    checked = [promise for promise in PROMISES if promise.tool in reached]
    lines = [line(promise, reached[promise.tool]) for promise in checked]
    return lines, all(is_kept(promise, reached[promise.tool]) for promise in checked)


def is_kept(promise, times):
    return times >= promise.times


def line(promise, times):
    verdict = "kept" if is_kept(promise, times) else "NOT KEPT"
    return f"{tools.STRIP}: {times:.2f} times as fast as {promise.tool}, at least {promise.times:g} promised: {verdict}"
