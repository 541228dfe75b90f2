# SPDX-License-Identifier: Apache-2.0
"""Claims about a core with parity: a wrong bit of any word that is used stops it before anything comes of it, and without
one it does what a core without parity does.

Called with the root of the sources and the libraries that parity.cpp is linked with. Mistakes in the checks go into the
same build, chosen by a number on an extra port.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from verilated import build_program, core_files
from with_faults import write_core_with_faults

ROOT, *LIBRARIES = (Path(argument).resolve() for argument in sys.argv[1:])

# Few of everything, so that tables fill; rings that are too small; edf, and four rows a step.
SIZES = (8, 4, 4, 5, 3, 20, 9, 4, 0xFF)
MEMORIES = {
    "u_ptbq.u_handles", "u_ksr_row.u_rows", "u_ksr_row.u_promised.g_small.u_places", "u_descriptors.u_words",
    "u_commands.u_launches", "u_commands.g_due.u_dues", "u_contexts.u_budgets", "u_contexts.u_page_tables",
    *(f"u_ksr_status.g_due.g_lane_due[{lane}].u_dues" for lane in range(4)),
    *(f"u_ksr_status.g_partition.g_lane_partition[{lane}].u_partitions" for lane in range(4)),
}
MOST_ROUNDS = 20  # mostly the first few bits are enough
# File, where, what, made into what, the memories that show it.
MISTAKES = [
    # A word that is used is not checked.
    ("tsr_ptbq", "u_parity (", "1'b1", "1'b0", "u_handles"),
    ("tsr_ksr_row", "u_parity (", "valid_i", "1'b0", "u_rows"),
    ("tsr_promised", "u_parity (", "valid_i", "1'b0", "u_places"),
    ("tsr_descriptors", "u_parity (", "valid_i", "1'b0", "u_descriptors"),
    ("tsr_commands", "u_launch_parity (", "found_q", "1'b0", "u_launches"),
    ("tsr_commands", "u_parity (", "passes_q", "1'b0", "u_commands.g_due"),
    ("tsr_contexts", "u_budget_parity (", "has_budget_now_q", "1'b0", "u_budgets"),
    ("tsr_contexts", "u_page_table_parity (", "page_table_is_written", "1'b0", "u_page_tables"),
    ("tsr_ksr_status", ".WIDTH(DUE_WIDTH + 1)) u_parity (", "look_status_o[LOOK_VALID + lane]", "1'b0", "u_ksr_status"),
    ("tsr_ksr_status", "assign any_due_fault = |", "|due_fault", "due_fault[0]", "lane_due[3]"),
    ("tsr_ksr_status", ".WIDTH(PARTITION_WIDTH)) u_parity (", "look_status_o[LOOK_VALID + lane]", "1'b0",
     "u_partitions"),
    ("tsr_ksr_status", "assign any_partition_fault = |", "|partition_fault", "partition_fault[0]", "lane_partition[3]"),
    ("tsr_scheduler", "wire fault   =", "descriptor_fault", "1'b0", "u_descriptors"),
    # One that nobody has written is.
    ("tsr_ksr_row", "u_parity (", "valid_i", "1'b1", "u_rows"),
    ("tsr_descriptors", "u_parity (", "valid_i", "1'b1", "u_descriptors"),
    ("tsr_commands", "u_parity (", "passes_q", "1'b1", "u_commands.g_due"),
    ("tsr_contexts", "u_budget_parity (", "has_budget_now_q", "1'b1", "u_budgets"),
    ("tsr_contexts", "u_page_table_parity (", "page_table_is_written", "1'b1", "u_page_tables"),
    ("tsr_ksr_status", ".WIDTH(DUE_WIDTH + 1)) u_parity (", "look_status_o[LOOK_VALID + lane]", "1'b1", "u_ksr_status"),
    # It does not stop at once, or altogether, or for ever.
    ("tsr_scheduler", "wire goes_on =", "!fault", "1'b1", "u_dues"),
    ("tsr_scheduler", "wire runs    =", "!fault_o", "1'b1", "u_dues"),
    ("tsr_scheduler", "always @(posedge clk_i) fault_q <=", "(fault_q || fault)", "fault", "u_dues"),
    ("tsr_scheduler", "assign dispatch_valid_o         =", "!handle_fault", "1'b1", "u_handles"),
    ("tsr_scheduler", "assign dispatch_valid_o         =", "!fault_o", "1'b1", "u_launches"),
    ("tsr_scheduler", "assign control_ready_o  =", "!fault_o", "1'b1", "u_dues"),
    ("tsr_scheduler", "assign sm_event_ready_o =", "!fault_o", "1'b1", "u_dues"),
    ("tsr_scheduler", "assign buffer_free_o    =", "!fault_o", "1'b1", "u_dues"),
    ("tsr_scheduler", "assign slice_timer_enable_o =", "!fault_o", "1'b1", "u_dues"),
    ("tsr_scheduler", "assign idle_o =", "fault_o", "1'b0", "u_dues"),
]


@unittest.skipUnless(shutil.which("verilator"), "verilator is not installed")
class Parity(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="parity_")
        cls.addClassCleanup(folder.cleanup)
        core = write_core_with_faults(Path(folder.name), core_files(ROOT), MISTAKES)
        sources = [*(file for file in core if file.stem != "tsr_sram_1r1w"), ROOT / "tests/rtl/flipping_sram.sv"]
        cls.program = build_program(ROOT, "parity", LIBRARIES, SIZES, Path(folder.name) / "build", sources,
                                    {"PARITY": 1, "LINGER": 1, "TAG_WIDTH": 0})

    def run_with(self, mistake, memories, rounds):
        return subprocess.run([self.program, str(mistake), memories, str(rounds)], capture_output=True, text=True)

    def test_each_bit_of_each_memory_stops_the_core_where_it_is_used_and_leaves_no_trace_elsewhere(self):
        run = self.run_with(0, "", 1)
        self.assertEqual(run.returncode, 0, run.stdout[-300:])
        self.assertEqual(set(re.findall(r"^(\S+): \d+ bits$", run.stdout, flags=re.MULTILINE)), MEMORIES)

    @unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "half a minute of faults: ./tessera test --long")
    def test_mistakes_in_the_checks_are_found(self):
        for number, mistake in enumerate(MISTAKES, 1):
            with self.subTest(mistake):
                self.assertEqual(self.run_with(number, mistake[-1], MOST_ROUNDS).returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
