# SPDX-License-Identifier: Apache-2.0
"""The page's colours are told apart, also by those who see no red or no green.

Colour deficiencies are simulated by the matrices of Machado, Oliveira and Fernandes (2009) for severity 1; distances are
Euclidean in CIELAB.
"""

import itertools
import re
import unittest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "report/page"
EYES = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}


def linear(byte):
    share = byte / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def lab(color, eyes):
    rgb = [linear(int(color[at : at + 2], 16)) for at in (1, 3, 5)]
    r, g, b = (min(1, max(0, sum(row[i] * rgb[i] for i in range(3)))) for row in eyes)
    xyz = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505, 0.2126 * r + 0.7152 * g + 0.0722 * b, (
        0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def colors(file, after):
    (block,) = re.findall(rf"{after} = \[(.*?)\]", (PAGE / file).read_text(), re.DOTALL)
    return re.findall("#[0-9a-f]{6}", block)


class Palette(unittest.TestCase):
    def assert_told_apart(self, list_, least):
        for a, b in itertools.combinations(list_, 2):
            for who, eyes in EYES.items():
                distance = sum((p - q) ** 2 for p, q in zip(lab(a, eyes), lab(b, eyes))) ** 0.5
                self.assertGreaterEqual(distance, least, f"{a} and {b} to eyes with {who}")

    def test_a_few_colours_differ_much_and_all_of_them_enough(self):
        list_ = colors("base/palette.js", "kColors")
        self.assertEqual(len(list_), 10)
        self.assert_told_apart(list_[:4], 50)
        self.assert_told_apart(list_[:6], 25)
        self.assert_told_apart(list_[:9], 18)
        self.assert_told_apart(list_, 13)

    def test_phases_of_an_sm_are_told_apart(self):
        self.assert_told_apart(colors("timeline/classes.js", "kPhaseColors"), 20)

    def test_parts_of_a_latency_are_told_apart(self):
        style = (PAGE / "style/theme.css").read_text()
        parts = ("decision", "trap", "drain", "movement", "channel")
        self.assert_told_apart([re.findall(rf"--{part}: (#[0-9a-f]+)", style)[0] for part in parts], 20)


if __name__ == "__main__":
    unittest.main()
