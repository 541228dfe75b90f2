# SPDX-License-Identifier: Apache-2.0
"""What is beside the core, under random traffic. Legal inputs break no rule of rtl/tsr_input_assumptions.sv, and each way
of violations.h to break one breaks that one and no other. rtl/tsr_gated_scheduler.v does on its pins what the core does on
a clock that never stops, and its own does stop.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from driven_core import ASSUMPTIONS, ROOT, build, core_files, drive

sys.path.insert(0, str(ROOT / "tests/rtl"))
from elaborated import ports_and_parameters  # noqa: E402

# One more than the largest value fits every field.
PARAMETERS = {"NUM_SMS": 3, "MAX_TBS_PER_SM": 6, "NUM_KSRS": 3, "NUM_COMMAND_BUFFERS": 2, "NUM_CONTEXTS": 2,
              "PTBQ_DEPTH": 10, "TB_WIDTH": 16, "POLICIES": 63, "LINGER": 1, "KEPT_TURN": 1,
              "TAG_WIDTH": 1}  # with links, at times
CYCLES = 1_000_000
GATE = ROOT / "rtl/tsr_clock_gate.sv"
WRAPPER = ROOT / "rtl/tsr_gated_scheduler.v"
WAKE_UPS = re.search(r"wire wakes = (.*?);", WRAPPER.read_text(), flags=re.DOTALL)[1].split(" ||")

# Fields of a bundle, and with which pulses they count.
PULSES = {
    "sm_control_(?!valid)": "sm_control_valid_o",
    "dispatch_(?!valid)": "dispatch_valid_o",
    "kernel_done_(?!valid)": "kernel_done_valid_o",
    "events_turn_cause_": "events_turn_passed_o",
    "events_(buffer|move|sm|ksr)_": "(events_activated_o | events_moved_o | events_preempted_o | events_released_o)",
}

# Pulses are as long as those of the clock, and those whose enable was up before them; whatever moves while it is high.
GATE_BENCH = """
module bench;
  reg clk = 0, enable = 0, test_en = 0, expected = 0;
  integer n, wrong = 0, pulses = 0, expected_pulses = 0, seed = 1;
  wire gated;
  tsr_clock_gate u_gate (.clk_i(clk), .enable_i(enable), .test_en_i(test_en), .clk_o(gated));
  always @(posedge gated) pulses = pulses + 1;
  task move; begin enable = $random(seed); test_en = $random(seed) % 4 == 0; end endtask
  initial begin
    for (n = 0; n < 1000; n = n + 1) begin
      #1 move;
      #1 expected = enable || test_en; clk = 1;
      expected_pulses = expected_pulses + expected;
      #1 if (gated !== expected) wrong = wrong + 1;
      move;
      #1 if (gated !== expected) wrong = wrong + 1;
      clk = 0;
      #1 if (gated !== 1'b0) wrong = wrong + 1;
      move;
    end
    $display("%0d wrong, %0d pulses of %0d", wrong, pulses, expected_pulses);
  end
endmodule
"""


def as_it_counts(name):
    """An output, 0 while nothing is said by it."""
    pulse = next((pulse for field, pulse in PULSES.items() if re.match(field, name)), None)
    return name if pulse is None else f"{name} & {{$bits({name}){{{pulse}}}}}"


def bench(parameters):
    """Both cores on the same inputs, with the pins of the first, and a pin that chooses a fault."""
    ports, _ = ports_and_parameters(ROOT, core_files(), "tsr_scheduler", parameters)
    outputs = [name for name, (direction, _) in ports.items() if direction == "out"]
    pins = "".join(f",\n  {direction}put [{width - 1}:0] {name}" for name, (direction, width) in ports.items())
    gated = "".join(f"  wire [{ports[name][1] - 1}:0] gated_{name};\n" for name in outputs)
    sizes = ", ".join(f"parameter {name} = {value}" for name, value in parameters.items())
    settings = ", ".join(f".{name}({name})" for name in parameters)
    free_pins = ", ".join(f".{name}({name})" for name in ports)
    gated_pins = ", ".join(f".{name}({'gated_' if name in outputs else ''}{name})" for name in ports)
    free = ", ".join(map(as_it_counts, outputs))
    both = free, re.sub(r"\w+_o\b", r"gated_\g<0>", free)
    return f"""module gated_bench #({sizes}) (\n  input [7:0] mutant_i{pins}\n);\n{gated}
  tsr_scheduler #({settings}) u_free ({free_pins});
  tsr_gated_scheduler #({settings}) u_gated ({gated_pins}, .test_en_i(1'b0));
  pins_are_equal: assert property (@(posedge clk_i) disable iff (!rst_ni) {{{both[0]}}} === {{{both[1]}}});
  int clocks = 0, gated_clocks = 0;
  always @(posedge clk_i) clocks++;
  always @(posedge u_gated.clk) gated_clocks++;
  final $display("%0d of %0d clocks", gated_clocks, clocks);
