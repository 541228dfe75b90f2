# SPDX-License-Identifier: Apache-2.0
"""lockstep.cpp with the Verilog of the core, built for a shape, the checkers bound."""

import subprocess
from pathlib import Path

NAMES = ("NUM_SMS", "NUM_KSRS", "MAX_TBS_PER_SM", "NUM_CONTEXTS", "NUM_COMMAND_BUFFERS", "TB_WIDTH", "PTBQ_DEPTH",
         "SEARCH_WIDTH", "POLICIES")


def core_files(root):
    return [root / line for line in (root / "rtl/rtl.f").read_text().split()]


def build(root, libraries, sizes, folder, core=None):
    """The program. `core`: other files than those of the core as it is."""
    sizes = dict(zip(NAMES, sizes))
    flags = " ".join(["-std=c++17", "-O1", "-DVL_USER_STOP", f"-I{root}", *(f"-D{name}={sizes[name]}" for name in NAMES)])
    sources = [*(core or core_files(root)), *sorted((root / "testbench/checkers").glob("*.sv"))]
    command = ["verilator", "--cc", "--exe", "--build", "--assert", "-O3", "-Wno-fatal", f"-I{root / 'rtl'}",
               *map(str, sources), "--top-module", "tsr_scheduler", "--Mdir", str(folder), "-CFLAGS", flags,
               *(f"-G{name}={sizes[name]}" for name in NAMES), str(root / "tests/rtl/lockstep.cpp"),
               "-LDFLAGS", " ".join(map(str, libraries))]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(run.stdout[-2000:] + run.stderr[-2000:])
    return Path(folder) / "Vtsr_scheduler"
