#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Constants of `framework.gpu_switch` from the slices measured on an H200: h200/slices.csv.

    silicon/fit_switch_cost.py                what configs/gpus/silicon/h200.yaml says of each row, and the errors
    silicon/fit_switch_cost.py GPU.yaml       the same of another GPU file (written by a probe, for instance)
    silicon/fit_switch_cost.py --search       search the constants again, and print them with their errors
    silicon/fit_switch_cost.py --rows MINE.csv    rows of the same form, measured elsewhere

The rule (docs/hardware/timing.md 7.6), for n SMs with W warps and K KiB of shared memory on each, a slice of L:

    move    = n x (registers + shared memory of an SM, in bytes) / bandwidth
    save    = save_us_per_warp x W + save_us_per_kib x K / W + move
    restore = restore_us_per_warp x W + restore_us_per_kib x K / W + move
    period  = L - in_slice + preempted + save          start to start of the other context
    run     = L - in_slice - restore                   first instruction to last
    nobody  = preempted + save + restore               nobody runs

All SMs of the model start together; those of the card start over 11 to 25 us. `run` and `nobody` are therefore held
against two columns each: from the card's first SM, and from its median SM.
"""

import argparse
import csv
import math
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
GPU = HERE.parent / "configs/gpus/silicon/h200.yaml"
ROWS = HERE / "h200/slices.csv"

SLICE_US = 2048 * 1.024
SYSTEM_KIB_PER_TB = 1  # CUDA's share of shared memory in each thread block, which the model moves as well
WARP_THREADS = 32
BYTES_PER_REGISTER = 4

# Column of the measurement, what predicts it, tolerance in us. Both kinds of columns cannot be met everywhere: of `rr`
# and `ss` the median SM starts 15 to 19 us after the first. Those of the first SM go before, with a margin.
COLUMNS = [
    ("period_us", "period", 10),
    ("run_first_sm_us", "run", 10),
    ("none_runs_first_sm_us", "nobody", 12),
    ("run_median_sm_us", "run", 13),
    ("none_runs_median_sm_us", "nobody", 16),
]

# Key, step of the last digit that is kept, start of the search.
CONSTANTS = [
    ("in_slice_us", 0.5, 7),
    ("preempted_us", 0.5, 153),
    ("save_us_per_warp", 0.01, 0.5),
    ("save_us_per_kib", 0.01, 0.04),
    ("restore_us_per_warp", 0.01, 0.25),
    ("restore_us_per_kib", 0.01, 0.73),
    ("bandwidth_gbps", 50, 2500),
]
STRIDES = (32, 16, 8, 4, 2, 1)


def read_rows(path):
    with open(path, newline="") as file:
        return [{key: value if key == "name" else float(value) for key, value in row.items()}
                for row in csv.DictReader(file)]


def predict(constants, row):
    tbs = row["blocks_per_sm"]
    warps = tbs * math.ceil(row["threads"] / WARP_THREADS)
    kib = tbs * (row["smem_kib"] + SYSTEM_KIB_PER_TB)
    registers = tbs * row["threads"] * row["registers"] * BYTES_PER_REGISTER
    move = row["sms"] * (registers + kib * 1024) / (constants["bandwidth_gbps"] * 1e3)
    save = constants["save_us_per_warp"] * warps + constants["save_us_per_kib"] * kib / warps + move
    restore = constants["restore_us_per_warp"] * warps + constants["restore_us_per_kib"] * kib / warps + move
    start = SLICE_US - constants["in_slice_us"]
    return {"period": start + constants["preempted_us"] + save, "run": start - restore,
            "nobody": constants["preempted_us"] + save + restore, "save": save, "restore": restore}


def errors(constants, row):
    predicted = predict(constants, row)
    return [predicted[what] - row[column] for column, what, _ in COLUMNS]


def score(constants, rows):
    """The largest error over its tolerance; the mean square breaks ties."""
    parts = [error / tolerance for row in rows for error, (_, _, tolerance) in zip(errors(constants, row), COLUMNS)]
    return max(map(abs, parts)), sum(part * part for part in parts) / len(parts)


def moves():
    """One constant up or down, or two of them at a time."""
    for i in range(len(CONSTANTS)):
        for a in (-1, 1):
            yield ((i, a),)
            for j in range(i + 1, len(CONSTANTS)):
                for b in (-1, 1):
                    yield (i, a), (j, b)


def search(rows):
    """Best of all moves, again and again, with strides that get shorter; always on the grid of the last digits."""
    grid = [round(start / step) for _, step, start in CONSTANTS]

    def constants(at):
        return {key: n * step for n, (key, step, _) in zip(at, CONSTANTS)}

    best = score(constants(grid), rows)
    for stride in STRIDES * 2:
        while True:
            found = None
            for move in moves():
                tried = list(grid)
                for i, direction in move:
                    tried[i] += direction * stride
                if min(tried) < 0 or tried[-1] == 0:
                    continue
                value = score(constants(tried), rows)
                if value < best:
                    best, found = value, tried
            if found is None:
                break
            grid = found
    return {key: round(value, 3) for key, value in constants(grid).items()}


def constants_of(path):
    import yaml  # not needed by --search

    switch = yaml.safe_load(Path(path).read_text())["framework"]["gpu_switch"]
    return {key: switch[key] for key, _, _ in CONSTANTS}


def report(constants, rows):
    print(", ".join(f"{key} {value:g}" for key, value in constants.items()))
    print(f"{'row':<10}{'save':>7}{'restore':>9}{'period':>9}{'run':>8}{'nobody':>8}   error: period, run (first, median), "
          "nobody (first, median)")
    for row in rows:
        predicted = predict(constants, row)
        period, first, none_first, median, none_median = errors(constants, row)
        print(f"{row['name']:<10}{predicted['save']:7.1f}{predicted['restore']:9.1f}{predicted['period']:9.1f}"
              f"{predicted['run']:8.1f}{predicted['nobody']:8.1f}   {period:+6.1f}   {first:+6.1f} {median:+6.1f}   "
              f"{none_first:+6.1f} {none_median:+6.1f}")
    worst = [max(abs(errors(constants, row)[i]) for row in rows) for i in range(len(COLUMNS))]
    print("worst: " + ", ".join(f"{column} {value:.1f}" for (column, _, _), value in zip(COLUMNS, worst)))
    print(f"degrees of freedom: {len(CONSTANTS)} constants, {len(rows)} rows of two independent times "
          "(`nobody` is period less run)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gpu", nargs="?", default=GPU, help="GPU file with framework.gpu_switch")
    parser.add_argument("--rows", default=ROWS, help="measured slices")
    parser.add_argument("--search", action="store_true", help="search the constants")
    arguments = parser.parse_args()
    rows = read_rows(arguments.rows)
    report(search(rows) if arguments.search else constants_of(arguments.gpu), rows)


if __name__ == "__main__":
    sys.exit(main())
