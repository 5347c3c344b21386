"""Tests of the comparison itself: ../content/.venv/bin/python -m unittest discover -s benchmarks/compare"""
import contextlib
import gzip
import io
import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "benchmarks/content"), str(ROOT / "packages/python/tests/engines")]

import arguments  # noqa: E402  (needs the path above)
import bulk_run  # noqa: E402
import commands  # noqa: E402
import growth  # noqa: E402
import growth_plot  # noqa: E402
import page_files  # noqa: E402
import promises  # noqa: E402
import rounds  # noqa: E402
import shapes  # noqa: E402
import speed_plot  # noqa: E402
import tools  # noqa: E402

# A program that takes as long as the file of a page says, the first time ten times as long.
ODD = """
import json, sys, time
print(json.dumps({"version": "1"}), flush=True)
times = 10
for line in sys.stdin:
    pages = json.loads(line)["pages"]
    texts = [open(page["file"]).read() for page in pages]
    if "die" in texts: sys.exit(1)
    if "hang" in texts: time.sleep(60)
    seconds = [times * float(text) if text[0].isdigit() else 0 for text in texts]
    errors = ["odd" if text == "fail" else None for text in texts]
    print(json.dumps({"processor": seconds, "clock": [2 * one for one in seconds], "errors": errors}), flush=True)
    times = 1
"""


class Odd(tools.Tool):
    def __init__(self, time_limit=30):
        super(tools.Tool, self).__init__("odd", time_limit, [sys.executable, "-c", ODD])


