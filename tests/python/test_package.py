# SPDX-License-Identifier: Apache-2.0
"""Claims about the Python package: which program it calls, what it says of mistakes, what its tables hold."""

import csv
import json
import os
import shutil
import subprocess
import sys
import unittest
import warnings
from unittest import mock

from package_test import ROOT, PackageTest, tessera


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Program(PackageTest):
    def fake(self, name, text="exit 0"):
        path = self.folder / name / "tessera"
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    def test_is_that_of_the_environment_then_of_PATH_then_of_the_checkout(self):
        named, on_path, checkout = self.fake("named"), self.fake("on_path"), self.fake("checkout")
        (checkout.parent / "CMakeLists.txt").touch()
        self.set_environment("PATH", f"{on_path.parent}:/bin")
        with mock.patch.object(tessera.program, "CHECKOUT", checkout.parent):
            self.set_environment("TESSERA", str(named))
            self.assertEqual(tessera.find_program(), named)
            self.set_environment("TESSERA", "")
            self.assertEqual(tessera.find_program(), on_path)
            self.set_environment("PATH", "/nowhere")
            self.assertEqual(tessera.find_program(), checkout)
        with mock.patch.object(tessera.program, "CHECKOUT", self.folder):
            self.assertRaisesRegex(tessera.TesseraError, "was not found", tessera.find_program)
        self.set_environment("TESSERA", str(self.folder / "missing"))
        with self.assertRaisesRegex(tessera.TesseraError, r"^\$TESSERA: is no program \(.*missing\)$"):
            tessera.find_program()

    def test_tells_a_mistake_in_its_own_line_and_leaves_nothing(self):
        out = self.folder / "out"
        with self.assertRaises(tessera.InputError) as caught:
            tessera.run(self.experiment, set={"scheduler.policy": "dsss"}, out=out)
        self.assertEqual(caught.exception.status, 2)
        line = r"^--set:\d+:\d+: scheduler\.policy: is unknown, nearest is dss \(dsss; "
        self.assertRegex(str(caught.exception), line)
        self.assertNotIn("\n", str(caught.exception))
        self.assertFalse(out.exists())
        self.set_environment("TESSERA", str(self.fake("failing", "echo 'a disk is full' >&2; exit 1")))
        with self.assertRaisesRegex(tessera.TesseraError, "^a disk is full$") as caught:
            tessera.run(self.experiment)
        self.assertNotIsInstance(caught.exception, tessera.InputError)

    def test_is_interrupted_with_its_caller_and_ends_by_itself(self):
        ended = self.folder / "ended"
        script = f"trap 'touch \"{ended}\"; exit 130' INT; sleep 1; kill -INT $PPID; while :; do sleep 0.02; done"
        self.set_environment("TESSERA", str(self.fake("patient", script)))
        with self.assertRaises(KeyboardInterrupt):
            tessera.run(self.experiment)
        self.assertTrue(ended.exists())

    def test_passes_on_what_it_says_beside_its_results(self):
        text = self.experiment.read_text()
        self.experiment.write_text(text.replace("{policy: ppq,", "{policy: ppq, access: shared,"))
        with self.assertWarnsRegex(tessera.TesseraWarning, r"^tessera: scheduler\.access is left out: "):
            tessera.run(self.experiment, set={"scheduler.policy": "dss"})

    def test_gets_values_of_every_type(self):
        run = tessera.run(
            self.experiment,
            abstraction="rtl_model",
            set={
                "scheduler.technique": "drain",
                "stop.min_runs": 2,
                "checks.enable_invariants": False,
                "scheduler.linger_us": 0.00002,
            },
        )
        spec = run.summary["spec"]
        self.assertEqual((spec["scheduler"]["technique"], spec["stop"]["min_runs"]), ("drain", 2))
        self.assertEqual(spec["scheduler"]["linger_us"], 0.00002)
        self.assertEqual(set(run.summary["invariants"].values()), {"not checked"})
        self.assertEqual(run.summary["abstraction"], "rtl_model")


