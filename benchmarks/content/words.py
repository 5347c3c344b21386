"""Words of a text, and how well one text's words match another's."""
import re
from collections import Counter
from typing import NamedTuple

Words = Counter

# Scripts written without spaces: kana and Chinese characters, each a word of its own.
UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")


class Match(NamedTuple):
    precision: float
    recall: float
    f1: float


def of(text):
    return Words(WORD.findall(text.lower()))


def match(wanted, found):
    """Precision, recall and F1 of `found`, where a word that stands twice counts twice."""
    hits = (wanted & found).total()
    precision = hits / found.total() if found else float(not wanted)
    recall = hits / wanted.total() if wanted else 1.0
    both = precision + recall
    return Match(precision, recall, 2 * precision * recall / both if both else 0.0)
