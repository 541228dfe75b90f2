# SPDX-License-Identifier: Apache-2.0
"""Claims about measured figures: a number that a page quotes from docs/measured.json is the one that stands there.

A page says so in a comment behind the numbers, which no reader sees: `<!-- measured NAME; ROW: FIGURE, FIGURE -->`. The
last numbers before it are meant, as many as it has figures: 1,608 of them, 80 %, 2.4 million. Two figures need none:
`date` and `commit` of a measurement.
"""

import re
import subprocess
import sys
import unittest
from decimal import Decimal
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).resolve()
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))
import measure  # noqa: E402

MARKER = re.compile(r"<!--\s+measured\s+(\w+)(?:;\s+([^:]*))?:\s+(.*?)\s+-->", re.DOTALL)
NUMBER = re.compile(r"(?<![\w.,=-])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?: (million|thousand)\b)?(?![\w]|-\d)")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
COMMIT = re.compile(r"\b[0-9a-f]{7,40}\b")
SCALE = {"": 0, "thousand": 3, "million": 6}


def pages():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def markers(text):
    """What stands before each marker, and what it names: measurement, row, figures."""
    begin = 0
    for match in MARKER.finditer(text):
        before = re.sub(r"`[^`]*`|<!--.*?-->", "", text[begin:match.start()], flags=re.DOTALL)
        yield before, match[1], " ".join((match[2] or "").split()), [one.strip() for one in match[3].split(",")]
        begin = match.end()


def is_rounding(whole, fraction, scale, value):
    """Halves may go either way."""
    shown = Decimal(whole.replace(",", "") + fraction).scaleb(SCALE[scale])
    unit = Decimal(1).scaleb(SCALE[scale] - max(0, len(fraction) - 1))
    return abs(Decimal(str(value)) - shown) <= unit / 2


def mistakes(text, measured):
    """What a page says that was not measured."""
    for before, name, row, figures in markers(text):
        where = f"{name}; {row}: {', '.join(figures)}"
        if figures in (["date"], ["commit"]):
            told = (DATE if figures == ["date"] else COMMIT).findall(before)
            if name not in measured or not told or not measured[name][figures[0]].startswith(told[-1]):
                yield f"{where}: {told}"
            continue
        values = [measured.get(name, {}).get("figures", {}).get(row, {}).get(figure) for figure in figures]
        shown = NUMBER.findall(DATE.sub("", before))[-len(figures):]
        if None in values or len(shown) != len(values):
            yield f"{where}: {shown} of {values}"
            continue
        for number, value in zip(shown, values):
            if not is_rounding(*number, value):
                yield f"{where}: {''.join(number)} is not {value}"


class Measured(unittest.TestCase):
    def setUp(self):
        self.measured = measure.read()

    def test_PagesQuoteWhatWasMeasured(self):
        for page in pages():
            with self.subTest(page=page.name):
                self.assertEqual(list(mistakes(page.read_text(), self.measured)), [])

    def test_EveryCommentOnMeasurementsIsAMarker(self):
        for page in pages():
            text = page.read_text()
            self.assertEqual(len(re.findall(r"<!--\s*measured", text)), len(MARKER.findall(text)), page.name)

    def test_EveryMeasurementThatWasMadeIsQuoted(self):
        quoted = {name for page in pages() for _, name, _, _ in markers(page.read_text())}
        self.assertEqual(quoted, set(self.measured))
        self.assertLessEqual(quoted, set(measure.MEASUREMENTS))

    def test_EachSaysCommitDateAndCommand(self):
        for name, one in self.measured.items():
            self.assertRegex(one["commit"], r"^[0-9a-f]{40}$", name)
            self.assertRegex(one["date"], DATE, name)
            self.assertEqual(one["command"], measure.command(name))

    def test_TheProgramStillPrintsTheFiguresOfAgreement(self):
        run = subprocess.run([PROGRAM, "agree", "--random", "12", "--json"], check=True, text=True,
                             stdout=subprocess.PIPE)
        figures = measure.entry("agreement", run.stdout, "", "")["figures"]
        self.assertEqual({row: list(values) for row, values in figures.items()},
                         {row: list(values) for row, values in self.measured["agreement"]["figures"].items()})
        self.assertEqual(figures["all"]["experiments"], 12)


