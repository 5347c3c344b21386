"""The plot: F1 as bars, time as dots on a logarithmic axis, one line an extractor, best first."""
import math
from html import escape

LINE = 26  # height of a line
TOP = 52
NAMES = 190  # width of the names
BARS = 300
GAP = 60
TIMES = 250
MARGIN = 24
WIDTH = NAMES + BARS + GAP + TIMES + 2 * MARGIN

OURS, THEIRS = "#b8501e", "#6b7985"
FOOTNOTE = (
    "husk is given the page and its site, all others the page alone."
    " Ring: start of a process and reading of files included."
)
INK, FAINT = "#222222", "#d8dcdf"


def svg(summaries):
    height = TOP + LINE * len(summaries) + 58
    axis = powers_around([one.ms for one in summaries])
    parts = [
        *f1_scale(len(summaries)),
        *time_scale(axis, len(summaries)),
    ]
    for place, one in enumerate(summaries):
        parts += line(one, TOP + LINE * place, axis)
    parts.append(text(MARGIN, height - 16, FOOTNOTE, INK, size=12))
    return picture("Main content: word F1 and time per page", WIDTH, height, parts)


def picture(title, width, height, parts):
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            ' role="img" font-family="system-ui, sans-serif" font-size="13">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def line(one, top, axis):
    ours = one.extractor.startswith("husk")
    colour = OURS if ours else THEIRS
    middle = top + LINE / 2
    left = MARGIN + NAMES
    length = BARS * one.f1
    dot = f'<circle cx="{time_x(one.ms, axis):.1f}" cy="{middle}" r="5" stroke="{colour}" stroke-width="2"'
    return [
        text(left - 8, middle + 4, one.extractor, INK, "end", bold=ours),
        f'<rect x="{left}" y="{top + 4}" width="{length:.1f}" height="{LINE - 8}" fill="{colour}"/>',
        text(left + length - 6, middle + 4, f"{one.f1:.3f}", "#ffffff", "end", bold=True)
        if one.f1 > 0.2
        else text(left + length + 6, middle + 4, f"{one.f1:.3f}", INK),
        # A ring where the time is of another kind than the others'.
        f'{dot} fill="{"#ffffff" if ours else colour}"/>',
        text(time_x(one.ms, axis) + 10, middle + 4, milliseconds(one.ms), INK, size=12),
    ]


def f1_scale(lines):
    yield text(MARGIN + NAMES, 22, "word F1, mean over key pages", INK, bold=True)
    for tenth in range(0, 11, 2):
        x = MARGIN + NAMES + BARS * tenth / 10
        yield from grid_line(x, lines, f"{tenth / 10:g}")


def time_scale(axis, lines):
    lowest, highest = axis
    yield text(MARGIN + NAMES + BARS + GAP, 22, "milliseconds a page", INK, bold=True)
    for power in range(lowest, highest + 1):
        yield from grid_line(time_x(10**power, axis), lines, f"{10**power:g}")


def grid_line(x, lines, label):
    bottom = TOP + LINE * lines
    yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{bottom}" stroke="{FAINT}"/>'
    yield text(x, TOP - 12, label, INK, "middle", size=11)


def powers_around(figures):
    """The powers of ten around all figures."""
    lowest = math.floor(math.log10(max(min(figures), 0.001)))
    return lowest, max(lowest + 1, math.ceil(math.log10(max(figures))))


def time_x(ms, axis):
    lowest, highest = axis
    share = (math.log10(max(ms, 0.001)) - lowest) / (highest - lowest)
    return MARGIN + NAMES + BARS + GAP + (TIMES - 50) * share


def milliseconds(ms):
    return f"{ms:.0f}" if ms >= 10 else f"{ms:.1f}"


def text(x, y, content, colour, anchor="start", bold=False, size=None):
    weight = ' font-weight="600"' if bold else ""
    smaller = f' font-size="{size}"' if size else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}"{weight}{smaller}>{escape(content)}</text>'
