# SPDX-License-Identifier: Apache-2.0
"""Claims about the Verilog of the IP: clean for every tool at any size, memories where they belong, wired to the core
pin by pin.

Called with the root of the sources. A tool that is not installed skips its tests, and says so.
"""

import re
import sys
import unittest
from pathlib import Path

from file_lists import files_of
from verilog_claims import VerilogClaims

ROOT = Path(sys.argv.pop(1)).resolve()
SOURCES = {Path(source).stem: source for source in files_of(ROOT, "rtl.f", "ip.f")}


def ports_of(module):
    """Names of a module's ports, each with its width as it is written; without those that a macro adds."""
    text = (ROOT / SOURCES[module]).read_text().replace("DESCRIPTOR_WIDTH", "40")
    text = re.sub(r"^`ifdef .*?^`endif\n", "", text, flags=re.MULTILINE | re.DOTALL)
    ports = re.findall(r"^  (?:in|out)put +(?:reg +)?(\[.*?\])? *(\w+)", text[:text.index("\n);\n")], flags=re.MULTILINE)
    return {name: width for width, name in ports}


class IpTest(VerilogClaims, unittest.TestCase):
    root = ROOT
    own = files_of(ROOT, "ip.f")
    sources = list(SOURCES.values())
    options = ["-Irtl"]
    directives = ("`include",)
    top = "tsr_ip"
    shapes = {
        "default": {},
        "all of one": {"NUM_SMS": 1, "NUM_KSRS": 1, "NUM_CONTEXTS": 1, "NUM_COMMAND_BUFFERS": 1, "MAX_TBS_PER_SM": 1,
                       "DONE_DEPTH": 1},
        "no powers of two": {"NUM_SMS": 5, "NUM_KSRS": 5, "NUM_CONTEXTS": 7, "NUM_COMMAND_BUFFERS": 3, "DONE_DEPTH": 11,
                             "MAX_TBS_PER_SM": 3, "TB_WIDTH": 20},
        "dss alone, few TBs": {"POLICIES": 8, "TB_WIDTH": 4},
        "256 contexts": {"NUM_CONTEXTS": 256, "NUM_COMMAND_BUFFERS": 33, "DONE_DEPTH": 32767},
        "255 TBs an SM": {"NUM_SMS": 2, "NUM_KSRS": 2, "MAX_TBS_PER_SM": 255},
        "edf": {"POLICIES": 63},
        "static_partition, fewer contexts than SMs": {"POLICIES": 127, "NUM_CONTEXTS": 3},
        "parity": {"PARITY": 1},
        "linger": {"LINGER": 1},
        "a kept turn": {"KEPT_TURN": 1},
        "a refill lane": {"REFILL": 1},
        "a kept turn, one context": {"KEPT_TURN": 1, "NUM_CONTEXTS": 1},
        "no tags": {"TAG_WIDTH": 0},
        "tags of three bits": {"TAG_WIDTH": 3},
    }
    mistakes = {
        "NUM_CONTEXTS": {"NUM_CONTEXTS": 257},
        "MAX_TBS_PER_SM": {"MAX_TBS_PER_SM": 256},
        "DONE_DEPTH": {"DONE_DEPTH": 32768},
    }
    mapped = "tsr_axi_lite"
    mapped_sizes = {"KEPT_TURN": 1}
    num_memories = 6  # registers of contexts, kernels that are done, counters, SM cycles, slices for bus and timer

    # Every pin of the two, the handshakes between them aside, is a pin of the IP, of the same width.
    def test_the_ip_has_the_pins_of_its_parts(self):
        ip, core, front_end = map(ports_of, ("tsr_ip", "tsr_scheduler", "tsr_axi_lite"))
        inside = re.compile(r"command_|control_|buffer_free")
        outer = {name: width for name, width in core.items() if not inside.match(name)}
        outer.update({name: width for name, width in front_end.items() if name.startswith(("axi_", "irq"))})
        self.assertEqual(ip, outer)


if __name__ == "__main__":
    unittest.main()