class Runs(PackageTest):
    def assert_is_cell(self, value, cell, place):
        if isinstance(value, str):
            self.assertEqual(value, cell, place)
        elif cell in ("true", "false"):
            self.assertEqual(bool(value), cell == "true", place)
        else:
            self.assertEqual(float(value), float(cell), place)

    def test_have_the_tables_that_the_program_wrote_whoever_loads_them(self):
        out = self.folder / "out"
        run = tessera.run(self.experiment, set={"stop.min_runs": 2}, out=out, timeline=True, jobs=1)
        self.assertEqual(run.summary, json.loads((out / "summary.json").read_text()))
        for one in (run, tessera.load(out)):
            tables = {"processes": one.processes, "preemptions": one.preemptions, "slices": one.timeline}
            for name, frame in tables.items():
                rows = table(out / f"{name}.csv")
                self.assertGreater(len(rows), 1, name)
                self.assertEqual(list(frame.columns), list(rows[0]), name)
                for column in frame.columns:
                    for value, row in zip(frame[column], rows):
                        self.assert_is_cell(value, row[column], f"{name}: {column}")
        self.assertEqual(len(run.preemptions), run.summary["preemptions"]["count"])

    def test_of_no_folder_go_with_their_object(self):
        run = tessera.run(self.experiment)
        folder = run.folder
        self.assertTrue((folder / "summary.json").is_file())
        del run
        self.assertFalse(folder.parent.exists())

    def test_without_a_preemption_have_an_empty_table_of_numbers(self):
        run = tessera.run(self.experiment, set={"scheduler.policy": "fcfs"})
        self.assertEqual(len(run.preemptions), 0)
        self.assertEqual(run.preemptions.latency_us.dtype, float)
        with self.assertRaisesRegex(tessera.TesseraError, r"slices\.csv: does not exist \(run with timeline=True"):
            run.timeline  # noqa: B018

    def test_say_where_a_table_was_cut(self):
        run = tessera.run(self.experiment, set={"stop.min_runs": 300}, timeline=True, trace_limit_mb=1)
        for one in (run, tessera.load(run.folder)):
            with self.assertWarnsRegex(tessera.TesseraWarning, r"slices\.csv: ends after [0-9.]+ us, at its size"):
                self.assertGreater(len(one.timeline), 10_000)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertGreater(len(tessera.run(self.experiment, timeline=True).timeline), 2)

    def test_that_are_damaged_are_told_by_their_file(self):
        out = self.folder / "out"
        tessera.run(self.experiment, out=out)
        for text, problem in (("", "No columns"), ("name,alone_us\na,soon\n", "could not convert")):
            (out / "processes.csv").write_text(text)
            with self.assertRaisesRegex(tessera.TesseraError, rf"^{out}/processes\.csv: is no table.*{problem}"):
                tessera.load(out).processes  # noqa: B018
        (out / "summary.json").write_text("{")
        with self.assertRaisesRegex(tessera.TesseraError, r"summary\.json: is no JSON: "):
            tessera.load(out).summary  # noqa: B018

    def test_keep_names_that_look_like_missing_values_or_numbers(self):
        self.experiment.write_text(self.experiment.read_text().replace("front", "NA").replace("back", "007"))
        run = tessera.run(self.experiment)
        self.assertEqual(list(run.processes.name), ["NA", "007"])
        self.assertEqual(set(run.preemptions.to_process), {"NA"})


class Sweeps(PackageTest):
    def test_have_their_points_and_the_front_that_the_program_found(self):
        out = self.folder / "out"
        sweep = tessera.sweep(self.sweep_file, out=out, jobs=1)
        rows = table(out / "points.csv")
        self.assertEqual([float(row["antt"]) for row in rows], list(sweep.points.antt))
        self.assertEqual([row["key"] for row in rows], list(sweep.points.key))
        self.assertEqual((sweep.unit("sram_bytes"), sweep.unit("antt")), ("bytes", ""))
        loaded = tessera.load(out)
        self.assertEqual(list(loaded.plots), ["front", "panels", "lines"])
        front = loaded.plot("front")
        self.assertEqual(len(front), 4)
        for _, one in front.iterrows():
            is_beaten = any(
                other.sram_bytes <= one.sram_bytes and other.antt <= one.antt
                and (other.sram_bytes, other.antt) != (one.sram_bytes, one.antt)
                for _, other in front.iterrows()
            )  # fmt: skip
            self.assertEqual(one.on_front, "no" if is_beaten else "yes")
        with self.assertRaisesRegex(tessera.TesseraError, r"has no plot of that name \(other; front, panels, lines\)"):
            loaded.plot("other")

    def test_are_not_taken_for_what_they_are_not(self):
        self.assertRaisesRegex(tessera.TesseraError, "holds no results of a run or a sweep", tessera.load, self.folder)
        (self.folder / "sweep.json").write_text("[]")
        with self.assertRaisesRegex(tessera.TesseraError, r"sweep\.json: is no JSON object"):
            tessera.load(self.folder).plot("front")

class Modules(PackageTest):
    def test_that_are_missing_are_named_with_their_package(self):
        for name in ("pandas", "matplotlib"):
            text = f"import sys; sys.modules[{name!r}] = None; import tessera"
            result = subprocess.run([sys.executable, "-c", text], cwd=ROOT / "python", capture_output=True, text=True)
            last = result.stderr.splitlines()[-1]
            self.assertEqual(last, f"ImportError: tessera needs {name} (Debian's package python3-{name})")


class Types(PackageTest):
    @unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "--long only")
    @unittest.skipUnless(shutil.which("mypy"), "mypy is not installed")
    def test_are_whole(self):
        check = ["mypy", "--strict", "--ignore-missing-imports", "--cache-dir", self.folder, ROOT / "python/tessera"]
        result = subprocess.run(check, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
