#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the experiment two_trainings under four policies and draws how much longer each job takes than alone, as SVG.

usage: draw_two_trainings.py TESSERA > two-trainings.svg
"""
import json
import subprocess
import sys
import tempfile

POLICIES = ["fcfs", "time_slice", "ppq", "dss"]
JOBS = [("urgent", "#4477aa"), ("batch", "#ee6677")]
SCRIPT = """
set terminal svg size 760,360 font 'sans,14' background '#ffffff' noenhanced
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 noborder
set boxwidth 0.9
set logscale y 2
set yrange [0.9:24]
set ytics (1, 2, 4, 8, 16)
set grid ytics lc '#dddddd'
set key top right
set ylabel 'time over time alone'
set title 'Two training jobs on one A100'
plot {plots}
"""


def normalised_times(tessera, policy):
    with tempfile.TemporaryDirectory() as folder:
        run = [tessera, "run", "two_trainings", "--json", "--out", folder + "/run",
               "--set", f"scheduler.policy={policy}"]
        summary = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)
    return {process["name"]: process["ntt"] for process in summary["processes"]}


def main():
    rows = [(policy, normalised_times(sys.argv[1], policy)) for policy in POLICIES]
    for policy, ntt in rows:
        print(policy, ntt, file=sys.stderr)
    plots, data = [], ""
    for i, (job, colour) in enumerate(JOBS):
        plots.append(f"'-' using 2:xtic(1) title '{job}' lc rgb '{colour}'")
        plots.append(f"'-' using ($0{'-+'[i]}0.17):2:(sprintf('%.2f', $2)) with labels offset 0,0.7 notitle")
        data += 2 * ("".join(f"{policy} {ntt[job]}\n" for policy, ntt in rows) + "e\n")
    svg = subprocess.run(["gnuplot"], input=SCRIPT.format(plots=", ".join(plots)) + data, text=True, check=True,
                         capture_output=True).stdout
    sys.stdout.write(svg)


if __name__ == "__main__":
    main()
