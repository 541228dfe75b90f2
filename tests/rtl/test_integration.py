# SPDX-License-Identifier: Apache-2.0
"""docs/hardware/integration.md says of the core what the Verilog says, and what it gives to be copied works.

Called with the root of the sources. A tool that is not installed skips its tests, and says so.
"""

import fnmatch
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from elaborated import memories, modules_of, ports_and_parameters
from file_lists import files_of
from packages import IpXactComponent

ROOT = Path(sys.argv.pop(1)).resolve()
PAGE = (ROOT / "docs/hardware/integration.md").read_text()
CORE = files_of(ROOT, "rtl.f")
SRAM = "rtl/tsr_sram_1r1w.v"
LIBRARY = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
# The width of no table is that of another, and a KSR counts all of its TBs.
SHAPE = {"NUM_SMS": 3, "MAX_TBS_PER_SM": 4, "NUM_KSRS": 5, "NUM_COMMAND_BUFFERS": 6, "NUM_CONTEXTS": 7, "PTBQ_DEPTH": 9,
         "TB_WIDTH": 5, "POLICIES": 255, "PARITY": 1, "LINGER": 1}
NUM_SMALL_MEMORIES = 5  # beside the handles
# The macro that the page's example takes.
MACRO = """module acme_sram_2p_2704x64 (
  input CLK, WE, RE, input [11:0] WA, RA, input [63:0] D, input [2:0] MARGIN, output [63:0] Q);
endmodule
"""


def needs(tool):
    return unittest.skipUnless(shutil.which(tool), f"{tool} is not installed")


def section(heading):
    return re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL)[1]


def block(heading, language):
    return re.search(rf"^```{language}\n(.*?)^```", section(heading), flags=re.MULTILINE | re.DOTALL)[1]


def rows(heading):
    """Of the first table of a section, without its head: the cells."""
    table = re.search(r"(?:^\|.*\n)+", section(heading), flags=re.MULTILINE)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def in_quotes(text):
    return re.findall(r"`([^`]+)`", text)


def evaluated(expression, values):
    return IpXactComponent.value(in_quotes(expression)[0], values)


