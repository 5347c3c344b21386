"""Words of a text, and how well one text's words match another's."""
import re
from collections import Counter
from typing import NamedTuple

Words = Counter

# Scripts written without spaces: kana and Chinese characters, each a word of its own.
UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")
# A run of such characters as one word: some published scorers count so.
JOINED = re.compile(r"\w+")


class Match(NamedTuple):
    precision: float
    recall: float
    f1: float


def of(text, word=WORD):
    return Words(word.findall(text.lower()))


def match(wanted, found):
    """Precision, recall and F1 of `found`, where a word that stands twice counts twice."""
    if not wanted and not found:
        return Match(1.0, 1.0, 1.0)
    hits = (wanted & found).total()
    if not hits:
        return Match(0.0, 0.0, 0.0)
    precision, recall = hits / found.total(), hits / wanted.total()
    return Match(precision, recall, 2 * precision * recall / (precision + recall))
