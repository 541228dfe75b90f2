# SPDX-License-Identifier: Apache-2.0
"""Claims about the Verilog sources: clean for every tool, no latch, memories where they belong, their sizes, and what the
includes of the proofs share.

Called with the root of the sources. A tool that is not installed skips its tests, and says so.
"""

import re
import shutil
import sys
import unittest
from pathlib import Path

from verilog_claims import VerilogClaims, needs
from verilog_names import SharedNames, listed_names, names_of

ROOT = Path(sys.argv.pop(1)).resolve()


class RtlTest(VerilogClaims, unittest.TestCase):
    root = ROOT
    sources = own = (ROOT / "rtl/rtl.f").read_text().split()
    top = mapped = "tsr_scheduler"
    # What is odd about each: the smallest of all, rows that do not fill the last step, engines left out, ...
    shapes = {
        "default": {},
        "all of one": {"NUM_SMS": 1, "NUM_KSRS": 1, "NUM_CONTEXTS": 1, "NUM_COMMAND_BUFFERS": 1, "MAX_TBS_PER_SM": 1},
        "searched in one step": {"NUM_SMS": 2, "SEARCH_WIDTH": 2, "KSRS_PER_STEP": 13},
        "ragged last step": {"NUM_SMS": 5, "SEARCH_WIDTH": 3, "KSRS_PER_STEP": 7},
        "dss alone": {"POLICIES": "5'b01000"},
        "fcfs alone": {"POLICIES": "5'b00001"},
        "all but dss": {"POLICIES": "5'b10111"},
        "small PTBQ": {"NUM_SMS": 16, "PTBQ_DEPTH": 20, "NUM_COMMAND_BUFFERS": 256},
        "few TBs": {"TB_WIDTH": 4},
        "pipelined": {"PIPELINED": 1},
        "pipelined, in one step": {"PIPELINED": 1, "NUM_SMS": 2, "SEARCH_WIDTH": 2, "KSRS_PER_STEP": 13},
        "more KSRs than SMs": {"NUM_SMS": 3, "NUM_KSRS": 8, "KSRS_PER_STEP": 3},
        "256 SMs": {"NUM_SMS": 256, "NUM_KSRS": 256},
    }
    mistakes = {
        "NUM_SMS": {"NUM_SMS": 257},
        "PTBQ_DEPTH": {"PTBQ_DEPTH": 15},
        "NUM_COMMAND_BUFFERS": {"NUM_COMMAND_BUFFERS": 257},
        "SEARCH_WIDTH": {"NUM_SMS": 4, "NUM_KSRS": 4, "SEARCH_WIDTH": 5},
        "KSRS_PER_STEP": {"NUM_SMS": 2, "NUM_KSRS": 4, "KSRS_PER_STEP": 1},
        "TB_WIDTH": {"TB_WIDTH": 33},
        "POLICIES": {"POLICIES": 0},
    }
    mapped_sizes = {"NUM_SMS": 4, "NUM_KSRS": 3, "NUM_CONTEXTS": 2, "NUM_COMMAND_BUFFERS": 2, "PTBQ_DEPTH": 16}
    num_memories = 5  # handles; launches that wait; descriptors, and TBs that a KSR does not count; page tables

    # ---- includes of the proofs --------------------------------------------------------------------------------------

    def shared_names(self, folder):
        top = (ROOT / "rtl/tsr_scheduler.v").read_text()
        ports = re.findall(r"^  (?:in|out)put .*?(\w+)(?=,|$)", top, flags=re.MULTILINE)
        return SharedNames(folder, ports)

    def test_includes_list_the_names_that_they_take_and_give(self):
        self.maxDiff = None
        folder = ROOT / "rtl/formal"
        shared = self.shared_names(folder)
        self.assertEqual(shared.undeclared, [])
        for include in sorted(folder.glob("*.vh")):
            with self.subTest(include.name):
                self.assertEqual(listed_names(include.read_text()), shared.lists.get(include.name))

    def test_names_that_are_not_listed_or_not_there_are_found(self):
        include = ROOT / "rtl/formal/tsr_quiescent.vh"
        for change, name in {"wire one = search_state == settle;": "settle",       # taken, not listed
                             "wire one = search_state == no_such;": "no_such"}.items():  # of nobody
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

    # ---- sizes ---------------------------------------------------------------------------------------------------

    # [T14] 3.3: 13 SMs with 16 slots. Flip-flops and memories of a module, without those of the modules in it.
    @needs("yosys")
    def test_tables_of_13_sms_stay_below_512_bytes_and_the_ptbqs_are_21632(self):
        modules = self.synthesize("tsr_scheduler", "proc; opt_clean; memory_collect")
        memories = {}  # module -> bits
        for name, module in modules.items():
            for cell in module["cells"].values():
                if cell["type"].startswith("$mem"):
                    memories[name] = int(cell["parameters"]["SIZE"], 2) * int(cell["parameters"]["WIDTH"], 2)
        bits, handles = {}, 0
        for name, module in modules.items():
            stem = re.search(r"tsr_\w+", name)[0]
            for cell in module["cells"].values():
                if re.fullmatch(r"\$s?dffc?e?|\$sdffce", cell["type"]):
                    bits[stem] = bits.get(stem, 0) + int(cell["parameters"]["WIDTH"], 2)
                bits[stem] = bits.get(stem, 0) + memories.get(cell["type"], 0)
                if stem == "tsr_ptbq":
                    handles += memories.get(cell["type"], 0)
        self.assertEqual(handles, 21632 * 8)
        tables = ("tsr_command_buffers", "tsr_ksrt", "tsr_smst", "tsr_active_queue")
        self.assertTrue(set(tables) <= set(bits), bits)
        self.assertLess(sum(bits[table] for table in tables), 512 * 8, bits)


if __name__ == "__main__":
    unittest.main()
