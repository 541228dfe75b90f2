# SPDX-License-Identifier: Apache-2.0
"""Claims about `tessera sweep` at the command line: what it leaves, whoever is killed on the way.

Called with the path of the built program.
"""

import csv
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest
from pathlib import Path

from sweep_support import APPLICATION, ENDLESS, POINTS, PROGRAM, ROOT, SWEEP, THOUSAND, SweepTest


class Results(SweepTest):
    def test_a_sweep_leaves_a_file_for_each_point_tables_and_plots(self):
        self.sweep("-j", 2)
        rows = self.rows()
        self.assertEqual([int(row["index"]) for row in rows], list(range(POINTS)))
        self.assertEqual({row["status"] for row in rows}, {"done"})
        self.assertEqual(self.point_files().keys(), {f"{row['key']}.json" for row in rows})
        sweep = json.loads((self.out / "sweep.json").read_text())
        self.assertEqual([axis["name"] for axis in sweep["axes"]], ["policy", "num_sms", "technique"])
        self.assertEqual(["index", "key"] + [column["name"] for column in sweep["columns"]], list(rows[0]))
        names = {path.name for path in (self.out / "plots").iterdir()}
        wanted = {"antt.csv", "antt.gp", "front.csv", "front.gp"}
        if shutil.which("gnuplot"):
            wanted |= {f"{plot}.{kind}" for plot in ("antt", "front") for kind in ("svg", "png")}
        self.assertEqual(names, wanted)
        self.assertIn("| ppq | 4 | drain |", (self.out / "summary.md").read_text())

    def test_a_point_is_the_run_of_the_same_experiment(self):
        self.sweep()
        row = next(row for row in self.rows() if (row["policy"], row["num_sms"], row["seed"]) == ("ppq", "8", "2"))
        base = SWEEP.split("base:\n")[1].split("axes:")[0]
        text = "schema_version: 1\n" + "\n".join(line[2:] for line in base.splitlines())
        (self.folder / "experiment.yaml").write_text(text.replace("ROOT", str(ROOT)) + "\n")
        run = self.tessera("run", "experiment.yaml", "--set", "gpu.num_sms=8", "--set", "seed=2", "--json", "--out", "run")
        summary = json.loads(run.stdout)
        self.assertEqual(json.loads(row["antt"]), summary["antt"])
        self.assertEqual(json.loads(row["stp"]), summary["stp"])
        self.assertEqual(json.loads(row["ntt.front"]), summary["processes"][0]["ntt"])
        self.assertEqual(int(row["bytes_saved"]), summary["preemptions"]["by_technique"]["context_switch"]["bytes_saved"])

    def test_any_number_of_workers_leaves_the_same_bytes(self):
        self.sweep("-j", 1)
        self.sweep("-j", 3, out=self.folder / "again")
        self.assert_same_table("again")
        for path in (self.out / "points").iterdir():
            self.assertEqual(path.read_bytes(), (self.folder / "again/points" / path.name).read_bytes())

    def test_the_database_has_what_the_table_has(self):
        self.sweep()
        database = sqlite3.connect(self.out / "sweep.sqlite")
        metrics = database.execute("SELECT point, name, value FROM metrics").fetchall()
        of_point = {}
        for point, name, value in metrics:
            of_point.setdefault(point, {})[name] = value
        points = database.execute("SELECT point, policy, num_sms, technique, seed, status FROM points").fetchall()
        self.assertEqual(len(points), POINTS)
        for row, point in zip(self.rows(), points):
            self.assertEqual(point[1:], (row["policy"], int(row["num_sms"]), row["technique"], int(row["seed"]), "done"))
            for name, value in of_point[point[0]].items():
                self.assertEqual(float(row[name]), value)
        runs = database.execute("SELECT count(*) FROM processes WHERE runs >= 3").fetchone()
        self.assertEqual(runs, (2 * POINTS,))

    def test_each_row_tells_the_engine_and_two_of_them_are_told_at_the_head(self):
        self.sweep()
        self.assertEqual({row["engine"] for row in self.rows()}, {"serialised"})
        self.assertNotIn("two engines", (self.out / "summary.md").read_text())
        axis = "axes:\n  - {key: gpu.framework.engine, values: [serialised, ideal]}\n"
        self.write(SWEEP.split("axes:")[0] + axis)
        out = self.folder / "engines"
        self.sweep(out=out)
        with open(out / "points.csv", newline="") as file:
            header, *rows = csv.reader(file)
        self.assertEqual(header.count("engine"), 1)
        self.assertEqual([row[header.index("engine")] for row in rows], ["serialised", "ideal"])
        self.assertIn("Points run on two engines, serialised and ideal", (out / "summary.md").read_text())
        database = sqlite3.connect(out / "sweep.sqlite")
        self.assertEqual(database.execute("SELECT engine FROM points").fetchall(), [("serialised",), ("ideal",)])

    def test_points_of_two_engines_without_an_axis_over_them_have_a_column_too(self):
        variants = ("axes:\n  - name: way\n    variants:\n      - {name: drain, set: {scheduler.technique: drain}}\n"
                    "      - {name: chimera, set: {scheduler.technique: chimera, gpu.framework.engine: ideal}}\n")
        self.write(SWEEP.split("axes:")[0] + variants)
        self.sweep()
        self.assertEqual([(row["way"], row["engine"]) for row in self.rows()],
                         [("drain", "serialised"), ("chimera", "ideal")])
        self.assertIn("two engines", (self.out / "summary.md").read_text())
        self.write((self.folder / "sweep.yaml").read_text().replace("name: way", "name: engine"))
        error = self.sweep(status=2, out=self.folder / "none").stderr
        self.assertIn("an axis cannot have the name of a column (engine;", error)

    def test_points_share_the_simulations_of_applications_alone(self):
        self.sweep()
        # 2 applications on 3 machines under 3 seeds; policies and techniques make no difference to one alone.
        self.assertEqual(len(list((self.out / "alone").iterdir())), 2 * 3 * 3)

    def test_storage_is_that_of_the_storage_command(self):
        self.sweep()
        gpu = (ROOT / "configs/gpus/k20c.yaml").read_text().replace("num_sms: 13", "num_sms: 8")
        (self.folder / "gpu.yaml").write_text(gpu)
        storage = json.loads(self.tessera("storage", "gpu.yaml", "--json").stdout)
        bits = {"ram": 0, "flip_flops": 0}
        for structure in storage["structures"]:
            for field in structure["fields"]:
                bits[field["memory"]] += field["bits"]
        row = next(row for row in self.rows() if row["num_sms"] == "8")
        self.assertEqual(float(row["sram_bytes"]), bits["ram"] / 8)
        self.assertEqual(float(row["flip_flop_bytes"]), bits["flip_flops"] / 8)

    def test_timelines_are_the_results_of_runs(self):
        self.write(SWEEP.replace("values: [4, 8, 16]", "values: [4]") + "keep_timelines: true\n")
        self.sweep()
        row = self.rows()[-1]
        folder = self.out / "timelines" / row["key"]
        self.assertEqual(
            sorted(path.name for path in folder.iterdir()),
            [
                ".tessera-results",
                "preemptions.csv",
                "processes.csv",
                "summary.json",
                "timeline.csv",
                "timing.json",
            ],
        )
        self.assertEqual(json.loads((folder / "summary.json").read_text())["antt"], float(row["antt"]))
        self.assertIn(",sm_set_up,", (folder / "timeline.csv").read_text())

    def test_its_report_shows_kept_timelines_and_does_not_keep_it_from_going_on(self):
        self.write(SWEEP.replace("values: [4, 8, 16]", "values: [4]") + "keep_timelines: true\n")
        self.sweep()
        self.tessera("report", str(self.out))
        self.assertIn(self.rows()[-1]["key"], (self.out / "report.html").read_text())
        self.sweep("--resume")

    def test_a_file_beside_a_kept_timeline_is_left_alone(self):
        self.write(SWEEP.replace("values: [4, 8, 16]", "values: [4]") + "keep_timelines: true\n")
        self.sweep()
        notes = self.out / "timelines" / self.rows()[0]["key"] / "notes.txt"
        notes.write_text("mine")
        self.assertIn(f"timelines/{notes.parent.name}/notes.txt", self.sweep("--force", status=2).stderr)
        self.assertEqual(notes.read_text(), "mine")
        notes.unlink()
        self.sweep("--force")

    def test_a_dry_run_counts_and_estimates_and_writes_nothing(self):
        before = sorted(path.name for path in self.folder.iterdir())
        text = self.sweep("--dry-run").stdout
        self.assertIn(f"{POINTS} points, {POINTS} of them to run", text)
        self.assertRegex(text, r"about \d+ (s|min|h) with -j \d+")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def test_built_in_sweeps_are_known_by_name(self):
        for path in sorted((ROOT / "configs/sweeps").glob("*.yaml")):
            self.assertIn(f"{path}: ok", self.tessera("validate", path).stdout)
        self.assertIn("context_size", self.tessera("sweep", "none_such", status=2).stderr)