class Measuring(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def pages(self, *texts):
        for number, text in enumerate(texts):
            (self.folder / f"{number}").write_text(text)
        return [{"file": str(self.folder / f"{number}"), "bytes": 1_000_000} for number in range(len(texts))]

    def measure(self, pages, places, time_limit=30):
        tool = Odd(time_limit)
        self.addCleanup(tool.stop)
        return rounds.measure([tool], pages, {"odd": places}, 2, lambda _: None)[0]

    def test_the_first_round_counts_for_nothing(self):
        one = self.measure(self.pages("0.5", "1.5"), [0, 1])
        self.assertEqual(one.processor, [{0: 0.5, 1: 1.5}] * 2)
        speed = rounds.speed(one, one, [{"bytes": 1_000_000}] * 2)
        self.assertEqual((speed.pages_per_second, speed.megabytes_per_second), (1, 1))
        self.assertEqual((speed.times_as_long, speed.delay), (1, 2))
        self.assertGreater(speed.megabytes_of_memory, 1)

    def test_a_part_of_the_pages(self):
        one = self.measure(self.pages("0.5", "1.5", "2.5"), [0, 2])
        self.assertEqual(one.processor[0], {0: 0.5, 2: 2.5})

    def test_faults(self):
        pages = self.pages("0.5", "fail")
        one = self.measure(pages, [0, 1])
        self.assertEqual(rounds.speed(one, one, pages).faults, [f"{pages[1]['file']}: odd"])

    def test_a_tool_that_dies_or_hangs_is_left_out(self):
        self.assertEqual(self.measure(self.pages("die"), [0]).failure, "the program died")
        self.assertEqual(self.measure(self.pages("hang"), [0], 0.5).failure, "no answer within 0.5 s")


class Turns(unittest.TestCase):
    def test_every_other_round_goes_backwards(self):
        taken = []

        class Tool:
            version, time_limit = "1", 1

            def __init__(self, name):
                self.name = name

            def round(self, pages):
                taken.append(self.name)
                return {"processor": [1] * len(pages), "clock": [1] * len(pages), "errors": [None] * len(pages)}

            def most_memory(self):
                return 1

        rounds.measure([Tool("a"), Tool("b")], [{}], {"a": [0], "b": [0]}, 2, lambda _: None)
        self.assertEqual("".join(taken), "abbaab")

    def test_both_are_compared_on_the_pages_that_both_had(self):
        first = rounds.Measured("first", "1", [0, 1], processor=[{0: 1, 1: 7}, {0: 2, 1: 7}, {0: 3, 1: 7}])
        slow = rounds.Measured("slow", "1", [0], processor=[{0: 30}, {0: 80}, {0: 75}])
        self.assertEqual(rounds.times_as_long(slow, first), 30)


def speed_of(name, times_as_long, pages_per_second=100):
    return rounds.Speed(name, "1", 10, pages_per_second, 4, times_as_long, 1, 50, [])


class Promises(unittest.TestCase):
    def check(self, parsing, resiliparse, expect):
        speeds = [speed_of(tools.HTML5EVER, parsing), speed_of("resiliparse", resiliparse), speed_of("jusText", 1)]
        lines, kept = promises.check(speeds)
        self.assertEqual((len(lines), kept), (2, expect))

    def test_all_that_were_measured_must_be_kept(self):
        self.check(0.75, 2, True)
        self.check(0.74, 3, False)
        self.check(0.9, 1.9, False)


class Pages(unittest.TestCase):
    def test_they_are_mixed_and_always_the_same(self):
        pages = page_files.of_corpus(arguments.FIXTURES)
        self.assertEqual(pages, page_files.of_corpus(arguments.FIXTURES))
        self.assertNotEqual(pages, sorted(pages, key=lambda page: page["file"]))
        self.assertTrue(all(page["url"].startswith("https://") and page["bytes"] > 0 for page in pages))

    def test_a_part_has_small_and_large_ones(self):
        pages = [{"bytes": size} for size in [9, 1, 8, 2, 7, 3, 6, 4, 5]]
        self.assertEqual(sorted(pages[place]["bytes"] for place in page_files.part(pages, 3)), [2, 5, 8])
        self.assertEqual(page_files.part(pages, 100), [1])


class Arguments(unittest.TestCase):
    def test_an_unknown_tool_is_named(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit):
            arguments.parse([str(arguments.FIXTURES), "--tools", "resiliparse,sieve"])
        self.assertIn("no tool sieve", said.getvalue())


# In place of husk: writes a manifest with 10 rows and a temporary file, takes 64 MB and some time.
BULK = """#!/bin/sh
mkdir -p "$4/.work" && head -c 5000 /dev/zero > "$4/.work/run"
echo '{"totals": {"rows": 10}}' > "$4/_manifest.json"
exec python3 -c 'import time; bytearray(64_000_000); time.sleep(0.3)'
"""


class Bulk(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.cores = sorted(os.sched_getaffinity(0))[:1]

    def run_of(self, script, pages):
        husk = self.folder / "husk"
        husk.write_text(script)
        husk.chmod(0o755)
        return bulk_run.bulk(husk, ["in.warc.gz"], pages, self.cores, self.folder)

    def test_time_and_memory_are_those_of_the_program(self):
        run = self.run_of(BULK, 10)
        self.assertGreater(run.memory, 64_000_000)
        self.assertLess(run.memory, 200_000_000)
        self.assertGreater(run.processor, 0)
        self.assertEqual(run.disk, 5000)
        self.assertFalse((self.folder / "out").exists())

    def test_lost_pages_and_failures_are_reported(self):
        with self.assertRaisesRegex(bulk_run.Failed, "10 rows came out of 11 pages"):
            self.run_of(BULK, 11)
        with self.assertRaisesRegex(bulk_run.Failed, "exit status 3"):
            self.run_of("#!/bin/sh\nexit 3\n", 10)


def run_of(pages, processor, memory=1e6, clock=1.0, cores=2):
    return bulk_run.Run(pages, cores, clock, processor, memory)


class Growth(unittest.TestCase):
    def check(self, large, two_cores, expect):
        by_size = {10: [run_of(10, 1)] * 3, 100: [large] * 3}
        by_cores = {1: [run_of(10, 1, clock=2.0)] * 3, 2: [run_of(10, 1, clock=two_cores)] * 3}
        lines, _ = growth.check(by_size, by_cores)
        self.assertEqual(["NOT" not in line for line in lines], expect)

    def test_what_must_stay_flat(self):
        self.check(run_of(100, 10.9), 1.1, [True, True, True])
        self.check(run_of(100, 11.2), 1.1, [True, False, True])
        self.check(run_of(100, 10, memory=601e6), 1.1, [False, True, True])
        self.check(run_of(100, 10), 1.2, [True, True, False])


class Shapes(unittest.TestCase):
    def test_archives_have_all_pages(self):
        [few, many] = shapes.parse("2x8,3x50")
        self.assertEqual((few.pages, many.pages, str(many)), (16, 150, "3x50"))
        with tempfile.TemporaryDirectory() as folder:
            archives = shapes.all_archives([few, many], folder)
            records = [gzip.decompress(path.read_bytes()).count(b"WARC/1.0") for path in archives[few]]
        self.assertEqual(list(archives), [few, many])
        self.assertEqual(records, [2] * shapes.FILES)


class Plots(unittest.TestCase):
    def texts(self, image):
        return {text.text for text in xml.etree.ElementTree.fromstring(image).iter("{http://www.w3.org/2000/svg}text")}

    def test_they_are_images_with_all_names(self):
        speeds = [speed_of("husk strip", 1, 3000), speed_of("a<b&c", 250, 12)]
        self.assertLessEqual({"husk strip", "a<b&c", "3000", "12", "250 ×"}, self.texts(speed_plot.svg(speeds, "husk strip")))
        image = growth_plot.svg([(10, 1.5), (100, 1.25)], [(10, 80), (100, 90)])
        self.assertLessEqual({"10 pages", "100 pages", "1.50", "90"}, self.texts(image))


class Commands(unittest.TestCase):
    def test_ratios_are_of_all_pages_and_of_sites(self):
        seconds = {
            commands.STRIP: {"small": [0.1, 9, 0.1], "large": [1, 1, 1], "middle": [0.5, 0.5, 0.5]},
            "resiliparse": {"small": [0.05, 0.05, 0.05], "large": [3, 3, 30], "middle": [1, 1, 1]},
        }
        found = commands.ratio(commands.STRIP, "resiliparse", seconds)
        self.assertAlmostEqual(found.all_pages, 4.05 / 1.6)
        self.assertAlmostEqual(found.median, 2)
        self.assertEqual((round(found.worst, 6), found.worst_site), (0.5, "small"))

    def test_a_command_counts_by_its_processor_time(self):
        core = max(os.sched_getaffinity(0))
        busy = "import time\nwhile time.process_time() < 0.2: pass\ntime.sleep(0.2)"
        seconds = commands.processor_seconds([sys.executable, "-c", busy], core)
        self.assertTrue(0.2 <= seconds < 0.4, seconds)
        with self.assertRaises(SystemExit):
            commands.processor_seconds([sys.executable, "-c", "raise SystemExit(1)"], core)


if __name__ == "__main__":
    unittest.main()
