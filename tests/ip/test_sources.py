# SPDX-License-Identifier: Apache-2.0
"""Claims about the Verilog of the IP: clean for every tool at any size, memories where they belong, wired to the core pin by
pin.

Called with the root of the sources. A tool that is not installed skips its tests, and says so.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()
OWN = (ROOT / "rtl/ip.f").read_text().split()
SOURCES = (ROOT / "rtl/rtl.f").read_text().split() + OWN

ELABORATIONS = {
    "default": {},
    "all of one": {"NUM_SMS": 1, "NUM_KSRS": 1, "NUM_CONTEXTS": 1, "NUM_COMMAND_BUFFERS": 1, "MAX_TBS_PER_SM": 1,
                   "DONE_DEPTH": 1},
    "no powers of two": {"NUM_SMS": 5, "NUM_KSRS": 5, "NUM_CONTEXTS": 7, "NUM_COMMAND_BUFFERS": 3, "DONE_DEPTH": 11,
                         "MAX_TBS_PER_SM": 3, "TB_WIDTH": 20},
    "dss alone, few TBs": {"POLICIES": "5'b01000", "TB_WIDTH": 4},
    "256 contexts": {"NUM_CONTEXTS": 256, "NUM_COMMAND_BUFFERS": 33, "DONE_DEPTH": 32767},
    "255 TBs an SM": {"NUM_SMS": 2, "NUM_KSRS": 2, "MAX_TBS_PER_SM": 255, "PIPELINED": 1},
}
MISTAKES = {
    "NUM_CONTEXTS": {"NUM_CONTEXTS": 257},
    "MAX_TBS_PER_SM": {"MAX_TBS_PER_SM": 256},
    "DONE_DEPTH": {"DONE_DEPTH": 32768},
}


def needs(tool):
    return unittest.skipUnless(shutil.which(tool), f"{tool} is not installed")


def ports_of(module):
    """Names of a module's ports, each with its width as it is written."""
    text = (ROOT / f"rtl/{module}.v").read_text()
    ports = re.findall(r"^  (?:in|out)put +(\[.*?\])? *(\w+)", text[:text.index("\n);\n")], flags=re.MULTILINE)
    return {name: width for width, name in ports}


class IpTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="ip_test_"))  # Verilator takes no path with a space
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, *command):
        return subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True)

    # A module that sets the parameters: given on the command line they would be sized, and warned about.
    def top(self, parameters):
        values = ", ".join(f".{name}({value})" for name, value in parameters.items())
        path = self.folder / "top.v"
        path.write_text(f"module top (input clk_i, output idle_o);\n"
                        f"  tsr_ip #({values}) u_tsr_ip (.clk_i(clk_i), .idle_o(idle_o));\n"
                        f"endmodule\n")
        return path

    def lint(self, parameters):
        # The pins are left open: that is the wrapper's doing.
        return self.call("verilator", "--lint-only", "-Wall", "-Wno-PINMISSING", "-Wno-UNDRIVEN",
                         *SOURCES, self.top(parameters), "--top-module", "top")

    @needs("verilator")
    def test_verilator_has_nothing_to_say(self):
        for name, parameters in ELABORATIONS.items():
            with self.subTest(name):
                result = self.lint(parameters)
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    @needs("iverilog")
    def test_icarus_takes_it_as_verilog_2005(self):
        for name, parameters in ELABORATIONS.items():
            with self.subTest(name):
                result = self.call("iverilog", "-g2005", "-Wall", "-Wno-portbind", "-s", "top",
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
        path = self.folder / "front_end.json"
        result = self.call("yosys", "-q", "-p", f"read_verilog {' '.join(SOURCES)}; hierarchy -check -top tsr_axi_lite; "
                           f"proc; flatten; opt; memory -nomap; opt -full; check -assert; write_json {path}")
        self.assertEqual(result.returncode, 0, result.stderr)
        cells = json.loads(path.read_text())["modules"]["tsr_axi_lite"]["cells"].values()
        self.assertEqual([cell["type"] for cell in cells if "latch" in cell["type"] or cell["type"] == "$sr"], [])
        memories = [cell["parameters"] for cell in cells if cell["type"].startswith("$mem")]
        keys = ("RD_PORTS", "WR_PORTS", "RD_CLK_ENABLE")
        # Registers of contexts, kernels that are done, counters.
        self.assertEqual([tuple(int(memory[key], 2) for key in keys) for memory in memories], [(1, 1, 1)] * 3)

    def test_nothing_is_there_for_simulation_alone(self):
        for source in OWN:
            code = re.sub(r"//.*", "", (ROOT / source).read_text())
            found = re.findall(r"\$(?!clog2|signed|unsigned)\w+|\binitial\b|#\d|`\w+|translate_off|verilator", code)
            self.assertEqual(found, [], source)

    # Every pin of the two, the handshakes between them aside, is a pin of the IP, of the same width.
    def test_the_ip_has_the_pins_of_its_parts(self):
        ip, core, front_end = map(ports_of, ("tsr_ip", "tsr_scheduler", "tsr_axi_lite"))
        inside = re.compile(r"command_|control_|buffer_free")
        outer = {name: width for name, width in core.items() if not inside.match(name)}
        outer.update({name: width for name, width in front_end.items() if name.startswith(("axi_", "irq"))})
        self.assertEqual(ip, outer)


if __name__ == "__main__":
    unittest.main()
