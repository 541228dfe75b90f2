# SPDX-License-Identifier: Apache-2.0
"""Verilates a module with the pins of tsr_scheduler together with drive.cpp, which keeps to docs/hardware/timing.md."""

import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ASSUMPTIONS = ROOT / "rtl/tsr_input_assumptions.sv"


def core_files():
    lines = (ROOT / "rtl/rtl.f").read_text().split()
    return [ROOT / line for line in lines if not line.startswith("+")]


def build(folder, top, parameters, sources, is_short_run=False):
    """The program that drives `top`; `sources` are Verilog files. For a short run, it is compiled quickly."""
    defines = " ".join(f"-D{name}={value}" for name, value in parameters.items())
    command = ["verilator", "--cc", "--exe", "--build", "-O3", "--assert", "--no-timing", "-Wno-fatal", "-Wno-lint",
               "--top-module", top, "--prefix", "Vtsr_scheduler", "-Mdir", str(folder / "build"),
               "-CFLAGS", f"{'-O0' if is_short_run else '-O1'} -DVL_USER_STOP {defines}"]
    if is_short_run:
        command += ["-MAKEFLAGS", "OPT_FAST=-O0 OPT_GLOBAL=-O0"]
    command += [f"-G{name}={value}" for name, value in parameters.items()]
    # Through links: Verilator's makefiles take no path with a blank.
    (folder / "rtl").symlink_to(ROOT / "rtl")
    files = [f"-I{folder / 'rtl'}"]
    for source in (*sources, *HERE.glob("*.h"), *sorted(HERE.glob("*.cpp"))):
        link = folder / source.name
        if not link.exists():
            link.symlink_to(source)
        if link.suffix != ".h":
            files.append(str(link))
    subprocess.run(command + files, check=True, stdout=subprocess.DEVNULL)
    return folder / "build/Vtsr_scheduler"


def drive(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True).stdout
