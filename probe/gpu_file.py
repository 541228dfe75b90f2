#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a GPU file and a host file of what the probe measured: `gpu_file.py FOLDER` writes FOLDER/gpu.yaml, host.yaml.

Each line says which file of the folder it comes from. What cannot be measured is as in configs/gpus/silicon/h200.yaml.
"""

import csv
import sys
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "silicon"))
import fit_switch_cost as fit  # noqa: E402

# What the model adds to the gaps that were measured (docs/concepts/architecture.md): activation, a search, set-up and the
# way of the first thread block, in cycles; and how often a launch crosses the link before it arrives.
ACTIVATION, SEARCH, SETUP = 4, 1, 64
CROSSINGS = 5
KIB = 1024
CARVE_OUTS_KIB = {7: [8, 16, 32, 64, 96], 8: [8, 16, 32, 64, 100, 132, 164]}  # NVIDIA, by compute capability
LATER_CARVE_OUTS_KIB = [8, 16, 32, 64, 100, 132, 164, 196, 228]
GRIDS = {(3, 5): 32, (5, 3): 16, (6, 2): 16, (7, 2): 16}  # NVIDIA: resident grids; 128 otherwise, since 7.0
SLICES_US = [1000, 1024 * 1.024, 2000, 2048 * 1.024, 5000, 10000]  # that drivers are known to use
MOST_IN_SLICE_US = 60


def rows_of(folder, name):
    with open(folder / name, newline="") as file:
        return list(csv.DictReader(file))


def card_of(folder):
    return {row["key"]: row["value"] for row in rows_of(folder, "card.csv")}


def launch_of(folder, sms):
    """Medians: of the grid that has a thread block on each SM, and of the host."""
    return {row["what"]: float(row["p50"]) for row in rows_of(folder, "launch.csv")
            if row["grid"] == str(sms) or row["what"].startswith("host_")}


def dispatch_rate(folder):
    return max(float(row["blocks_per_us"]) for row in rows_of(folder, "dispatch.csv") if row["kind"] == "empty")


def turnaround(folder):
    return median(float(row["p50"]) for row in rows_of(folder, "turnaround.csv") if int(row["threads"]) <= 512)


def slice_us(rows):
    """The driver's slice: what the emptiest context runs, and a little of the switch."""
    longest_run = max(row["run_first_sm_us"] for row in rows)
    return next((us for us in sorted(SLICES_US) if 0 <= us - longest_run <= MOST_IN_SLICE_US), longest_run)


def dry_us(folder, kernel_us):
    """Two processes that wait for each of their kernels take turns: a cycle is two kernels and two dry switches."""
    cycles = []
    for process in ("0", "1"):
        ends = [float(row["finished_us"]) for row in rows_of(folder, "requests_single.csv") if row["process"] == process]
        cycles += [b - a for a, b in zip(ends, ends[1:])]
    return median(cycles) / 2 - kernel_us


def kernel_us(folder, gap_us, launch_us):
    """Of a request alone: launch, 60 kernels, 59 gaps, and the way back, which is some 2 us."""
    alone = median(float(row["finished_us"]) - float(row["released_us"]) for row in rows_of(folder, "requests_alone.csv"))
    return (alone - launch_us - 2 - 59 * gap_us) / 60


