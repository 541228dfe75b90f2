# SPDX-License-Identifier: Apache-2.0
"""Three pictures that people draw: slow-downs, SMs over time, a sweep with its front.

Each draws into `ax`, or into a new figure, and returns the axes for whatever else a reader wants to do with them.
"""

from collections.abc import Mapping
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colors
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch

from tessera.errors import TesseraError
from tessera.results import Run, Sweep

# Those of the program's own figures (plot/gnuplot.cpp).
COLOURS = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#000000", "#994f00", "#004488"
)  # fmt: skip
MARKERS = "osD^vP*X"

# How a phase of an SM is drawn: mixed into the process's colour, how much of it.
PHASES = {
    "running": ("white", 0.0),
    "shared": ("white", 0.0),
    "draining": ("white", 0.45),
    "set-up": ("white", 0.75),
    "reserved": ("white", 0.75),
    "saving": ("black", 0.5),
    "restoring": ("black", 0.5),
    "idle by rule": ("white", 0.85),
}
PHASE_OF_LEGEND = "#888888"
NOBODY = "#888888"
MAX_SM_NAMES = 40  # beside the rows of a timeline; with more rows there is no gap between two either


def slowdown_bars(results: Run | Mapping[str, Run], ax: Axes | None = None) -> Axes:
    """Bars of each process's slow-down (NTT): its time beside the others over its time alone.

    Of one run also those under its baseline; of several runs (name -> run, all with the same processes) those of each.
    A process that completed no run has no bar.
    """
    bars = _slowdowns_of_one(results) if isinstance(results, Run) else _slowdowns_of_many(results)
    ax = _axes(ax, max(5, 1.6 + 1.1 * len(bars)), 3.6)
    width = 0.8 / len(bars.columns)
    for i, (name, heights) in enumerate(bars.items()):
        middles = np.arange(len(bars)) + (i - (len(bars.columns) - 1) / 2) * width
        drawn = ax.bar(middles, heights.fillna(0), width, label=name, color=COLOURS[i % len(COLOURS)])
        texts = ["no run" if pd.isna(height) else f"{height:.2f}" for height in heights]
        ax.bar_label(drawn, texts, fontsize=7, padding=1)
    ax.axhline(1, color="#333333", linewidth=0.8, linestyle=":")
    ax.set_xticks(np.arange(len(bars)), list(bars.index))
    ax.set_ylabel("slow-down (NTT)")
    ax.margins(y=0.12)
    ax.legend(frameon=False, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
    return ax


def sm_timeline(
    run: Run, begin_us: float | None = None, end_us: float | None = None, ax: Axes | None = None
) -> Axes:
    """A row for each SM: which process has it when, and what it does. Of a run with `timeline=True`.

    `begin_us` and `end_us`: what of the run is drawn.
    """
    slices = run.timeline
    begin = slices.begin_us.min() if begin_us is None else begin_us
    end = slices.end_us.max() if end_us is None else end_us
    shown = slices[(slices.end_us > begin) & (slices.begin_us < end)]
    names = list(run.processes["name"])
    num_sms = int(run.summary["spec"]["gpu"]["num_sms"])
    ax = _axes(ax, 9, 1.4 + min(0.16 * num_sms, 6))
    for (process, phase), group in shown.groupby(["process", "phase"], dropna=False):
        colour = COLOURS[names.index(process) % len(COLOURS)] if process in names else NOBODY
        boxes = _rectangles(group, gap=0.08 if num_sms <= MAX_SM_NAMES else 0)
        ax.add_collection(PolyCollection(boxes, facecolors=_shade(colour, PHASES[phase]), linewidths=0))
    ax.set_xlim(begin, end)
    ax.set_ylim(num_sms, 0)  # SM 0 on top
    named = range(0, num_sms, 1 + num_sms // MAX_SM_NAMES)
    ax.set_yticks([sm + 0.5 for sm in named], [str(sm) for sm in named], fontsize=6)
    ax.set_xlabel("time (us)")
    ax.set_ylabel("SM")
    _timeline_legend(ax, names, [phase for phase in PHASES if phase in set(shown.phase)])
    return ax


def sweep_scatter(sweep: Sweep, plot: str | None = None, ax: Axes | None = None) -> Axes:
    """A point for each design of a plot that the sweep declares, and its front, as the program found it.

    Designs that another one beats are pale. What are panels of the program's own picture are markers here, with a front
    each. Without `plot`: the only declared one that has a front.
    """
    name = _plot_with_front(sweep) if plot is None else plot
    designs = sweep.plot(name)
    declared = sweep.plots[name]
    x, y = declared["x"], declared["y"]
    if not pd.api.types.is_numeric_dtype(designs[x]):
        raise TesseraError(f"{sweep.folder}: plot {name}: x is no number, and a scatter plot needs one ({x})")
    ax = _axes(ax, 6, 4.2)
    series_axis, facets_axis = declared.get("series"), declared.get("facets")
    for facet, marker in _values(designs, facets_axis, MARKERS):
        panel = _of(designs, facets_axis, facet)  # which has a front of its own
        front = panel[panel.on_front == "yes"].sort_values([x, y])
        ax.plot(front[x], front[y], color="#555555", linewidth=1, zorder=1)
        for series, colour in _values(designs, series_axis, COLOURS):
            label = ", ".join(str(word) for word in (series, facet) if word is not None)
            _draw_points(ax, _of(panel, series_axis, series), x, y, colour, marker, label)
    ax.set_xlabel(_label(sweep, x))
    ax.set_ylabel(_label(sweep, y))
    ax.set_title(declared.get("title") or name, fontsize=10)
    if declared.get("log_x"):
        ax.set_xscale("log")
    if declared.get("log_y"):
        ax.set_yscale("log")
    if series_axis or facets_axis:
        ax.legend(frameon=False, fontsize=8)
    return ax


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    return plt.subplots(figsize=(width, height), layout="constrained")[1] if ax is None else ax


def _slowdowns_of_one(run: Run) -> pd.DataFrame:
    processes = run.processes.set_index("name")
    spec = run.summary["spec"]
    bars = {spec["scheduler"]["policy"]: processes.ntt}
    if run.summary["baseline"] is not None:
        bars[f"{spec['baseline']['policy']} (baseline)"] = processes.baseline_ntt
    return pd.DataFrame(bars)


def _slowdowns_of_many(runs: Mapping[str, Run]) -> pd.DataFrame:
    bars = {name: run.processes.set_index("name").ntt for name, run in runs.items()}
    if not bars:
        raise ValueError("no run to draw")
    names = [set(ntt.index) for ntt in bars.values()]
    if any(one != names[0] for one in names):
        raise ValueError("the runs have different processes")
    return pd.DataFrame(bars).reindex(next(iter(bars.values())).index)


def _rectangles(slices: pd.DataFrame, gap: float) -> "np.ndarray[Any, Any]":
    top = slices.sm + slices.part / slices.parts + np.where(slices.part == 0, gap, 0)
    bottom = slices.sm + (slices.part + 1) / slices.parts
    left, right = slices.begin_us, slices.end_us
    corners = [np.stack([side, edge], axis=1) for side, edge in
               ((left, top), (right, top), (right, bottom), (left, bottom))]  # fmt: skip
    return np.stack(corners, axis=1)


def _shade(colour: str, shade: tuple[str, float]) -> tuple[float, ...]:
    other, share = shade
    return tuple((1 - share) * np.array(colors.to_rgb(colour)) + share * np.array(colors.to_rgb(other)))


def _timeline_legend(ax: Axes, names: list[str], phases: list[str]) -> None:
    patches = [Patch(color=COLOURS[i % len(COLOURS)], label=name) for i, name in enumerate(names)]
    for shade in dict.fromkeys(PHASES[phase] for phase in phases):
        alike = ", ".join(phase for phase in phases if PHASES[phase] == shade)
        patches.append(Patch(facecolor=_shade(PHASE_OF_LEGEND, shade), label=alike))
    ax.legend(handles=patches, frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))


def _plot_with_front(sweep: Sweep) -> str:
    names = [name for name, plot in sweep.plots.items() if plot.get("pareto")]
    if len(names) != 1:
        raise TesseraError(f"{sweep.folder}: say which plot ({', '.join(sweep.plots) or 'the sweep declares none'})")
    return names[0]


def _values(designs: pd.DataFrame, axis: str | None, looks: Any) -> list[tuple[Any, str]]:
    """Each value of an axis with a colour, or a marker, of its own; None where the plot has no such axis."""
    words = list(designs[axis].unique()) if axis else [None]
    return list(zip(words, cycle(looks)))


def _of(designs: pd.DataFrame, axis: str | None, value: Any) -> pd.DataFrame:
    return designs[designs[axis] == value] if axis else designs


def _draw_points(ax: Axes, designs: pd.DataFrame, x: str, y: str, colour: str, marker: str, label: str) -> None:
    if designs.empty:
        return
    for is_pale in (True, False):
        group = designs[(designs.on_front == "no") == is_pale]
        errors = {"yerr": group[f"{y}_half_width"]}
        if f"{x}_half_width" in group:
            errors["xerr"] = group[f"{x}_half_width"]
        ax.errorbar(group[x], group[y], **errors, fmt=marker, color=colour, alpha=0.3 if is_pale else 1, markersize=6,
                    elinewidth=0.8, zorder=2)  # fmt: skip
    ax.plot([], [], marker, color=colour, label=label)


def _label(sweep: Sweep, column: str) -> str:
    unit = sweep.unit(column)
    return f"{column} ({unit})" if unit and not column.endswith(f"_{unit.lower()}") else column
