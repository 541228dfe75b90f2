# SPDX-License-Identifier: Apache-2.0
"""The checkers bound to the core notice the faults of faults.py, and hold without one.

Called with the root of the sources and the libraries that lockstep.cpp is linked with. All faults go into one copy of
the core, chosen by a number on an extra port: one build, a short run for each fault.
"""

import os
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

# Few of everything, so that tables fill; rings that are too small, and no power of two; two entries a step; a carry.
SIZES = (8, 4, 4, 5, 3, 20, 9, 2, 0xFF)
CYCLES = 10_000
SEEDS = 192  # mostly the first is enough, and then the rest do not run


@unittest.skipUnless(shutil.which("verilator"), "verilator is not installed")
class Checkers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="faults_")
        cls.addClassCleanup(folder.cleanup)
        core = write_core_with_faults(Path(folder.name), core_files(ROOT), FAULTS)
        cls.program = build(ROOT, LIBRARIES, SIZES, Path(folder.name) / "build", core)

    def failures(self, fault):
        """The assertions that fail, as they do."""
        command = [self.program, "1", str(SEEDS), str(CYCLES), str(fault)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
            try:
                for line in run.stdout:
                    yield from re.findall(r"Assertion failed in \S*\.(\w+):", line)
            finally:
                run.kill()

    @unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "a minute of faults: ./tessera test --long")
    def test_each_notices_the_fault_it_is_there_for(self):
        for number, (stem, where, expression, faulty, assertion) in enumerate(FAULTS, 1):
            with self.subTest(file=stem, where=where, expression=expression, faulty=faulty):
                self.assertIn(assertion, self.failures(number))

    def test_none_fails_without_a_fault(self):
        subprocess.run([self.program, "1", "3", str(CYCLES)], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