endmodule
"""


def wrapper_with_faults():
    """Fault n is that wake-up n is forgotten."""
    wake_ups = [f"(gated_bench.mutant_i != {n} && ({each.strip()}))" for n, each in enumerate(WAKE_UPS, 1)]
    return re.sub(r"(wire wakes = ).*?;", lambda found: f"{found[1]}{' || '.join(wake_ups)};", WRAPPER.read_text(),
                  flags=re.DOTALL)


def broken_rules(output, core="u_free"):
    """As one of the two cores says: the gated one does not look while its clock stands still."""
    return re.findall(rf"Assertion failed in \S*\.{core}\.u_input_assumptions\.(\w+):", output)


@unittest.skipUnless(shutil.which("verilator") and shutil.which("yosys"), "needs verilator and yosys")
class DrivenCore(unittest.TestCase):
    parameters = PARAMETERS

    @classmethod
    def setUpClass(cls):
        folder = Path(tempfile.mkdtemp(prefix="driven_"))  # Verilator takes no path with a blank
        cls.addClassCleanup(shutil.rmtree, folder)
        (folder / "gated_bench.sv").write_text(bench(cls.parameters))
        (folder / WRAPPER.name).write_text(wrapper_with_faults())
        cls.program = build(folder, "gated_bench", cls.parameters,
                            [*core_files(), ASSUMPTIONS, GATE, folder / WRAPPER.name, folder / "gated_bench.sv"],
                            is_short_run=True)
        cls.violations = drive(cls.program).splitlines()
        cls.legal = drive(cls.program, CYCLES)

    def test_legal_traffic_breaks_no_rule(self):
        self.assertEqual(broken_rules(self.legal) + broken_rules(self.legal, "u_gated"), [])
        self.assertIn(f"{CYCLES} cycles", self.legal)

    def test_each_rule_is_broken_by_what_violates_it_and_no_other_is(self):
        for number, violation in enumerate(self.violations, 1):
            with self.subTest(violation):
                output = drive(self.program, CYCLES, 1, 0, number)
                self.assertEqual(broken_rules(output), [violation.split(":")[0]], output)

    def test_each_rule_is_violated_by_something(self):
        rules = re.findall(r"^  (assume_\w+):", ASSUMPTIONS.read_text(), flags=re.MULTILINE)
        self.assertEqual({violation.split(":")[0] for violation in self.violations}, set(rules))

    def test_gated_it_has_the_same_outputs_in_every_cycle_with_fewer_clocks(self):
        self.assertNotIn("pins_are_equal", self.legal)
        gated, free = map(int, re.search(r"(\d+) of (\d+) clocks", self.legal).groups())
        self.assertGreaterEqual(free, CYCLES)
        self.assertLess(gated, 0.9 * free)

    def test_a_wake_up_that_is_forgotten_shows(self):
        for number, wake_up in enumerate(WAKE_UPS, 1):
            with self.subTest(wake_up):
                self.assertIn("Assertion failed", drive(self.program, CYCLES, 1, number))


class DrivenCoreOfWiredSms(DrivenCore):
    parameters = {**PARAMETERS, "TAG_WIDTH": 0}


class ClockGate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    @unittest.skipUnless(shutil.which("iverilog"), "needs iverilog")
    def test_no_pulse_is_cut_short(self):
        (self.folder / "bench.v").write_text(GATE_BENCH)
        program = self.folder / "bench.vvp"
        subprocess.run(["iverilog", "-g2005-sv", "-o", program, self.folder / "bench.v", GATE], check=True)
        said = subprocess.run(["vvp", "-n", program], capture_output=True, text=True, check=True).stdout
        wrong, pulses, expected = map(int, re.findall(r"\d+", said))
        self.assertEqual((wrong, pulses), (0, expected))
        self.assertGreater(pulses, 100)


if __name__ == "__main__":
    unittest.main()
