"""Tests of the comparison itself: .venv/bin/python -m unittest discover -s benchmarks/content"""
import base64
import contextlib
import io
import json
import lzma
import stat
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

import compare
import key_pages
import options
import page_sets
import plot
import tables
import words
from extractors import Answer, HuskWithSite, Peer


class WordsOfTexts(unittest.TestCase):
    def check(self, text, expect):
        self.assertEqual(sorted(words.of(text).elements()), sorted(expect))

    def test_words(self):
        self.check("The sea, the SEA!", ["the", "the", "sea", "sea"])
        self.check("Größe 12-mal", ["größe", "12", "mal"])
        self.check("写时复制 copy日", ["写", "时", "复", "制", "copy", "日"])
        self.check(" – ", [])

    def test_joined_words(self):
        self.assertEqual(words.of("写时复制 Copy", words.JOINED), {"写时复制": 1, "copy": 1})

    def test_a_word_counts_as_often_as_it_stands_there(self):
        match = words.match(words.of("gull gull lamp"), words.of("gull lamp lamp fog"))
        self.assertEqual((match.precision, match.recall), (0.5, 2 / 3))

    def test_nothing(self):
        self.assertEqual(words.match(words.of("gull"), words.of("")), (0, 0, 0))
        self.assertEqual(words.match(words.of(""), words.of("")), (1, 1, 1))
        self.assertEqual(words.match(words.of(""), words.of("gull")), (0, 0, 0))


class LabelledContent(unittest.TestCase):
    def check(self, html, label, expect):
        self.assertEqual(words.of(" ".join(key_pages.main_content(html, label))), words.of(expect))

    def test_a_label_covers_the_whole_element_once(self):
        label = {"main_content": ["main", "main p"]}
        self.check("<nav>menu</nav><main>a <p>b<script>c</script></p></main>", label, "a b")

    def test_a_label_of_texts_covers_no_element(self):
        self.check("<p>a <a>link</a> b</p>", {"main_content_text": [{"text_of": "p"}]}, "a b")

    def test_addresses(self):
        self.assertEqual(key_pages.address("https://s.example/x/", "a b/index.html"), "https://s.example/x/a%20b/")


