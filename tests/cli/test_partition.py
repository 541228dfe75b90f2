# SPDX-License-Identifier: Apache-2.0
"""Claims about `tessera partition` at the command line.

Called with the path of the built program; every test runs it in a folder of its own whose path has spaces.
"""

import json
import unittest
from pathlib import Path

import full_output
from program_test import PROGRAM, ProgramTest

ROOT = Path(__file__).resolve().parents[2]
TASKS = ROOT / "configs/tasks"

HEAD = f"""schema_version: 1
name: mine
gpu: {ROOT}/configs/gpus/rtx2080ti.yaml
host: {ROOT}/configs/hosts/core_i7_930.yaml
"""
# Hand-worked: C(1) is 40.8 and 33 ms, the demand 40.8 by 75, 73.8 by 150, 114.6 by 175: one SM for both.
PAIR = HEAD + """tasks:
  - {name: x, kind: compute, work: 40, period: 100, deadline: 75}
  - {name: y, kind: memory, work: 30, period: 200, deadline: 150}
"""
# One SM; x is released at 300 beside a thread block of y that takes 45 ms. By drain it ends at 340, due at 337.5.
DRAIN = HEAD + """tasks:
  - {name: x, kind: compute, work: 10, period: 50, deadline: 37.5}
  - {name: y, kind: memory, work: 450, period: 4000, deadline: 3000}
partitions: [{name: all, num_sms: 1, tasks: [x, y]}]
"""


