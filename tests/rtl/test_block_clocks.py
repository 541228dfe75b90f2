# SPDX-License-Identifier: Apache-2.0
"""Claims about the clocks of the core's blocks (docs/hardware/rtl.md): a block whose line is 0, and that hears no valid
input, changes no register and touches no RAM at the next edge. Proved by SAT of every state that the registers can have,
for all registers that are on the block's clock pin.

Called with the root of the sources.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from file_lists import files_of

ROOT = Path(sys.argv.pop(1)).resolve()

# Of a clock pin: the line that raises it, and the inputs that do.
BLOCKS = {
    "clk_search_i": ("search_acts_o",
                     ["command_valid_i", "control_valid_i", "slice_tick_i", "linger_over_i", "switch_over_i"]),
    "clk_tables_i": ("tables_act_o", ["control_valid_i"]),
    "clk_rings_i": ("rings_act_o", ["handle_valid_i"]),
    "clk_row_i": ("row_acts_o", []),
}
SMALL = {"NUM_SMS": 3, "MAX_TBS_PER_SM": 2, "NUM_KSRS": 3, "NUM_COMMAND_BUFFERS": 2, "NUM_CONTEXTS": 3,
         "PTBQ_DEPTH": 6, "TB_WIDTH": 10}
SHAPES = {
    "default": SMALL,
    "all that there is": {**SMALL, "NUM_KSRS": 5, "POLICIES": 255, "LINGER": 1, "KEPT_TURN": 1, "SEARCH_WIDTH": 4,
                          "TAG_WIDTH": 3},
    "a refill lane": {**SMALL, "REFILL": 1},
    "no carry, small ring": {**SMALL, "TB_WIDTH": 4, "PTBQ_DEPTH": 3},
}
# A RAM that keeps what it was last asked for: its registers change when it is read or written. What it gives is anything.
RAM = """
module tsr_sram_1r1w #(
  parameter DEPTH = 2, parameter WIDTH = 1, parameter ADDRESS_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
  input clk_i, input write_i, input [ADDRESS_WIDTH-1:0] write_address_i, input [WIDTH-1:0] write_data_i,
  input read_i, input [ADDRESS_WIDTH-1:0] read_address_i, output [WIDTH-1:0] read_data_o
);
  reg [WIDTH-1:0]         word_q;
  reg [ADDRESS_WIDTH-1:0] write_address_q, read_address_q;
  always @(posedge clk_i) begin
    if (write_i) {word_q, write_address_q} <= {write_data_i, write_address_i};
    if (read_i) read_address_q <= read_address_i;
  end
  assign read_data_o = word_q ^ {WIDTH{^{write_address_q, read_address_q}}};
endmodule
"""
# Planted: a line that forgets why a block acts.
FAULTS = {
    "clk_search_i": ("!search_rests_i || ", ""),
    "clk_tables_i": (" || budget_read_i", ""),
    "clk_rings_i": ("reads_handle_i || enters", "enters"),
    "clk_row_i": (" || !row_rests_i", ""),
}


@unittest.skipUnless(shutil.which("yosys"), "yosys is not installed")
class BlockClocksTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="block_clocks_"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "ram.v").write_text(RAM)

    def yosys(self, script):
        return subprocess.run(["yosys", "-q", "-p", script], cwd=ROOT, capture_output=True, text=True)

    # The core as a function of its registers: register i is an input q_i, and what it becomes an output d_i. Returns of
    # each clock pin the numbers of its registers.
    def write_core(self, parameters, clocks="rtl/tsr_block_clocks.v"):
        files = [file for file in files_of(ROOT, "rtl.f")
                 if file not in ("rtl/tsr_sram_1r1w.v", "rtl/tsr_block_clocks.v")]
        chparam = " ".join(f"-chparam {name} {value}" for name, value in parameters.items())
        path = self.folder / "core.json"
        result = self.yosys(f"read_verilog -DTSR_BLOCK_CLOCKS -I rtl {self.folder}/ram.v {clocks} {' '.join(files)}; "
                            f"hierarchy -check -top tsr_scheduler {chparam}; proc; flatten; dffunmap; opt_clean; "
                            f"write_json {path}")
        self.assertEqual(result.returncode, 0, result.stderr)
        design = json.loads(path.read_text())
        core = design["modules"]["tsr_scheduler"]
        ports, cells = core["ports"], core["cells"]
        pins = {ports[pin]["bits"][0]: pin for pin in ("clk_i", *BLOCKS)}
        registers = {pin: [] for pin in pins.values()}
        for number, (name, cell) in enumerate((n, c) for n, c in list(cells.items()) if c["type"] == "$dff"):
            connections = cell["connections"]
            registers[pins[connections["CLK"][0]]].append(number)
            ports[f"q_{number}"] = {"direction": "input", "bits": connections["Q"]}
            ports[f"d_{number}"] = {"direction": "output", "bits": connections["D"]}
            del cells[name]
        path.write_text(json.dumps(design))
        return registers

    # Empty: proved.
    def counterexample(self, clock, registers):
        line, inputs = BLOCKS[clock]
        sets = " ".join(f"-set {name} 0" for name in [line, *inputs])
        proves = " ".join(f"-prove d_{number} q_{number}" for number in registers[clock])
        return self.sat(f"{sets} {proves}")

    def sat(self, arguments):
        result = self.yosys(f"read_json {self.folder}/core.json; opt_clean; sat -verify {arguments} tsr_scheduler")
        return "" if result.returncode == 0 else result.stdout + result.stderr

    def test_block_that_does_not_act_changes_nothing(self):
        for name, parameters in SHAPES.items():
            registers = self.write_core(parameters)
            for clock in BLOCKS:
                with self.subTest(f"{name}, {clock}"):
                    self.assertGreater(len(registers[clock]), 3)
                    self.assertEqual("", self.counterexample(clock, registers))

    @unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "a proof for each line: ./tessera test --long")
    def test_line_that_forgets_why_its_block_acts_is_found(self):
        source = (ROOT / "rtl/tsr_block_clocks.v").read_text()
        for clock, (text, fault) in FAULTS.items():
            with self.subTest(clock):
                self.assertEqual(source.count(text), 1)
                faulty = self.folder / "faulty.v"
                faulty.write_text(source.replace(text, fault))
                self.assertIn("proof did fail", self.counterexample(clock, self.write_core(SMALL, faulty)))

    @unittest.skipUnless(shutil.which("verilator"), "verilator is not installed")
    def test_verilator_has_nothing_to_say(self):
        for name, parameters in SHAPES.items():
            with self.subTest(name):
                values = [f"-G{parameter}={value}" for parameter, value in parameters.items()]
                result = subprocess.run(["verilator", "--lint-only", "-Wall", "-DTSR_BLOCK_CLOCKS", "-Irtl", *values,
                                         "--top-module", "tsr_scheduler", *files_of(ROOT, "rtl.f")],
                                        cwd=ROOT, capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_with_parity_all_blocks_act_always(self):
        self.write_core({**SMALL, "PARITY": 1})
        proves = " ".join(f"-prove {line} 1" for line, _ in BLOCKS.values())
        self.assertEqual("", self.sat(proves))


if __name__ == "__main__":
    unittest.main()