class SetsOfPages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, *pages):
        lines = [{"id": "1", "url": "https://s.example/", "html": "", "gold": "灯塔", **page} for page in pages]
        for line in lines:
            line["html"] = base64.b64encode(line["html"].encode("utf-16")).decode()
        file = self.folder / name
        with (lzma.open if name.endswith(".xz") else open)(file, "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(line) + "\n" for line in lines)
        return file

    def test_files(self):
        for name in ["a.b.jsonl", "a.b.jsonl.xz"]:
            file = self.write(name, {"html": "<p>灯"}, {"id": "2", "type": "forum"})
            first, second = page_sets.read(file)
            self.assertEqual((first.html, first.type, first.site), ("<p>灯", "", None))
            self.assertEqual((second.name, second.type), ("2", "forum"))
            self.assertEqual(options.set_name(file), "a.b")

    def test_the_words_of_a_set(self):
        file = self.write("a.jsonl", {})
        for joined, f1 in [([], 2 / 3), (["a"], 0)]:
            self.assertAlmostEqual(page_sets.read(file, joined)[0].score("灯").f1, f1)

    def test_pages_of_a_site_are_learned_together(self):
        one, other, two = page_sets.read(self.write("a.jsonl", *({"site": site} for site in ["s", "t", "s"])))
        self.assertEqual(one.site.pages, [one, two])
        program = self.folder / "husk"
        program.write_text('#!/bin/sh\necho "$1 $2" | tee -a "$0.log"\n')
        program.chmod(program.stat().st_mode | stat.S_IEXEC)
        husk = HuskWithSite(program, 20)
        self.addCleanup(husk.stop)
        files = [husk.extract(page).text.split()[1] for page in [one, other, two]]
        self.assertEqual(len({Path(file).parent for file in files}), 2)
        self.assertEqual(Path(f"{program}.log").read_text().count("learn"), 2)

    def test_key_pages_of_a_corpus(self):
        pages = page_sets.read(options.ROOT / "fixtures/sites")
        self.assertTrue(all(page.file.is_file() and page.content and page.site.base_url in page.url for page in pages))

    def test_two_sets_with_one_name(self):
        file = str(self.write("a.jsonl", {}))
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            options.parse([file, file])

    def test_decoding(self):
        self.assertEqual(page_sets.decode("é".encode()), "é")
        self.assertEqual(page_sets.decode("é".encode("latin-1")), "é")
        self.assertEqual(page_sets.decode(b'<meta charset="iso-8859-1">\x93'), '<meta charset="iso-8859-1">“')
        self.assertEqual(page_sets.decode(b"<meta charset=unheard-of>\xc3\xa9"), "<meta charset=unheard-of>é")
        self.assertEqual(page_sets.decode(b"\xff\xfea\x00"), "a")


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
        return page_sets.Page("key.html", "https://s.example/", html.encode(), "gull lamp", type="story")

    def measure(self, html, earlier={}):
        return compare.measure([self.peer], "a", [self.page(html)], repeat=2, earlier=earlier)

    def test_an_answer(self):
        self.assertEqual(self.peer.extract(self.page("gull")), Answer("gull", 0.25, None))

    def test_after_a_page_that_hangs_or_kills_the_next_one_is_answered(self):
        for html, fault in [("hang", "no answer within 0.5 s"), ("die", "the program died")]:
            self.assertEqual(self.peer.extract(self.page(html)).error, fault)
            self.assertEqual(self.peer.extract(self.page("gull")).text, "gull")

    def test_an_error_is_no_text(self):
        rows = self.measure("fail")
        self.assertEqual((rows[0].f1, rows[0].error), (0, "odd"))
        [summary] = compare.summarise([self.peer], rows)
        self.assertEqual((summary.faults, summary.by_type), (["key.html: odd"], {"story": [1, 0]}))

    def test_a_page_is_scored(self):
        self.assertEqual(self.measure("gull")[0].recall, 0.5)

    def test_rows_of_an_earlier_run_are_taken_if_the_version_is_the_same(self):
        rows = self.measure("gull")
        with tempfile.TemporaryDirectory() as folder:
            chosen = options.parse([str(options.ROOT / "fixtures/sites"), "--results", folder])
            compare.write(compare.summarise([self.peer], rows), rows, chosen)
            earlier = compare.read_rows(Path(folder) / "pages.csv")
        self.assertEqual(self.measure("die", earlier), rows)
        self.peer.version = "2"
        self.assertEqual(self.measure("die", earlier)[0].error, "the program died")


class Tables(unittest.TestCase):
    def summary(self, name, extractor, f1):
        return compare.Summary(name, 3, extractor, "1", "page", f1, f1, f1, 0, "", 1)

    def test_cross_validated_figures(self):
        model = "# a-b: word F1 0.9 on 3 pages of\n# a-b-with-siblings: word F1 0.8 on 4 pages of\nfeature\n"
        self.assertEqual(tables.cross_validated(model), {("a-b", 3, tables.ALONE): 0.9, ("a-b", 4, tables.WITH_SITE): 0.8})

    def test_cross_validated_figures_come_before_fitted_ones(self):
        (name, pages, _), figure = next(iter(tables.cross_validated(tables.MODEL.read_text()).items()))
        fitted = compare.Summary(name, pages, tables.ALONE, "1", "page", 1, 1, 1, 1, "", 1)
        all_tables = tables.of_sets([fitted], [])
        self.assertIn(f"| {name} | {pages} | {figure:.3f} | 1.000 |", all_tables["model"])
        self.assertIn(f"| **{figure:.3f}** |", all_tables["summary"])
        self.assertIn("| 1.000 |", all_tables[name])

    def test_the_best_is_bold_and_equal_figures_are_neither_ahead_nor_behind(self):
        a, b = {tables.ALONE: 0.5, "x": 0.5001}, {tables.ALONE: 0.5, "x": 0.6, "y": 0.1}
        summaries = [self.summary(name, *score) for name, scores in [("a", a), ("b", b)] for score in scores.items()]
        all_tables = tables.of_sets(summaries, ["b"])
        self.assertIn("| x | **0.500** | **0.600** | 0, 1 |", all_tables["summary"])
        self.assertIn("| y | | 0.100 | 1, 0 |", all_tables["summary"])
        self.assertEqual(all_tables["best"].split("\n")[2:], ["| b | 3 | 0.500 | x **0.600** |"])

    def test_tables_of_documents_are_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "a.md"
            file.write_text("a\n<!-- content: best -->\nold\n<!-- end -->\nb <!-- end -->\n")
            tables.update(file, {"summary": "x", "best": "new \\1"})
            self.assertEqual(file.read_text(), "a\n<!-- content: best -->\nnew \\1\n<!-- end -->\nb <!-- end -->\n")


class Plot(unittest.TestCase):
    def test_it_is_an_image_with_all_names(self):
        names = ["husk", "a<b&c"]
        ones = [compare.Summary("a", 1, name, "1", "page", 1, 1, 0.9, 0, "", ms) for name, ms in zip(names, [0.2, 300])]
        image = plot.svg(ones)
        texts = [text.text for text in xml.etree.ElementTree.fromstring(image).iter("{http://www.w3.org/2000/svg}text")]
        self.assertLessEqual(set(names), set(texts))


if __name__ == "__main__":
    unittest.main()