class Mistakes(SweepTest):
    def assert_one_line(self, text, *arguments):
        self.write(text)
        before = sorted(path.name for path in self.folder.iterdir())
        error = self.sweep(*arguments, status=2).stderr.splitlines()
        self.assertEqual(len(error), 1, error)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)
        return error[0]

    def test_wrong_sweeps_are_told_in_one_line_and_nothing_is_written(self):
        misspelt = self.assert_one_line(SWEEP.replace("gpu.num_sms, values", "gpu.num_sm, name: num_sms, values"))
        self.assertRegex(misspelt, r"^sweep.yaml:\d+:\d+: gpu.num_sm: unknown key \(nearest known key: num_sms\)$")
        self.assertIn("axes.0.values: is empty", self.assert_one_line(SWEEP.replace("[fcfs, ppq, dss]", "[]").split("when")[0]))
        many = SWEEP.replace("values: [4, 8, 16]", "range: {from: 1, to: 1000000000, step: 1}")
        self.assertIn("too many points", self.assert_one_line(many))
        self.assertIn("is set by an axis", self.assert_one_line(SWEEP, "--set", "gpu.num_sms=3"))
        self.assertIn("is not a column (ant; nearest is antt)", self.assert_one_line(SWEEP.replace("y: antt, series: policy, fa", "y: ant, series: policy, fa")))

    def test_a_folder_of_others_is_left_alone(self):
        self.out.mkdir()
        (self.out / "thesis.txt").write_text("mine")
        for flags in ([], ["--force"], ["--resume"]):
            self.assertIn("thesis.txt", self.sweep(*flags, status=2).stderr)
        self.assertEqual([path.name for path in self.out.iterdir()], ["thesis.txt"])

    def test_a_finished_sweep_is_replaced_by_force_only(self):
        self.sweep()
        self.assertIn("--resume to go on, --force", self.sweep(status=2).stderr)
        (self.out / "points" / "mine.txt").write_text("mine")
        self.assertIn("points/mine.txt", self.sweep("--force", status=2).stderr)
        (self.out / "points" / "mine.txt").unlink()
        before = self.point_files()
        self.sweep("--force")
        self.assertTrue(all(self.point_files()[name] != when for name, when in before.items()))


