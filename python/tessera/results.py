# SPDX-License-Identifier: Apache-2.0
"""Folders of results as data frames. Nothing is computed here: every value is one that the program wrote."""

import json
import os
import shutil
import warnings
import weakref
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from tessera.errors import TesseraError, TesseraWarning

TEXT_COLUMNS = frozenset(
    ("name", "application", "from_process", "from_kernel", "to_process", "to_kernel", "technique", "phase", "process",
     "kernel", "key", "status", "reason", "engine", "sched", "reserve")
)  # fmt: skip


def read_table(path: Path, advice: str = "") -> pd.DataFrame:
    """A CSV file that the program wrote. Only empty cells are missing values: a process may be called `NA`."""
    if not path.is_file():
        raise TesseraError(f"{path}: does not exist{advice}")
    try:
        columns = pd.read_csv(path, nrows=0).columns
        kinds: dict[str, type] = {name: str for name in columns if name in TEXT_COLUMNS}
        kinds.update({name: float for name in columns if name.endswith("_us")})
        return pd.read_csv(path, dtype=kinds, keep_default_na=False, na_values=[""], float_precision="round_trip")
    except ValueError as error:  # of pandas, too
        raise TesseraError(f"{path}: is no table of the program: {error}") from None


def read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TesseraError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise TesseraError(f"{path}: is no JSON: {error}") from None
    if not isinstance(content, dict):
        raise TesseraError(f"{path}: is no JSON object")
    return content


class Results:
    """A folder of results. With `temporary`, a folder around it, that one is removed with this object."""

    def __init__(self, folder: str | os.PathLike[str], temporary: Path | None = None) -> None:
        self.folder = Path(folder)
        if temporary is not None:
            weakref.finalize(self, shutil.rmtree, temporary, ignore_errors=True)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.folder)!r})"


class Run(Results):
    """What `tessera run` leaves."""

    @cached_property
    def summary(self) -> dict[str, Any]:
        """`summary.json`: metrics, the baseline, the Spec as it was understood (docs/summary.schema.json)."""
        return read_json(self.folder / "summary.json")

    @cached_property
    def processes(self) -> pd.DataFrame:
        """A row for each process: `name`, `application`, `turnaround_us`, `alone_us`, `ntt`, `baseline_ntt`, ..."""
        return read_table(self.folder / "processes.csv")

    @cached_property
    def preemptions(self) -> pd.DataFrame:
        """A row for each preemption that is done: who lost which SM to whom, how, when, and what took how long."""
        return self._trace("preemptions.csv")

    @cached_property
    def timeline(self) -> pd.DataFrame:
        """A row for each thing that an SM did: `sm`, `begin_us`, `end_us`, `phase`, `process`, `kernel`.

        `part` and `parts` tell which part of an SM it is where kernels share SMs. Only of a run with `timeline=True`
        (`tessera run --trace slices`).
        """
        return self._trace("slices.csv", " (run with timeline=True: tessera run --trace slices)")

    def _trace(self, name: str, advice: str = "") -> pd.DataFrame:
        """A table that ends where its file reached the size limit; then with a warning."""
        table = read_table(self.folder / name, advice)
        for cut in read_json(self.folder / "timing.json").get("trace_cuts", []):
            if cut["file"] == name:
                text = f"{self.folder / name}: ends after {cut['end_us']} us, at its size limit (--trace-limit)"
                warnings.warn(text, TesseraWarning, stacklevel=4)
        return table


class Sweep(Results):
    """What `tessera sweep` leaves."""

    @cached_property
    def description(self) -> dict[str, Any]:
        """`sweep.json`: axes, seeds, columns with their units, plots."""
        return read_json(self.folder / "sweep.json")

    @cached_property
    def points(self) -> pd.DataFrame:
        """A row for each point: axes, `seed`, `status`, metrics and costs."""
        return read_table(self.folder / "points.csv")

    @property
    def plots(self) -> dict[str, dict[str, Any]]:
        """The plots that the sweep declares, by name, as they were understood."""
        return {plot["name"]: plot for plot in self.description["plots"]}

    def plot(self, name: str) -> pd.DataFrame:
        """What a declared plot shows, a row for each design: means over seeds, and whether it is on the front."""
        if name not in self.plots:
            raise TesseraError(f"{self.folder}: has no plot of that name ({name}; {', '.join(self.plots) or 'none'})")
        return read_table(self.folder / "plots" / f"{name}.csv")

    def unit(self, column: str) -> str:
        """Of a column of `points`: "kGE", "bytes", or nothing."""
        units = {one["name"]: one.get("unit", "") for one in self.description["columns"]}
        return str(units.get(column, ""))


def load(folder: str | os.PathLike[str]) -> Run | Sweep:
    """The results in a folder that `tessera run` or `tessera sweep` has left."""
    place = Path(folder)
    if (place / "sweep.json").is_file():
        return Sweep(place)
    if (place / "summary.json").is_file():
        return Run(place)
    raise TesseraError(f"{place}: holds no results of a run or a sweep (summary.json, sweep.json)")
