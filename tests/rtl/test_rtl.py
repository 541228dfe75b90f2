# SPDX-License-Identifier: Apache-2.0
"""Claims about the Verilog of the core: clean for every tool in every shape of its parameters, no latch, memories where
they belong, their sizes, and what the includes of the proofs share.

Called with the root of the sources. A tool that is not installed skips its tests, and says so.
"""

import re
import shutil
import sys
import unittest
from pathlib import Path

from file_lists import files_of
from verilog_claims import VerilogClaims, needs
from verilog_names import SharedNames, listed_names, names_of, read_with

ROOT = Path(sys.argv.pop(1)).resolve()


class RtlTest(VerilogClaims, unittest.TestCase):
    root = ROOT
    sources = own = files_of(ROOT, "rtl.f")
    options = ["-Irtl"]
    directives = ("`include", "`ifdef", "`ifndef", "`endif")  # the clocks of the blocks
    top = mapped = "tsr_scheduler"
    shapes = {
        "default": {},
        "all of one": {"NUM_SMS": 1, "NUM_KSRS": 1, "NUM_CONTEXTS": 1, "NUM_COMMAND_BUFFERS": 1, "MAX_TBS_PER_SM": 1},
        "two rows a step": {"NUM_SMS": 5, "SEARCH_WIDTH": 2},
        "four, more KSRs than SMs": {"NUM_SMS": 3, "NUM_KSRS": 9, "SEARCH_WIDTH": 4},
        "every policy": {"POLICIES": 255},
        "edf alone": {"POLICIES": 32},
        "static_partition alone": {"POLICIES": 64},
        "np_edf alone": {"POLICIES": 128},
        "dss alone": {"POLICIES": 8},
        "fcfs alone": {"POLICIES": 1},
        "small PTBQ": {"NUM_SMS": 16, "PTBQ_DEPTH": 20, "NUM_COMMAND_BUFFERS": 256},
        "few TBs": {"TB_WIDTH": 4},
        "TBs without a carry": {"TB_WIDTH": 8},
        "64 of all": {"NUM_SMS": 64, "NUM_KSRS": 64, "NUM_CONTEXTS": 64},
        "256 SMs": {"NUM_SMS": 256, "NUM_KSRS": 256},
        "parity": {"PARITY": 1},
        "linger": {"LINGER": 1},
        "a kept turn": {"KEPT_TURN": 1},
        "a kept turn of one context": {"KEPT_TURN": 1, "NUM_CONTEXTS": 1, "NUM_SMS": 1, "POLICIES": 16},
        "a kept turn and all else": {"KEPT_TURN": 1, "POLICIES": 255, "LINGER": 1, "PARITY": 1, "NUM_CONTEXTS": 5,
                                     "SEARCH_WIDTH": 4},
        "a refill lane": {"REFILL": 1},
        "a refill lane, all of one": {"REFILL": 1, "NUM_SMS": 1, "NUM_KSRS": 1, "NUM_CONTEXTS": 1,
                                      "NUM_COMMAND_BUFFERS": 1, "MAX_TBS_PER_SM": 1},
        "a refill lane, few TBs": {"REFILL": 1, "TB_WIDTH": 4},
        "a refill lane, slots beyond its twelve bits": {"REFILL": 1, "NUM_SMS": 256, "MAX_TBS_PER_SM": 32},
        "a refill lane and all else": {"REFILL": 1, "POLICIES": 255, "LINGER": 1, "PARITY": 1, "KEPT_TURN": 1,
                                       "TAG_WIDTH": 3, "SEARCH_WIDTH": 2, "PTBQ_DEPTH": 20},
        "no tags": {"TAG_WIDTH": 0},
        "tags of three bits": {"TAG_WIDTH": 3, "POLICIES": 255, "LINGER": 1},
        "linger, two rows a step": {"LINGER": 1, "SEARCH_WIDTH": 2, "POLICIES": 255},
        "parity in every memory": {"PARITY": 1, "POLICIES": 255, "PTBQ_DEPTH": 20, "SEARCH_WIDTH": 2},
    }
    mistakes = {
        "NUM_SMS": {"NUM_SMS": 257},
        "PTBQ_DEPTH": {"PTBQ_DEPTH": 15},
        "NUM_COMMAND_BUFFERS": {"NUM_COMMAND_BUFFERS": 257},
        "SEARCH_WIDTH": {"SEARCH_WIDTH": 3},
        "TB_WIDTH": {"TB_WIDTH": 33},
        "POLICIES": {"POLICIES": 0},
        "WAIT_WIDTH": {"WAIT_WIDTH": 2},
        "PARITY": {"PARITY": 2},
        "LINGER": {"LINGER": 2},
        "KEPT_TURN": {"KEPT_TURN": 2},
        "REFILL": {"REFILL": 2},
        "TAG_WIDTH": {"TAG_WIDTH": 4},
        "REFILL_1_needs_a_TAG_WIDTH": {"REFILL": 1, "TAG_WIDTH": 0},
    }
    mapped_sizes = {"NUM_SMS": 4, "NUM_KSRS": 3, "NUM_CONTEXTS": 2, "NUM_COMMAND_BUFFERS": 2, "PTBQ_DEPTH": 16}
    num_memories = 7  # handles, rows, places that are promised, launches that wait, descriptors, budgets, page tables

    # ---- policies ----------------------------------------------------------------------------------------------------

    def test_policies_are_named_in_their_table_alone(self):
        rows = re.findall(r"^ +(\w+):\s+policy_row", (ROOT / "rtl/tsr_policy_table.vh").read_text(), flags=re.MULTILINE)
        policies = [row for row in rows if row != "default"]
        self.assertIn("STATIC_PARTITION", policies)
        name = rf"\b({'|'.join(policies)})\b"
        comparison = r"\bpolicy(_i|_q)? *(==|!=|<(?!=)|>)|\bPOLICIES *>> *[A-Z0-9]|\bcase *\(policy"
        table = {ROOT / "rtl/tsr_policy_table.vh", ROOT / "rtl/tsr_policy_table.v"}
        places = []
        for folder in ("rtl", "rtl/formal", "testbench/checkers"):
            for file in sorted((ROOT / folder).glob("*.*v*")):
                if file in table:
                    continue
                for number, line in enumerate(file.read_text().splitlines(), 1):
                    if re.search(f"{name}|{comparison}", line.split("//")[0]):
                        places.append(f"{file.relative_to(ROOT)}:{number}: {line.strip()}")
        self.assertEqual([], places)

    # ---- includes of the proofs --------------------------------------------------------------------------------------

    def shared_names(self, folder):
        top = re.sub(r"`ifdef TSR_BLOCK_CLOCKS.*?`endif", "", (ROOT / "rtl/tsr_scheduler.v").read_text(), flags=re.DOTALL)
        ports = re.findall(r"^  (?:in|out)put .*?(\w+)(?=,|$)", top, flags=re.MULTILINE)
        return SharedNames(folder, ports, ((), ("SCENARIO",)))

    def test_includes_list_the_names_that_they_take_and_give(self):
        self.maxDiff = None
        folder = ROOT / "rtl/formal"
        shared = self.shared_names(folder)
        self.assertEqual(shared.undeclared, [])
        for include in sorted(folder.glob("*.vh")):
            with self.subTest(include.name):
                self.assertEqual(listed_names(include.read_text()), shared.lists.get(include.name))

    def test_names_that_are_not_listed_or_not_there_are_found(self):
        include = ROOT / "rtl/formal/tsr_walk.vh"
        for change, name in {"wire one = sm_next == 0;": "sm_next",         # taken, not listed
                             "wire one = no_such == 0;": "no_such"}.items():  # of nobody
            with self.subTest(name):
                folder = Path(shutil.copytree(ROOT / "rtl/formal", self.folder / name))
                text = include.read_text() + change
                (folder / include.name).write_text(text)
                shared = self.shared_names(folder)
                self.assertTrue(shared.undeclared or listed_names(text) != shared.lists[include.name])

    def test_own_names_are_told_from_those_of_others(self):
        declared, used = names_of("""
            localparam [1:0] ONE = 2'd1, TWO = ONE + THREE;
            function [W-1:0] sum(input [W-1:0] a, input b);
              integer n;
              begin sum = a + b + n + bias; end
            endfunction
            generate
              for (s = 0; s < S; s = s + 1) begin : g_row
                wire inner = outer[s];  // not theirs
              end
            endgenerate
            part #(.WIDTH(W)) u_part (.data_i(data));
            wire [7:0] it = \\u_part.data_q , next = sum(it, $bits(it));
            holds: assert property (!started || it == next);
        """)
        self.assertEqual(declared, {"ONE", "TWO", "sum", "u_part", "it", "next"})
        self.assertEqual(used, {"THREE", "W", "bias", "s", "S", "outer", "data", "started"})

    def test_text_that_a_define_leaves_out_is_not_read(self):
        text = "wire a;\n`ifdef X\nwire b;\n`ifndef Y\nwire c;\n`endif\n`else\nwire d;\n`endif\nwire e;\n"
        for defines, declared in (((), "ade"), (("X",), "abce"), (("X", "Y"), "abe")):
            self.assertEqual(names_of(read_with(text, defines))[0], set(declared))

    # ---- sizes ---------------------------------------------------------------------------------------------------

    # [T14] 3.3: 13 SMs with 16 slots. What a module holds itself in flip-flops and in its memories: bits.
    @needs("yosys")
    def test_tables_of_13_sms_stay_below_512_bytes_and_the_ptbqs_are_21632(self):
        modules = self.synthesize("tsr_scheduler", "proc; opt_clean; memory_collect")
        memories = {}
        for name, module in modules.items():
            for cell in module["cells"].values():
                if cell["type"].startswith("$mem"):
                    memories[name] = int(cell["parameters"]["SIZE"], 2) * int(cell["parameters"]["WIDTH"], 2)
        flip_flops, ram = {}, {}
        for name, module in modules.items():
            stem = re.search(r"tsr_\w+", name)[0]
            for cell in module["cells"].values():
                if re.fullmatch(r"\$s?dffc?e?|\$sdffce", cell["type"]):
                    flip_flops[stem] = flip_flops.get(stem, 0) + int(cell["parameters"]["WIDTH"], 2)
                ram[stem] = ram.get(stem, 0) + memories.get(cell["type"], 0)
        self.assertEqual(ram["tsr_ptbq"], 21632 * 8)
        # Of the KSRT: what others see of a row; rows, descriptors. The registers of an open row are the engine's.
        in_flip_flops = ("tsr_commands", "tsr_active_queue", "tsr_smst", "tsr_ksr_status")
        in_ram = ("tsr_commands", "tsr_ksr_row", "tsr_descriptors")
        tables = [*map(flip_flops.get, in_flip_flops), *map(ram.get, in_ram)]
        self.assertTrue(all(tables), tables)
        self.assertLess(sum(tables), 512 * 8, tables)


if __name__ == "__main__":
    unittest.main()
