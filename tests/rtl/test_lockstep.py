# SPDX-License-Identifier: Apache-2.0
"""The core's Verilog against its clocked model, pin by pin, under random legal traffic, with the checkers bound.

Called with the root of the sources and the libraries that lockstep.cpp is linked with. Each shape of the core is built
by Verilator; without it the tests are skipped, and say so. With TESSERA_LONG_TESTS=1 more shapes run for longer.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from verilated import build

ROOT, *LIBRARIES = (Path(argument).resolve() for argument in sys.argv[1:])
IS_LONG = os.environ.get("TESSERA_LONG_TESTS", "0") not in ("", "0")

SHAPES = {
    "small rings, four rows a step, TBs with a carry": (8, 4, 4, 5, 3, 20, 9, 4, 0xFF),
}
LONG_SHAPES = {
    "four SMs, every policy": (4, 4, 3, 4, 4, 12, 12, 1, 0xFF),
    "one of all": (1, 1, 1, 1, 1, 4, 1, 1, 0xFF),
    "more KSRs than SMs, two rows a step": (3, 5, 2, 3, 5, 8, 6, 2, 0xFF),
    "the smallest rings": (5, 8, 3, 3, 2, 10, 3, 1, 0xFF),
    "more contexts than SMs": (6, 3, 2, 9, 4, 32, 12, 1, 0xFF),
    "13 SMs, five policies": (13, 13, 4, 4, 5, 9, 52, 1, 0x1F),
}
SEEDS, CYCLES = (200, 50_000) if IS_LONG else (12, 10_000)


@unittest.skipUnless(shutil.which("verilator"), "verilator is not installed")
class Lockstep(unittest.TestCase):
    def test_no_pin_differs_in_any_cycle(self):
        shapes = {**SHAPES, **LONG_SHAPES} if IS_LONG else SHAPES
        for name, sizes in shapes.items():
            with self.subTest(name), tempfile.TemporaryDirectory(prefix="lockstep_") as folder:
                program = build(ROOT, LIBRARIES, sizes, folder)
                run = subprocess.run([program, "1", str(SEEDS), str(CYCLES)], capture_output=True, text=True)
                self.assertEqual(run.returncode, 0, run.stdout[-300:] + run.stderr)
                self.assertEqual(run.stdout.count("kernels"), SEEDS)
                if sizes[0] >= 3 and sizes[2] >= 2:
                    self.assertEqual(subprocess.run([program]).returncode, 0, "a tick in PICK")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
