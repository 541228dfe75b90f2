# SPDX-License-Identifier: Apache-2.0
"""A program of this folder with the Verilog of the core, built for a shape."""

import subprocess
from pathlib import Path

from file_lists import files_of

NAMES = ("NUM_SMS", "NUM_KSRS", "MAX_TBS_PER_SM", "NUM_CONTEXTS", "NUM_COMMAND_BUFFERS", "TB_WIDTH", "PTBQ_DEPTH",
         "SEARCH_WIDTH", "POLICIES")


def core_files(root):
    return [root / name for name in files_of(root, "rtl.f")]


def build(root, libraries, sizes, folder, core=None, tag_width=0, kept_turn=0):
    """lockstep.cpp, the checkers bound. `core`: other files than those of the core as it is."""
    checkers = sorted((root / "testbench/checkers").glob("*.sv"))
    return build_program(root, "lockstep", libraries, sizes, folder, [*(core or core_files(root)), *checkers],
                         {"LINGER": 1, "TAG_WIDTH": tag_width, "KEPT_TURN": kept_turn},
                         options=["-DVL_USER_STOP", f"-DTAG_WIDTH={tag_width}", f"-DKEPT_TURN={kept_turn}"])


def build_program(root, name, libraries, sizes, folder, sources, parameters=(), options=()):
    sizes = dict(zip(NAMES, sizes))
    flags = " ".join(["-std=c++17", "-O1", f"-I{root}", *options, *(f"-D{each}={value}" for each, value in sizes.items())])
    command = ["verilator", "--cc", "--exe", "--build", "--assert", "-O3", "-Wno-fatal", f"-I{root / 'rtl'}",
               *map(str, sources), "--top-module", "tsr_scheduler", "--Mdir", str(folder), "-CFLAGS", flags,
               *(f"-G{each}={value}" for each, value in (sizes | dict(parameters)).items()),
               str(root / f"tests/rtl/{name}.cpp"),
               "-LDFLAGS", " ".join(map(str, libraries))]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(run.stdout[-2000:] + run.stderr[-2000:])
    return Path(folder) / "Vtsr_scheduler"
