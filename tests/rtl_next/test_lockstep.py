# SPDX-License-Identifier: Apache-2.0
"""The next core's Verilog against its clocked model, pin by pin, under random legal traffic.

Called with the root of the sources and the libraries that lockstep.cpp is linked with. Each shape of the core is built by
Verilator; without it the tests are skipped, and say so. With TESSERA_LONG_TESTS=1 more shapes run for longer.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT, *LIBRARIES = (Path(argument).resolve() for argument in sys.argv[1:])
IS_LONG = os.environ.get("TESSERA_LONG_TESTS", "0") not in ("", "0")

NAMES = ("NUM_SMS", "NUM_KSRS", "MAX_TBS_PER_SM", "NUM_CONTEXTS", "NUM_COMMAND_BUFFERS", "TB_WIDTH", "PTBQ_DEPTH",
         "SEARCH_WIDTH", "POLICIES")
SHAPES = {
    "small rings, four rows a step, TBs with a carry": (8, 4, 4, 5, 3, 20, 9, 4, 0x3F),
}
LONG_SHAPES = {
    "four SMs, every policy": (4, 4, 3, 4, 4, 12, 12, 1, 0x3F),
    "one of all": (1, 1, 1, 1, 1, 4, 1, 1, 0x3F),
    "more KSRs than SMs, two rows a step": (3, 5, 2, 3, 5, 8, 6, 2, 0x3F),
    "the smallest rings": (5, 8, 3, 3, 2, 10, 3, 1, 0x3F),
    "more contexts than SMs": (6, 3, 2, 9, 4, 32, 12, 1, 0x3F),
    "13 SMs, five policies": (13, 13, 4, 4, 5, 9, 52, 1, 0x1F),
}
SEEDS, CYCLES = (200, 50_000) if IS_LONG else (12, 10_000)


@unittest.skipUnless(shutil.which("verilator"), "verilator is not installed")
class Lockstep(unittest.TestCase):
    def test_no_pin_differs_in_any_cycle(self):
        shapes = {**SHAPES, **LONG_SHAPES} if IS_LONG else SHAPES
        for name, sizes in shapes.items():
            with self.subTest(name), tempfile.TemporaryDirectory(prefix="lockstep_") as folder:
                program = self.build(dict(zip(NAMES, sizes)), folder)
                run = subprocess.run([program, "1", str(SEEDS), str(CYCLES)], capture_output=True, text=True)
                self.assertEqual(run.returncode, 0, run.stdout[-300:] + run.stderr)
                self.assertEqual(run.stdout.count("kernels"), SEEDS)

    def build(self, sizes, folder):
        flags = " ".join(["-std=c++17", "-O1", f"-I{ROOT}"] + [f"-D{name}={value}" for name, value in sizes.items()])
        sources = [str(ROOT / line) for line in (ROOT / "rtl_next/rtl.f").read_text().split()]
        command = ["verilator", "--cc", "--exe", "--build", "-O3", "-Wno-fatal", f"-I{ROOT / 'rtl_next'}", *sources,
                   "--top-module", "tsr_scheduler", "--Mdir", folder, "-CFLAGS", flags,
                   *(f"-G{name}={value}" for name, value in sizes.items()),
                   str(ROOT / "tests/rtl_next/lockstep.cpp"), "-LDFLAGS", " ".join(map(str, LIBRARIES))]
        build = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(build.returncode, 0, build.stdout[-2000:] + build.stderr[-2000:])
        return Path(folder) / "Vtsr_scheduler"


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