class Markers(unittest.TestCase):
    MEASURED = {"a": {"commit": "12ab34f" + "0" * 33, "date": "2026-11-28",
                      "figures": {"": {"rate": 80.65, "all": 1608}, "row of one": {"cycles": 10_312_345}}}}

    def assert_right(self, text):
        self.assertEqual(list(mistakes(text, self.MEASURED)), [])

    def assert_wrong(self, text):
        self.assertEqual(len(list(mistakes(text, self.MEASURED))), 1)

    def test_TakeTheLastNumbersBeforeThem(self):
        self.assert_right("of 2,000 so many as 1,608 (81 %) <!-- measured a: all, rate -->")
        self.assert_right("10.3 million\ncycles <!-- measured a; row of\none: cycles --> and 81 % <!-- measured a: rate -->")
        self.assert_right("| 13 | 1,608 | 80.7 | <!-- measured a: all, rate -->")
        self.assert_right("2026-11-28 <!-- measured a: date --> 12ab34f <!-- measured a: commit -->")

    def test_FindANumberThatIsAnother(self):
        self.assert_wrong("80 % <!-- measured a: rate -->")
        self.assert_wrong("1,608, 80.5 <!-- measured a: all, rate -->")
        self.assert_wrong("10.2 million <!-- measured a; row of one: cycles -->")
        self.assert_wrong("10 thousand <!-- measured a; row of one: cycles -->")
        self.assert_wrong("2026-11-27 <!-- measured a: date -->")

    def test_FindAMarkerThatNamesNothing(self):
        self.assert_wrong("81 <!-- measured a: misspelt -->")
        self.assert_wrong("81 <!-- measured b: rate -->")
        self.assert_wrong("81 <!-- measured a; another: rate -->")
        self.assert_wrong("`81` <!-- measured a: rate -->")
        self.assert_wrong("<!-- measured b: date -->")


class Figures(unittest.TestCase):
    def test_DocumentsOfSeveralProgramsAreRead(self):
        self.assertEqual(measure.parse('{"a": 1}\n{"b": 2}\n'), [{"a": 1}, {"b": 2}])

    def test_ACoreIsNamedByWhatItHasOfItsOwn(self):
        core = {**dict.fromkeys(measure.SIZES, 8), "policies": ["fcfs"], "kge": 2.0, "flip_flops": 5, "ram_bits": 7,
                "fmax_mhz": 250.0, "paths": {"registers": {"period_ns": 4.0}},
                "decision_cycles_by_policy": {"fcfs": {"steady": {"mean": 30.0}}}}
        wide = {**core, "n_sm": 16, "policies": ["fcfs", "ppq"], "kge": 3.5}
        other = {**core, "policies": ["dss", "ppq"]}
        rows = measure.gates({"configurations": [core, wide, other]})
        self.assertEqual(list(rows), ["default", "n_sm=16 +ppq", "dss,ppq"])
        self.assertEqual(rows["n_sm=16 +ppq"]["kge_more"], 1.5)
        self.assertEqual(rows["default"]["fcfs_ns"], 120.0)

    def test_MutantsThatAreNoFaultsAreNotCounted(self):
        group = {"mutants": 10, "caught": 6, "equivalent": 2}
        rows = measure.mutants({**group, "by_file": {"rtl/tsr_walk.v": group}, "survivors": [1, 2]})
        self.assertEqual(rows["tsr_walk"]["caught_percent"], 75.0)
        self.assertEqual(rows["all"]["faults"], 8)


if __name__ == "__main__":
    unittest.main()
