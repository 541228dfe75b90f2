# SPDX-License-Identifier: Apache-2.0
"""Results folders that tests make: small real runs, and logs by hand."""

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from small_experiment import write_small_experiment  # noqa: E402

HEADER = "cycle,kind,process,kernel,launch,run,sm,slot,tb,technique,bytes,cycles,value\n"


def run_small(program, folder, name, *arguments):
    """`tessera run` of two processes, a log kept; the folder of its results."""
    write_small_experiment(folder)
    out = folder / name
    command = [program, "run", "small.yaml", "--trace", "timeline", "--out", out, *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return out


def write_log(folder, lines):
    """A log in the place of the run's own."""
    (folder / "timeline.csv").write_text(HEADER + "".join(line + "\n" for line in lines))


def long_log(num_sms, rounds):
    """In every round each SM is set up and released: two slices, since a set-up is as long as the Spec says."""
    for launch, process in enumerate(("front", "back")):
        yield f"0,kernel_arrived,{process},k,{launch},0,,,,,,,"
    for i in range(rounds):
        launch, process = (0, "front") if i % 5 else (1, "back")
        for sm in range(num_sms):
            yield f"{1000 * i + sm},sm_set_up,{process},k,{launch},,{sm},,,,,,"
        for sm in range(num_sms):
            yield f"{1000 * i + 500 + sm},sm_released,{process},k,{launch},,{sm},,,,,,"


def write_sweep(folder, columns, points):
    """A sweep's folder by hand. `columns`: (name, kind) pairs; `points`: what differs from an empty one that is done."""
    (folder / "points").mkdir(parents=True)
    description = {"schema": "tessera-sweep-1", "name": folder.name,
                   "axes": [{"name": name} for name, kind in columns if kind == "axis"],
                   "columns": [{"name": name, "kind": kind, "unit": None} for name, kind in columns]}
    (folder / "sweep.json").write_text(json.dumps(description))
    for index, more in enumerate(points):
        point = {"key": f"{index:08x}", "index": index, "seed": 1, "status": "done", "reason": "", "axes": {},
                 "metrics": {}, "cost": {}, **more}
        (folder / "points" / f"{point['key']}.json").write_text(json.dumps(point))
    return folder


def make_sweep(program, folder, policies=("fcfs", "ppq", "dss"), seeds=(1, 2), keep=("ppq",)):
    """A sweep's folder of real runs; timelines are kept for the policies in `keep`, and one more point has failed."""
    sweep = folder / "sweep"
    (sweep / "points").mkdir(parents=True)
    (sweep / "timelines").mkdir()
    metrics = ("antt", "stp", "fairness")
    columns = [{"name": "policy", "kind": "axis", "unit": ""}]
    columns += [{"name": name, "kind": "metric", "unit": ""} for name in metrics]
    columns += [{"name": "sram_bytes", "kind": "cost", "unit": "bytes"}, {"name": "status", "kind": "status", "unit": ""}]
    description = {"schema": "tessera-sweep-1", "name": "policies", "tessera_version": "0.1.0", "mode": "grid",
                   "axes": [{"name": "policy", "keys": ["scheduler.policy"], "values": [*policies, "edf"]}],
                   "seeds": list(seeds), "plots": [], "columns": columns, "keep_timelines": True}
    (sweep / "sweep.json").write_text(json.dumps(description))
    points = []
    for seed in seeds:
        for policy in policies:
            key = f"{policy}{seed:08d}"
            out = run_small(program, folder, f"run-{key}", "--set", f"scheduler.policy={policy}", "--set", f"seed={seed}")
            summary = json.loads((out / "summary.json").read_text())
            points.append({"key": key, "index": len(points), "axes": {"policy": policy}, "seed": seed, "status": "done",
                           "reason": "", "metrics": {name: summary[name] for name in metrics},
                           "cost": {"sram_bytes": 1000 + 100 * len(policy)}})
            if policy in keep:
                out.rename(sweep / "timelines" / key)
    points.append({"key": "edf00000001", "index": len(points), "axes": {"policy": "edf"}, "seed": seeds[0],
                   "status": "failed", "reason": "out of memory", "metrics": {}, "cost": {}})
    for point in points:
        (sweep / "points" / f"{point['key']}.json").write_text(json.dumps(point))
    return sweep, points
