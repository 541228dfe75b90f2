# SPDX-License-Identifier: Apache-2.0
"""Claims about `tessera storage` and `tessera synth` at the command line.

Called with the path of the built program; every test runs it in a folder of its own whose path has spaces.
"""

import csv
import json
import os
import shutil
import unittest
from pathlib import Path

import full_output
from program_test import PROGRAM, ProgramTest

ROOT = Path(__file__).resolve().parents[2]
# The smallest core that has all kinds of cells: seconds of synthesis. Two search widths share nothing but the rest.
TINY = """schema_version: 1
name: tiny
core: {num_sms: 2, max_tbs_per_sm: 2, num_command_buffers: 2, num_contexts: 2, tb_id_bits: 4, wait_bits: 4,
       policies: [dss]}
"""
TWO = TINY + "sweeps:\n  - {search_width: [1, 2]}\n"


def has_tools():
    return all(shutil.which(tool) for tool in ("yosys", "sta")) and Path("/usr/share/qflow/tech/osu018").exists()


class CommandTest(ProgramTest):
    def file(self, text, name="in.yaml"):
        (self.folder / name).write_text(text)
        return name

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())


class Storage(CommandTest):
    def test_the_k20cs_tables_are_those_of_the_paper(self):
        storage = json.loads(self.tessera("storage", "--json").stdout)
        self.assertEqual(storage["ptbq_bytes"], 21632)
        self.assertLess(storage["tables_bytes"], 512)
        self.assertEqual(storage["gpu"], "k20c")
        sources = [macro["source"] for macro in storage["sram_area"]]
        self.assertEqual([macro["node"] for macro in storage["sram_area"]], ["28nm", "16nm", "7nm", "5nm"])
        self.assertTrue(all(sources))

    def test_the_table_shows_every_field_of_the_json(self):
        storage = json.loads(self.tessera("storage", "--json").stdout)
        text = self.tessera("storage").stdout
        for structure in storage["structures"]:
            for field in structure["fields"]:
                self.assertRegex(text, rf"(?m)^ +{field['name']} +{field['width']} x {field['rows']} +{field['bits']} ")

    def test_shares_are_of_registers_and_shared_memory(self):
        storage = json.loads(self.tessera("storage", ROOT / "configs/gpus/h100.yaml", "--json").stdout)
        on_chip = storage["on_chip_bytes"]
        self.assertEqual(on_chip["gpu"], on_chip["sm"] * storage["sizes"]["num_sms"])
        self.assertAlmostEqual(storage["share"]["of_gpu"], storage["bytes"] / on_chip["gpu"])

    def test_a_wrong_gpu_is_refused_line_by_line(self):
        text = (ROOT / "configs/gpus/k20c.yaml").read_text().replace("num_sms: 13", "num_sms: 0").replace("pcie:", "pci:")
        error = self.tessera("storage", self.file(text), status=2).stderr.splitlines()
        self.assertEqual(len(error), 3, error)  # out of range, missing, unknown
        for line in error:
            self.assertRegex(line, r"^in\.yaml:\d+:\d+: ")


