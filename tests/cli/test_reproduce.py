# SPDX-License-Identifier: Apache-2.0
"""Claims about `tessera reproduce` and `tessera workloads`, as a user or a program runs them.

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
from collections import Counter
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).resolve()
# On the ideal engine, which is twice as fast to simulate.
SMALL = ("t14-fig8", "--workloads", "1", "--set", "gpu.framework.engine=ideal")


class ReproduceTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="reproduce test "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}

    def tessera(self, *arguments, status=0, **environment):
        result = subprocess.run(
            [PROGRAM, *map(str, arguments)], cwd=self.folder, env={**self.environment, **environment},
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def names(self, folder="."):
        return sorted(entry.name for entry in (self.folder / folder).iterdir())

    # ---- the list ------------------------------------------------------------------------------------------------

    def test_list_has_a_line_a_target_and_remembers_how_long_it_took(self):
        listed = self.tessera("reproduce", "--list").stdout.splitlines()
        variants = [line for line in listed if line.startswith("  --variant ")]
        lines = [line for line in listed if line not in variants]
        self.assertEqual([line.split()[1] for line in variants],
                         ["limited-debt:", "bit-a-lane:", "slower-bus-4:", "slow-bus:", "bursts:", "whole-tables:", "hidden-sets:", "three-an-sm:",
                          "four-an-sm:", "five-an-sm:", "sixty:", "sixty-spread:", "sixty-all-sms:", "long-spread:", "five-groups:", "three-waits:",
                          "three-waits-five-groups:", "three-waits-cpu-last-five-groups:", "tasks-up-to-5:", "tasks-up-to-4:", "page-128k:", "page-512k:",
                          "no-switch:", "slices:"])
        self.assertEqual(
            [line.split()[0] for line in lines],
            ["t14-table1", "t14-fig2", "t14-fig5", "t14-fig6", "t14-fig7", "t14-fig8", "t14-sram", "t14-latency", "t14",
             "t14-sensitivity", "t14-decision", "s16-table3_1", "s16-fig3_8", "s16-table4_2",
             "s16-fig4_1", "s16-fig4_2", "s16-fig4_3", "s16-fig4_4", "s16-fig4_5", "s16-prior", "s16-beyond",
             "s16",
             "k11-fig1", "k11-fig5", "k11-fig6", "k11-fig7", "k11-fig8", "k11-fig9", "k11-fig10", "k11-fig11", "k11-fig12",
             "k11-fig13", "k11-fig14", "k11-fig15", "k11-fig16", "k11-calibration", "k11-driver-crossing", "k11",
             "z21-fig5", "z21-fig6", "z21-fig7", "z21-fig8", "z21-fig9", "z21", "z21-presets", "z21-execution", "z21-co-running",
             "z21-techniques", "z21-bounds",
             "g16-fig4", "g16-preemption", "g16",
             "silicon-alone", "silicon-two", "silicon-single", "silicon-arrival", "silicon-mix", "silicon-network",
             "silicon-slices", "silicon-memory", "silicon-dispatch", "silicon-placement", "silicon-priority",
             "silicon-mps", "silicon-h100",
             "silicon-gv100", "silicon-xsched", "silicon-suspend", "silicon-xavier", "silicon"],
        )
        self.assertTrue(all(line.endswith("never run here") for line in lines))
        self.tessera("reproduce", "t14-sram", "--out", "out")
        lines = self.tessera("reproduce", "--list").stdout.splitlines()
        self.assertRegex([line for line in lines if line.startswith("t14-sram")][0], r"\d s the last time$")

    def test_list_survives_a_cache_that_is_no_use(self):
        (self.folder / "cache/tessera").mkdir(parents=True)
        (self.folder / "cache/tessera/durations.json").write_text("[nonsense")
        self.assertIn("never run here", self.tessera("reproduce", "--list").stdout)
        self.tessera("reproduce", "t14-sram", "--out", "out", XDG_CACHE_HOME="/proc/nowhere")

    # ---- wrong input -----------------------------------------------------------------------------------------------

    def test_wrong_input_is_one_line_and_nothing_is_written(self):
        for arguments, words in (
            ((), ("NAME",)),
            (("t14-fig99",), ("t14-fig99", "t14-fig5")),
            (("t14", "--quick", "--full"), ("--full", "--quick")),
            (("t14-sram", "--full"), ("--full", "t14-sram")),
            (("s16-table4_2", "--full"), ("--full", "s16-table4_2")),
            (("z21-fig5", "--full"), ("--full", "z21-fig5")),
            (("s16", "--variant", "limited-debt"), ("--variant", "s16 has no variant limited-debt (whole-tables, hidden-sets, three-an-sm")),
            (("t14-fig5", "--variant", "limited-debt"), ("--variant", "t14-fig5", "bit-a-lane")),
            (("k11", "--variant", "bit-a-lane"), ("--variant", "k11 has no variant bit-a-lane (five-groups, three-waits")),
            (("z21", "--variant", "bit-a-lane"), ("--variant", "z21 has no variant bit-a-lane (tasks-up-to-5, tasks-up-to-4)")),
            (("z21-presets", "--variant", "bit-a-lane"),
             ("--variant", "z21-presets has no variant bit-a-lane (it has none)")),
            (("s16-fig3_8", "--set", "seed=9"), ("seed: is not looked at by this figure (seed=9; none)",)),
            (("t14-fig7", "--variant", "bit-a-lane", "--set", "gpu.pcie.num_lanes=4"),
             ("gpu.pcie.num_lanes is what variant bit-a-lane sets",)),
            (("t14-fig7", "--variant", "bit-a-lane,bit-a-lane"), ("bit-a-lane is there twice",)),
            (("t14-fig7", "--variant", "limited-det"), ("limited-det", "limited-debt")),
            (("t14", "--set", "workload.processes=[]"), ("workload.processes",)),
            (("t14", "--workloads", "0"), ("--workloads",)),
            (("t14", "-j", "0"), ("-j",)),
            (("t14", "--set", "gpu.nmu_sms=3"), ("gpu.nmu_sms", "num_sms")),
            (("t14", "--set", "seed=x"), ("seed",)),
            (("t14", "--set", "scheduler.policy=edf"), ("scheduler.policy", "orders by deadlines, and no process has")),
            (("t14-fig7", "--set", "scheduler.policy=ppq"),
             ("--set:1:1: scheduler.policy: is set by this figure itself (scheduler.policy=ppq; another key)",)),
            (("s16-fig4_1", "--set", "scheduler.policy=fcfs"), ("scheduler.policy: is set by this figure itself",)),
            (("k11", "--set", "stop.max_time_us=100"), ("stop.max_time_us: is set by this figure itself",)),
            (("z21-bounds", "--set", "workload.time_base=time_per_tb"), ("workload.time_base: is set by",)),
            (("g16-preemption", "--set", "driver.switch_us=100"), ("driver.switch_us: is set by this figure itself",)),
            (("silicon-two", "--set", "seed=3"), ("seed: is not looked at by this figure (seed=3; none)",)),
            (("z21-presets", "--set", "gpu.num_sms=40"), ("gpu.num_sms: is set by this figure itself",)),
            (("t14-sram", "--set", "scheduler.technique=melt"),
             ("scheduler.technique", "melt; context_switch, drain, flush, chimera, dual_kernel")),
        ):
            with self.subTest(arguments=arguments):
                result = self.tessera("reproduce", *arguments, status=2)
                self.assertEqual(result.stdout, "")
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                for word in words:
                    self.assertIn(word, result.stderr)
                self.assertEqual(self.names(), [])
        for arguments in ((), ("t15",), ("t14", "--seed", "x")):
            with self.subTest(workloads=arguments):
                result = self.tessera("workloads", *arguments, status=2)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_how_long_a_killed_run_took_is_no_result(self):
        result = self.tessera("reproduce", "g16-fig4", "--set", "driver.kill_us=1", "--out", "out", status=1)
        self.assertRegex(result.stderr, r"a run was killed: driver\.kill_us is too short for g16-fig4\n$")
        self.assertEqual((result.stdout, self.names()), ("", []))

    def test_existing_results_are_refused_before_anything_runs(self):
        self.tessera("reproduce", "t14-sram", "--out", "out")
        result = self.tessera("reproduce", "t14-sram", "--out", "out", status=2)
        self.assertIn("--force", result.stderr)
        self.tessera("reproduce", "t14-sram", "--out", "out", "--force")
        (self.folder / "out/thesis.txt").write_text("precious")
        result = self.tessera("reproduce", "t14-sram", "--out", "out", "--force", status=2)
        self.assertIn("thesis.txt", result.stderr)
        self.assertEqual((self.folder / "out/thesis.txt").read_text(), "precious")

    def test_results_in_the_folder_of_their_content_are_replaced_without_a_word(self):
        self.assertEqual(*(self.tessera("reproduce", "t14-sram").stderr for _ in range(2)))

    # ---- results ---------------------------------------------------------------------------------------------------

    def test_exact_tables_hold(self):
        for name in ("t14-table1", "t14-sram", "t14-fig2", "k11-fig5", "k11-fig6"):
            with self.subTest(name=name):
                document = json.loads(self.tessera("reproduce", name, "--out", name, "--json").stdout)
                self.assertEqual([figure["figure"] for figure in document["figures"]], [name])
                self.assertTrue(document["orderings"])
                for ordering in document["orderings"]:
                    self.assertTrue(ordering["holds"], ordering)
        self.assertNotIn("simulations", (self.folder / "t14-table1/reproduction.md").read_text())  # of no campaign
        rows = json.loads((self.folder / "t14-table1/reproduction.json").read_text())["values"]
        self.assertEqual(Counter(row["series"] for row in rows),
                         {"tbs_per_sm": 24, "resource_percent": 24, "save_time_us": 24, "time_us": 24})
        for row in rows:
            self.assertAlmostEqual(row["ratio"], 1, delta=0.01, msg=row)

    def test_tables_of_another_paper_hold_on_its_own_machine(self):
        for name, wrong in (("s16-table3_1", ["0.287 % on gtx480_s16"]),  # the text's "less than 0.2 %"
                            ("s16-fig3_8", []), ("s16-table4_2", [])):
            document = json.loads(self.tessera("reproduce", name, "--out", name, "--json").stdout)
            self.assertEqual([figure["figure"] for figure in document["figures"]], [name])
            self.assertEqual((document["spec"]["name"], document["spec"]["gpu"]["num_sms"]), ("s16", 15))
            failed = [ordering["evidence"] for ordering in document["orderings"] if not ordering["holds"]]
            self.assertEqual(failed, wrong)
        rows = [row for row in document["values"] if row["series"] == "tbs_per_sm"]
        self.assertEqual([row["ratio"] for row in rows], [1] * 19)

    def test_results_are_the_same_to_the_byte_on_any_number_of_workers(self):
        self.tessera("reproduce", *SMALL, "--out", "one", "-j", "1")
        self.tessera("reproduce", *SMALL, "--out", "two", "-j", "2")
        self.assertEqual(self.names("one"), self.names("two"))
        for name in self.names("one"):
            one, two = ((self.folder / folder / name).read_bytes() for folder in ("one", "two"))
            self.assertEqual(one, two, name)

    def test_results_are_data_pictures_and_a_table(self):
        result = self.tessera("reproduce", *SMALL, "--out", "out", "--json", "--set", "seed=5")
        document = json.loads(result.stdout)
        self.assertEqual(document, json.loads((self.folder / "out/reproduction.json").read_text()))
        self.assertEqual((document["name"], document["seed"]), ("t14-fig8", 5))
        self.assertEqual([figure["time_base"] for figure in document["figures"]], ["kernel_time", "time_per_tb"])
        values = [value for value in document["values"] if value["figure"] == "t14-fig8"]
        for value in values:
            self.assertLessEqual(
                {"figure", "series", "processes", "paper", "ours", "ci95", "ratio", "workloads"}, set(value)
            )
        # 2 time bases x (10 alone + 3 schemes x 4 numbers of processes)
        self.assertEqual(document["effort"]["simulations"], 2 * (10 + 3 * 4))
        self.assertIn("million thread blocks", result.stderr)
        with open(self.folder / "out/t14-fig8.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([float(row["ours"]) for row in rows], [value["ours"] for value in values])
        with open(self.folder / "out/measurements.csv", newline="") as file:
            self.assertEqual(len(list(csv.DictReader(file))), 3 * (2 + 4 + 6 + 8))
        table = (self.folder / "out/reproduction.md").read_text()
        self.assertIn("| improved | dss_context_switch | 2 | 0.2 |", table)
        if shutil.which("gnuplot") is None:
            self.skipTest("no gnuplot here: pictures were not looked at")
        self.assertIn("</svg>", (self.folder / "out/t14-fig8.svg").read_text())
        self.assertEqual((self.folder / "out/t14-fig8.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_without_gnuplot_the_numbers_are_there_and_it_says_so(self):
        result = self.tessera("reproduce", "t14-fig2", "--out", "out", PATH="/nowhere")
        self.assertIn("no gnuplot", result.stderr)
        self.assertEqual(self.names("out"), [".tessera-results", "reproduction.json", "reproduction.md", "t14-fig2.csv", "t14-fig2.gp"])

    def test_without_a_picture_the_numbers_are_kept(self):
        (self.folder / "tools").mkdir()
        (self.folder / "tools/gnuplot").write_text("#!/bin/sh\nexit 1\n")
        (self.folder / "tools/gnuplot").chmod(0o755)
        result = self.tessera("reproduce", "t14-fig2", "--out", "out", PATH=f"{self.folder}/tools")
        self.assertIn("could not draw t14-fig2.gp", result.stderr)
        self.assertIn("reproduction.json", self.names("out"))

    def test_campaign_that_is_stopped_too_early_is_one_line(self):
        result = self.tessera("reproduce", *SMALL, "--set", "stop.max_time_us=1000", status=1)
        self.assertEqual((result.stdout, len(result.stderr.splitlines())), ("", 1), result.stderr)
        self.assertIn("completed no run", result.stderr)
        self.assertEqual(self.names("results"), [])

    def test_other_amounts_of_work_have_other_folders_and_are_no_measure_of_time(self):
        self.tessera("reproduce", *SMALL)
        (name,) = self.names("results")
        self.assertRegex(name, r"^t14-fig8-1-workloads-[0-9a-f]+$")
        self.assertNotIn("the last time", self.tessera("reproduce", "--list").stdout)

    def test_interrupted_campaign_leaves_nothing(self):
        with subprocess.Popen(
            [PROGRAM, "reproduce", "t14", "--out", "out"], cwd=self.folder, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # whoever runs the tests may ignore it
        ) as process:
            deadline = time.monotonic() + 60
            while not any(name.startswith(".") for name in self.names()):
                self.assertLess(time.monotonic(), deadline, "no results folder was begun")
                time.sleep(0.01)
            time.sleep(1)
            os.killpg(process.pid, signal.SIGINT)
            output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (130, ""))
        self.assertEqual(len(errors.splitlines()), 1, errors)
        self.assertEqual(self.names(), [])

    # ---- workloads -------------------------------------------------------------------------------------------------

    def test_workloads_are_printed_as_the_campaign_runs_them(self):
        printed = list(csv.DictReader(self.tessera("workloads", "t14", "--seed", "5").stdout.splitlines()))
        self.assertEqual(Counter(row["processes"] for row in printed), {"2": 20, "4": 20, "6": 20, "8": 20})
        first = {row["processes"]: row["applications"].split() for row in printed if row["workload"] == "0"}
        self.tessera("reproduce", *SMALL, "--out", "out", "--set", "seed=5")
        with open(self.folder / "out/measurements.csv", newline="") as file:
            for row in csv.DictReader(file):
                self.assertEqual(row["application"], first[row["processes"]][int(row["place"])])

    def test_workloads_put_every_application_equally_often_first(self):
        printed = list(csv.DictReader(self.tessera("workloads", "t14").stdout.splitlines()))
        for processes in ("2", "4", "6", "8"):
            rows = [row for row in printed if row["processes"] == processes]
            self.assertEqual(set(Counter(row["applications"].split()[0] for row in rows).values()), {2})
            self.assertEqual(Counter(row["half"] for row in rows), {"calibration": 10, "held_out": 10})


if __name__ == "__main__":
    unittest.main()
