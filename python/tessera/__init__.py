# SPDX-License-Identifier: Apache-2.0
"""Tessera from Python: runs experiments and sweeps, and gives their results as data frames.

    import tessera

    shared = tessera.run("quickstart", set={"scheduler.policy": "dss"}, timeline=True)
    shared.processes[["name", "ntt", "baseline_ntt"]]
    shared.preemptions.groupby("to_process").latency_us.describe()
    tessera.pictures.sm_timeline(shared, begin_us=0, end_us=2000)

The program does the work: `$TESSERA`, `tessera` on PATH, or the launcher of the checkout. See docs/guide/python.md.
"""

try:
    from tessera import pictures
    from tessera.results import Run, Sweep, load
except ImportError as missing:
    text = f"tessera needs {missing.name} (Debian's package python3-{missing.name})"
    raise ImportError(text, name=missing.name) from None
from tessera.commands import import_profile, run, sweep
from tessera.errors import InputError, TesseraError, TesseraWarning
from tessera.program import command, find_program

__all__ = [
    "InputError",
    "Run",
    "Sweep",
    "TesseraError",
    "TesseraWarning",
    "command",
    "find_program",
    "import_profile",
    "load",
    "pictures",
    "run",
    "sweep",
]
