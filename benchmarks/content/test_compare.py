"""Tests of the comparison itself: .venv/bin/python -m unittest discover -s benchmarks/content"""
import sys
import unittest
import xml.etree.ElementTree
from pathlib import Path

import compare
import key_pages
import plot
import words
from extractors import Answer, Peer


class WordsOfTexts(unittest.TestCase):
    def check(self, text, expect):
        self.assertEqual(sorted(words.of(text).elements()), sorted(expect))

    def test_words(self):
        self.check("The sea, the SEA!", ["the", "the", "sea", "sea"])
        self.check("Größe 12-mal", ["größe", "12", "mal"])
        self.check("写时复制 copy日", ["写", "时", "复", "制", "copy", "日"])
        self.check(" – ", [])

    def test_a_word_counts_as_often_as_it_stands_there(self):
        match = words.match(words.of("gull gull lamp"), words.of("gull lamp lamp fog"))
        self.assertEqual((match.precision, match.recall), (0.5, 2 / 3))

    def test_nothing(self):
        self.assertEqual(words.match(words.of("gull"), words.of("")), (0, 0, 0))
        self.assertEqual(words.match(words.of(""), words.of("")), (1, 1, 1))


class LabelledContent(unittest.TestCase):
    def check(self, html, label, expect):
        self.assertEqual(words.of(" ".join(key_pages.main_content(html, label))), words.of(expect))

    def test_a_label_covers_the_whole_element_once(self):
        label = {"main_content": ["main", "main p"]}
        self.check("<nav>menu</nav><main>a <p>b<script>c</script></p></main>", label, "a b")

    def test_a_label_of_texts_covers_no_element(self):
        self.check("<p>a <a>link</a> b</p>", {"main_content_text": [{"text_of": "p"}]}, "a b")

    def test_addresses(self):
        page = key_pages.KeyPage("s", "a b/index.html", Path(), "https://s.example/x/", "en", "", words.of(""))
        self.assertEqual(page.url, "https://s.example/x/a%20b/")

    def test_decoding(self):
        self.assertEqual(key_pages.decode("é".encode()), "é")
        self.assertEqual(key_pages.decode("é".encode("latin-1")), "é")
        self.assertEqual(key_pages.decode(b'<meta charset="iso-8859-1">\x93'), '<meta charset="iso-8859-1">“')
        self.assertEqual(key_pages.decode(b"<meta charset=unheard-of>\xc3\xa9"), "<meta charset=unheard-of>é")
        self.assertEqual(key_pages.decode(b"\xff\xfea\x00"), "a")


# A program that behaves as the page asks.
ODD = """
import json, sys, time
print(json.dumps({"version": "1"}), flush=True)
for line in sys.stdin:
    html = json.loads(line)["html"]
    if html == "die": sys.exit(1)
    if html == "hang": time.sleep(60)
    print(json.dumps({"text": html, "seconds": 0.25, "error": "odd" if html == "fail" else None}), flush=True)
"""


class Peers(unittest.TestCase):
    def setUp(self):
        self.peer = Peer("odd", 0.5, [sys.executable, "-c", ODD])
        self.addCleanup(lambda: self.peer.stop())

    def page(self, html):
        return key_pages.KeyPage("site", "key.html", Path(), "https://s.example/", "en", html, words.of("gull lamp"))

    def test_an_answer(self):
        self.assertEqual(self.peer.extract(self.page("gull")), Answer("gull", 0.25, None))

    def test_after_a_page_that_hangs_or_kills_the_next_one_is_answered(self):
        for html, fault in [("hang", "no answer within 0.5 s"), ("die", "the program died")]:
            self.assertEqual(self.peer.extract(self.page(html)).error, fault)
            self.assertEqual(self.peer.extract(self.page("gull")).text, "gull")

    def test_an_error_is_no_text(self):
        rows = compare.measure([self.peer], [self.page("fail")], repeat=3)
        self.assertEqual((rows[0].f1, rows[0].error), (0, "odd"))
        self.assertEqual(compare.summary(self.peer, rows).faults, ["site key.html: odd"])

    def test_a_page_is_scored(self):
        self.assertEqual(compare.measure([self.peer], [self.page("gull")], repeat=2)[0].recall, 0.5)


class Plot(unittest.TestCase):
    def test_it_is_an_image_with_all_names(self):
        names = ["husk", "a<b&c"]
        ones = [compare.Summary(name, "1", "page", 1, 1, 0.9, 0, "", ms) for name, ms in zip(names, [0.2, 300])]
        image = plot.svg(ones)
        texts = [text.text for text in xml.etree.ElementTree.fromstring(image).iter("{http://www.w3.org/2000/svg}text")]
        self.assertLessEqual(set(names), set(texts))


if __name__ == "__main__":
    unittest.main()