@needs("yosys")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="integration")  # Verilator takes no path with a blank
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.ports, cls.parameters = ports_and_parameters(ROOT, CORE, "tsr_scheduler")

    def written(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def said(self, *command):
        """What a tool had to say that is wrong."""
        result = subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True)
        return result.returncode, result.stderr

    # ---- words and tables ----------------------------------------------------------------------------------------

    def test_files_that_it_names_are_there(self):
        names = [name for name in in_quotes(PAGE) if re.fullmatch(r"rtl/[\w./]+|Bender.yml|tessera.core", name)]
        self.assertGreater(len(names), 5)
        self.assertEqual([name for name in names if not (ROOT / name).exists()], [])

    def test_parameters_are_those_of_the_component_with_their_limits(self):
        component = IpXactComponent(ROOT / "rtl/tsr_scheduler.xml")
        listed = {in_quotes(name)[0]: (default, tuple(in_quotes(end)[0] if end else None for end in ends))
                  for name, default, *ends, _ in rows("Parameters")}
        limits = {name: tuple(None if bound is None else str(bound) for bound in bounds)
                  for name, bounds in component.user_parameters().items()}
        self.assertEqual({name: ends for name, (_, ends) in listed.items()}, limits)
        for name, (default, _) in listed.items():
            self.assertEqual(evaluated(default, self.parameters), self.parameters[name], name)

    def test_every_pin_is_in_the_table_and_every_row_has_pins(self):
        patterns = [pattern for pins, *_ in rows("Pins") for pattern in in_quotes(pins)]
        for name in self.ports:
            self.assertEqual(len([each for each in patterns if fnmatch.fnmatch(name, each)]), 1, name)
        for pattern in patterns:
            self.assertTrue(fnmatch.filter(self.ports, pattern), pattern)

    def test_memories_are_those_of_the_verilog_whatever_the_parameters(self):
        for settings in ({}, SHAPE, SHAPE | {"REFILL": 1, "TB_WIDTH": 20}):
            with self.subTest(settings):
                _, values = ports_and_parameters(ROOT, CORE, "tsr_scheduler", settings)
                listed = {in_quotes(name)[0]: (evaluated(words, values), evaluated(bits, values))
                          for name, words, bits, _ in rows("Memories")}
                self.assertEqual({name: size for name, size in listed.items() if size[1] > 0},
                                 memories(ROOT, CORE, "tsr_scheduler", settings))

    def test_assumptions_are_those_of_the_file(self):
        text = (ROOT / "rtl/tsr_input_assumptions.sv").read_text()
        listed = [name for names, _ in rows("Rules for the inputs") for name in in_quotes(names)]
        self.assertEqual(sorted(listed), sorted(re.findall(r"^  (assume_\w+):", text, flags=re.MULTILINE)))

    # ---- to be copied --------------------------------------------------------------------------------------------

    @needs("verilator")
    def test_the_instance_is_clean_and_leaves_no_pin_open(self):
        instance = block("Instance", "verilog")
        parameters = dict(re.findall(r"\.([A-Z_]+)\((\w+)\)", instance))
        ports, _ = ports_and_parameters(ROOT, CORE, "tsr_scheduler", parameters)
        connected = dict(re.findall(r"\.([a-z]\w+) *\((\w+)\)", instance))
        wires = "".join(f"  wire [{ports[pin][1] - 1}:0] {wire};\n" if ports[pin][1] > 1 else f"  wire {wire};\n"
                        for pin, wire in connected.items() if wire not in ("clk", "rst_n"))
        # The logic around it is what is missing.
        top = self.written("template.v", f"module template (input clk, input rst_n);\n{wires}{instance}endmodule\n")
        self.assertEqual(self.said("verilator", "--lint-only", "-Wall", "-Wno-UNDRIVEN", "-Wno-UNUSED", "-Irtl", *CORE,
                                   top, "--top-module", "template"), (0, ""))

    @needs("verilator")
    def test_a_memory_of_the_technology_takes_the_place_of_ours(self):
        wrapper = self.written("tsr_sram_1r1w.v", block("Cells of your technology", "verilog"))
        macro = self.written("acme_sram_2p_2704x64.v", MACRO)
        sources = [*(name for name in CORE if name != SRAM), wrapper, macro]
        own = (ROOT / SRAM).read_text()
        pins = r"(input|output)(?: reg)? +(\[.*?\])? *(\w+)"
        self.assertEqual(re.findall(pins, wrapper.read_text()), re.findall(pins, own))
        self.assertEqual(self.said("verilator", "--lint-only", "-Wall", "-Wno-UNUSED", "-Wno-UNDRIVEN", "-Irtl",
                                   *sources, "--top-module", "tsr_scheduler"), (0, ""))
        modules = modules_of(ROOT, sources, "tsr_scheduler", passes="proc; flatten; memory_collect")
        types = [cell["type"] for cell in modules["tsr_scheduler"]["cells"].values()]
        self.assertEqual((types.count("acme_sram_2p_2704x64"), len([kind for kind in types if "$mem" in kind])),
                         (1, NUM_SMALL_MEMORIES))

    # Of the core only its pins: a flip-flop behind each input, named after it, one before each output.
    def pins_in_gates(self):
        text = f"module tsr_scheduler ({', '.join(self.ports)});\n"
        for name, (direction, width) in self.ports.items():
            text += f"  {direction}put {f'[{width - 1}:0] ' if width > 1 else ''}{name};\n"
            for bit in range(width) if name != "clk_i" else []:
                pin, cell = (f"{name}[{bit}]" if width > 1 else name), f"{name}_{bit}"
                data, result = (pin, f"{cell}_q") if direction == "in" else ("rst_ni", pin)
                text += f"  DFFPOSX1 {cell} (.CLK(clk_i), .D({data}), .Q({result}));\n"
        return text + "endmodule\n"

    @needs("sta")
    @unittest.skipUnless(LIBRARY.exists(), f"{LIBRARY} is not installed")
    def test_the_constraints_time_every_pin_but_the_straps(self):
        netlist = self.written("pins.v", self.pins_in_gates())
        constraints = self.written("core.sdc", block("Constraints", "tcl"))
        script = self.written("check.tcl", f"read_liberty {LIBRARY}\nread_verilog {netlist}\nlink_design tsr_scheduler\n"
                                           f"read_sdc {constraints}\nputs ==\ncheck_setup -verbose\n"
                                           "puts [get_property [get_clocks core_clk] period]\n")
        result = subprocess.run(["sta", "-exit", "-no_splash", script], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        untimed, period = re.fullmatch(r".*==\n(.*?)([\d.]+)\n", result.stdout, flags=re.DOTALL).groups()
        straps = sum(width for name, (_, width) in self.ports.items() if name.startswith("strap_"))
        self.assertEqual(re.findall(r"Warning: (.*)", untimed), [f"There are {straps} unconstrained endpoints."])
        self.assertEqual({name.rpartition("_")[0] for name in re.findall(r"(\w+)/D", untimed)},
                         {name for name in self.ports if name.startswith("strap_")})
        self.assertIn(f"set period {float(period)}", constraints.read_text())


if __name__ == "__main__":
    unittest.main()
