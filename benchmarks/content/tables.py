"""The results as Markdown tables, which can be put into the documentation as they are."""
import re
from statistics import fmean

import options

MODEL = options.ROOT / "crates/husk/model.txt"
ALONE, WITH_SITE = "husk, page alone", "husk"


def is_husk(one):
    return one.extractor in (ALONE, WITH_SITE)


def print_set(summaries, repeat):
    first = summaries[0]
    print(f"## {first.set}\n\n{first.pages} pages; ms a page: fastest of {repeat}; *: with the start of a process\n")
    print(of_set(summaries), end="\n\n")
    if len(first.by_type) > 1:
        types = {kind: {one.extractor: one.by_type[kind][1] for one in summaries} for kind in first.by_type}
        heads = [f"{kind} ({pages})" for kind, (pages, _) in first.by_type.items()]
        print(f"F1 by type of page (pages)\n\n{matrix(heads, list(types.values()))}\n")
    for one in summaries:
        if one.faults:
            print(f"- {one.extractor}: errors, counted as no text: {len(one.faults)}; the first: {one.faults[0]}")
    print(flush=True)


def of_set(summaries):
    heads = ["extractor", "version", "input", "P", "R", "F1", "worst", "ms a page"]
    return table(heads, [row(one) for one in summaries])


def row(one):
    figures = [f"{figure:.3f}" for figure in (one.precision, one.recall, one.f1, one.worst)]
    return [one.extractor, one.version, one.sees, *figures, f"{one.ms:.1f}{'*' if is_husk(one) else ''}"]


def of_sets(summaries, loose):
    """Each set by its name, and three tables of F1 in which husk's figure is the cross-validated one, if there is one.

    `summary`: each extractor on each set; `best`: husk and the best other one on loose pages; `model`: husk beside its
    figures with the model that was fitted to the same pages.
    """
    validated = cross_validated(MODEL.read_text(encoding="utf-8"))
    sets, pages, model = {}, {}, []
    for one in summaries:
        figure = validated.get((one.set, one.pages, one.extractor), one.f1)
        sets.setdefault(one.set, {})[one.extractor] = figure
        pages[one.set] = one.pages
        if figure != one.f1:
            name = one.set + ", with siblings" * (one.extractor == WITH_SITE)
            model.append([name, one.pages, f"{figure:.3f}", f"{one.f1:.3f}"])
    heads = [f"{name} ({count})" for name, count in pages.items()]
    best = []
    for name in loose:
        others = {extractor: f1 for extractor, f1 in sets[name].items() if extractor not in (ALONE, WITH_SITE)}
        if others and ALONE in sets[name]:
            first = max(others, key=others.get)
            mine, other = bold_best([sets[name][ALONE], others[first]])
            best.append([name, pages[name], mine, f"{first} {other}"])
    return {
        **{name: of_set([one for one in summaries if one.set == name]) for name in sets},
        "summary": matrix(heads, list(sets.values()), against=ALONE),
        "best": table(["set", "pages", "`husk`, page alone", "best other extractor"], best),
        "model": table(["set", "pages", "cross-validated", "fitted"], model),
    }


def cross_validated(model):
    """F1 by set, number of pages and extractor, from the header of the model file."""
    found = re.findall(r"^# (\S+?)(-with-siblings)?: word F1 ([\d.]+) on (\d+) pages", model, re.MULTILINE)
    return {(name, int(pages), WITH_SITE if siblings else ALONE): float(f1) for name, siblings, f1, pages in found}


def matrix(heads, columns, against=None):
    """Extractors by columns, best mean first; `against` counts on how many columns that extractor is ahead and behind."""
    names = {name: None for column in columns for name in column}
    bold = [dict(zip(column, bold_best(column.values()))) for column in columns]
    # One that lacks columns is compared on those that it has.
    order = sorted(names, key=lambda name: -fmean(column[name] for column in columns if name in column))
    rows = [[name, *(column.get(name, "") for column in bold)] for name in order]
    if against in names:
        heads = [*heads, f"{against}: ahead, behind"]
        for cells in rows:
            cells.append("" if cells[0] in (ALONE, WITH_SITE) else ahead_behind(columns, against, cells[0]))
    return table(["extractor", *heads], rows)


def ahead_behind(columns, name, other):
    """Figures that are printed alike are neither."""
    both = [column for column in columns if name in column and other in column]
    pairs = [(round(column[name], 3), round(column[other], 3)) for column in both]
    return f"{sum(a > b for a, b in pairs)}, {sum(a < b for a, b in pairs)}"


def bold_best(figures):
    texts = [f"{figure:.3f}" for figure in figures]
    return [f"**{text}**" if text == max(texts) else text for text in texts]


def table(heads, rows):
    lines = [f"| {' | '.join(map(str, cells))} |".replace("  ", " ") for cells in [heads, *rows]]
    return "\n".join([lines[0], "|---" * len(heads) + "|", *lines[1:]])


def update(file, all_tables):
    """Replaces the tables between the comments `<!-- content: NAME -->` and `<!-- end -->` of a document."""
    text = file.read_text(encoding="utf-8")
    for name, content in all_tables.items():
        start = f"<!-- content: {name} -->\n"
        text = re.sub(f"{start}.*?<!-- end -->", lambda _: f"{start}{content}\n<!-- end -->", text, flags=re.DOTALL)
    file.write_text(text, encoding="utf-8")