class Interruptions(SweepTest):
    def test_twenty_kills_lose_no_point_and_count_none_twice(self):
        self.sweep(out=self.folder / "whole")
        self.survive_kills(20, longest_s=0.25)
        self.assert_same_table("whole")
        self.assertEqual(len(self.point_files()), POINTS)

    def test_who_joins_leaves_alone_what_others_are_writing(self):
        self.sweep()
        remains = {"of_dead": 2**22 + 7, "of_living": os.getpid()}  # process ids end below 2^22
        for name, process in remains.items():
            remains[name] = self.out / "points" / f".0123456789abcdef.json.{os.uname().nodename}.{process}"
            remains[name].write_text('{"key": ')
        self.sweep("--resume")
        self.assertEqual({name: path.exists() for name, path in remains.items()}, {"of_dead": False, "of_living": True})

    def test_two_at_a_time_lose_nothing(self):
        self.sweep(out=self.folder / "alone")
        processes = [self.start("--resume", "-j", "2")]
        self.wait_for((self.out / "sweep.json").exists)
        for _ in range(3):
            time.sleep(0.05)
            processes.append(self.start("--resume", "-j", "1"))
        for process in processes:
            _, error = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, error)
        self.assert_same_table("alone")

    def test_ctrl_c_ends_it_and_says_how_to_go_on(self):
        process = self.start("-j", "2", *ENDLESS)
        self.wait_for(lambda: (self.out / "sweep.json").exists())
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        _, error = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertIn(f"interrupted with {POINTS} of {POINTS} points to go", error)
        self.assertRegex(error, r"go on with: tessera sweep .* --resume")
        self.assertEqual(self.point_files(), {})

    def test_only_what_is_missing_is_run(self):
        self.sweep()
        before = self.point_files()
        csv_before = (self.out / "points.csv").read_bytes()
        for name in list(before)[::7]:
            (self.out / "points" / name).unlink()
        (self.out / "points" / list(before)[1]).write_text('{"key": ')  # a disk that lost half a file
        self.sweep("--resume")
        after = self.point_files()
        lost = set(list(before)[::7]) | {list(before)[1]}
        self.assertEqual({name for name in before if after[name] != before[name]}, lost)
        self.assertEqual((self.out / "points.csv").read_bytes(), csv_before)

    def test_a_wider_sweep_goes_on_from_a_narrower_one(self):
        self.write(SWEEP.replace("values: [4, 8, 16]", "values: [4, 16]"))
        self.sweep()
        before = {path.stem for path in (self.out / "points").iterdir()}
        self.write(SWEEP)
        self.sweep("--resume")
        self.assertEqual(len(self.rows()), POINTS)
        for row in self.rows():
            point = json.loads((self.out / "points" / f"{row['key']}.json").read_text())
            self.assertEqual((point["index"], point["axes"]["num_sms"]), (int(row["index"]), row["num_sms"]))
        self.assertLess(before, {row["key"] for row in self.rows()})
        self.write(SWEEP.replace("values: [4, 8, 16]", "values: [4]"))
        self.sweep("--resume")
        self.assertEqual(len(self.point_files()), POINTS / 3)
        self.assertEqual(len(list((self.out / "superseded").iterdir())), POINTS * 2 / 3)
        self.write(SWEEP)
        self.assertNotIn(" a second", self.sweep("--resume").stdout)  # nothing was run: what was set aside is back
        self.assertEqual(len(self.rows()), POINTS)

    def test_tables_are_made_again_of_what_another_build_left(self):
        self.sweep()
        before = (self.out / "points.csv").read_bytes()
        other = self.folder / "tessera"
        shutil.copy(PROGRAM, other)
        with open(other, "ab") as file:
            file.write(b"another build")
        (self.out / "points.csv").unlink()
        again = subprocess.run(
            [other, "sweep", "sweep.yaml", "--out", self.out, "--tables"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((self.out / "points.csv").read_bytes(), before)

    def test_no_tables_are_made_of_nothing(self):
        self.assertIn("is not a sweep folder", self.sweep("--tables", status=2).stderr)
        self.assertFalse(self.out.exists())
        self.sweep()
        before = (self.out / "points.csv").read_bytes()
        self.write(SWEEP.replace("values: [4, 8, 16]", "values: [5, 6]"))
        self.assertIn("has no point of this sweep", self.sweep("--tables", status=2).stderr)
        self.assertEqual((self.out / "points.csv").read_bytes(), before)
        self.assertEqual(len(self.point_files()), POINTS)


@unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "a thousand points, many times over, take a minute")
class AThousandPoints(SweepTest):
    def setUp(self):
        super().setUp()
        self.write(THOUSAND)
        self.sweep("-j", 1, out=self.folder / "one")
        self.assertEqual({row["status"] for row in self.rows(self.folder / "one")}, {"done"})
        self.assertEqual(len(self.rows(self.folder / "one")), 1000)

    def test_two_workers_leave_the_bytes_of_one(self):
        self.sweep("-j", 2)
        self.assert_same_table("one")

    def test_they_survive_twenty_kills(self):
        left = self.survive_kills(20, longest_s=1)
        self.assertLess(left, 1000)  # it was killed at work, to the last
        self.assert_same_table("one")

    def test_four_at_a_time_that_are_killed_and_come_back_lose_nothing(self):
        chance = random.Random(16)
        processes = []
        for _ in range(12):
            processes.append(self.start("--resume", "-j", "1"))
            time.sleep(chance.uniform(0.02, 0.5))
            if len(processes) == 4:
                killed = processes.pop(chance.randrange(4))
                os.killpg(killed.pid, signal.SIGKILL)
                killed.wait()
                killed.stderr.close()
        for process in processes:
            _, error = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, error)
        self.assert_same_table("one")


