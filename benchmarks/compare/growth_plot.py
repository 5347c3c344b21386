"""The plot: time per page and memory against the number of pages, side by side, the latter on a logarithmic axis."""
import math

import plot  # of ../content

PANEL, HEIGHT, GAP, MARGIN, TOP, BOTTOM = 320, 150, 60, 40, 48, 44
WIDTH = 2 * MARGIN + 2 * PANEL + GAP


def svg(times, memory):
    """Each is a list of pairs: number of pages, figure."""
    parts = [
        *panel(MARGIN, "milliseconds a page", times, "{:.2f}"),
        *panel(MARGIN + PANEL + GAP, "peak memory, MB", memory, "{:.0f}"),
    ]
    return plot.picture("Cost of husk bulk against the number of pages", WIDTH, TOP + HEIGHT + BOTTOM, parts)


def panel(left, title, points, form):
    """From zero, so that flat looks flat."""
    bottom = TOP + HEIGHT
    lowest, highest = math.log10(min(size for size, _ in points)), math.log10(max(size for size, _ in points))
    most = 1.25 * max(figure for _, figure in points)

    def place(size, figure):
        share = (math.log10(size) - lowest) / (highest - lowest) if highest > lowest else 0.5
        return left + 30 + (PANEL - 60) * share, bottom - HEIGHT * figure / most

    dots = [place(*point) for point in points]
    yield plot.text(left, 22, title, plot.INK, bold=True)
    yield f'<line x1="{left}" x2="{left + PANEL}" y1="{bottom}" y2="{bottom}" stroke="{plot.INK}"/>'
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
    yield f'<polyline points="{line}" fill="none" stroke="{plot.OURS}" stroke-width="2"/>'
    for (x, y), (size, figure) in zip(dots, points):
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{plot.OURS}"/>'
        yield plot.text(x, y - 12, form.format(figure), plot.INK, "middle", bold=True)
        yield plot.text(x, bottom + 20, f"{size:,} pages", plot.INK, "middle", size=11)
