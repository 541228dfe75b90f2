# SPDX-License-Identifier: Apache-2.0
"""Claims about the command line: words, exit status, what is printed where, and what lies in the results folder.

Called with the path of the built program; every test runs it in a folder of its own whose path has spaces.
"""

import csv
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import full_output
from small_experiment import ROOT, write_small_experiment

PROGRAM = Path(sys.argv.pop(1)).resolve()

LISTING = ".tessera-results"  # in every results folder: what tells it from others

# Simulates for minutes if nobody stops it: kernels without end, or copies only.
LONG = ("--set", "stop.min_runs=1000000", "--set", "stop.max_time_us=900000000")
COPIES_ONLY = "[{loop: {count: 1000000000, body: [{copy: {direction: to_gpu, bytes: 1}}]}}]"


def cpu_seconds_of_children():
    """Of those that have ended and were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def schema_errors(value, schema, root, place="summary"):
    """What breaks the part of JSON Schema that docs/summary.schema.json uses."""
    if "$ref" in schema:
        return schema_errors(value, root["definitions"][schema["$ref"].split("/")[-1]], root, place)
    if "oneOf" in schema:
        fits = [not schema_errors(value, option, root, place) for option in schema["oneOf"]]
        return [] if fits.count(True) == 1 else [f"{place}: fits {fits.count(True)} of oneOf"]
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        return [f"{place}: {value!r} is not allowed"]
    python_types = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}
    python_types["number"] = (int, float)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(isinstance(value, python_types[name]) for name in types):
        return [f"{place}: {value!r} is no {types}"]
    errors = []
    if isinstance(value, (int, float)) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        errors.append(f"{place}: {value!r} is out of range")
    if isinstance(value, list):
        for i, item in enumerate(value):
            errors += schema_errors(item, schema.get("items", {}), root, f"{place}[{i}]")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        others = schema.get("additionalProperties", {})
        errors += [f"{place}.{key}: is missing" for key in schema.get("required", []) if key not in value]
        for key, item in value.items():
            if key not in known and others is False:
                errors.append(f"{place}.{key}: is unknown")
            else:
                errors += schema_errors(item, known.get(key, others), root, f"{place}.{key}")
    return errors


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="cli test "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.experiment = write_small_experiment(self.folder)
        self.out = self.folder / "out"

    def tessera(self, *arguments, cwd=None):
        return subprocess.run(
            [PROGRAM, *arguments], cwd=cwd or self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )

    def run_small(self, *arguments, status=0, **where):
        result = self.tessera("run", self.experiment, *arguments, **where)
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def names(self, folder=None):
        return sorted(path.name for path in (folder or self.folder).iterdir())

    def assert_untouched(self):
        self.assertEqual(self.names(), ["app.yaml", "small.yaml"])

    def assert_one_line(self, result, status, *words):
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)


class Run(CliTest):
    def test_alone_runs_the_quickstart_and_names_the_results_after_it(self):
        result = self.tessera("run")
        self.assertEqual(result.returncode, 0, result.stderr)
        (folder,) = (self.folder / "results").iterdir()
        self.assertRegex(folder.name, r"^quickstart-[0-9a-f]{12}$")
        self.assertIn(f"results/{folder.name}/", result.stdout)
        summary = json.loads((folder / "summary.json").read_text())
        self.assertEqual((summary["spec"]["name"], summary["complete"]), ("quickstart", True))
        # What it is there to show: preemption pays.
        interactive, under_fcfs = summary["processes"][0], summary["baseline"]["processes"][0]
        self.assertLess(interactive["ntt"], under_fcfs["ntt"] / 4)
        self.assertGreater(summary["stp"], summary["baseline"]["stp"])
        self.assertGreater(summary["preemptions"]["count"], 1000)
        self.assertEqual(self.names(folder), [LISTING, "preemptions.csv", "processes.csv", "summary.json", "timing.json"])

    def test_json_leaves_standard_output_to_a_summary_that_fits_its_schema(self):
        result = self.run_small("--json", "--out", self.out)
        self.assertEqual(result.stdout, (self.out / "summary.json").read_text())
        summary = json.loads(result.stdout)
        schema = json.loads((ROOT / "docs/summary.schema.json").read_text())
        self.assertEqual(schema_errors(summary, schema, schema), [])
        self.assertIn("front", result.stderr)  # what a person reads
        self.assertNotEqual(schema_errors({**summary, "antt": -1}, schema, schema), [])  # the check is one

    def test_static_partitions_say_what_became_of_each_task_and_each_partition(self):
        result = self.tessera("run", "static_partition", "--json", "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads(result.stdout)
        schema = json.loads((ROOT / "docs/summary.schema.json").read_text())
        self.assertEqual(schema_errors(summary, schema, schema), [])
        # 13 SMs, of which three partitions have 12.
        self.assertEqual([each["num_sms"] for each in summary["partitions"]], [3, 6, 3])
        self.assertEqual(summary["sms_in_no_partition"], 1)
        # Released every 5 to 40 ms for as long as the slowest takes for ten runs; no task comes near its deadline.
        tasks = {task["process"]: task for task in summary["tasks"]}
        self.assertEqual(list(tasks), ["lidar", "radar", "camera", "tracker", "recorder"])
        for task in tasks.values():
            self.assertEqual(task["missed"], 0, task)
            self.assertGreaterEqual(task["jobs"], 10)
            self.assertLess(task["response_to_deadline"], 1)
        # Its 400 thread blocks of 60 us on three SMs of eight, in 17 rounds.
        self.assertGreaterEqual(tasks["lidar"]["worst_response_us"], 17 * 60)
        self.assertNotIn("partitions", summary["baseline"])
        self.assertEqual(len(summary["baseline"]["tasks"]), 5)
        self.assertEqual(summary["invariants"]["sm_in_partition"], "ok")
        for heading in ("partition", "in none, never used"):
            self.assertIn(heading, result.stderr)

    def test_partitions_keep_contention_out_only_if_its_domain_is_the_partition(self):
        def memory_tasks(domain):
            result = self.tessera("run", "contention_domains", "--json", "--force", "--out", self.out, "--set",
                                  f"contention.domain={domain}")
            return [task for task in json.loads(result.stdout)["tasks"] if task["process"].endswith("rectify")]
        # 10 rounds of 200 us behind 1 ms of the other task, due after 4 ms; 2.3 times 2 ms is too late.
        for task in memory_tasks("partition"):
            self.assertEqual(task["missed"], 0)
            self.assertAlmostEqual(task["worst_response_us"], 3000, delta=50)
        for task in memory_tasks("gpu"):
            self.assertEqual(task["missed"], task["jobs"])
            self.assertGreater(task["worst_response_us"], 4600)

    def test_slices_say_how_many_sms_they_lose(self):
        summary = json.loads(self.tessera("run", "mig_slices", "--json", "--out", self.out).stdout)
        self.assertEqual([each["num_sms"] for each in summary["partitions"]], [56, 28, 14])
        self.assertEqual(summary["sms_in_no_partition"], 10)
        self.assertEqual(summary["partition_preset"], {"name": "mig", "slice_sms": 14, "sms_lost_to_rounding": 10})
        self.assertEqual([task["missed"] for task in summary["tasks"]], [0, 0])

    def test_a_long_name_of_the_baseline_stands_apart_from_the_column_before(self):
        baseline = "baseline={policy: static_partition, order: priority, technique: context_switch}"
        told = self.tessera("run", "mig_slices", "--set", baseline, "--out", self.out).stdout
        self.assertRegex(told, r"NTT +static_partition \+ context_switch\n")

    def test_the_engine_is_told_wherever_results_are(self):
        for engine in ("serialised", "ideal"):
            result = self.run_small("--set", f"gpu.framework.engine={engine}", "--out", engine, "--json")
            self.assertIn(f"on k20c (13 SMs), {engine} engine, seed 1", result.stderr)
            self.assertEqual(json.loads(result.stdout)["engine"], engine)

    def test_a_technique_that_the_engine_does_not_have_is_refused_in_a_line_that_names_the_key(self):
        for key in ("scheduler.technique", "baseline.technique"):
            result = self.run_small("--set", f"{key}=chimera", "--out", self.out, status=2)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn(f"{key}: the serialised engine does not have it (chimera; ", result.stderr)
            self.assertIn("framework.engine: ideal", result.stderr)
            self.assertFalse(self.out.exists())
        # The key belongs to the machine: a baseline that drains runs on it as an experiment of its own does.
        ideal = ("--json", "--set", "framework.engine=ideal", "--set", "baseline.technique=drain")
        beside = json.loads(self.run_small(*ideal, "--set", "scheduler.technique=chimera", "--out", "beside").stdout)
        by_itself = json.loads(self.run_small(*ideal, "--set", "scheduler.technique=drain", "--out", "itself").stdout)
        self.assertEqual(beside["baseline"], by_itself["baseline"])

    def test_clocked_models_refuse_the_ideal_engine_in_a_line(self):
        for abstraction in ("rtl_model", "rtl"):
            result = self.run_small("--set", "gpu.framework.engine=ideal", "--abstraction", abstraction, status=2)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn("gpu.framework.engine: the core of this abstraction is the serialised engine", result.stderr)

    def test_masks_say_which_sms_they_share(self):
        result = self.tessera("run", "mps_masks", "--json", "--out", self.out)
        summary = json.loads(result.stdout)
        schema = json.loads((ROOT / "docs/summary.schema.json").read_text())
        self.assertEqual(schema_errors(summary, schema, schema), [])
        # 34 and 51 of 68 SMs, the latter in pairs: 86.
        self.assertEqual([each["num_sms"] for each in summary["partitions"]], [34, 52])
        self.assertEqual(summary["shared_sms"], list(range(18)))
        self.assertEqual(summary["partition_preset"], {"name": "mps", "sms_added_by_rounding": 1})
        self.assertEqual(summary["sms_in_no_partition"], 0)
        self.assertTrue(all(verdict == "ok" for verdict in summary["invariants"].values()), summary["invariants"])
        self.assertIn("in several masks", result.stderr)

    def test_clocked_models_refuse_masks_that_overlap_in_a_line(self):
        for abstraction in ("rtl_model", "rtl"):
            result = self.tessera("run", "mps_masks", "--abstraction", abstraction, "--out", self.out)
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, r"mps_masks\.yaml:\d+:\d+: framework\.engine: the core of .*\n$")
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertFalse(self.out.exists())
        result = self.tessera("run", "mps_masks", "--set", "framework.engine=serialised", "--out", self.out)
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"mps_masks\.yaml:\d+:\d+: scheduler\.partitions: masks overlap, .*\n$")

    def test_mistakes_in_partitions_are_told_and_nothing_is_written(self):
        partition = "scheduler.partitions=[{name: a, num_sms: 10}, {name: b, num_sms: 10}]"
        result = self.tessera("run", "static_partition", "--set", partition, "--out", self.out)
        self.assertEqual(result.returncode, 2)
        self.assertIn("scheduler.partitions.1.num_sms: is more SMs than are left (10; at most 3)", result.stderr)
        self.assertFalse(self.out.exists())

    def test_without_json_a_person_reads_standard_output(self):
        result = self.run_small("--out", self.out)
        self.assertIn("front", result.stdout)
        self.assertNotIn("{", result.stdout)
        self.assertNotIn("\r", result.stderr)  # no progress bar: this is no terminal

    def test_summary_is_the_same_to_the_byte_on_any_number_of_workers_and_with_traces(self):
        texts = set()
        for i, options in enumerate((["-j", "1"], ["-j", "2"], ["-j", "1", "--trace", "perfetto,csv"])):
            self.run_small(*options, "--out", self.folder / str(i))
            texts.add((self.folder / str(i) / "summary.json").read_bytes())
        self.assertEqual(len(texts), 1)
        self.run_small("--set", "seed=2", "--out", self.folder / "other")
        self.assertNotIn((self.folder / "other/summary.json").read_bytes(), texts)

    def test_process_table_agrees_with_the_summary(self):
        self.run_small("--out", self.out)
        summary = json.loads((self.out / "summary.json").read_text())
        with open(self.out / "processes.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["name"] for row in rows], ["front", "back"])
        for row, process, other in zip(rows, summary["processes"], summary["baseline"]["processes"]):
            for key in ("turnaround_us", "alone_us", "ntt"):
                self.assertEqual(float(row[key]), process[key])
            self.assertEqual(float(row["baseline_ntt"]), other["ntt"])

    def test_table_of_preemptions_has_a_row_for_each_that_the_log_has(self):
        clock_mhz = 706  # of the K20c
        for technique in ("context_switch", "drain"):
            with self.subTest(technique=technique):
                self.run_small(
                    "--set", f"scheduler.technique={technique}", "--trace", "csv", "--out", self.out, "--force"
                )
                summary = json.loads((self.out / "summary.json").read_text())
                with open(self.out / "records.csv", newline="") as file:
                    records = list(csv.DictReader(file))
                with open(self.out / "preemptions.csv", newline="") as file:
                    rows = list(csv.DictReader(file))
                done = [record for record in records if record["kind"] == "preemption_done"]
                self.assertGreater(len(rows), 10)
                self.assertEqual(len(rows), summary["preemptions"]["count"])
                self.assertEqual(len(rows), len(done))
                for row, record in zip(rows, done):
                    self.assertEqual((row["sm"], row["bytes_saved"]), (record["sm"], record["bytes"]))
                    self.assertEqual((row["technique"], row["from_process"]), (technique, record["process"]))
                    self.assertAlmostEqual(float(row["done_us"]) * clock_mhz, float(record["cycle"]), delta=1e-3)
                    self.assertAlmostEqual(float(row["latency_us"]) * clock_mhz, float(record["cycles"]), delta=1e-3)
                    parts = sum(float(row[part]) for part in ("wait_us", "movement_us", "channel_us"))
                    self.assertAlmostEqual(parts, float(row["latency_us"]), delta=4e-6)
                    self.assertEqual((row["from_process"], row["to_process"]), ("back", "front"))
                saved = [record for record in records if record["kind"] == "tb_saved"]
                self.assertEqual(sum(int(row["tbs_saved"]) for row in rows), len(saved))

    def test_process_table_has_columns_of_a_driver_where_there_is_one(self):
        result = self.tessera("run", "timegraph_five_clones", "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads((self.out / "summary.json").read_text())
        reserve_of = {name: reserve for reserve in summary["driver"]["reserves"] for name in reserve["members"]}
        with open(self.out / "processes.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        for row, process in zip(rows, summary["processes"]):
            gpu = process["gpu"]
            self.assertEqual((row["sched"], int(row["driver_priority"])), (gpu["sched"], gpu["priority"]))
            self.assertEqual(row["refused"], str(gpu["refused"]).lower())
            for key in ("groups", "gpu_time_us", "suspensions"):
                self.assertEqual(float(row[key]), gpu[key])
            reserve = reserve_of.get(row["name"])
            self.assertEqual(row["reserve"], reserve["name"] if reserve else "")
            self.assertEqual(row["reserve_used_us"], str(reserve["used_us"]) if reserve else "")
            self.assertEqual(row["reserve_overruns"], str(reserve["overruns"]) if reserve else "")
        self.assertEqual(len(rows), 7)
        self.run_small("--out", self.folder / "without")
        header = (self.folder / "without/processes.csv").read_text().splitlines()[0]
        self.assertEqual(header, "name,application,priority,background,runs,turnaround_us,alone_us,ntt,baseline_ntt")

    def test_runs_from_another_folder(self):
        elsewhere = self.folder / "else where"
        elsewhere.mkdir()
        result = self.tessera("run", "../small.yaml", "--out", "here", cwd=elsewhere)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("summary.json", self.names(elsewhere / "here"))

    def test_takes_a_built_in_experiment_by_name_unless_there_is_a_file_of_that_name(self):
        short = ("--set", "stop.max_time_us=100", "--json")
        named = self.tessera("run", "persistent", *short)
        self.assertEqual(json.loads(named.stdout)["spec"]["name"], "persistent")
        self.experiment.rename(self.folder / "persistent")
        named = self.tessera("run", "persistent", *short)
        self.assertEqual(json.loads(named.stdout)["spec"]["name"], "small")

    def test_takes_an_experiment_by_the_name_that_it_had_before(self):
        named = self.tessera("run", "vain_context_switches", "--set", "stop.max_time_us=100", "--json")
        self.assertEqual(json.loads(named.stdout)["spec"]["name"], "context_switch_thrashing")

    def test_keys_for_another_policy_than_the_one_set_are_left_out_and_told(self):
        text = self.experiment.read_text()
        policy = re.search(r"policy: (\w+)", text).group(1)
        self.experiment.write_text(text.replace(f"policy: {policy}", "policy: ppq, linger_us: 20", 1))
        result = self.run_small("--set", "scheduler.policy=dss")
        self.assertIn("tessera: scheduler.linger_us is left out", result.stderr)

    def test_set_overrides_what_the_file_says(self):
        result = self.run_small("--set", "scheduler.policy=dss", "--set", "gpu.num_sms=7", "--json", "--out", self.out)
        spec = json.loads(result.stdout)["spec"]
        self.assertEqual((spec["scheduler"]["policy"], spec["gpu"]["num_sms"]), ("dss", 7))
        self.assertEqual(spec["scheduler"]["technique"], "context_switch")

    def test_table_has_a_column_for_what_the_policy_orders_by(self):
        def row(policy, name):
            tokens = ("--set", "workload.processes.0.tokens=7") if policy == "dss" else ()
            lines = self.run_small("--set", f"scheduler.policy={policy}", *tokens).stdout.splitlines()
            return next(line.split() for line in lines if name in line.split()[:1])

        for policy in ("npq", "ppq"):
            self.assertEqual(row(policy, "process")[2], "priority")
            self.assertEqual((row(policy, "front")[2], row(policy, "back")[2]), ("1", "0"))
        self.assertEqual(row("dss", "process")[2], "tokens")
        self.assertEqual((row("dss", "front")[2], row("dss", "back")[2]), ("7", "equal"))
        self.assertEqual(row("fcfs", "process")[2], "runs")

    def test_deadlines_are_in_the_table_with_what_became_of_them(self):
        edf = ("--set", "scheduler.policy=edf", "--set", "workload.processes.0.deadline_us=150.5")
        text = self.run_small(*edf, "--out", self.out).stdout
        rows = {words[0]: words for words in map(str.split, text.splitlines()) if words}
        self.assertEqual(rows["process"][2:5], ["due", "in", "us"])
        self.assertEqual((rows["front"][2], rows["back"][2]), ("150.5", "-"))
        deadline = json.loads((self.out / "summary.json").read_text())["processes"][0]["deadline"]
        late = f"front, 150.50 us: {deadline['missed']} of {deadline['kernels']} kernels late, "
        self.assertGreater(deadline["kernels"], 0)
        self.assertRegex(text, rf"deadline  {late}.* at most \(fcfs: \d+ of \d+ kernels late, ")

    def test_a_driver_that_holds_groups_back_has_tables_of_groups_and_reserves(self):
        spec = "['<front:HT:none:3:-:->', '<back:PRT:PE:2:100:1000>']"
        driver = ("--set", "driver.kind=timegraph", "--set", f"driver.spec={spec}")
        text = self.run_small(*driver, "--out", self.out).stdout
        summary = json.loads((self.out / "summary.json").read_text())
        lines = [line.split() for line in text.splitlines()]
        front = next(words for words in lines if words[:2] == ["front", "HT"])
        self.assertEqual(front[2:5], ["3", "-", str(summary["processes"][0]["gpu"]["groups"])])
        self.assertIn(["back", "PE", "100.00", "us", "1.00", "ms"], [words[:6] for words in lines])
        self.assertRegex(text, r"driver    timegraph: .* of CPU time; invoked \d+ by arrival, ")
        for name in ("driver_groups", "driver_budgets", "driver_order"):
            self.assertEqual(summary["invariants"][name], "ok")
        self.assertNotIn("driver ", self.run_small().stdout)

    def test_a_reserve_that_is_not_admitted_is_told_in_its_line_and_no_mistake(self):
        result = self.tessera("run", "timegraph_five_clones", "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        refused = [line.split()[0] for line in result.stdout.splitlines() if "background (refused)" in line]
        self.assertEqual(refused, ["sixth"])
        summary = json.loads((self.out / "summary.json").read_text())
        self.assertEqual([p["name"] for p in summary["processes"] if p["gpu"]["refused"]], ["sixth"])
        members = {reserve["name"]: len(reserve["members"]) for reserve in summary["driver"]["reserves"]}
        self.assertEqual(members, {"@bombs": 5, "background": 1})

    def test_results_of_two_specs_have_two_names(self):
        self.run_small()
        self.run_small("--set", "seed=2")
        self.assertEqual(len(self.names(self.folder / "results")), 2)


class Traces(CliTest):
    def test_perfetto_trace_is_one_that_protoc_decodes(self):
        self.run_small("--trace", "perfetto", "--out", self.out)
        self.assertEqual(
            self.names(self.out),
            [LISTING, "preemptions.csv", "processes.csv", "summary.json", "timeline.perfetto-trace", "timing.json"],
        )
        proto = ROOT / "tests/model/record/trace/data"
        with open(self.out / "timeline.perfetto-trace", "rb") as trace:
            decoded = subprocess.run(
                ["protoc", f"--proto_path={proto}", "--decode=perfetto.protos.Trace", "perfetto_subset.proto"],
                stdin=trace, capture_output=True, text=True,
            )
        self.assertEqual(decoded.returncode, 0, decoded.stderr)
        for word in ("packet {", "front", "SM 12"):
            self.assertIn(word, decoded.stdout)

    def test_csv_trace_has_a_line_a_record(self):
        self.run_small("--trace", "csv", "--out", self.out)
        summary = json.loads((self.out / "summary.json").read_text())
        with open(self.out / "records.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(sum(row["kind"] == "tb_finished" for row in rows), summary["tbs_completed"])
        ended = [row for row in rows if row["kind"] == "run_ended" and row["process"] == "front"]
        self.assertEqual(len(ended), summary["processes"][0]["runs"])
        cycles = [int(row["cycle"]) for row in rows]
        self.assertEqual(cycles, sorted(cycles))


class WrongInput(CliTest):
    def test_every_mistake_is_told_at_once_and_nothing_is_written(self):
        text = self.experiment.read_text()
        self.experiment.write_text(text.replace("policy: ppq", "policy: pqp").replace("priority: 1", "prioriti: 99"))
        app = self.folder / "app.yaml"
        app.write_text(app.read_text().replace("num_tbs: 40", "num_tbs: 040"))
        for options in ([], ["--json"], ["--out", "out", "--force", "--trace", "csv"]):
            result = self.run_small(*options, status=2)
            self.assertEqual(result.stdout, "")
            for pattern in (
                r"small\.yaml:5:21: scheduler\.policy: .*pqp.*ppq",
                r"small\.yaml:\d+:\d+: workload\.processes\.0\.prioriti: .*priority",
                r"app\.yaml:\d+:\d+: kernels\.0\.num_tbs: .*040",
            ):
                self.assertRegex(result.stderr, pattern)
            self.assert_untouched()

    def test_a_policy_by_deadlines_wants_a_process_that_has_one(self):
        text = self.experiment.read_text().replace("policy: ppq", "policy: edf").replace("priority: 1", "deadline_us: 90")
        self.experiment.write_text(text)
        without = self.run_small("--set", "workload.processes.0={name: front, application: app.yaml}", status=2)
        self.assertRegex(without.stderr, r"scheduler\.policy: orders by deadlines, and no process has one \(edf; ")
        self.assert_untouched()

    def test_of_set_is_told_with_its_key(self):
        overrides = ("--set", "scheduler.polici=dss", "--set", "gpu.num_sms=0", "--set", "nonsense")
        result = self.run_small(*overrides, status=2)
        for pattern in (r"scheduler\.polici: .*policy", r"gpu\.num_sms: .*\(0;", "nonsense"):
            self.assertRegex(result.stderr, pattern)
        self.assertEqual(len(result.stderr.splitlines()), 3, result.stderr)
        self.assert_untouched()

    def test_of_a_missing_file_is_one_line(self):
        self.assert_one_line(self.tessera("run", "no such.yaml"), 2, "no such.yaml")
        self.assert_untouched()

    def test_of_more_processes_than_hardware_queues_is_told_before_anything_runs(self):
        result = self.run_small("--set", "gpu.num_hardware_queues=1", status=2)
        self.assertRegex(result.stderr, r"small\.yaml:\d+:\d+: workload\.processes: .*\(2; 1 \.\. 1\)")
        self.assert_untouched()

    def test_unknown_words_and_options_are_told_in_a_line(self):
        for arguments, word in (
            (["walk"], "walk"),
            (["run", "--frobnicate"], "--frobnicate"),
            (["run", self.experiment, "another.yaml"], "another.yaml"),
            (["run", self.experiment, "--abstraction", "gate"], "gate"),
            (["run", self.experiment, "--trace", "perfetto,vhs"], "vhs"),
            (["run", self.experiment, "-j", "0"], "0"),
            (["run", self.experiment, "--out"], "--out"),
            (["run", ""], "EXPERIMENT: is empty"),
            (["run", self.experiment, "--out", ""], "--out: is empty"),
            (["run", "--out=", self.experiment], "--out: is empty"),
            (["run", self.experiment, "--trace-from", "nan"], "'nan' is not a number"),
            (["run", self.experiment, "--trace-for", "inf"], "'inf' is not a number"),
            (["run", "no_such_experiment"], "context_switch_thrashing"),
            (["prove", "no_such_property"], "no_such_property"),
            (["faults", "no_such_fault"], "no_such_fault"),
            (["help", "frobnicate"], "frobnicate"),
            (["frobnicate", "--help"], "frobnicate"),
            (["validate"], "FILE"),
            ([], "--help"),
        ):
            with self.subTest(arguments=arguments):
                self.assert_one_line(self.tessera(*arguments), 2, word)
        self.assert_untouched()

    def test_nothing_of_the_users_reaches_the_terminal_raw(self):
        escape = "\x1b[31m\u009b31m"
        self.experiment.write_text(self.experiment.read_text().replace("small", '"small\\e[31m"'))
        for arguments, status in (
            ([f"walk{escape}"], 2),
            (["run", f"none{escape}.yaml"], 2),
            (["validate", f"none{escape}.yaml"], 2),
            (["run", self.experiment], 2),
            (["run", self.experiment, "--set", f"seed{escape}=1"], 2),
            (["replay", f"none{escape}.csv"], 2),
        ):
            with self.subTest(arguments=arguments):
                result = self.tessera(*arguments)
                self.assertEqual(result.returncode, status)
                self.assertNotRegex(result.stdout + result.stderr, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")

    def test_of_set_that_is_no_text_or_set_twice_is_told(self):
        for overrides, message in (
            (["--set", b"name=\xff"], "--set:1:6: a byte that is not UTF-8 (0xff; UTF-8 text)\n"),
            (["--set", "seed=3", "--set", "seed=4"], "--set:1:1: seed: is set twice (seed=4; the first was seed=3)\n"),
        ):
            self.assertEqual(self.run_small(*overrides, status=2).stderr, message)
        self.assert_untouched()

    def test_unknown_options_are_referred_to_the_help_that_tells_the_known_ones(self):
        for arguments, command in (
            (["--frob"], "tessera"), (["run", "--frob"], "tessera run"), (["prove", "-x"], "tessera prove")
        ):
            self.assert_one_line(self.tessera(*arguments), 2, f"(see {command} --help)")

    def test_files_that_cannot_be_read_are_named_with_the_reason(self):
        inside = f"{self.experiment}/x"
        for command in ("run", "validate", "replay", "storage", "synth", "agree", "cosim"):
            with self.subTest(command=command):
                self.assert_one_line(self.tessera(command, self.folder), 2, str(self.folder), "Is a directory")
                self.assert_one_line(self.tessera(command, inside), 2, inside, "Not a directory")
        result = self.tessera("run", self.experiment, "--out", "n" * 300)
        self.assert_one_line(result, 2, "--out", "File name too long")

    def test_help_and_version_are_no_mistakes(self):
        for arguments, word in (
            (["--help"], "validate"), (["run", "--help"], "--trace"), (["--version"], "."), (["help"], "validate"),
            (["help", "run"], "--trace"),
        ):
            result = self.tessera(*arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn(word, result.stdout)


class Help(CliTest):
    def help_of(self, *command):
        return re.sub(r"\s+", " ", self.tessera(*command, "--help").stdout)

    def commands(self):
        text = self.tessera("--help").stdout
        return re.findall(r"(?m)^  (\w+)  ", text[text.index("Subcommands:"):])

    def options_of(self, command):
        text = self.tessera(command, "--help").stdout
        return [option for options in re.findall(r"(?m)^  (-\S+)", text) for option in options.split(",")]

    def test_tells_choices_defaults_and_names(self):
        self.assertIn("(tlm, rtl_model, rtl; default: tlm)", self.help_of("run"))
        self.assertIn("(gated, free; default: gated)", self.help_of("run"))
        self.assertIn("(1 to 1000000; default: 128)", self.help_of("run"))
        self.assertIn("context_switch_thrashing", self.help_of("run"))
        self.assertIn("(t14-table1, t14-fig2,", self.help_of("reproduce"))
        properties = json.loads((ROOT / "rtl/formal/properties.json").read_text())
        for proof in properties:
            for each in proof["properties"]:
                self.assertIn(each["name"], self.help_of("prove"))
        for command in self.commands():
            for jargon in ("ENUM", "UINT", "TEXT", "->", "{"):
                self.assertNotIn(jargon, self.help_of(command), command)

    # ---- completion ----------------------------------------------------------------------------------------------

    def completions(self, *words):
        """What bash offers in the place of the last word."""
        script = '''eval "$("$1" completion bash --also setup,bench)"
          shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tessera; printf "%s\\n" "${COMPREPLY[@]}"'''
        result = subprocess.run(
            ["bash", "-c", script, "bash", PROGRAM, "tessera", *words], cwd=self.folder, capture_output=True, text=True
        )
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.split("\n")[:-1]

    def test_completion_offers_every_command_and_every_option(self):
        self.assertEqual(
            set(self.completions("")), {*self.commands(), "setup", "bench", "-h", "--help", "--version"}
        )
        self.assertGreater(len(self.commands()), 12)
        for command in self.commands():
            options = self.options_of(command)
            self.assertIn("--help", options)
            self.assertLessEqual(set(options), set(self.completions(command, "")), command)
            for option in options:
                self.assertIn(option, self.completions(command, option[:-1]))

    def test_completion_knows_what_stands_behind_an_option(self):
        self.assertEqual(self.completions("run", "--abstraction", "rtl"), ["rtl_model", "rtl"])
        self.assertEqual(self.completions("run", "--abstraction", "=", "t"), ["tlm"])
        self.assertEqual(self.completions("run", "--trace", "perfetto,v"), ["perfetto,vcd"])
        self.assertEqual(self.completions("run", "context"), ["context_switch_thrashing"])
        self.assertEqual(self.completions("run", "sma"), ["small.yaml"])
        self.assertEqual(self.completions("reproduce", "t14-s"), ["t14-sram", "t14-sensitivity"])
        self.assertEqual(self.completions("prove", "pool_token_is_s"), ["pool_token_is_somewhere_once"])
        self.assertEqual(self.completions("help", "re"), ["replay", "reproduce", "report"])
        (self.folder / "place").mkdir()
        self.assertEqual(self.completions("run", "--out", ""), ["place"])


class SimulatingProgram(CliTest):
    """tessera_simulate, which the launcher builds where it is enough."""

    def both(self, *arguments):
        for program in (Path(PROGRAM), Path(PROGRAM).with_name("tessera_simulate")):
            result = subprocess.run([program, *arguments], cwd=self.folder, capture_output=True, text=True)
            yield result.returncode, result.stdout, result.stderr

    def test_says_what_the_whole_one_says(self):
        for arguments in (
            ["--help"], ["help"], ["--version"], [], ["nonsense"], ["nonsense", "--help"], ["help", "nonsense"],
            *([command, "--help"] for command in ("run", "validate", "replay", "partition", "storage", "help")),
            ["help", "run"], ["run", "nonsense"], ["run", "sweep"], ["run", "--nonsense"], ["storage", "--json"],
            ["validate", self.experiment], ["validate", self.folder], ["replay"],
        ):
            whole, simulating = self.both(*arguments)
            self.assertEqual(whole, simulating, arguments)

    def test_has_no_other_commands_and_says_so(self):
        for arguments in (["sweep"], ["reproduce", "--list"], ["report", "--help"]):
            _, (status, stdout, stderr) = self.both(*arguments)
            self.assertEqual((status, stdout), (1, ""))
            self.assertEqual(stderr, f"tessera: {arguments[0]} is not in this program, but in `tessera`\n")


class FullOutput(CliTest):
    def test_is_a_failure_of_every_command_told_in_a_line(self):
        log = self.folder / "log.csv"
        log.write_text("# 2 SMs\n# tbs_per_sm=1\ntb,sm,slot,start_cycle,end_cycle\n0,1,0,7,17\n")
        short = ("--set", "stop.max_time_us=100", "--set", "baseline.policy=fcfs")
        commands = (
            ["--help"], ["--version"], ["help"], ["run", "--help"], ["help", "prove"], ["completion", "bash"],
            ["validate", self.experiment], ["replay", log], ["replay", log, "--json"],
            ["reproduce", "--list"], ["reproduce", "t14-sram"], ["workloads", "t14"], ["storage"], ["storage", "--json"],
            ["run", self.experiment, *short], ["run", self.experiment, *short, "--json"],
            ["agree", self.experiment, *short], ["agree", self.experiment, *short, "--json"],
        )
        full_output.check(self, PROGRAM, commands, self.folder)


class Validate(CliTest):
    def test_says_ok_of_files_of_every_kind(self):
        files = [self.experiment, self.folder / "app.yaml", ROOT / "configs/gpus/k20c.yaml"]
        result = self.tessera("validate", *files)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout.splitlines(), [f"{file}: ok" for file in files])
        self.assert_untouched()

    def test_reads_pipes_but_waits_for_no_writer_and_for_no_end(self):
        text = (self.folder / "app.yaml").read_text()
        piped = subprocess.run([PROGRAM, "validate", "/dev/stdin"], input=text, capture_output=True, text=True)
        self.assertEqual((piped.returncode, piped.stdout), (0, "/dev/stdin: ok\n"), piped.stderr)
        os.mkfifo(self.folder / "pipe")
        for command in ("validate", "run", "replay"):
            for file, problem in (("pipe", "is a pipe that nobody writes to"), ("/dev/zero", "is longer than ")):
                self.assert_one_line(self.tessera(command, file), 2, f"{file}:1:1: {problem}")

    def test_gives_up_on_a_named_pipe_whose_writer_is_silent(self):
        os.mkfifo(self.folder / "pipe")
        writer = os.open(self.folder / "pipe", os.O_RDWR)
        self.addCleanup(os.close, writer)
        os.write(writer, b"schema_version: 1\n")
        result = self.tessera("validate", "pipe")
        self.assert_one_line(result, 2, "pipe:1:1: is a pipe whose writer has been silent for 5 seconds")

    def test_of_countless_mistakes_tells_the_first_in_no_time(self):
        bad = self.folder / "bad.yaml"
        keys = "".join(f"key_{i}: 1\n" for i in range(100000))
        bad.write_text("schema_version: 1\nname: bad\nlaunch_us: 1\n" + keys)
        start = cpu_seconds_of_children()
        result = self.tessera("validate", bad)
        self.assertLess(cpu_seconds_of_children() - start, 20)  # half a second; 79 when it was quadratic
        self.assertEqual(result.returncode, 2)
        lines = result.stderr.splitlines()
        self.assertEqual((len(lines), lines[-1]), (101, "and 99900 more mistakes"))

    def test_tells_the_mistakes_of_every_file(self):
        app = self.folder / "app.yaml"
        app.write_text(app.read_text().replace("num_tbs: 40", "num_tbs: 0"))
        bad = self.folder / "bad.yaml"
        bad.write_text("schema_version: 1\nname: small\nnonsense: 1\n")
        result = self.tessera("validate", app, bad, "no such.yaml", ROOT / "configs/gpus/k20c.yaml")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(len(result.stdout.splitlines()), 1, result.stdout)
        for pattern in (r"app\.yaml:\d+:\d+: kernels\.0\.num_tbs: ", r"bad\.yaml:\d+:\d+: ", r"no such\.yaml:1:1: "):
            self.assertRegex(result.stderr, pattern)


class ResultsFolder(CliTest):
    def test_is_never_mistaken_for_a_source_tree_or_a_file(self):
        (self.out / "src").mkdir(parents=True)
        (self.out / "src" / "thesis.tex").write_text("years of work")
        for place, reason in ((self.out, "did not write: src"), (self.out / "src" / "thesis.tex", "is not a directory")):
            self.assert_one_line(self.run_small("--out", place, "--force", status=2), 2, str(place), reason)
        result = self.tessera("run", self.experiment, "--out", ".", "--force", cwd=self.out)
        self.assert_one_line(result, 2, "is the current folder")
        self.assertEqual((self.out / "src" / "thesis.tex").read_text(), "years of work")

    def test_trace_ends_at_its_limit_and_the_summary_does_not(self):
        experiment = ROOT / "configs/experiments/dss_equal_sharing.yaml"
        options = ["run", experiment, "--set", "stop.min_runs=1", "--set", "stop.max_time_us=60000", "--force"]
        whole = self.tessera(*options, "--out", self.folder / "whole")
        cut = self.tessera(*options, "--out", self.out, "--trace", "csv", "--trace-limit", "1")
        self.assertNotIn("1 MB reached", whole.stdout)
        self.assertRegex(cut.stdout, r"records\.csv ends after [0-9.]+ ms: 1 MB reached")
        cuts = json.loads((self.out / "timing.json").read_text())["trace_cuts"]
        with open(self.out / "records.csv", newline="") as file:
            last = list(csv.DictReader(file))[-1]
        self.assertEqual([cut["file"] for cut in cuts], ["records.csv"])
        self.assertGreaterEqual(cuts[0]["end_us"] * 706, int(last["cycle"]))  # of the K20c's clock
        self.assertLess(cuts[0]["end_us"] * 706, int(last["cycle"]) + 1000)
        self.assertEqual(json.loads((self.folder / "whole/timing.json").read_text())["trace_cuts"], [])
        size = (self.out / "records.csv").stat().st_size
        self.assertTrue(1_000_000 <= size < 2_000_000, size)
        self.assertEqual(
            (self.out / "summary.json").read_bytes(), (self.folder / "whole" / "summary.json").read_bytes()
        )

    def test_that_is_named_is_replaced_with_force_only(self):
        self.run_small("--out", self.out)
        before = (self.out / "timing.json").read_bytes()
        self.assert_one_line(self.run_small("--out", self.out, status=2), 2, str(self.out), "exists already", "--force")
        self.assertEqual((self.out / "timing.json").read_bytes(), before)
        self.run_small("--out", self.out, "--force", "--trace", "csv")
        self.run_small("--out", self.out, "--force")  # what is no longer written goes with the rest
        self.assertEqual(self.names(self.out), [LISTING, "preemptions.csv", "processes.csv", "summary.json", "timing.json"])
        self.assertEqual(self.names(), ["app.yaml", "out", "small.yaml"])

    def test_never_costs_a_file_that_tessera_did_not_write(self):
        def refused(*named):
            for force in ([], ["--force"]):
                self.assert_one_line(self.run_small("--out", self.out, *force, status=2), 2, str(self.out), *named)

        self.out.mkdir()
        (self.out / "thesis.txt").write_text("precious")
        refused("thesis.txt")
        (self.out / "thesis.txt").unlink()
        self.run_small("--out", self.out)  # an empty folder costs nothing
        for name in "abcde":
            (self.out / name).write_text("precious")
        refused("did not write: a, b, c and 2 more")
        for name in "bcde":
            (self.out / name).unlink()
        refused("did not write: a (")
        self.assertEqual(self.names(self.out), [LISTING, "a", "preemptions.csv", "processes.csv", "summary.json", "timing.json"])

    def test_whose_listing_is_forged_costs_no_other_folder_anything(self):
        (self.out / "sub").mkdir(parents=True)
        (self.out / LISTING).write_text("tessera 0.1.0\nsub\n../small.yaml\nlink\n")
        (self.out / "link").symlink_to(self.experiment)
        self.assert_one_line(self.run_small("--out", self.out, "--force", status=2), 2, "did not write: link, sub")
        (self.out / "sub").rmdir()
        (self.out / "link").unlink()
        self.run_small("--out", self.out, "--force")
        self.assertEqual(self.names(), ["app.yaml", "out", "small.yaml"])

    def test_that_nobody_named_is_replaced_without_a_word(self):
        first = self.run_small()
        (folder,) = (self.folder / "results").iterdir()
        second = self.run_small("--trace", "csv")
        self.assertEqual(first.stderr, second.stderr)
        self.assertIn("records.csv", self.names(folder))
        self.assertEqual([folder], list((self.folder / "results").iterdir()))

    def test_that_nobody_named_is_kept_where_it_is_not_the_same_again(self):
        self.run_small()
        (folder,) = (self.folder / "results").iterdir()
        listing = (folder / LISTING).read_text()
        (folder / LISTING).write_text(listing.replace("tessera ", "tessera 0.0.", 1))
        self.assert_one_line(self.run_small(status=2), 2, "results of version 0.0.", "--force")
        self.run_small("--force")
        self.assertEqual((folder / LISTING).read_text(), listing)
        (folder / "thesis.txt").write_text("precious")
        self.assert_one_line(self.run_small(status=2), 2, "thesis.txt")
        self.assert_one_line(self.run_small("--force", status=2), 2, "thesis.txt")

    def test_may_be_named_with_a_slash_at_the_end_and_lie_deep(self):
        self.run_small("--out", f"{self.folder}/a/b c/d/")
        self.assertIn("summary.json", self.names(self.folder / "a/b c/d"))
        self.assertEqual(self.names(self.folder / "a/b c"), ["d"])

    def test_that_cannot_be_created_fails_in_one_line_before_the_simulation(self):
        # A file where a folder ought to be: refused to root too.
        start = cpu_seconds_of_children()
        result = self.run_small(*LONG, "--out", self.experiment / "out", status=1)
        self.assert_one_line(result, 1, str(self.experiment / "out"))
        self.assertLess(cpu_seconds_of_children() - start, 5)
        self.assert_untouched()

    def test_that_appears_during_the_run_is_not_replaced(self):
        with self.start("--out", self.out) as process:
            self.wait_for_start()
            self.out.mkdir()
            (self.out / "mine").write_text("precious")
            os.killpg(process.pid, signal.SIGINT)
            _, errors = process.communicate(timeout=10)
        self.assertEqual(process.returncode, 1)
        self.assertIn(str(self.out), errors)
        self.assertEqual(self.names(self.out), ["mine"])
        self.assertEqual(self.names(), ["app.yaml", "out", "small.yaml"])

    # ---- interruption --------------------------------------------------------------------------------------------

    def start(self, *arguments, ignored=()):
        """A long run in a process group of its own, as a shell starts it; or as nohup does, with ignored signals."""
        return subprocess.Popen(
            [PROGRAM, "run", self.experiment, *LONG, *arguments],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, preexec_fn=lambda: set_signals(ignored),
        )

    def hidden(self):
        return [name for name in self.names() if name.startswith(".")]

    def wait_until(self, condition):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline, self.names())
            time.sleep(0.01)

    def wait_for_start(self):
        self.wait_until(self.hidden)  # a results folder is begun
        time.sleep(0.3)  # in the middle of the simulations

    def interrupt(self, send, *arguments):
        with self.start("--out", self.out, *arguments) as process:
            self.wait_for_start()
            send(process.pid)
            output, errors = process.communicate(timeout=60)  # minutes, if nobody listened
        self.assertEqual(process.returncode, 130, errors)
        self.assertEqual(self.names(), ["app.yaml", "out", "small.yaml"])  # nothing hidden
        summary = json.loads((self.out / "summary.json").read_text())
        self.assertEqual((summary["complete"], summary["stop_reason"]), (False, "interrupted"))
        schema = json.loads((ROOT / "docs/summary.schema.json").read_text())
        self.assertEqual(schema_errors(summary, schema, schema), [])
        return output

    def test_of_an_interrupted_run_is_whole_and_says_so(self):
        output = self.interrupt(lambda group: os.killpg(group, signal.SIGINT), "--trace", "perfetto,csv")
        self.assertIn("incomplete", output)
        self.assertEqual(
            self.names(self.out),
            [
                LISTING,
                "preemptions.csv",
                "processes.csv",
                "records.csv",
                "summary.json",
                "timeline.perfetto-trace",
                "timing.json",
            ],
        )
        self.assertGreater(json.loads((self.out / "summary.json").read_text())["tbs_completed"], 0)

    def test_an_interrupted_run_leaves_complete_results_alone(self):
        self.run_small("--out", self.out)
        before = (self.out / "summary.json").read_bytes()
        with self.start("--out", self.out, "--force") as process:
            self.wait_for_start()
            os.killpg(process.pid, signal.SIGHUP)
            output, errors = process.communicate(timeout=10)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("as before", output)
        self.assertEqual((self.out / "summary.json").read_bytes(), before)
        self.assertEqual(self.names(), ["app.yaml", "out", "small.yaml"])

    def test_a_signal_to_the_program_alone_interrupts_its_simulations_too(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                self.interrupt(lambda pid: os.kill(pid, number), "--force")

    def test_signals_that_were_ignored_before_stay_ignored(self):
        for number in (signal.SIGHUP, signal.SIGINT):
            with self.start("--out", self.out, "--force", ignored=[number]) as process:
                self.wait_for_start()
                os.killpg(process.pid, number)
                time.sleep(0.5)
                self.assertIsNone(process.poll())
                os.killpg(process.pid, signal.SIGTERM)
                process.communicate(timeout=10)
            self.assertEqual(process.returncode, 130)

    def test_a_run_without_kernels_is_interrupted_as_well(self):
        app = self.folder / "app.yaml"
        app.write_text(re.sub(r"(?s)program:.*", f"program: {COPIES_ONLY}\n", app.read_text()))
        self.interrupt(lambda group: os.killpg(group, signal.SIGINT))

    def test_of_a_killed_run_does_not_appear_and_no_simulation_goes_on(self):
        with self.start("--out", self.out, "--trace", "csv", "-j", "2") as process:
            self.wait_for_start()
            self.assertGreater(len(members_of(process.pid)), 1)
            process.kill()
            process.wait()
            deadline = time.monotonic() + 5
            while members_of(process.pid) and time.monotonic() < deadline:
                time.sleep(0.02)
            self.assertEqual(members_of(process.pid), [])
        self.assertFalse(self.out.exists())
        (left_behind,) = self.hidden()
        with self.start("--out", self.folder / "other") as process:
            self.wait_until(lambda: len(self.hidden()) == 1 and left_behind not in self.hidden())
            self.run_small("--out", self.out)
            self.assertEqual(len(self.hidden()), 1)  # what a living process writes is not
            os.killpg(process.pid, signal.SIGINT)
            process.communicate(timeout=10)
        self.assertEqual(self.names(), ["app.yaml", "other", "out", "small.yaml"])


def set_signals(ignored):
    """In a child: whoever runs these tests may have been started by nohup itself."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)


def members_of(group):
    """The processes of a group that still run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, member_of = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue  # it has ended
        if int(member_of) == group and state not in "ZX":
            found.append(int(stat.parent.name))
    return found


if __name__ == "__main__":
    unittest.main()