class Failures(SweepTest):
    ONE = SWEEP.replace("values: [4, 8, 16]", "values: [4]").replace("seeds: {count: 3}", "seeds: [1]")
    ONE = ONE.replace("values: [fcfs, ppq, dss]", "values: [dss]")

    def test_a_point_past_its_time_is_recorded_and_the_sweep_goes_on(self):
        endless = "variants: [{name: short, set: {stop.min_runs: 3}}, {name: long, set: {stop.min_runs: 1000000}}]"
        self.write(self.ONE.replace(
            "  - {key: gpu.num_sms", "  - {name: length, " + endless + "}\n  - {key: gpu.num_sms") + "limits: {time_s: 1}\n")
        error = self.sweep("-j", 4, status=1).stderr
        rows = self.rows()
        self.assertEqual({row["status"] for row in rows if row["length"] == "short"}, {"done"})
        self.assertEqual({row["reason"] for row in rows if row["length"] == "long"}, {"time limit (1 s)"})
        self.assertIn("failed: time limit (1 s)", error)
        self.assertIn("## Failed points", (self.out / "summary.md").read_text())

    def test_a_point_without_memory_fails_and_may_be_tried_again(self):
        self.write(self.ONE + "limits: {memory_mb: 20}\n")
        for name in ("front", "back"):  # more thread blocks than what is allocated anyway has bits for
            text = APPLICATION.replace("NAME", name).replace("num_tbs: 400", "num_tbs: 1500000")
            (self.folder / f"{name}.yaml").write_text(text)
        few = ("--set", "stop.min_runs=1", "--set", "checks.enable_invariants=true")
        self.sweep(*few, status=1)
        self.assertEqual({row["reason"] for row in self.rows()}, {"out of memory"})
        self.assertEqual({row["status"] for row in self.rows()}, {"failed"})
        self.write(self.ONE)
        before = self.point_files()
        self.sweep("--resume", *few, status=1)
        self.assertEqual(self.point_files(), before)
        self.sweep("--resume", "--retry-failed", *few)
        self.assertEqual({row["status"] for row in self.rows()}, {"done"})

    def test_a_killed_simulation_is_a_failed_point(self):
        self.write(self.ONE)
        process = self.start("-j", "1", *ENDLESS)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        killed = 0
        while process.poll() is None:
            for child in children.read_text().split():
                time.sleep(0.1)
                os.kill(int(child), signal.SIGKILL)
                killed += 1
            time.sleep(0.02)
        self.assertEqual(process.returncode, 1, process.stderr.read())
        process.stderr.close()
        self.assertGreaterEqual(killed, 2)
        self.assertEqual({row["reason"] for row in self.rows()}, {"a simulation was killed by signal 9"})


