# SPDX-License-Identifier: Apache-2.0
"""Claims about the pages of reproductions: a number that a page tells of the full run is the one that the run gave.

A page says where a number comes from in a comment behind it, which no reader sees:

    12.4, 11.0 <!-- s16-fig4_5a; per_tb; chimera; 2 us, 3 us -->     ours, of figure, panel, series and categories
    14.0, 7.95 <!-- paper s16-fig4_5a; per_tb; chimera; 2 us, 3 us --> the print's
    **does not** <!-- claim s16-fig4_1; channel: b+tree and srad gain most -->
    17 <!-- draws s16-fig4_1, channel: b+tree and srad gain most -->   in so many draws of the prior it holds
    | 100 | 95 <!-- row z21-fig5; SMS/INA; U = 30, U = 32 -->          the last cells of a row of the table

Without categories all are meant, in the order of the run. `docs/results` has its `reproduction.json` under the name of the paper.
"""

import json
import re
import unittest
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
RESULTS = DOCS / "results"
TAG = re.compile(r"(.*?)<!-- (paper |claim |draws |row |)([a-z0-9]+-[a-zA-Z0-9_-]+)[;,] (.*?) -->")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w])")


def pages():
    return [(page, json.loads((RESULTS / f"{page.stem.split('_')[-1]}.json").read_text()))
            for page in sorted(DOCS.glob("papers/reproducing_*.md"))]


def tags(page):
    """What stands before each tag, and what the tag says."""
    for line in page.read_text().splitlines():
        for before, kind, figure, rest in TAG.findall(line):
            yield before if kind == "row " else before.split("|")[-1], kind.strip(), figure, rest


def values_of(run, figure, rest, field):
    panel, series, *categories = [part.strip() for part in rest.split(";")]
    if series not in {value["series"] for value in run["values"]} and ", " in series:  # several, a value each
        return [value for one in series.split(", ") for value in values_of(run, figure, f"{panel}; {one}", field)]
    names = [name.strip() for name in categories[0].split(",")] if categories else None
    found = [value for value in run["values"]
             if (value["figure"], value["panel"], value["series"]) == (figure, panel, series)]
    def category(value):
        return value["category"] if value["category"] is not None else str(value["processes"])
    if names is not None:
        found = [next((value for value in found if category(value) == name), None) for name in names]
    return [None if value is None else value[field] for value in found]


def is_rounding(shown, value):
    """Halves may go either way: the run's number is a binary fraction."""
    digits = Decimal(shown).as_tuple().exponent
    unit = Decimal(1).scaleb(digits)
    return value is not None and abs(Decimal(value) - Decimal(shown)) <= unit / 2 * Decimal("1.000001")


class Pages(unittest.TestCase):
    def test_TheirNumbersAreThoseOfTheFullRun(self):
        for page, run in pages():
            for cell, kind, figure, rest in tags(page):
                if kind in ("claim", "draws"):
                    continue
                shown = NUMBER.findall(cell.replace("**", ""))
                values = values_of(run, figure, rest, "paper" if kind == "paper" else "ours")
                with self.subTest(page=page.name, figure=figure, of=rest, shown=shown, run=values):
                    if kind == "row":
                        shown = shown[-len(values):]
                    self.assertGreater(len(shown), 0)
                    self.assertEqual(len(shown), len(values))
                    for one, value in zip(shown, values):
                        self.assertTrue(is_rounding(one, value), f"{one} is not {value}")

    def test_TheirClaimsHoldAsInTheFullRun(self):
        for page, run in pages():
            for cell, kind, figure, claim in tags(page):
                if kind != "claim":
                    continue
                found = [one["holds"] for one in run["orderings"] if one["figure"] == figure and one["claim"] == claim]
                with self.subTest(page=page.name, figure=figure, claim=claim):
                    self.assertEqual(len(found), 1)
                    self.assertEqual("holds" in cell, found[0], cell)
                    self.assertNotEqual("holds" in cell, "does not" in cell, cell)

    def test_ClaimsHoldInAsManyDrawsAsInTheFullRun(self):
        for page, run in pages():
            for cell, kind, figure, claim in tags(page):
                if kind != "draws":
                    continue
                found = [re.match(r"in (\d+) of", one["evidence"])[1] for one in run["orderings"]
                         if one["figure"].endswith("-prior") and one["claim"] == f"{figure}, {claim}"]
                with self.subTest(page=page.name, figure=figure, claim=claim):
                    self.assertEqual(NUMBER.findall(cell), found)

    def test_TheRunIsTheFullOneAndNothingWasBroken(self):
        self.assertEqual(len(pages()), 5)
        for page, run in pages():
            with self.subTest(page=page.name):
                self.assertEqual(run["violations"], [])
                self.assertEqual(run["workloads"], 20)
                self.assertGreater(len(list(tags(page))), 5, "a page that tells nothing of its run is held by nothing")

    def test_EveryCommentIsATag(self):
        for page, _ in pages():
            comments = page.read_text().count("<!--") - page.read_text().count("<!-- SPDX")
            self.assertEqual(comments, len(list(tags(page))), page.name)

    def test_ATagThatNamesNothingIsFound(self):
        run = {"values": [{"figure": "a-fig", "panel": "p", "series": "s", "category": "x", "processes": None,
                           "ours": 1.24, "paper": 1.3}]}
        self.assertEqual(values_of(run, "a-fig", "p; s; y", "ours"), [None])
        self.assertEqual(values_of(run, "a-fig", "p; s; x", "ours"), [1.24])
        self.assertEqual(values_of(run, "a-fig", "p; misspelt", "ours"), [])
        self.assertFalse(is_rounding("1.2", None))
        self.assertTrue(is_rounding("1.2", 1.24))
        self.assertFalse(is_rounding("1.3", 1.24))
        self.assertTrue(is_rounding("1", 1.24))


if __name__ == "__main__":
    unittest.main()
