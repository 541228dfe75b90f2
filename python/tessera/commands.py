# SPDX-License-Identifier: Apache-2.0
"""Experiments, sweeps and imports, run by the program."""

import os
import shutil
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tessera.errors import TesseraWarning
from tessera.program import call, command, overrides
from tessera.results import Run, Sweep

StrPath = str | os.PathLike[str]


def run(
    experiment: StrPath = "quickstart",
    set: Mapping[str, Any] | None = None,  # noqa: A002: the program's word for it
    *,
    out: StrPath | None = None,
    force: bool = False,
    timeline: bool = False,
    trace_limit_mb: int | None = None,
    abstraction: str = "tlm",
    jobs: int | None = None,
) -> Run:
    """Simulates an experiment: a file, or the name of a built-in one.

    `set` overrides keys: `run("quickstart", set={"scheduler.policy": "dss"})`. Results go to the folder `out`, and
    live as long as the returned object without it; `force` replaces what `out` holds. `timeline` also keeps what every
    SM did, which costs time and disk. That table and the one of preemptions end at a size of `trace_limit_mb`, 128
    unless given. `abstraction`: the model, `tlm`, `rtl_model` or `rtl`. `jobs`: simulations at a time.
    """
    options = [*overrides(set), "--abstraction", abstraction]
    if timeline:
        options += ["--trace", "slices"]
    if trace_limit_mb is not None:
        options += ["--trace-limit", str(trace_limit_mb)]
    if force:
        options.append("--force")
    return Run(*_call("run", experiment, options, out, jobs))


def sweep(
    sweep: StrPath,
    set: Mapping[str, Any] | None = None,  # noqa: A002
    *,
    out: StrPath | None = None,
    force: bool = False,
    resume: bool = False,
    jobs: int | None = None,
) -> Sweep:
    """Runs every point of a sweep: a file, or the name of a built-in one.

    As `run`; `resume` goes on in the folder `out`.
    """
    options = overrides(set)
    if force:
        options.append("--force")
    if resume:
        options.append("--resume")
    return Sweep(*_call("sweep", sweep, options, out, jobs))


def import_profile(*profiles: StrPath, out: StrPath, force: bool = False) -> Path:
    """Makes applications and experiments of recorded profiles (PyTorch profiler, Nsight Systems, Accel-Sim).

    Returns the folder `out`. Its `import.txt` says what was assumed; `shared.yaml` in it is an experiment for `run`:
    the applications beside each other, one alone beside itself.
    """
    command("import", *profiles, "--out", out, *(["--force"] if force else []))
    return Path(out)


def _call(
    name: str, experiment: StrPath, options: list[str], out: StrPath | None, jobs: int | None
) -> tuple[StrPath, Path | None]:
    """The folder of the results, and the temporary one around it where nobody asked for one."""
    temporary = Path(tempfile.mkdtemp(prefix="tessera-")) if out is None else None
    place = out if temporary is None else temporary / "results"
    assert place is not None
    words = options if jobs is None else [*options, "--jobs", str(jobs)]
    try:
        _, notes = call(name, experiment, *words, "--out", place)
    except BaseException:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
        raise
    for note in notes.splitlines():
        warnings.warn(note, TesseraWarning, stacklevel=3)
    return place, temporary
