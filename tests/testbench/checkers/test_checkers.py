# SPDX-License-Identifier: Apache-2.0
"""The checkers bound to the Verilog core hold, and those named in mutations.py fail when a fault is put into rtl/.

All faults go into one copy of rtl/, chosen by a number on an extra port: a build for each kind of search, a short run
for each fault.
"""

import re
import shutil
import tempfile
import unittest
from pathlib import Path

from driven_core import ASSUMPTIONS, CHECKERS, build, core_files, drive
from mutations import MUTATIONS, OF_ANY_SEARCH
from with_faults import write_core_with_faults

# Few of everything, so that tables fill; short walks, so that moves meet set-ups; a PTBQ that does not hold all, and no
# power of two.
PARAMETERS = {"NUM_SMS": 6, "MAX_TBS_PER_SM": 3, "NUM_KSRS": 5, "NUM_COMMAND_BUFFERS": 6, "NUM_CONTEXTS": 4,
              "PTBQ_DEPTH": 6, "SEARCH_WIDTH": 3, "KSRS_PER_STEP": 3, "TB_WIDTH": 32}
CYCLES = 200000
SEEDS = range(1, 21)  # of which a fault mostly needs one


def build_with_mutants(folder, is_pipelined):
    mutants = write_core_with_faults(folder, core_files(), MUTATIONS)
    return build(folder, "tsr_scheduler", PARAMETERS | {"PIPELINED": int(is_pipelined)},
                 [*CHECKERS, ASSUMPTIONS, *mutants])


@unittest.skipUnless(shutil.which("verilator"), "needs verilator")
class Checkers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.programs = []  # by is_pipelined
        for is_pipelined in (False, True):
            own = Path(folder.name) / ("pipelined" if is_pipelined else "plain")
            own.mkdir()
            cls.programs.append(build_with_mutants(own, is_pipelined))

    def failures(self, is_pipelined, mutant, seed=1):
        return set(re.findall(r"Assertion failed in \S*\.(\w+):",
                              drive(self.programs[is_pipelined], CYCLES, seed, mutant)))

    def test_hold_for_the_core_as_it_is(self):
        for is_pipelined in (False, True):
            with self.subTest(is_pipelined=is_pipelined):
                self.assertEqual(self.failures(is_pipelined, 0), set())

    def test_each_notices_the_fault_it_is_there_for(self):
        for number, (stem, _, expression, faulty, assertion) in enumerate(MUTATIONS, 1):
            is_pipelined = number > len(OF_ANY_SEARCH)
            with self.subTest(file=stem, expression=expression, faulty=faulty, is_pipelined=is_pipelined):
                self.assertTrue(any(assertion in self.failures(is_pipelined, number, seed) for seed in SEEDS),
                                assertion)


if __name__ == "__main__":
    unittest.main()
