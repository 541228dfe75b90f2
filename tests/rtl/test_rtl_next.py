# SPDX-License-Identifier: Apache-2.0
"""Claims about the Verilog of the next core: clean for every tool, in every shape of its parameters.

Called with the root of the sources.
"""

import sys
import unittest
from pathlib import Path

from verilog_claims import VerilogClaims

ROOT = Path(sys.argv.pop(1)).resolve()


class RtlNextTest(VerilogClaims, unittest.TestCase):
    root = ROOT
    sources = (ROOT / "rtl_next/rtl.f").read_text().split()
    own = [source for source in sources if source.startswith("rtl_next/")]
    options = ["-Irtl_next"]
    directives = ("`include",)
    top = mapped = "tsr_scheduler"
    shapes = {
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
    mistakes = {
        "NUM_SMS": {"NUM_SMS": 257},
        "PTBQ_DEPTH": {"PTBQ_DEPTH": 15},
        "NUM_COMMAND_BUFFERS": {"NUM_COMMAND_BUFFERS": 257},
        "SEARCH_WIDTH": {"SEARCH_WIDTH": 3},
        "TB_WIDTH": {"TB_WIDTH": 33},
        "POLICIES": {"POLICIES": "6'd0"},
        "WAIT_WIDTH": {"WAIT_WIDTH": 2},
    }
    mapped_sizes = {"NUM_SMS": 4, "NUM_KSRS": 3, "NUM_CONTEXTS": 2, "NUM_COMMAND_BUFFERS": 2, "PTBQ_DEPTH": 16}
    num_memories = 7  # handles, rows, places that are promised, launches that wait, descriptors, budgets, page tables


if __name__ == "__main__":
    unittest.main()
