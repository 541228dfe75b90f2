# SPDX-License-Identifier: Apache-2.0
"""Proves the properties of the next core by induction: `python3 rtl_next/formal/prove.py [--first]`.

For each set of sizes in properties.json (--first: for the first alone) Yosys flattens the core with its properties and its
sat solver shows that no state in which all of them hold leads to one in which any does not. Exit status 1: not shown; 77:
Yosys is not there.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORMAL = ROOT / "rtl_next/formal"

PREPARE = """read_verilog -formal -sv -I {formal} -I {root}/rtl_next {files} {formal}/{top}.v
{chparam}
hierarchy -check -top {top}
proc
flatten
select -assert-none w:* a:hierconn %i w:*.g_* %d
delete t:$assert c:cover_* %i
opt -full
wreduce
opt -full
setundef -undriven -anyseq
check -assert
dffunmap
opt_clean -purge
select -assert-count {asserts} t:$assert
sat -tempinduct -prove-asserts -set-assumes -maxsteps 1 -timeout 600
"""


def files():
    """Those of the core, but for the memory, which has a form for proofs."""
    for line in (ROOT / "rtl_next/rtl.f").read_text().split():
        yield str(ROOT / ("rtl/formal/tsr_sram_1r1w.v" if line.endswith("tsr_sram_1r1w.v") else line))


def is_proved(claims, sizes, folder):
    chparam = "\n".join(f"chparam -set {name} {value} {claims['top']}" for name, value in sizes.items())
    script = Path(folder) / "prove.ys"
    script.write_text(PREPARE.format(formal=FORMAL, root=ROOT, files=" ".join(files()), top=claims["top"], chparam=chparam,
                                     asserts=len(claims["properties"])))
    yosys = subprocess.run(["yosys", "-s", script], capture_output=True, text=True)
    if yosys.returncode != 0:
        print(yosys.stdout[-2000:] + yosys.stderr[-2000:])
    return "Induction step proven: SUCCESS!" in yosys.stdout


def main():
    if shutil.which("yosys") is None:
        print("yosys is not installed")
        return 77
    claims = json.loads((FORMAL / "properties.json").read_text())
    is_all_proved = True
    for sizes in claims["sets"][:1] if "--first" in sys.argv else claims["sets"]:
        begin = time.time()
        with tempfile.TemporaryDirectory() as folder:
            proved = is_proved(claims, sizes, folder)
        is_all_proved = is_all_proved and proved
        print(f"{sizes}: {len(claims['properties'])} properties {'proved' if proved else 'NOT PROVED'}, {time.time() - begin:.0f} s")
    return 0 if is_all_proved else 1


if __name__ == "__main__":
    sys.exit(main())
