# SPDX-License-Identifier: Apache-2.0
"""Claims about `tessera report` as a command: where its page goes, and what it says about damaged results. What the page
shows is for tests/report.

Called with the path of the built program; every test runs it in a folder of its own whose path has spaces.
"""

import json
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "report"))
from folders import HEADER, make_sweep, run_small  # noqa: E402
from program_test import PROGRAM, ProgramTest  # noqa: E402



class ReportTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.out = run_small(PROGRAM, self.folder, "out")
        self.page = self.out / "report.html"

    def everything(self):
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def assert_refused(self, *arguments, words):
        """One line about wrong input, and nothing written."""
        before = self.everything()
        result = self.tessera("report", *arguments, status=2)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual(self.everything(), before)

    def data(self, page):
        (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.DOTALL)
        return json.loads(text)

    # ---- the page ----

    def test_the_page_lies_in_the_folder_and_has_the_summary_as_it_is(self):
        self.assertIn("out/report.html", self.tessera("report", "out").stdout)
        self.assertEqual(self.data(self.page)["runs"][0]["summary"], json.loads((self.out / "summary.json").read_text()))

    def test_the_same_results_give_the_same_page(self):
        self.tessera("report", "out")
        first = self.page.read_bytes()
        self.tessera("report", "out/")
        self.assertEqual(self.page.read_bytes(), first)

    def test_no_path_of_this_machine_is_in_the_page(self):
        other = run_small(PROGRAM, self.folder, "other")
        self.tessera("report", self.out, other, "--out", "both.html")
        self.assertNotIn(str(self.folder), (self.folder / "both.html").read_text())

    def test_the_page_belongs_to_the_results_and_goes_with_them(self):
        self.tessera("report", "out")
        self.tessera("run", "small.yaml", "--out", "out", "--force")
        self.assertFalse(self.page.exists())

    def test_a_run_without_a_log_gets_a_page_and_a_hint(self):
        (self.out / "timeline.csv").unlink()
        self.assertIn("--trace timeline", self.tessera("report", "out").stdout)
        self.assertIsNone(self.data(self.page)["runs"][0]["timeline"])

    def test_the_whole_log_serves_as_well(self):
        self.tessera("run", "small.yaml", "--out", "whole", "--trace", "csv")
        self.tessera("report", "whole")
        self.tessera("report", "out")
        whole, kept = (self.data(page)["runs"][0]["timeline"] for page in (self.folder / "whole/report.html", self.page))
        self.assertEqual((whole["file"], kept["file"]), ("records.csv", "timeline.csv"))
        # When an SM's first thread block runs is known from the whole log only, to some cycles.
        others = [[track for track in each["tracks"] if track["group"] != "sm"] for each in (whole, kept)]
        self.assertEqual(*others)
        for key in ("end", "launches", "preemptions"):
            self.assertEqual(whole[key], kept[key])
        self.assertTrue(whole["whole"] and kept["whole"])

    def test_a_log_that_was_limited_in_size_is_told_as_such(self):
        lines = (self.out / "timeline.csv").read_text().splitlines(keepends=True)
        (self.out / "timeline.csv").write_text("".join(lines[: len(lines) // 2]))
        self.tessera("report", "out")
        self.assertFalse(self.data(self.page)["runs"][0]["timeline"]["whole"])

    def test_a_log_is_whole_though_the_run_ends_after_its_last_record(self):
        starts = [f"workload.processes.{i}.start_us=9000" for i in (0, 1)]  # nothing happens until the end
        self.tessera("run", "small.yaml", "--out", "idle", "--trace", "timeline", "--set", starts[0], "--set", starts[1],
                     "--set", "stop.max_time_us=5000")
        summary = json.loads((self.folder / "idle/summary.json").read_text())
        last = (self.folder / "idle/timeline.csv").read_text().splitlines()[-1]
        self.assertLess(int(last.split(",")[0]), summary["simulated_cycles"] - 1)
        self.tessera("report", "idle")
        timeline = self.data(self.folder / "idle/report.html")["runs"][0]["timeline"]
        self.assertTrue(timeline["whole"])
        self.assertEqual(timeline["end"], summary["simulated_cycles"])

    def test_two_runs_go_beside_the_first(self):
        run_small(PROGRAM, self.folder, "other")
        self.assertIn("out-vs-other.html", self.tessera("report", "out", "other").stdout)
        self.assertEqual([run["label"] for run in self.data(self.folder / "out-vs-other.html")["runs"]], ["out", "other"])

    def test_a_sweep_has_its_points_and_the_timelines_it_kept(self):
        sweep, points = make_sweep(PROGRAM, self.folder, seeds=(1,))
        self.tessera("report", sweep)
        data = self.data(sweep / "report.html")["sweep"]
        names = [column["name"] for column in data["columns"]]
        rows = [dict(zip(names, row)) for row in data["rows"]]
        for row, point in zip(rows, points):
            wanted = {**point["axes"], **point["metrics"], **point["cost"], "status": point["status"]}
            self.assertEqual({name: row[name] for name in wanted}, wanted)
        self.assertEqual(list(data["runs"]), [point["key"] for point in points if point["axes"]["policy"] == "ppq"])

    # ---- where it may go ----

    def test_a_page_is_replaced_where_it_has_its_own_name_and_else_with_force(self):
        self.tessera("report", "out", "--out", "mine.html")
        self.assert_refused("out", "--out", "mine.html", words=["mine.html", "--force"])
        self.tessera("report", "out", "--out", "mine.html", "--force")

    def test_a_file_that_is_no_report_is_never_replaced(self):
        (self.folder / "thesis.html").write_text("<!doctype html>\n<p>mine")
        self.assert_refused("out", "--out", "thesis.html", "--force", words=["thesis.html", "is not a report"])
        self.page.write_text("mine")
        self.assert_refused("out", words=["report.html", "is not a report"])
        self.assert_refused("out", "--out", str(self.folder), "--force", words=["is not a report"])

    def test_a_place_that_does_not_exist_fails(self):
        result = self.tessera("report", "out", "--out", "no/such/page.html", status=1)
        self.assertIn("no/such/page.html", result.stderr)

    # ---- damaged results ----

    def test_what_holds_no_results_is_refused(self):
        self.assert_refused("nothing", words=["nothing:1:1", "no such folder"])
        self.assert_refused("small.yaml", words=["small.yaml:1:1", "not a directory"])
        (self.folder / "empty").mkdir()
        self.assert_refused("empty", words=["empty:1:1", "summary.json, sweep.json or reproduction.json"])
        self.assert_refused("out", "empty", words=["empty:1:1", "summary.json"])
        self.assert_refused("out", "out", "out", words=["FOLDER"])
        self.assert_refused(words=["FOLDER"])

    def test_a_damaged_summary_is_told_where_it_is(self):
        path = self.out / "summary.json"
        text = path.read_text()
        lines = text.splitlines()
        path.write_text(text[: len(text) // 2])
        self.assert_refused("out", words=["out/summary.json:", "cut off"])
        path.write_text(text.replace('"antt":', '"antt"', 1))
        line = next(i for i, each in enumerate(lines, 1) if '"antt":' in each)
        self.assert_refused("out", words=[f"out/summary.json:{line}:", "is not JSON"])
        path.write_text("[]")
        self.assert_refused("out", words=["out/summary.json:1:1: ", "type"])
        path.write_text("")
        self.assert_refused("out", words=["out/summary.json:1:1: "])
        path.write_text("[" * 100_000)
        self.assert_refused("out", words=["out/summary.json:1:65: ", "too deep"])
        path.write_text(re.sub(r'"antt": [0-9.]+', '"antt": 1e999', text))
        self.assert_refused("out", words=["out/summary.json:1:1: ", "out of range"])
        path.write_bytes(b'{"schema": "\xff"}')
        self.assert_refused("out", words=["out/summary.json:1:"])
        path.write_text(text.replace('"tessera-summary-1"', '"tessera-summary-9"'))
        self.assert_refused("out", words=["out/summary.json:2:13: schema: ", "tessera-summary-9", "tessera-summary-1"])
        line = next(i for i, each in enumerate(lines, 1) if '"sm_utilisation":' in each)
        path.write_text(re.sub(r'"sm_utilisation": [0-9.]+', '"sm_utilisation": "all"', text))
        self.assert_refused("out", words=[f"out/summary.json:{line}:21: sm_utilisation: ", '"all"'])
        summary = json.loads(text)
        summary["baseline"]["processes"].pop()
        path.write_text(json.dumps(summary))
        self.assert_refused("out", words=["out/summary.json:1:1: baseline.processes: "])
        summary = json.loads(text)
        summary["spec"]["baseline"] = None
        path.write_text(json.dumps(summary))
        self.assert_refused("out", words=["out/summary.json:1:1: spec.baseline: "])
        path.write_text(text.replace('"num_sms": 13', '"num_sms": 257'))
        self.assert_refused("out", words=["spec.gpu.num_sms: is out of range (257; 256 or less)"])
        path.write_text(text.replace('"num_sms":', '"num_smss":'))
        self.assert_refused("out", words=["spec.gpu.num_sms: is missing"])

    def test_a_damaged_log_is_told_where_it_is(self):
        path = self.out / "timeline.csv"
        text = path.read_text()
        path.write_text(text[:-3])
        self.assert_refused("out", words=[f"out/timeline.csv:{text.count(chr(10))}:", "cut off"])
        path.write_text("")
        self.assert_refused("out", words=["out/timeline.csv:1:1: ", "is not a record log"])
        path.write_text(HEADER + "5,sm_released,front,k,0,,77,,,,,,\n")
        self.assert_refused("out", words=["out/timeline.csv:2:26: sm: ", "77", "0 .. 12"])
        path.write_text(HEADER + "5,kernel_arrived,front,k,4000000000,0,,,,,,,\n")
        self.assert_refused("out", words=["out/timeline.csv:2:26: launch: ", "4000000000"])
        path.write_text(HEADER + "5,run_started,nobody,,,0,,,,,,,\n")
        self.assert_refused("out", words=["out/timeline.csv:2:15: process: ", "nobody"])

    def test_a_damaged_point_of_a_sweep_is_told(self):
        sweep, points = make_sweep(PROGRAM, self.folder, policies=("fcfs",), seeds=(1,), keep=())
        point = sweep / "points" / f"{points[0]['key']}.json"
        point.write_text(point.read_text().replace('"done"', '"dome"'))
        self.assert_refused("sweep", words=[f"{points[0]['key']}.json:1:", "status: ", "dome", "failed"])
        point.write_text(json.dumps({**points[0], "key": "../other"}))
        self.assert_refused("sweep", words=["key: is not the name of the file", "../other"])
        (sweep / "sweep.json").write_text("{}")
        self.assertIn("columns: is missing", self.tessera("report", "sweep", status=2).stderr)

    def test_a_damaged_reproduction_is_told(self):
        (self.folder / "figure").mkdir()
        (self.folder / "figure/reproduction.json").write_text('{"schema": "tessera-reproduction-1"}')
        result = self.tessera("report", "figure", status=2)
        for key in ("name", "figures", "values", "orderings"):
            self.assertIn(f"figure/reproduction.json:1:1: {key}: is missing", result.stderr)


if __name__ == "__main__":
    unittest.main()
