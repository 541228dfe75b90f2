#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sinfo, scontrol, sbatch, squeue and sacct of a cluster that does what a test wants; called by these names.

Answers follow Slurm 22.05's. Files in $FAKE_SLURM say what is wrong with it:
  max_array_size   of scontrol show config
  refusals         `accepted refused`: how many jobs sbatch takes first, and how many it refuses then
  lost             how many jobs are taken and never run
  silences         how often squeue finds no controller
  states           of tasks, which then do not run: what squeue shows, and sacct; a line each, in turn
"""

import os
import re
import subprocess
import sys
from pathlib import Path

PLACE = Path(os.environ["FAKE_SLURM"])


def value(name, preset=""):
    file = PLACE / name
    return file.read_text() if file.exists() else preset


def state_of(task):
    states = value("states").splitlines()
    return states[task % len(states)]


def sbatch():
    accepted, refused = map(int, value("refusals", "1000000 0").split())
    if accepted == 0 and refused > 0:
        (PLACE / "refusals").write_text(f"0 {refused - 1}")
        print("sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed: Job violates "
              "accounting/QOS policy (job submit limit, user's size and/or time limits)", file=sys.stderr)
        return 1
    (PLACE / "refusals").write_text(f"{max(0, accepted - 1)} {refused}")
    script = Path(sys.argv[-1]).read_text()
    number = len(list(PLACE.glob("job-*"))) + 1
    (PLACE / f"job-{number}").write_text(script)
    tasks = int(re.search(r"--array=0-(\d+)", script)[1]) + 1
    if tasks > int(value("max_array_size", "1001")):
        print("sbatch: error: Batch job submission failed: Invalid job array specification", file=sys.stderr)
        return 1
    output = re.search(r'--output="(.*)"', script)[1]
    for task in range(0 if value("states") or number <= int(value("lost", "0")) else tasks):
        with open(re.sub("%(.)", lambda found: {"a": str(task), "%": "%"}[found[1]], output), "w") as file:
            subprocess.run(["sh", sys.argv[-1]], env={**os.environ, "SLURM_ARRAY_TASK_ID": str(task)},
                           stdout=file, stderr=subprocess.STDOUT, check=False)
    print(number)
    return 0


def squeue():
    silences = int(value("silences", "0"))
    if silences > 0:
        (PLACE / "silences").write_text(str(silences - 1))
        print("slurm_load_jobs error: Unable to contact slurm controller (connect failure)", file=sys.stderr)
        return 1
    job = sys.argv[-1]
    if not value("states"):  # a job that is over is soon forgotten
        print("slurm_load_jobs error: Invalid job id specified", file=sys.stderr)
        return 1
    for task in range(1000):
        print(job, task, state_of(task).split()[0])
    return 0


def main():
    name = Path(sys.argv[0]).name
    if name == "sinfo":
        print("main*")
    elif name == "scontrol":
        print(f"Configuration data as of 2026-01-01T00:00:00\nMaxArraySize            = {value('max_array_size', '1001')}")
    elif name == "sacct":
        print(state_of(int(sys.argv[-1].split("_")[1])))
    else:
        return {"sbatch": sbatch, "squeue": squeue}[name]()
    return 0


sys.exit(main())
