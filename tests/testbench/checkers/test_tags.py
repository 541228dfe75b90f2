# SPDX-License-Identifier: Apache-2.0
"""Links between the core and the SMs (timing.md 3.11): the checkers of testbench/checkers are content with a core with
tags, of any width, and each mistake in what the core makes of tags is noticed by the assertion that is there for it.
"""

import os
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from driven_core import ASSUMPTIONS, ROOT, build, core_files, drive

sys.path.insert(0, str(ROOT / "tests/rtl"))
from with_faults import write_core_with_faults  # noqa: E402

PARAMETERS = {"NUM_SMS": 3, "MAX_TBS_PER_SM": 4, "NUM_KSRS": 4, "NUM_COMMAND_BUFFERS": 3, "NUM_CONTEXTS": 2,
              "PTBQ_DEPTH": 9, "TB_WIDTH": 9, "POLICIES": 127, "LINGER": 1}
CYCLES = 2_000_000
SEEDS = 3

FAULTS = [
    # A tag that is ignored, or another one.
    ("tsr_job", "wire   set_up      =", "is_current_i", "1'b1", "flag_active"),
    ("tsr_tags", "new_tag_q   <=", "tag + ONE_TAG", "tag", "set_up_has_the_next_tag"),
    ("tsr_tags", "assign tag_o        =", "new_tag_q", "~new_tag_q", "set_up_has_its_tag"),
    ("tsr_tags", "if (picks_i) event_tag_q <=", "event_tag_i", "event_tag_q", "unanswered_as_answers_say"),
    ("tsr_tags", "if (set_up[i])", "new_tag", "tag_q[i*TAG_WIDTH +: TAG_WIDTH]",
     "sm_has_the_tag_of_its_last_set_up"),
    ("tsr_tags", "wire [TAG_WIDTH-1:0]   later =", "tag - event_tag_q", "{TAG_WIDTH{1'b0}}",
     "unanswered_as_answers_say"),
    ("tsr_tags", "wire [COUNT_WIDTH-1:0] new_count =", "new_count_q[TAG_WIDTH] && sets_up_i",
     "new_count_q[TAG_WIDTH]", "unanswered_as_answers_say"),
    # Too many set-ups.
    ("tsr_smst_look", "wire [NUM_SMS-1:0] idle =", "full_i", "{NUM_SMS{1'b0}}", "no_more_set_ups_than_tags"),
    ("tsr_smst_look", "{any_idle_q, any_free_q} <=", "|idle", "|(in_step_i & ~(running_i | reserved_i))",
     "outcome_is_what_the_rows_say"),
    # An SM that can be set up again.
    ("tsr_scheduler", "invokes_q <=", "opens", "1'b0", "search_is_invoked_by_what_went_free"),
    ("tsr_scheduler", "assign changes[CHANGES_SM]       =", "opens", "1'b0", "sets_as_something_changes"),
    ("tsr_smst", "assign opens_o = answers &&", "!is_running", "1'b1", "search_is_invoked_by_what_went_free"),
    ("tsr_smst", "assign opens_o = answers &&", "was_full", "1'b1", "search_is_invoked_by_what_went_free"),
]


@unittest.skipUnless(shutil.which("verilator"), "needs verilator")
class Tags(unittest.TestCase):
    def program(self, tag_width, core):
        folder = Path(tempfile.mkdtemp(prefix="tags_"))  # Verilator takes no path with a blank
        self.addCleanup(shutil.rmtree, folder)
        checkers = sorted((ROOT / "testbench/checkers").glob("*.sv"))
        return build(folder, "tsr_scheduler", {**PARAMETERS, "TAG_WIDTH": tag_width}, [*core, *checkers, ASSUMPTIONS])

    def test_checkers_are_content_with_links_of_any_delay(self):
        for tag_width in (0, 2):
            with self.subTest(tag_width=tag_width):
                self.assertIn(f"{CYCLES} cycles", drive(self.program(tag_width, core_files()), CYCLES))

    @unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "a minute of faults: ./tessera test --long")
    def test_each_notices_the_fault_it_is_there_for(self):
        folder = Path(tempfile.mkdtemp(prefix="faults_"))
        self.addCleanup(shutil.rmtree, folder)
        program = self.program(1, write_core_with_faults(folder, core_files(), FAULTS))
        self.assertIn(f"{CYCLES} cycles", drive(program, CYCLES))
        for number, (stem, where, expression, faulty, assertion) in enumerate(FAULTS, 1):
            with self.subTest(file=stem, where=where, expression=expression, faulty=faulty):
                said = "".join(drive(program, CYCLES, seed, number) for seed in range(1, SEEDS + 1))
                self.assertIn(assertion, re.findall(r"Assertion failed in \S*\.(\w+):", said))


if __name__ == "__main__":
    unittest.main()