def gpu_yaml(folder):
    card = card_of(folder)
    sms, mhz = int(card["sms"]), float(card["mhz_measured"])
    launch = launch_of(folder, sms)
    slices = fit.read_rows(folder / "slices.csv")
    fit.SLICE_US = slice_us(slices)
    switch = fit.search(slices)
    worst = max(abs(error) for row in slices for error in fit.errors(switch, row)[:3])

    def cycles(us):
        return max(1, round(us * mhz))

    issue = round(turnaround(folder))
    before_first = (ACTIVATION + SEARCH + SETUP + issue) / mhz
    dispatch = max(0.01, launch["gap_stream_ns"] / 1e3 - before_first)
    in_graph = max(0.01, launch["gap_graph_ns"] / 1e3 - before_first)
    to_first = launch["host_to_first_block_us"] - launch["host_call_us"]
    latency = max(0, (to_first - dispatch - before_first) / CROSSINGS)
    kernel = kernel_us(folder, launch["gap_stream_ns"] / 1e3, launch["host_to_first_block_us"])
    dry = max(0, min(dry_us(folder, kernel) - before_first, switch["preempted_us"]))
    switch["in_slice_us"] = min(switch["in_slice_us"], round(dry, 1))
    capability = (int(card.get("compute_major", 9)), int(card.get("compute_minor", 0)))
    largest = int(card["smem_per_sm"])
    carve_outs = CARVE_OUTS_KIB.get(capability[0], LATER_CARVE_OUTS_KIB)
    sizes = [kib * KIB for kib in carve_outs if kib * KIB < largest] + [largest]
    reserve = largest - int(card["smem_optin"])
    bandwidth = 2 * float(card["mem_mhz"]) * float(card["bus_bits"]) / 8 / 1e3
    rate = min(dispatch_rate(folder), mhz)
    costs = "\n".join(f"    {key}: {value:g}" for key, value in switch.items() if key not in ("preempted_us", "in_slice_us"))
    return f"""# status: experimental
# {card['name']} as the probe measured it; the names behind the values are the files beside this one.
# A slice is {fit.SLICE_US:g} us (scheduler.time_slice_us). Worst error of period, run and nobody in slices.csv: {worst:.1f} us.
schema_version: 1
name: probed
clock_mhz: {mhz:g}  # card.csv
num_sms: {sms}  # card.csv
max_tbs_per_sm: {card['blocks_per_sm']}  # card.csv
max_threads_per_sm: {card['threads_per_sm']}  # card.csv
registers_per_sm: {card['regs_per_sm']}  # card.csv
register_allocation_warps: 4  # CUDA's occupancy calculator
shared_memory_bytes: {sizes}  # card.csv, and NVIDIA's carve-outs
shared_memory_choice: most_resident  # CUDA's driver, since Volta
shared_memory_reserve_bytes: {reserve if 0 <= reserve <= 65536 else 0}  # card.csv: an SM's, less a thread block's
memory_bandwidth_gbps: {bandwidth:.0f}  # card.csv: 2 x clock x bus
num_hardware_queues: 32  # as h200.yaml
num_dma_engines: {min(2, max(1, int(card['async_engines'])))}  # card.csv
pcie:
  clock_mhz: 3437.5  # as h200.yaml: not measured
  num_lanes: 32
  latency_us: {latency:.2f}  # launch.csv: host_to_first_block_us, less the call, {CROSSINGS} times
framework:
  engine: ideal
  num_ksrs: {GRIDS.get(capability, 128)}  # NVIDIA: resident grids of compute capability {capability[0]}.{capability[1]}
  num_command_buffers: 16  # as h200.yaml
  kernel_activation_cycles: {ACTIVATION}  # as h200.yaml
  sm_setup_cycles: {SETUP}  # as h200.yaml
  tb_issue_cycles: {issue}  # turnaround.csv
  tb_issue_mhz: {rate:.0f}  # dispatch.csv
  pipeline_drain_cycles: 0  # within gpu_switch
  trap_entry_cycles: 0  # within gpu_switch
  dispatch_cycles: {cycles(dispatch)}  # launch.csv: gap_stream_ns, less set-up and issue
  graph_dispatch_cycles: {cycles(in_graph)}  # launch.csv: gap_graph_ns, less set-up and issue
  gpu_switch:  # slices.csv, by silicon/fit_switch_cost.py
    preempted_us: {switch['preempted_us']:g}
    dry_us: {dry:.1f}  # requests_single.csv
    in_slice_us: {switch['in_slice_us']:g}
    model: microcode
{costs}
"""


def host_yaml(folder):
    launch = launch_of(folder, card_of(folder)["sms"])
    back = max(0.1, (launch["host_to_sync_us"] - launch["host_to_first_block_us"]) / 2)
    return f"""# status: experimental
# The host of the probed card: launch.csv.
schema_version: 1
name: probed
launch_us: {launch['host_call_us']:.2f}  # host_call_us
copy_us: {launch['host_call_us']:.2f}  # the same path
synchronise_us: 1  # as configs/hosts/h200.yaml
interrupt_us: {back:.2f}  # host_to_sync_us less host_to_first_block_us; half of it is the way over the link
"""


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: gpu_file.py FOLDER")
    folder = Path(sys.argv[1])
    (folder / "gpu.yaml").write_text(gpu_yaml(folder))
    (folder / "host.yaml").write_text(host_yaml(folder))
    print(f"tessera: probe: {folder}/gpu.yaml and host.yaml; the rows are beside them", file=sys.stderr)


if __name__ == "__main__":
    main()
