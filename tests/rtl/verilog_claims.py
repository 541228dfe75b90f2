# SPDX-License-Identifier: Apache-2.0
"""What is claimed of all Verilog of this project: every tool takes it in every shape of its parameters, no latch, memories
that a macro can be, nothing for simulation alone. A tool that is not installed skips its tests, and says so.
"""

import json
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path


def needs(tool):
    return unittest.skipUnless(shutil.which(tool), f"{tool} is not installed")


class VerilogClaims:
    """Beside unittest.TestCase, for a class that says what its Verilog is."""

    root = None
    sources = []         # in the order of dependency
    own = []             # of them, those that are held to be for synthesis alone
    options = []         # for Verilator, Icarus and Yosys
    top = ""             # a module with pins clk_i and idle_o
    shapes = {}          # name -> parameters
    mistakes = {}        # a name that the refusal has -> parameters
    directives = ()      # that its sources may have
    # No latch, and memories with a clocked read port and a write port:
    mapped = ""          # in this module,
    mapped_sizes = {}    # with these parameters,
    num_memories = 0     # so many

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="verilog_"))  # Verilator takes no path with a space
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, *command):
        return subprocess.run(list(map(str, command)), cwd=self.root, capture_output=True, text=True)

    # A module that sets the parameters: given on the command line they would be sized, and warned about.
    def with_parameters(self, parameters):
        values = ", ".join(f".{name}({value})" for name, value in parameters.items())
        path = self.folder / "top.v"
        path.write_text(f"module top (input clk_i, output idle_o);\n"
                        f"  {self.top} #({values}) u_{self.top} (.clk_i(clk_i), .idle_o(idle_o));\n"
                        f"endmodule\n")
        return path

    def lint(self, parameters):
        # The pins are left open: that is the wrapper's doing.
        return self.call("verilator", "--lint-only", "-Wall", "-Wno-PINMISSING", "-Wno-UNDRIVEN", *self.options,
                         *self.sources, self.with_parameters(parameters), "--top-module", "top")

    # Cells of each module, by type, and the bits they hold.
    def synthesize(self, top, script, parameters=()):
        path = self.folder / "core.json"
        chparam = " ".join(f"-chparam {name} {value}" for name, value in dict(parameters).items())
        result = self.call("yosys", "-q", "-p", f"read_verilog {' '.join([*self.options, *self.sources])}; "
                           f"hierarchy -check -top {top} {chparam}; {script}; write_json {path}")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(path.read_text())["modules"]

    @needs("verilator")
    def test_verilator_has_nothing_to_say(self):
        for name, parameters in self.shapes.items():
            with self.subTest(name):
                result = self.lint(parameters)
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    @needs("iverilog")
    def test_icarus_takes_it_as_verilog_2005(self):
        for name, parameters in self.shapes.items():
            with self.subTest(name):
                result = self.call("iverilog", "-g2005", "-Wall", "-Wno-portbind", *self.options, "-s", "top",
                                   "-o", self.folder / "top.vvp", *self.sources, self.with_parameters(parameters))
                said = [line for line in result.stderr.splitlines() if "floating" not in line]
                self.assertEqual((result.returncode, said), (0, []))

    @needs("verilator")
    def test_parameters_out_of_range_end_the_elaboration_and_are_named(self):
        for name, parameters in self.mistakes.items():
            with self.subTest(name):
                result = self.lint(parameters)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(name, result.stderr)

    @needs("yosys")
    def test_no_latch_no_loop_and_memories_with_a_clocked_read_port_and_a_write_port(self):
        script = "proc; flatten; opt; memory -nomap; opt -full; check -assert"
        cells = self.synthesize(self.mapped, script, self.mapped_sizes)[self.mapped]["cells"].values()
        self.assertEqual([cell["type"] for cell in cells if "latch" in cell["type"] or cell["type"] == "$sr"], [])
        memories = [cell["parameters"] for cell in cells if cell["type"].startswith("$mem")]
        keys = ("RD_PORTS", "WR_PORTS", "RD_CLK_ENABLE")
        ports = [tuple(int(memory[key], 2) for key in keys) for memory in memories]
        self.assertEqual(ports, [(1, 1, 1)] * self.num_memories)

    def test_nothing_is_there_for_simulation_alone(self):
        for source in self.own:
            code = re.sub(r"//.*", "", (self.root / source).read_text())
            found = re.findall(r"\$(?!clog2|signed|unsigned)\w+|\binitial\b|#\d|`\w+|translate_off|verilator", code)
            self.assertEqual([word for word in found if word not in self.directives], [], source)
