# SPDX-License-Identifier: Apache-2.0
"""Two processes of one short application on a K20c: what tests run."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

APPLICATION = """
schema_version: 1
name: app
kernels:
  - {name: k, num_tbs: 40, regs_per_tb: 16384, smem_bytes_per_tb: 0, threads_per_tb: 256, kernel_time_us: 100,
     tb_time_spread: 0.3}
program:
  - copy: {direction: to_gpu, bytes: 40000}
  - launch: {kernel: k}
  - synchronise: {}
"""

EXPERIMENT = """
schema_version: 1
name: small
gpu: ROOT/configs/gpus/k20c.yaml
scheduler: {policy: ppq, technique: context_switch}
baseline: {policy: fcfs}
workload:
  processes:
    - {name: front, application: app.yaml, priority: 1}
    - {name: back, application: app.yaml}
"""


def write_small_experiment(folder):
    """The path of the experiment; its application lies beside it."""
    (folder / "app.yaml").write_text(APPLICATION)
    experiment = folder / "small.yaml"
    experiment.write_text(EXPERIMENT.replace("ROOT", str(ROOT)))
    return experiment
