# SPDX-License-Identifier: Apache-2.0
"""What Yosys says of the Verilog with some of its parameters set."""

import functools
import json
import subprocess
import tempfile
from pathlib import Path


def modules_of(root, sources, top, settings=(), passes="proc"):
    """After `passes`, as the JSON backend has them; those with parameters have names of Yosys's making."""
    return run_yosys(root, " ".join(map(str, sources)), top, tuple(dict(settings).items()), passes)


@functools.lru_cache
def run_yosys(root, sources, top, settings, passes):
    values = "; ".join(f"chparam -set {name} {value} {top}" for name, value in settings)
    with tempfile.TemporaryDirectory() as folder:
        netlist = Path(folder) / "core.json"
        subprocess.run(["yosys", "-q", "-p", f"read_verilog -sv -Irtl {sources}; {values}; "
                        f"hierarchy -check -top {top}; {passes}; write_json {netlist}"], cwd=root, check=True)
        return json.loads(netlist.read_text())["modules"]


def ports_and_parameters(root, sources, top, settings=()):
    """Name to direction and bits; name to value."""
    found = modules_of(root, sources, top, settings)[top]
    ports = {name: (port["direction"].removesuffix("put"), len(port["bits"])) for name, port in found["ports"].items()}
    return ports, {name: int(value, 2) for name, value in found["parameter_default_values"].items()}


def memories(root, sources, top, settings=()):
    """Instances of tsr_sram_1r1w, blocks of `generate` left out of their names, to words and bits."""
    modules = modules_of(root, sources, top, settings)
    found = {}

    def walk(module, path):
        for memory in modules[module].get("memories", {}).values():
            found[".".join(path)] = (memory["size"], memory["width"])
        for name, cell in modules[module]["cells"].items():
            if cell["type"] in modules:
                walk(cell["type"], [*path, name.split(".")[-1]])

    walk(top, [])
    return found
