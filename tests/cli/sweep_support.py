# SPDX-License-Identifier: Apache-2.0
"""What tests of `tessera sweep` share: a small sweep, and how to run it.

Every test runs the program in a folder of its own whose path has spaces.
"""

import csv
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import small_experiment
from small_experiment import ROOT

PROGRAM = Path(sys.argv.pop(1)).resolve()
APPLICATION = small_experiment.APPLICATION.replace("name: app", "name: NAME").replace("num_tbs: 40,", "num_tbs: 400,")
SWEEP = """schema_version: 1
name: small
base:
  name: small
  gpu: ROOT/configs/gpus/k20c.yaml
  scheduler: {policy: ppq, technique: context_switch}
  workload:
    processes:
      - {name: front, application: front.yaml, priority: 1}
      - {name: back, application: back.yaml}
axes:
  - {key: scheduler.policy, values: [fcfs, ppq, dss]}
  - {key: gpu.num_sms, values: [4, 8, 16]}
  - {key: scheduler.technique, values: [context_switch, drain]}
when: not (policy == fcfs and technique == drain)
seeds: {count: 3}
plots:
  - {name: antt, x: num_sms, y: antt, series: policy, facets: technique}
  - {name: front, x: sram_bytes, y: antt, series: policy, pareto: {x: min, y: min}}
"""
POINTS = (3 * 2 - 1) * 3 * 3
THOUSAND = SWEEP.replace("[4, 8, 16]", "[4, 8, 12, 16]").replace("{count: 3}", "{count: 50}")  # (3 * 2 - 1) * 4 * 50
# Simulates for minutes if nobody stops it.
ENDLESS = ("--set", "stop.min_runs=1000000", "--set", "stop.max_time_us=900000000")


class SweepTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="sweep test "))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name in ("front", "back"):
            (self.folder / f"{name}.yaml").write_text(APPLICATION.replace("NAME", name))
        self.write(SWEEP)
        self.out = self.folder / "out"

    def write(self, text):
        (self.folder / "sweep.yaml").write_text(text.replace("ROOT", str(ROOT)))

    def tessera(self, *arguments, status=0, **options):
        result = subprocess.run(
            [PROGRAM, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            **options,
        )
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def sweep(self, *arguments, out=None, **options):
        return self.tessera("sweep", "sweep.yaml", "--out", out or self.out, *arguments, **options)

    def start(self, *arguments, **options):
        """In a process group of its own."""
        command = [PROGRAM, "sweep", "sweep.yaml", "--out", self.out, *arguments]
        return subprocess.Popen(
            command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, start_new_session=True, **options,
        )

    def rows(self, out=None):
        with open((out or self.out) / "points.csv", newline="") as file:
            return list(csv.DictReader(file))

    def point_files(self):
        return {path.name: path.stat().st_mtime_ns for path in (self.out / "points").glob("[0-9a-f]*.json")}

    def assert_same_table(self, out):
        self.assertEqual((self.out / "points.csv").read_bytes(), (self.folder / out / "points.csv").read_bytes())

    def survive_kills(self, number, longest_s):
        """Kills the sweep and all its processes, and goes on with it: no finished point is lost or written again."""
        chance = random.Random(15)
        finished = {}
        for _ in range(number):
            process = self.start("--resume", "-j", "2")
            time.sleep(chance.uniform(0.02, longest_s))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            process.stderr.close()
            now = self.point_files() if (self.out / "points").exists() else {}
            for name, when in finished.items():
                self.assertEqual(now.get(name), when)
            finished = now
        self.sweep("--resume")
        self.assertEqual([path.name for path in (self.out / "points").glob(".*")], [])
        return len(finished)  # that the last kill left

    def wait_for(self, condition):
        for _ in range(1000):
            if condition():
                return
            time.sleep(0.02)
        self.fail("it did not come about")
