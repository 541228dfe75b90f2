# SPDX-License-Identifier: Apache-2.0
"""Claims about the Verilog of the next core: clean for every tool, in every shape of its parameters.

Called with the root of the sources. A tool that is not installed skips its tests, and says so.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()
SOURCES = (ROOT / "rtl_next/rtl.f").read_text().split()

SHAPES = {
    "default": {},
    "all of one": {"NUM_SMS": 1, "NUM_KSRS": 1, "NUM_CONTEXTS": 1, "NUM_COMMAND_BUFFERS": 1, "MAX_TBS_PER_SM": 1},
    "two rows a step": {"NUM_SMS": 5, "SEARCH_WIDTH": 2},
    "four, more KSRs than SMs": {"NUM_SMS": 3, "NUM_KSRS": 9, "SEARCH_WIDTH": 4},
    "every policy": {"POLICIES": "6'b111111"},
    "edf alone": {"POLICIES": "6'b100000"},
    "fcfs alone": {"POLICIES": "6'b000001"},
    "small PTBQ": {"NUM_SMS": 16, "PTBQ_DEPTH": 20, "NUM_COMMAND_BUFFERS": 256},
    "few TBs": {"TB_WIDTH": 4},
    "TBs without a carry": {"TB_WIDTH": 8},
    "64 of all": {"NUM_SMS": 64, "NUM_KSRS": 64, "NUM_CONTEXTS": 64},
}
MISTAKES = {
    "NUM_SMS": {"NUM_SMS": 257},
    "PTBQ_DEPTH": {"PTBQ_DEPTH": 15},
    "NUM_COMMAND_BUFFERS": {"NUM_COMMAND_BUFFERS": 257},
    "SEARCH_WIDTH": {"SEARCH_WIDTH": 3},
    "TB_WIDTH": {"TB_WIDTH": 33},
    "POLICIES": {"POLICIES": "6'd0"},
    "WAIT_WIDTH": {"WAIT_WIDTH": 2},
}


def needs(tool):
    return unittest.skipUnless(shutil.which(tool), f"{tool} is not installed")


class RtlNextTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="rtl_next_test_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, *command):
        return subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True)

    # A module that sets the parameters: given on the command line they would be sized, and warned about.
    def top(self, parameters):
        values = ", ".join(f".{name}({value})" for name, value in parameters.items())
        path = self.folder / "top.v"
        path.write_text(f"module top (input clk_i, output idle_o);\n"
                        f"  tsr_scheduler #({values}) u_tsr_scheduler (.clk_i(clk_i), .idle_o(idle_o));\n"
                        f"endmodule\n")
        return path

    def lint(self, parameters):
        return self.call("verilator", "--lint-only", "-Wall", "-Wno-PINMISSING", "-Wno-UNDRIVEN", "-Irtl_next", *SOURCES,
                         self.top(parameters), "--top-module", "top")

    @needs("verilator")
    def test_verilator_has_nothing_to_say(self):
        for name, parameters in SHAPES.items():
            with self.subTest(name):
                result = self.lint(parameters)
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    @needs("iverilog")
    def test_icarus_takes_it_as_verilog_2005(self):
        for name, parameters in SHAPES.items():
            with self.subTest(name):
                result = self.call("iverilog", "-g2005", "-Wall", "-Wno-portbind", "-Irtl_next", "-s", "top",
                                   "-o", self.folder / "top.vvp", *SOURCES, self.top(parameters))
                said = [line for line in result.stderr.splitlines() if "floating" not in line]
                self.assertEqual((result.returncode, said), (0, []))

    @needs("verilator")
    def test_parameters_out_of_range_end_the_elaboration_and_are_named(self):
        for name, parameters in MISTAKES.items():
            with self.subTest(name):
                result = self.lint(parameters)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(name, result.stderr)

    @needs("yosys")
    def test_no_latch_no_loop_and_memories_with_a_clocked_read_port_and_a_write_port(self):
        path = self.folder / "core.json"
        sizes = {"NUM_SMS": 4, "NUM_KSRS": 3, "NUM_CONTEXTS": 2, "NUM_COMMAND_BUFFERS": 2, "PTBQ_DEPTH": 16}
        chparam = " ".join(f"-chparam {name} {value}" for name, value in sizes.items())
        result = self.call("yosys", "-q", "-p", f"read_verilog -Irtl_next {' '.join(SOURCES)}; "
                           f"hierarchy -check -top tsr_scheduler {chparam}; proc; flatten; opt; memory -nomap; opt -full; "
                           f"check -assert; write_json {path}")
        self.assertEqual(result.returncode, 0, result.stderr)
        cells = json.loads(path.read_text())["modules"]["tsr_scheduler"]["cells"].values()
        self.assertEqual([cell["type"] for cell in cells if "latch" in cell["type"] or cell["type"] == "$sr"], [])
        memories = [cell["parameters"] for cell in cells if cell["type"].startswith("$mem")]
        keys = ("RD_PORTS", "WR_PORTS", "RD_CLK_ENABLE")
        # Handles, rows, places that are promised, launches that wait, descriptors, budgets, page tables.
        self.assertEqual([tuple(int(memory[key], 2) for key in keys) for memory in memories], [(1, 1, 1)] * 7)


if __name__ == "__main__":
    unittest.main()