class Partition(ProgramTest):
    def file(self, text, name="in.yaml"):
        (self.folder / name).write_text(text)
        return name

    def partition(self, *arguments, status=0):
        return json.loads(self.tessera("partition", *arguments, "--json", status=status).stdout)

    def tasks_of(self, result):
        return {task["name"]: task for partition in result["partitions"] for task in partition["tasks"]}

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_a_hand_worked_pair_shares_one_sm(self):
        result = self.partition(self.file(PAIR), "--stop", "fixpoint")
        self.assertTrue(result["schedulable"])
        self.assertEqual([(p["num_sms"], len(p["tasks"])) for p in result["partitions"]], [(1, 2)])
        tasks = self.tasks_of(result)
        self.assertEqual([tasks[name]["time_us"] for name in "xy"], [40800, 33000])
        self.assertAlmostEqual(result["partitions"][0]["utilisation"], 0.573)
        self.assertLessEqual(tasks["y"]["response_bound_us"], 150000)

    def test_without_a_need_to_merge_each_task_has_a_partition(self):
        result = self.partition(self.file(PAIR))
        self.assertEqual([p["num_sms"] for p in result["partitions"]], [1, 1])

    def test_all_heuristics_accept_the_example(self):
        for heuristic in ("sms", "bf", "bf_literal", "1g"):
            self.assertTrue(self.partition(TASKS / "paper_dozen.yaml", "--heuristic", heuristic)["schedulable"])
        found = [self.partition(TASKS / "paper_dozen.yaml", "--stop", "fixpoint", "--forbidden", word)
                 for word in ("act", "ina")]
        self.assertLess(found[0]["merges_tried"], found[1]["merges_tried"])

    def test_overheads_can_only_make_it_worse(self):
        without, with_them = (
            self.partition(self.file(PAIR), "--stop", "fixpoint", "--overheads", word) for word in ("none", "machine"))
        for name, task in self.tasks_of(without).items():
            self.assertGreater(self.tasks_of(with_them)[name]["response_bound_us"], task["response_bound_us"])
        self.assertEqual(without["partitions"][0]["overheads"]["per_job_us"], 0)

    def test_a_set_that_no_partitions_hold_ends_with_status_1(self):
        result = self.partition(self.file(PAIR.replace("work: 40", "work: 4000")), status=1)
        self.assertFalse(result["schedulable"])
        text = self.tessera("partition", "in.yaml", "--execute", status=1)
        self.assertIn("not schedulable", text.stdout)
        self.assertIn("there is no experiment", text.stderr)

    def test_given_partitions_are_analysed(self):
        text = PAIR + "partitions: [{name: left, num_sms: 2, tasks: [x]}, {name: right, num_sms: 3, tasks: [y]}]\n"
        result = self.partition(self.file(text))
        self.assertEqual([(p["name"], p["num_sms"]) for p in result["partitions"]], [("left", 2), ("right", 3)])
        self.assertEqual(self.tasks_of(result)["x"]["time_us"], 20800)  # 40 / 2 + 0.8
        error = self.tessera("partition", "in.yaml", "--heuristic", "bf", status=2).stderr
        self.assertIn("gives partitions", error)

    def test_slices_are_told_with_what_they_lose_and_run_as_a_preset(self):
        result = self.partition(self.file(PAIR), "--preset", "mig", "--out", "sliced.yaml", "--execute")
        # A slice has 8 of the 68 SMs, 12 are in none; a task needs one SM.
        self.assertEqual(result["preset"], {"name": "mig", "slice_sms": 8, "sms_lost_in_partitions": 14,
                                            "sms_of_no_slice": 12, "sms_in_no_partition": 52})
        self.assertEqual([(p["num_sms"], p["slices"], p["sms_lost"]) for p in result["partitions"]], [(8, 1, 7)] * 2)
        self.assertEqual(result["simulation"]["missed"], 0)
        text = (self.folder / "sliced.yaml").read_text()
        for line in ('    preset: "mig"', "    slice_sms: 8", "    instances:"):
            self.assertIn(line, text.splitlines())
        summary = json.loads(self.tessera("run", "sliced.yaml", "--json").stdout)
        self.assertEqual(summary["partition_preset"], {"name": "mig", "slice_sms": 8, "hypothetical": True,
                                                       "sms_lost_to_rounding": 12})
        self.assertIn("14 SMs lost to the sizes of partitions, 52 in none (12 of the GPU's are in no slice)",
                      self.tessera("partition", "in.yaml", "--preset", "mig").stdout)

    def test_pairs_are_clients_of_mps_whose_masks_do_not_overlap(self):
        result = self.partition(TASKS / "paper_dozen.yaml", "--preset", "mps", "--stop", "fixpoint", "--out", "masks.yaml")
        self.assertTrue(result["schedulable"])
        sizes = [p["num_sms"] for p in result["partitions"]]
        self.assertTrue(all(size % 2 == 0 for size in sizes), sizes)
        summary = json.loads(self.tessera("run", "masks.yaml", "--json").stdout)
        self.assertEqual([p["num_sms"] for p in summary["partitions"]], sizes)
        self.assertNotIn("shared_sms", summary)
        self.assertEqual(summary["sms_in_no_partition"], 68 - sum(sizes))

    def test_a_preset_is_refused_where_it_has_no_meaning(self):
        text = PAIR + "partitions: [{name: all, num_sms: 2, tasks: [x, y]}]\n"
        error = self.tessera("partition", self.file(text), "--preset", "mig", "--out", "out.yaml", status=2).stderr
        self.assertIn("gives partitions", error)
        self.file(PAIR)
        self.assertIn("nothing to seek", self.tessera("partition", "in.yaml", "--heuristic", "1g", "--preset", "mps",
                                                      status=2).stderr)
        small = self.file(PAIR.replace("rtx2080ti", "k20c"))
        error = self.tessera("partition", small, "--preset", "mig", "--out", "out.yaml", status=2).stderr
        self.assertIn("has too few SMs for seven slices: 13, of at least 14", error)
        self.assertFalse((self.folder / "out.yaml").exists())

    def test_responses_of_accepted_tasks_stay_within_their_bounds(self):
        for technique in ("context_switch", "drain"):
            for contention in ("assumed", "co_running", "none"):
                result = self.partition(TASKS / "paper_dozen.yaml", "--stop", "fixpoint", "--overheads", "machine",
                                        "--technique", technique, "--execute", "--contention", contention)
                self.assertEqual(result["simulation"]["verdict"], "not refuted")
                for task in self.tasks_of(result).values():
                    self.assertGreater(task["simulated"]["released"], 0)
                    self.assertLessEqual(task["simulated"]["worst_response_us"], task["response_bound_us"])
                    self.assertLessEqual(task["response_bound_us"], task["deadline_us"])

    def test_so_do_those_of_real_kernels(self):
        result = self.partition(TASKS / "parboil.yaml", "--stop", "fixpoint", "--overheads", "machine", "--execute")
        for task in self.tasks_of(result).values():
            self.assertLessEqual(task["simulated"]["worst_response_us"], task["response_bound_us"])

    def test_what_meets_is_slower_than_alone_and_no_slower_than_assumed(self):
        self.file((TASKS / "paper_dozen.yaml").read_text().replace("../", f"{ROOT}/configs/"))
        worst = {}
        for word in ("none", "co_running", "assumed"):
            result = self.partition("in.yaml", "--stop", "fixpoint", "--execute", "--contention", word, "--out",
                                    f"{word}.yaml")
            worst[word] = sum(task["simulated"]["worst_response_us"] for task in self.tasks_of(result).values())
        self.assertLess(worst["none"], worst["co_running"])
        self.assertLess(worst["co_running"], worst["assumed"])
        self.assertEqual(self.tessera("validate", "co_running.yaml").stdout, "co_running.yaml: ok\n")
        # What is written without it has the kinds, so that a line makes it the same.
        block = "contention: {model: co_running, domain: partition, compute: 1.2, memory: 2.3}\n"
        self.file((self.folder / "none.yaml").read_text() + block, "with.yaml")
        of = lambda name: self.tessera("run", name, "--json").stdout
        self.assertEqual(of("with.yaml"), of("co_running.yaml"))

    def test_drawn_tasks_are_analysed_and_run(self):
        drawn = HEAD + "generate: {tasks: 50, utilisation: 20, seed: 7, max_task_utilisation: 1}\n"
        result = self.partition(self.file(drawn), "--stop", "fixpoint", "--overheads", "machine", "--execute")
        tasks = self.tasks_of(result)
        self.assertEqual(len(tasks), 50)
        for task in tasks.values():
            self.assertLessEqual(task["simulated"]["worst_response_us"], task["response_bound_us"])
        bad = drawn.replace("utilisation: 20", "utilisation: 51")
        error = self.tessera("partition", self.file(bad), "--out", "experiment.yaml", status=2).stderr
        self.assertEqual(len(error.splitlines()), 1)
        self.assertIn("generate.max_task_utilisation: is too low", error)
        self.assertEqual(self.names(), ["in.yaml"])

    def test_drain_misses_what_a_context_switch_meets(self):
        switched = self.partition(self.file(DRAIN), "--execute")
        self.assertEqual(switched["simulation"]["missed"], 0)
        drained = self.partition("in.yaml", "--technique", "drain", "--execute", status=1)
        self.assertEqual(drained["simulation"]["verdict"], "missed")
        self.assertGreater(self.tasks_of(drained)["x"]["simulated"]["worst_response_us"], 37500)
        self.assertFalse(self.partition("in.yaml", "--technique", "drain", "--overheads", "machine",
                                        status=1)["schedulable"])

    def test_the_experiment_runs_as_it_was_executed(self):
        self.file(PAIR)
        executed = self.partition("in.yaml", "--stop", "fixpoint", "--execute", "--out", "experiment.yaml")
        self.assertEqual(self.tessera("validate", "experiment.yaml").stdout, "experiment.yaml: ok\n")
        summary = json.loads(self.tessera("run", "experiment.yaml", "--json").stdout)
        for process in summary["processes"]:
            simulated = self.tasks_of(executed)[process["name"]]["simulated"]
            self.assertEqual(process["frames"]["released"], simulated["released"])
            self.assertEqual(process["frames"]["missed"], simulated["missed"])
            self.assertAlmostEqual(process["frames"]["response_us"]["max"], simulated["worst_response_us"], places=3)

    def test_an_experiment_is_replaced_only_with_force(self):
        self.file(PAIR)
        self.file("mine", "experiment.yaml")
        error = self.tessera("partition", "in.yaml", "--out", "experiment.yaml", status=2).stderr
        self.assertEqual(error, "experiment.yaml:1:1: exists already (another name, or --force)\n")
        self.assertEqual((self.folder / "experiment.yaml").read_text(), "mine")
        self.tessera("partition", "in.yaml", "--out", "experiment.yaml", "--force")
        self.assertIn("static_partition", (self.folder / "experiment.yaml").read_text())
        self.assertEqual(self.names(), ["experiment.schema.json", "experiment.yaml", "in.yaml"])

    def test_the_schema_lies_beside_the_experiment_which_names_it(self):
        self.file(PAIR)
        self.tessera("partition", "in.yaml", "--out", "one.yaml")
        self.assertEqual((self.folder / "one.yaml").read_text().splitlines()[0],
                         "# yaml-language-server: $schema=experiment.schema.json")
        schema = self.folder / "experiment.schema.json"
        self.assertEqual(schema.read_text(), self.tessera("schema", "experiment").stdout)
        self.tessera("partition", "in.yaml", "--out", "two.yaml")  # the same schema
        schema.write_text("mine")
        error = self.tessera("partition", "in.yaml", "--out", "three.yaml", status=2).stderr
        self.assertEqual(error, "experiment.schema.json:1:1: exists already (another folder, or --force)\n")
        self.assertEqual(schema.read_text(), "mine")

    def test_every_mistake_is_told_with_its_place(self):
        text = PAIR.replace("deadline: 75", "deadline: 101").replace("kind: memory", "kind: both")
        error = self.tessera("partition", self.file(text), "--out", "experiment.yaml", status=2).stderr.splitlines()
        self.assertEqual(len(error), 2)
        column = text.splitlines()[5].index("101") + 1
        self.assertEqual(error[0], f"in.yaml:6:{column}: tasks.0.deadline: is above its period (101; at most 100)")
        self.assertTrue(error[1].startswith("in.yaml:7:21: tasks.1.kind: "))
        self.assertEqual(self.names(), ["in.yaml"])

    def test_an_experiment_is_no_task_set(self):
        path = ROOT / "configs/experiments/quickstart.yaml"
        error = self.tessera("partition", path, status=2).stderr
        self.assertEqual(error, f"{path}:1:1: {path} is an experiment (a task set)\n")

    def test_the_same_input_gives_the_same_bytes_on_any_number_of_workers(self):
        outputs = {self.tessera("partition", TASKS / "parboil.yaml", "-j", jobs, "--json").stdout for jobs in (1, 3)}
        self.assertEqual(len(outputs), 1)

    def test_a_full_disk_behind_the_output_is_told(self):
        name = self.file(PAIR)
        full_output.check(self, PROGRAM, (("partition", name), ("partition", name, "--json")), self.folder)


if __name__ == "__main__":
    unittest.main()
