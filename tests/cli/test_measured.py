# SPDX-License-Identifier: Apache-2.0
"""Claims about `tessera measured`, as a user or a program runs it.

Called with the path of the built program; every test runs it in a folder of its own whose path has spaces.
"""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).resolve()
H200 = Path(__file__).resolve().parents[2] / "configs/silicon/h200.yaml"

EXPERIMENT = """\
schema_version: 1
name: small
gpu:
  {name: tiny, clock_mhz: 1000, num_sms: 1, max_tbs_per_sm: 1, max_threads_per_sm: 1024, registers_per_sm: 65536,
   shared_memory_bytes: [16384], memory_bandwidth_gbps: 100, pcie: {clock_mhz: 500, num_lanes: 32},
   framework: {engine: ideal}}
scheduler: {policy: fcfs}
workload:
  time_base: time_per_tb
  processes:
    - name: first
      pause_us: 20
      pause_spread: 0.5
      application:
        name: app
        kernels: [{name: k, num_tbs: 1, regs_per_tb: 32, smem_bytes_per_tb: 0, threads_per_tb: 32, tb_time_us: 100}]
        program: [launch: {kernel: k}, synchronise: {}]
stop: {min_runs: 20}
"""

MEASURED = """\
schema_version: 1
name: mine
title: My card
constants:
  - {name: kernel, key: tb_time_us, value: 100 us, fitted_on: nothing, reason: it is round}
ablations:
  - {name: twice, set: {workload.processes.0.application.kernels.0.tb_time_us: 200}}
rows:
  - {name: loop, title: a loop, source: made up, kind: requests, experiment: experiment.yaml, measured: requests.csv,
     constants: [kernel], tolerance_percent: 10, quantities: [{name: p50}, {name: p99, tolerance_percent: 0.001}]}
  - {name: call, title: a call, source: made up, kind: arrivals, experiment: experiment.yaml, measured: arrivals.csv,
     ablations: []}
"""

REQUESTS = "released_us,finished_us\n0,112\n130,242\n260,372\n"
ARRIVALS = "to_first_block_us,to_sync_us\n" + "8,112\n" * 20


class MeasuredTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="measured test "))
        self.addCleanup(shutil.rmtree, self.folder)
        for name, text in (("experiment.yaml", EXPERIMENT), ("mine.yaml", MEASURED), ("requests.csv", REQUESTS),
                           ("arrivals.csv", ARRIVALS)):
            (self.folder / name).write_text(text)

    def tessera(self, *arguments, status=0):
        result = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def test_it_prints_both_sides_and_leaves_a_folder(self):
        result = self.tessera("measured", "mine.yaml", "--out", "out")
        self.assertIn("| loop | p50 | us | 112 |", result.stdout)
        self.assertEqual(sorted(entry.name for entry in (self.folder / "out").iterdir()),
                         [".tessera-results", "measured.json", "measured.md", "values.csv"])
        with open(self.folder / "out/values.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["row"], row["quantity"], row["inside"], row["degrees_of_freedom"]) for row in rows[:2]],
                         [("loop", "p50", "yes", "1"), ("loop", "p99", "no", "1")])
        self.assertGreater(float(rows[0]["twice"]), 1.8 * float(rows[0]["predicted"]) - 30)
        self.assertEqual(rows[2]["twice"], "")

    def test_json_is_all_that_standard_output_has(self):
        result = self.tessera("measured", "mine.yaml", "--json", "--out", "out", "--row", "call")
        document = json.loads(result.stdout)
        self.assertEqual([row["name"] for row in document["rows"]], ["call"])
        quantity = document["rows"][0]["quantities"][0]
        self.assertEqual((quantity["quantity"], quantity["measured"]), ("first_block_p25", 8))
        self.assertEqual(len(quantity["interval"]), 2)
        self.assertEqual((self.folder / "out/measured.json").read_text(), result.stdout)
        self.assertIn("| call |", result.stderr)

    def test_results_are_the_same_for_any_number_of_workers(self):
        one, three = (self.tessera("measured", "mine.yaml", "--json", "-j", n, "--out", n).stdout for n in ("1", "3"))
        self.assertEqual(one, three)

    def test_list_has_the_rows(self):
        lines = self.tessera("measured", "mine.yaml", "--list").stdout.splitlines()
        self.assertEqual([line.split()[:2] for line in lines], [["loop", "requests"], ["call", "arrivals"]])

    def test_wrong_input_is_one_line_and_nothing_is_written(self):
        (self.folder / "bad.csv").write_text(REQUESTS + "x,1\n")
        (self.folder / "bad.yaml").write_text(MEASURED.replace("requests.csv", "bad.csv"))
        before = sorted(self.folder.iterdir())
        for arguments, words in (
            (("mine.yaml", "--row", "lop"), "mine.yaml has no row lop (loop, call)"),
            (("bad.yaml",), "bad.csv:5:1: released_us: must be a number, not negative (x)"),
            (("experiment.yaml",), "is an experiment (a measurements file)"),
            (("nothing",), "no such file or built-in measurements file"),
        ):
            with self.subTest(arguments=arguments):
                result = self.tessera("measured", *arguments, status=2)
                self.assertEqual(result.stdout, "")
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertIn(words, result.stderr)
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_results_that_are_there_stay_unless_forced(self):
        self.tessera("measured", "mine.yaml", "--out", "out", "--row", "call")
        before = (self.folder / "out/values.csv").read_bytes()
        result = self.tessera("measured", "mine.yaml", "--out", "out", status=2)
        self.assertIn("exists already (out; another folder, or --force)", result.stderr)
        self.assertEqual((self.folder / "out/values.csv").read_bytes(), before)
        self.tessera("measured", "mine.yaml", "--out", "out", "--force")
        self.assertNotEqual((self.folder / "out/values.csv").read_bytes(), before)

    def test_an_interrupt_leaves_what_was_there(self):
        self.tessera("measured", "mine.yaml", "--out", "out", "--row", "call")
        before = {entry.name: entry.read_bytes() for entry in (self.folder / "out").iterdir()}
        (self.folder / "experiment.yaml").write_text(EXPERIMENT.replace("min_runs: 20", "min_runs: 1000000"))
        with subprocess.Popen(
            [PROGRAM, "measured", "mine.yaml", "--out", "out", "--force"], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # whoever runs the tests may ignore it
        ) as process:
            deadline = time.monotonic() + 60
            while not any(entry.name.startswith(".") for entry in self.folder.iterdir()):
                self.assertLess(time.monotonic(), deadline, "no results folder was begun")
                time.sleep(0.01)
            os.killpg(process.pid, signal.SIGINT)
            output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (130, ""))
        self.assertEqual(errors, "tessera: interrupted: partial results discarded\n")
        self.assertEqual({entry.name: entry.read_bytes() for entry in (self.folder / "out").iterdir()}, before)
        self.assertFalse([entry for entry in self.folder.iterdir() if entry.name.startswith(".")])

    def test_validate_knows_the_file(self):
        self.assertEqual(self.tessera("validate", "mine.yaml").stdout, "mine.yaml: ok\n")

    def rows_that_are_outside(self, *prefixes):
        """Quantities of the H200's rows whose names begin so, and how many there are in all."""
        listed = self.tessera("measured", H200, "--list").stdout.splitlines()
        rows = [name for name in (line.split()[0] for line in listed) if name.startswith(prefixes)]
        arguments = [word for row in rows for word in ("--row", row)]
        document = json.loads(self.tessera("measured", H200, *arguments, "--json", "--out", "out").stdout)
        verdicts = [(row["name"], one["quantity"], one["inside"])
                    for row in document["rows"] for one in row["quantities"]]
        return [verdict for verdict in verdicts if verdict[2] is False], len(verdicts)

    def test_priorities_and_places_of_thread_blocks_are_those_of_the_h200(self):
        self.assertEqual(self.rows_that_are_outside("placement", "priority-100", "priority-blocks"), ([], 17))

    @unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "a hundred million thread blocks: ./tessera test --long")
    def test_what_its_dispatcher_does_is_within_the_tolerances_of_the_h200(self):
        self.assertEqual(self.rows_that_are_outside("dispatch", "priority", "mps-resnet152"), ([], 122))


if __name__ == "__main__":
    unittest.main()
