#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes profiles/steps.kineto.json and profiles/steps.nsys.csv: the same work as two profilers record it."""

import json
from pathlib import Path

FOLDER = Path(__file__).parent / "profiles"
STEPS = 4
STEP_US = 100
KERNELS = (("gemm", 10, 60, 3000), ("relu", 75, 15, 1000))  # name, start in the step, time (us), thread blocks


def launches():
    """(name, call, start, time, thread blocks) of each, in us."""
    for step in range(STEPS):
        at = STEP_US * step
        for number, (name, start, time, tbs) in enumerate(KERNELS):
            yield name, at + 20 * number, at + start, time, tbs


def kineto():
    events = []
    for correlation, (name, call, start, time, tbs) in enumerate(launches(), 1):
        events.append(
            {
                **{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 6, "ts": call},
                **{"dur": 3, "args": {"correlation": correlation}},
            }
        )
        shape = {"grid": [tbs, 1, 1], "block": [128, 1, 1], "registers per thread": 32, "shared memory": 0}
        where = {"device": 0, "context": 1, "stream": 7, "correlation": correlation}
        events.append(
            {
                **{"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": start, "dur": time},
                "args": {**where, **shape},
            }
        )
    gpu = {"id": 0, "name": "NVIDIA A100", "numSms": 108}
    return json.dumps({"deviceProperties": [gpu], "traceEvents": events}, indent=1) + "\n"


def nsys():
    columns = "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB)"
    lines = [columns + ",Bytes (MB),Device,Ctx,Strm,Name"]
    for correlation, (name, _, start, time, tbs) in enumerate(launches(), 1):
        shape = f"{tbs},1,1,128,1,1,32,0.000,0.000"
        lines.append(f"{1000 * start},{1000 * time},{correlation},{shape},,NVIDIA A100 (0),1,7,{name}")
    return "\n".join(lines) + "\n"


(FOLDER / "steps.kineto.json").write_text(kineto())
(FOLDER / "steps.nsys.csv").write_text(nsys())
