# SPDX-License-Identifier: Apache-2.0
"""A kept turn in the core's Verilog, cycle by cycle, and beside the clocked model under random traffic.

Called with the root of the sources and the libraries that the programs are linked with. Without Verilator the tests are
skipped, and say so.
"""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from verilated import build, build_program, core_files

ROOT, *LIBRARIES = (Path(argument).resolve() for argument in sys.argv[1:])
ONE_SM = (1, 3, 1, 3, 3, 8, 3, 1, 0x1F)


@unittest.skipUnless(shutil.which("verilator"), "verilator is not installed")
class KeptTurn(unittest.TestCase):
    def test_does_as_worked_out_by_hand(self):
        with tempfile.TemporaryDirectory(prefix="kept_turn_") as folder:
            program = build_program(ROOT, "kept_turn", LIBRARIES, ONE_SM, folder, core_files(ROOT), {"KEPT_TURN": 1})
            run = subprocess.run([program], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stdout), (0, ""))

    # With time_slice alone, and the checkers bound.
    def test_no_pin_differs_from_the_model_in_any_cycle(self):
        with tempfile.TemporaryDirectory(prefix="kept_turn_") as folder:
            program = build(ROOT, LIBRARIES, (6, 3, 2, 9, 4, 32, 12, 1, 0x10), folder, kept_turn=1)
            run = subprocess.run([program, "1", "20", "10000"], capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stdout[-300:] + run.stderr)
            turns = sum(int(line.split()[-2]) for line in run.stdout.splitlines())
            self.assertGreater(turns, 500)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