class Synthesis(CommandTest):
    def test_mistakes_are_reported_line_by_line_and_nothing_is_written(self):
        name = self.file(TINY.replace("num_sms: 2", "num_sms: 999").replace("[dss]", "[dss, ssd]"))
        error = self.tessera("synth", name, "--out", "out", status=2).stderr.splitlines()
        self.assertEqual(len(error), 2, error)
        self.assertRegex(error[0], r"^in\.yaml:3:17: core\.num_sms: is out of range \(999; 1 \.\. 256\)$")
        self.assertIn("core.policies.1", error[1])
        self.assertEqual(self.names(), ["in.yaml"])

    def test_a_missing_tool_is_named_with_its_package(self):
        tools = self.folder / "bin"
        tools.mkdir()
        environment = {**os.environ, "PATH": str(tools), "TESSERA_CORE_CACHE": str(self.folder / "cache")}
        error = self.tessera("synth", self.file(TINY), "-j1", status=1, environment=environment).stderr
        self.assertRegex(error, "package (yosys|opensta|qflow-tech-osu018)$")

    @unittest.skipUnless(has_tools(), "yosys, opensta or qflow-tech-osu018 is not installed")
    def test_cores_have_gates_clock_and_decision_time(self):
        name = self.file(TWO)
        answer = json.loads(self.tessera("synth", name, "--out", "out", "--json").stdout)
        narrow, wide = answer["configurations"]
        for core in (narrow, wide):
            self.assertEqual((core["n_sm"], core["policies"]), (2, ["dss"]))
            self.assertAlmostEqual(core["kge"], core["area_um2"] / answer["nand2_um2"] / 1000)
            self.assertAlmostEqual(core["fmax_mhz"], 1000 / core["critical_path"]["period_ns"])
            cycles = core["decision_cycles"]
            for kind in ("first", "steady"):
                self.assertLessEqual(cycles[kind]["min"], cycles[kind]["mean"])
                self.assertLessEqual(cycles[kind]["mean"], cycles[kind]["max"])
            self.assertAlmostEqual(core["decision_ns"], cycles["steady"]["mean"] * 1000 / core["fmax_mhz"])
            # Handles of 4 + 32 bits, for all thread blocks of the machine, of each of two kernels; of two launches that
            # wait thread blocks, how many an SM holds, and descriptors.
            bits = 2 * (2 * 2) * (4 + 32) + 2 * (4 + 2 + 40)
            # Rows of two kernels: two numbers of thread blocks, three counts of up to 4, a ring's head, two counts of SMs,
            # and how many thread blocks an SM holds; their descriptors; page tables and budgets of two contexts.
            bits += 2 * (2 * 4 + 3 * 3 + 2 + 2 * 2 + 2) + 2 * 40 + 2 * (64 + 9)
            self.assertEqual(core["ram_bits"], bits)
            modules = {module["module"]: module for module in core["modules"]}
            self.assertIn("tsr_ksr_row", modules)
            self.assertGreaterEqual(sum(m["flip_flops"] for m in modules.values()), core["flip_flops"])
            paths = core["paths"]
            self.assertEqual(core["critical_path"], max(paths.values(), key=lambda path: path["period_ns"]))
            self.assertIn(".", paths["registers"]["start"])  # an instance and its register
            self.assertRegex(paths["inputs"]["start"], r"^\w+_i(\[\d+\])?$")
            self.assertRegex(paths["outputs"]["end"], r"^\w+_o(\[\d+\])?$")
        self.assertEqual((narrow["search_width"], wide["search_width"]), (1, 2))
        self.assertLess(wide["decision_cycles"]["steady"]["mean"], narrow["decision_cycles"]["steady"]["mean"])
        self.assertGreater(wide["kge"], narrow["kge"])
        with (self.folder / "out/synthesis.csv").open() as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([int(row["search_width"]) for row in rows], [1, 2])
        self.assertEqual(json.loads((self.folder / "out/synthesis.json").read_text()), answer)
        plot = (self.folder / "out/pareto.gp").read_text()
        self.assertIn("$all2", plot)  # the cores of 2 SMs
        self.assertIn("$front1", plot)
        self.assertIn("$wider", plot)  # its label is its search width
        if shutil.which("gnuplot"):
            self.assertIn("</svg>", (self.folder / "out/pareto.svg").read_text())
        # From the cache, and the same to the byte.
        self.assertEqual(json.loads(self.tessera("synth", name, "--json").stdout), answer)

    @unittest.skipUnless(has_tools(), "yosys, opensta or qflow-tech-osu018 is not installed")
    def test_one_core_is_told_in_detail(self):
        text = self.tessera("synth", self.file(TINY)).stdout
        for words in ("between registers", "from a pin", "to a pin", "tsr_tokens", "RAM of 8 x 36 bits", "28nm"):
            self.assertIn(words, text)

    @unittest.skipUnless(has_tools(), "yosys, opensta or qflow-tech-osu018 is not installed")
    def test_the_front_end_is_measured_by_itself(self):
        (core,) = json.loads(self.tessera("synth", self.file(TINY), "--front-end", "--json").stdout)["configurations"]
        front_end = core["front_end"]
        # Two contexts of 77 bits, and their SM cycles (up to two SMs for 2^48 cycles, and how many are held); four kernels
        # that are done, of 40; halves of 14 counters.
        self.assertEqual(front_end["ram_bits"], 2 * (77 + 50 + 2) + 4 * 40 + 28 * 32)
        self.assertGreater(front_end["kge"] * 1000, 4 * front_end["flip_flops"])
        self.assertGreater(front_end["fmax_mhz"], 100)
        self.assertIn("register front end", self.tessera("synth", self.file(TINY), "--front-end").stdout)

    @unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "placing and routing takes a minute")
    @unittest.skipUnless(has_tools() and shutil.which("nextpnr-ice40"), "nextpnr-ice40 is not installed")
    def test_on_an_fpga_it_has_luts_and_block_rams(self):
        (core,) = json.loads(self.tessera("synth", self.file(TINY), "--ice40", "--json").stdout)["configurations"]
        self.assertGreater(core["ice40"]["luts"], 500)
        # Nothing of the wrapper is counted; block RAMs that are read and written at once bring registers of their own,
        # and memories too small for a block RAM are registers.
        widths = sum(memory["width"] * memory["count"] for memory in core["memories"])
        registers = sum(module["flip_flops"] for module in core["modules"])
        self.assertLessEqual(core["ice40"]["flip_flops"], registers + 3 * widths + core["ram_bits"])
        self.assertGreater(core["ice40"]["block_rams"], 0)
        self.assertGreater(core["ice40"]["fmax_mhz"], 5)

    @unittest.skipUnless(has_tools(), "yosys, opensta or qflow-tech-osu018 is not installed")
    def test_a_full_standard_output_is_a_failure_told_in_a_line(self):
        name = self.file(TINY)
        full_output.check(self, PROGRAM, (("synth", name), ("synth", name, "--json")), self.folder)

    def test_a_folder_that_exists_is_not_replaced(self):
        (self.folder / "out").mkdir()
        (self.folder / "out/synthesis.json").write_text("precious")
        error = self.tessera("synth", self.file(TINY), "--out", "out", status=2).stderr
        self.assertEqual(len(error.splitlines()), 1, error)
        self.assertIn("synthesis.json", error)


@unittest.skipUnless(has_tools() and shutil.which("verilator"), "yosys, sta, verilator or the cells are not installed")
class Gates(CommandTest):
    def command(self):
        return "cosim", "--random", "1", "--cycles", "20000", "--gates", "--synthesis", self.file(TINY)

    def test_the_netlist_does_what_the_model_does(self):
        self.tessera(*self.command())

    @unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "builds two netlists: ./tessera test --long")
    def test_a_wrong_gate_is_found(self):
        environment = {**os.environ, "TESSERA_CORE_CACHE": str(self.folder / "cache")}
        self.tessera(*self.command(), environment=environment)
        (netlist,) = (self.folder / "cache").rglob("simulated.v")
        gates, cells = netlist.read_text().split("module AND2X1", 1)
        self.assertIn("  XOR2X1 ", gates)
        netlist.write_text(gates.replace("  XOR2X1 ", "  XNOR2X1 ", 1) + "module AND2X1" + cells)
        self.assertIn("differs", self.tessera(*self.command(), status=1, environment=environment).stdout)


if __name__ == "__main__":
    unittest.main()
