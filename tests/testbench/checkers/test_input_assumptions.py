# SPDX-License-Identifier: Apache-2.0
"""rtl/tsr_input_assumptions.sv, read with the core and nothing else: legal traffic breaks no rule, and each way of
violations.h to break one breaks that one and no other.
"""

import re
import shutil
import tempfile
import unittest
from pathlib import Path

from driven_core import ASSUMPTIONS, build, core_files, drive

# One more than the largest value fits every field.
PARAMETERS = {"NUM_SMS": 4, "MAX_TBS_PER_SM": 4, "NUM_KSRS": 3, "NUM_COMMAND_BUFFERS": 4, "NUM_CONTEXTS": 4,
              "PTBQ_DEPTH": 6, "TB_WIDTH": 32, "PIPELINED": 1}
LEGAL_CYCLES = 100000
CYCLES_TO_AN_OCCASION = 100000


def broken_rules(output):
    return re.findall(r"Assertion failed in \S*\.(\w+):", output)


@unittest.skipUnless(shutil.which("verilator"), "needs verilator")
class InputAssumptions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.program = build(Path(folder.name), "tsr_scheduler", PARAMETERS, [*core_files(), ASSUMPTIONS],
                            is_short_run=True)
        cls.violations = drive(cls.program).splitlines()

    def test_legal_traffic_breaks_none(self):
        output = drive(self.program, LEGAL_CYCLES)
        self.assertEqual(broken_rules(output), [])
        self.assertIn(f"{LEGAL_CYCLES} cycles", output)

    def test_each_is_broken_by_what_violates_it_and_no_other_is(self):
        for number, violation in enumerate(self.violations, 1):
            with self.subTest(violation):
                output = drive(self.program, CYCLES_TO_AN_OCCASION, 1, 0, number)
                self.assertEqual(broken_rules(output), [violation.split(":")[0]], output)

    def test_each_is_violated_by_something(self):
        rules = re.findall(r"^  (assume_\w+):", ASSUMPTIONS.read_text(), flags=re.MULTILINE)
        self.assertEqual({violation.split(":")[0] for violation in self.violations}, set(rules))


if __name__ == "__main__":
    unittest.main()
