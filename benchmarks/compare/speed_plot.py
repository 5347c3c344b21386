"""The plot: pages a second as dots on a logarithmic axis, memory as bars, one line a tool, fastest first."""
import math

import plot  # of ../content

LINE, TOP, NAMES, MARGIN = 26, 52, 200, 24
SPEEDS, GAP, MEMORY = 400, 40, 170
WIDTH = MARGIN + NAMES + SPEEDS + GAP + MEMORY + MARGIN
LABELS = 60  # room for a figure behind a dot or a bar
FOOTNOTES = [
    "One core, from bytes to text, the same pages; slow tools got a part of them.",
    "husk strip has learned the site before, which is not in its time; all others see the page alone.",
]


def svg(speeds, first):
    """`first` is the name of the tool that the others are compared with."""
    height = TOP + LINE * len(speeds) + 58
    axis = plot.powers_around([speed.pages_per_second for speed in speeds])
    most = max(speed.megabytes_of_memory for speed in speeds)
    parts = [
        *scale(axis, len(speeds)),
        plot.text(MARGIN + NAMES + SPEEDS, 22, f"time, {first} = 1", plot.INK, "end", bold=True),
        plot.text(memory_left(), 22, "peak memory, MB", plot.INK, bold=True),
    ]
    for place, speed in enumerate(speeds):
        parts += line(speed, TOP + LINE * place, axis, most)
    for place, note in enumerate(FOOTNOTES):
        parts.append(plot.text(MARGIN, height - 32 + 16 * place, note, plot.INK, size=12))
    return plot.picture("Speed and memory of extractors on one core", WIDTH, height, parts)


def line(speed, top, axis, most):
    ours = speed.tool.startswith("husk")
    colour = plot.OURS if ours else plot.THEIRS
    middle = top + LINE / 2
    left, dot = MARGIN + NAMES, speed_x(speed.pages_per_second, axis)
    length = (MEMORY - LABELS) * speed.megabytes_of_memory / most
    return [
        plot.text(left - 8, middle + 4, speed.tool, plot.INK, "end", bold=ours),
        f'<line x1="{left}" x2="{dot:.1f}" y1="{middle}" y2="{middle}" stroke="{colour}" stroke-width="2"/>',
        f'<circle cx="{dot:.1f}" cy="{middle}" r="5" fill="{colour}"/>',
        plot.text(dot + 10, middle + 4, f"{speed.pages_per_second:.0f}", plot.INK, bold=ours),
        plot.text(left + SPEEDS, middle + 4, f"{times(speed.times_as_long)} ×", plot.INK, "end", size=12),
        f'<rect x="{memory_left()}" y="{top + 5}" width="{length:.1f}" height="{LINE - 10}" fill="{colour}"/>',
        plot.text(memory_left() + length + 6, middle + 4, f"{speed.megabytes_of_memory:.0f}", plot.INK, size=12),
    ]


def scale(axis, lines):
    lowest, highest = axis
    yield plot.text(MARGIN + NAMES, 22, "pages a second", plot.INK, bold=True)
    for power in range(lowest, highest + 1):
        yield from plot.grid_line(speed_x(10**power, axis), lines, f"{10**power:g}")


def times(ratio):
    """Two figures of a ratio, or all in front of the point."""
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"


def speed_x(figure, axis):
    lowest, highest = axis
    share = (math.log10(figure) - lowest) / (highest - lowest)
    return MARGIN + NAMES + (SPEEDS - 2.5 * LABELS) * share


def memory_left():
    return MARGIN + NAMES + SPEEDS + GAP
