# SPDX-License-Identifier: Apache-2.0
"""The checkers bound to the core notice the faults of faults.py, and hold without one.

Called with the root of the sources and the libraries that lockstep.cpp is linked with. All faults go into one copy of
the core, chosen by a number on an extra port: one build, a short run for each fault.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from faults import FAULTS
from verilated import build, core_files
from with_faults import write_core_with_faults

ROOT, *LIBRARIES = (Path(argument).resolve() for argument in sys.argv[1:])

# Few of everything, so that tables fill; rings that are too small, and no power of two; four rows a step; a carry.
SIZES = (8, 4, 4, 5, 3, 20, 9, 4, 0x3F)
CYCLES = 10_000
RUNS = ((1, 3), (4, 9), (13, 36), (49, 96))  # first seed, seeds: mostly the first are enough


@unittest.skipUnless(shutil.which("verilator"), "verilator is not installed")
class Checkers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="faults_")
        cls.addClassCleanup(folder.cleanup)
        core = write_core_with_faults(Path(folder.name), core_files(ROOT), FAULTS)
        cls.program = build(ROOT, LIBRARIES, SIZES, Path(folder.name) / "build", core)

    def failures(self, fault, first, seeds):
        output = subprocess.run([self.program, str(first), str(seeds), str(CYCLES), str(fault)], capture_output=True,
                                text=True).stdout
        return set(re.findall(r"Assertion failed in \S*\.(\w+):", output))

    def test_each_notices_the_fault_it_is_there_for(self):
        for number, (stem, where, expression, faulty, assertion) in enumerate(FAULTS, 1):
            with self.subTest(file=stem, where=where, expression=expression, faulty=faulty):
                self.assertTrue(any(assertion in self.failures(number, *run) for run in RUNS), assertion)

    def test_none_fails_without_a_fault(self):
        self.assertEqual(self.failures(0, *RUNS[0]), set())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
