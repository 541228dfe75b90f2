#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes profiles/event_waits_h200.kineto.json.gz: a trace of the PyTorch profiler with the waits of streams in it.

Stream b waits for an event that stands between a kernel of 0.2 ms and one of 1 ms in stream a. What is not of the GPU or
its API is left out of the trace. It was recorded on an H200 with torch 2.11.0 and CUDA 13.0.
"""

import gzip
import json
import tempfile
from pathlib import Path

import torch
from torch._C._profiler import _ExperimentalConfig
from torch.profiler import ProfilerActivity, profile

TRACE = Path(__file__).parent / "profiles" / "event_waits_h200.kineto.json.gz"
KEPT = {"kernel", "gpu_memcpy", "cuda_sync", "cuda_runtime", "cuda_driver"}


def step(number, a, b, x, host):
    produced, consumed = torch.cuda.Event(), torch.cuda.Event()
    with torch.cuda.stream(a):
        torch.cuda._sleep(400_000)
        produced.record(a)
        torch.cuda._sleep(2_000_000)
    b.wait_event(produced)
    with torch.cuda.stream(b):
        product = x @ x
        host.copy_(product.view(-1)[: host.numel()], non_blocking=True)
        consumed.record(b)
    if number % 2:
        consumed.synchronize()
    else:
        b.synchronize()
    torch.cuda._sleep(200_000)
    if number == 2:
        torch.cuda.current_stream().wait_event(consumed)
        torch.cuda._sleep(100_000)
    a.synchronize()


def main():
    a, b = torch.cuda.Stream(), torch.cuda.Stream(priority=-1)
    x = torch.randn(2048, 2048, device="cuda")
    host = torch.zeros(1 << 20).pin_memory()
    for number in range(3):
        step(number, a, b, x, host)
    torch.cuda.synchronize()
    config = _ExperimentalConfig(enable_cuda_sync_events=True)
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], experimental_config=config) as recorded:
        for number in range(6):
            step(number, a, b, x, host)
        torch.cuda.synchronize()
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        recorded.export_chrome_trace(file.name)
        trace = json.load(open(file.name))
    events = [event for event in trace["traceEvents"] if event.get("cat") in KEPT]
    kept = {"deviceProperties": trace["deviceProperties"], "traceEvents": events}
    TRACE.write_bytes(gzip.compress(json.dumps(kept).encode(), mtime=0))


if __name__ == "__main__":
    main()