def has_synthesis():
    return all(shutil.which(tool) for tool in ("yosys", "sta")) and Path("/usr/share/qflow/tech/osu018").exists()


@unittest.skipUnless(has_synthesis(), "without yosys, opensta and qflow-tech-osu018 there is no synthesis")
class Cost(SweepTest):
    def test_a_point_has_the_gates_of_its_core_and_its_decisions(self):
        sizes = {"num_sms": 2, "max_tbs_per_sm": 2, "framework.num_command_buffers": 2, "framework.tb_id_bits": 10}
        settings = "".join(f"  gpu.{key}: {value}\n" for key, value in sizes.items())
        axes = "axes:\n  - {key: scheduler.search_width, values: [1, 2]}\n  - {key: scheduler.technique, values: [drain, context_switch]}\n"
        self.write(SWEEP.split("axes:")[0] + "set:\n  scheduler.policy: dss\n" + settings + axes +
                   "cost: synth\ncore_policies: own\ndecision_time: measured\n")
        self.sweep()
        core = "{num_sms: 2, max_tbs_per_sm: 2, num_ksrs: 2, num_command_buffers: 2, num_contexts: 2, tb_id_bits: 10, policies: [dss]}"
        (self.folder / "core.yaml").write_text(f"schema_version: 1\nname: core\ncore: {core}\n")
        synthesis = json.loads(self.tessera("synth", "core.yaml", "--json").stdout)["configurations"][0]
        rows = self.rows()
        narrow = [row for row in rows if row["search_width"] == "1"]
        self.assertEqual(len(narrow), 2)
        for row in narrow:  # the technique is no matter of gates
            self.assertAlmostEqual(float(row["gates_kge"]), synthesis["kge"], places=6)
            self.assertAlmostEqual(float(row["fmax_mhz"]), synthesis["fmax_mhz"], places=6)
            self.assertAlmostEqual(float(row["decision_ns"]), synthesis["decision_ns"], places=6)
        self.assertEqual(len({row["gates_kge"] for row in rows}), 2)
        # A search of two steps at that clock, in cycles of the GPU; a decision has one search at least.
        cycles = -(-2 * 706 // float(narrow[0]["fmax_mhz"]))
        for row in narrow:
            self.assertGreaterEqual(float(row["decision_mean_us"]) * 706, cycles - 1e-6)


if __name__ == "__main__":
    unittest.main()
