# SPDX-License-Identifier: Apache-2.0
"""Claims about what is around the IP (rtl/soc): clean for every tool at any size, and the example runs every thread
block once. It fails where links and tags do not fit.

Called with the root of the sources. A tool that is not installed skips its tests, and says so.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from file_lists import files_of
from verilog_claims import VerilogClaims, needs

ROOT = Path(sys.argv.pop(1)).resolve()
BENCH = ("rtl/soc/tsr_example_host.v", "rtl/soc/tsr_example_bench.v")  # for simulation
SYNTHESIZABLE = [file for file in files_of(ROOT, "soc/soc.f", "soc/example.f") if file not in BENCH]
PAGE = (ROOT / "docs/hardware/integration.md").read_text()
# What to put into a file, and instead of what.
BUGS = {
    "an SM that answers with another tag": (
        "tsr_example_sm.v", "assign event_tag_o   = tag_q;", "assign event_tag_o   = ~tag_q;"),
    "a core that always sends the same tag": (
        "tsr_example_soc.v", ".sm_control_tag_i(sm_control_tag)", ".sm_control_tag_i({TAG_BITS{1'b1}})"),
    "a link that loses what comes while it waits": (
        "tsr_link_register.v", "spare_valid_q <= !moves && (spare_valid_q || valid_i);", "spare_valid_q <= 1'b0;"),
    "an SM that sees what another one gets": (
        "tsr_sm_side.v", ".dispatch_valid_i(is_given[i])", ".dispatch_valid_i(is_given[i ^ 1])"),
    "events of the wrong SM": (
        "tsr_event_arbiter.v", "assign taken_o          = lowest &", "assign taken_o          = valid_i &"),
    "a port that more than one SM's handles use": (
        "tsr_handle_arbiter.v", "assign taken_o        = sender;", "assign taken_o        = valid_i;"),
}


class SocTest(VerilogClaims, unittest.TestCase):
    root = ROOT
    own = SYNTHESIZABLE
    sources = [*files_of(ROOT, "rtl.f", "ip.f"), *SYNTHESIZABLE]
    options = ["-Irtl"]
    directives = ("`include", "verilator")
    top = "tsr_example_soc"
    shapes = {
        "default": {},
        "one wired SM": {"NUM_SMS": 1, "MAX_TBS_PER_SM": 1, "UP_REGISTERS": "8'd0", "DOWN_REGISTERS": "8'd0"},
        "some wired, some far": {"NUM_SMS": 3, "TB_WIDTH": 4, "UP_REGISTERS": "{8'd0, 8'd1, 8'd9}",
                                 "DOWN_REGISTERS": "{8'd2, 8'd0, 8'd1}", "TAG_WIDTH": 3},
        "a refill lane": {"NUM_SMS": 2, "REFILL": 1, "UP_REGISTERS": "{8'd0, 8'd1}", "DOWN_REGISTERS": "{8'd1, 8'd0}"},
        "no tags": {"NUM_SMS": 2, "UP_REGISTERS": "16'd0", "DOWN_REGISTERS": "16'd0", "TAG_WIDTH": 0},
    }
    mapped = "tsr_sm_side"
    num_memories = 0


@needs("iverilog")
class Example(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="soc")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def says(self, *options, soc=ROOT / "rtl/soc"):
        """What the example prints."""
        program = self.folder / "example.vvp"
        files = [file if not file.startswith("rtl/soc/") else soc / Path(file).name
                 for file in files_of(ROOT, "rtl.f", "ip.f", "soc/soc.f", "soc/example.f")]
        subprocess.run(["iverilog", "-g2005", "-Irtl", "-s", "tsr_example_bench", *options, "-o", program, *files],
                       cwd=ROOT, check=True)
        return subprocess.run(["vvp", "-n", program], check=True, stdout=subprocess.PIPE, text=True).stdout

    def test_the_command_of_the_page_prints_what_the_page_shows(self):
        command = re.search(r"^    (iverilog .*)$", PAGE, flags=re.MULTILINE)[1]
        command = command.replace("example.vvp", str(self.folder / "example.vvp"))
        output = subprocess.run(command, shell=True, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
        section = PAGE[PAGE.index("## An example SoC"):]
        shown = re.search(r"^```text\n(.*?)^```", section, flags=re.MULTILINE | re.DOTALL)[1]
        first, _, rest = shown.partition("...\n")
        self.assertTrue(output.startswith(first) and rest and output.endswith(rest), output)
        self.assertIn("PASSED", rest)

    def test_more_bits_of_the_tag_do_as_well(self):
        self.assertIn("PASSED", self.says("-Ptsr_example_bench.TAG_WIDTH=3"))

    def test_a_core_with_a_refill_lane_runs_every_thread_block_once_too(self):
        self.assertIn("PASSED", self.says("-Ptsr_example_bench.REFILL=1"))

    def test_without_tags_an_answer_to_another_set_up_is_taken_for_the_last_ones(self):
        self.assertRegex(self.says("-Ptsr_example_bench.TAG_WIDTH=0"), r"SM \d got what it must not\n.*FAILED")

    @unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "a simulation for each bug: ./tessera test --long")
    def test_bugs_are_found(self):
        for name, (file, before, after) in BUGS.items():
            with self.subTest(name):
                soc = self.folder / "soc"
                shutil.rmtree(soc, ignore_errors=True)
                shutil.copytree(ROOT / "rtl/soc", soc)
                text = (soc / file).read_text()
                self.assertEqual(text.count(before), 1)
                (soc / file).write_text(text.replace(before, after))
                output = self.says(soc=soc)
                self.assertIn("FAILED", output)
                self.assertNotIn("PASSED", output)


if __name__ == "__main__":
    unittest.main()
