# SPDX-License-Identifier: Apache-2.0
"""Claims about tasks, partitions and sessions of event-driven kernels on the page of `tessera report`.

Called with the path of the built program. Without Chromium the tests are skipped.
"""

import json
import subprocess
import unittest

from test_page import PROGRAM, PageTest

ROW = "(name => tessera.panels[0].chart.rows.find(({track}) => track.group === 'runs' && tessera.timelines[0].processes[track.index] === name))"
PIXEL = """((x, y) => {
  const {canvas, ratio} = tessera.panels[0].chart;
  const copy = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  copy.drawImage(canvas, -Math.floor(x * ratio), -Math.floor(y * ratio));
  return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3);
})"""
HEX = "(hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16)))"
# Camera and tracker are due before they can be done.
LATE = ("--set", "workload.processes.2.deadline_us=5000", "--set", "workload.processes.3.deadline_us=4000")


class ExperimentTest(PageTest):
    def run_experiment(self, name, folder, *arguments):
        out = self.folder / folder
        command = [PROGRAM, "run", name, "--trace", "timeline", "--out", out, *arguments]
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True, stdin=subprocess.DEVNULL)
        return out

    def open_experiment(self, name, *arguments):
        out = self.run_experiment(name, "out", *arguments)
        self.report(out)
        self.open(out / "report.html")
        return json.loads((out / "summary.json").read_text())

    def styles(self, selector, names):
        return self.browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map({names})")

    def check_bands(self):
        self.open_experiment("static_partition")
        strip = self.styles(".gpu .part:not(.none)", f"sm => {HEX}(sm.style.getPropertyValue('--sample').trim())")
        bands = self.browser.run(f"""tessera.panels[0].chart.rows.filter(({{track}}) => track.group === 'sm')
          .map(({{y, height}}) => {PIXEL}(148 - 7, y + height / 2))""")
        self.assertEqual(bands[:12], strip)
        self.assertNotIn(bands[12], strip)

    def check_red(self):
        self.open_experiment("static_partition", *LATE)
        self.browser.run("tessera.panels[0].view.show(0, 20000)")
        self.browser.settle()

        def at_deadline(name):
            return self.browser.run(f"""(({{y, height, track}}) => {{
              const {{chart, view}} = tessera.panels[0];
              const due = chart.timeline.releases[track.index].due[0] / chart.timeline.mhz;
              const x = 148 + (due - view.from) / view.span * (chart.width - 148);
              return {PIXEL}(x, y + height - 3);
            }})({ROW}('{name}'))""")
        bad = self.browser.run(f"{HEX}(getComputedStyle(document.documentElement).getPropertyValue('--bad').trim())")
        distance = lambda name: max(abs(a - b) for a, b in zip(at_deadline(name), bad))
        self.assertLess(distance("camera"), 40)
        self.assertGreater(distance("recorder"), 80)


class Tasks(ExperimentTest):
    def test_a_task_stands_beside_its_deadline_and_the_baseline(self):
        summary = self.open_experiment("static_partition", *LATE)
        tasks, under = summary["tasks"], summary["baseline"]["tasks"]
        self.assertEqual(self.cells("tasks", "process"), [task["process"] for task in tasks])
        self.assertEqual(self.cells("tasks", "partition"), [task["partition"] for task in tasks])
        for column in ("jobs", "missed", "deadline_us", "worst_response_us", "response_to_deadline"):
            self.assertEqual([float(value) for value in self.cells("tasks", column)], [task[column] for task in tasks])
        self.assertEqual([int(value) for value in self.cells("tasks", "baseline_missed")],
                         [task["missed"] for task in under])
        missed = [task["missed"] for task in tasks]
        self.assertEqual([text for text in self.texts("#tasks td[data-column='missed']")],
                         [f"✗ {number}" if number else "0" for number in missed])
        self.assertEqual([number > 0 for number in missed], [False, False, True, True, False])

    def test_bars_are_as_long_as_responses_are_of_the_deadline(self):
        summary = self.open_experiment("static_partition", *LATE)
        places = self.styles("#tasks .bars", """bars => [
            bars.querySelector('.solid').getBoundingClientRect().width / bars.clientWidth,
            parseFloat(bars.style.getPropertyValue('--due')) / 100,
            bars.querySelector('.solid').classList.contains('late')]""")
        for task, (bar, due, is_late) in zip(summary["tasks"], places):
            self.assertAlmostEqual(bar / due, task["response_to_deadline"], delta=0.02)
            self.assertEqual(is_late, task["response_to_deadline"] > 1)

    def test_what_is_much_too_late_ends_as_an_arrow(self):
        summary = self.open_experiment("static_partition", "--set", "workload.processes.3.deadline_us=400")
        self.assertGreater(summary["tasks"][3]["response_to_deadline"], 3)
        beyond = self.styles("#tasks .solid", "bar => bar.classList.contains('beyond')")
        self.assertEqual(beyond, [False, False, False, True, False])

    def test_the_strip_has_each_sm_in_its_partition(self):
        summary = self.open_experiment("static_partition", *LATE)
        partitions = summary["partitions"]
        for column in ("num_sms", "busy_share", "kernels", "preemptions", "missed"):
            self.assertEqual([float(value) for value in self.cells("partitions", column)],
                             [each[column] for each in partitions])
        self.assertEqual(self.cells("partitions", "sms"), ["0–2", "3–8", "9–11"])
        self.assertEqual(self.cells("partitions", "tasks"), ["lidar, radar", "camera, tracker", "recorder"])
        strip = self.styles(".gpu .sm", "sm => [sm.title.split(':')[1].split(',')[0].trim(), sm.firstChild.className]")
        self.assertEqual([name for name, _ in strip], 3 * ["control"] + 6 * ["vision"] + 3 * ["log"] + ["in no partition"])
        self.assertEqual([style for _, style in strip], 3 * ["part"] + 6 * ["part missed"] + 3 * ["part"] + ["part none"])
        colours = self.styles(".gpu .part", "sm => sm.style.getPropertyValue('--sample').trim()")
        self.assertEqual(len(set(colours)), 4)
        self.assertIn("vision: SMs 3–8", self.browser.run("document.querySelector('.gpu').getAttribute('aria-label')"))

    def test_a_band_beside_each_sm_has_the_colour_of_its_partition(self):
        self.check_bands()

    def test_an_sm_in_two_partitions_is_divided_between_them(self):
        out = self.run_experiment("static_partition", "out")
        summary = json.loads((out / "summary.json").read_text())
        summary["partitions"][1]["sms"] = [2, 3, 4, 5, 6, 7]
        (out / "summary.json").write_text(json.dumps(summary))
        self.report(out)
        self.open(out / "report.html")
        self.assertEqual(self.styles(".gpu .sm", "sm => sm.childElementCount"), 2 * [1] + [2] + 10 * [1])
        self.assertIn("control", self.browser.run("document.querySelectorAll('.gpu .sm')[2].title"))
        self.assertIn("vision", self.browser.run("document.querySelectorAll('.gpu .sm')[2].title"))

    def test_releases_and_deadlines_are_those_of_the_run(self):
        summary = self.open_experiment("static_partition", *LATE)
        marks = self.browser.run("""tessera.timelines[0].releases.map(({count, at, due, missed}) =>
          [count, [...at], [...due].map(each => Number.isFinite(each) ? each : null), [...missed].reduce((a, b) => a + b, 0)])""")
        mhz = summary["spec"]["gpu"]["clock_mhz"]
        for process, spec, (count, at, due, missed) in zip(summary["processes"], summary["spec"]["workload"]["processes"],
                                                           marks):
            frames = process.get("frames")
            self.assertEqual((count, missed), (frames["released"], frames["missed"]) if frames else (0, 0))
            for i, (begin, end) in enumerate(zip(at, due)):
                self.assertAlmostEqual(begin / mhz, i * spec["period_us"], delta=0.01)
                self.assertAlmostEqual((end - begin) / mhz, spec["deadline_us"], delta=0.01)
        self.assertGreater(sum(missed for *_, missed in marks), 0)

    def test_a_missed_deadline_is_red_and_a_met_one_is_not(self):
        self.check_red()

    def test_a_run_is_told_with_its_release_and_its_deadline(self):
        self.open_experiment("static_partition", *LATE)
        self.browser.run(f"tessera.panels[0].pick({{track: {ROW}('camera').track, slice: 1}})")
        text = "".join(self.texts(".details"))
        self.assertIn("run 1", text)
        self.assertIn("released at 20.0", text)
        self.assertRegex(text, r"due at 25\.0[0-9]* ms, missed")

    def test_tasks_of_two_runs_are_compared_by_their_names(self):
        a, b = self.run_experiment("static_partition", "a"), self.run_experiment("static_partition", "b", *LATE)
        self.report(a, b)
        self.open(self.folder / "a-vs-b.html")
        for side, folder in (("a", a), ("b", b)):
            tasks = json.loads((folder / "summary.json").read_text())["tasks"]
            for key in ("missed", "worst_response_us", "response_to_deadline"):
                self.assertEqual([float(value) for value in self.cells("tasks", f"{side}.{key}")],
                                 [task[key] for task in tasks])

    def test_a_run_without_tasks_has_neither_sections_nor_marks(self):
        self.open_run()
        self.assertEqual(self.texts("#tasks, #partitions, #sessions"), [])
        self.assertEqual([text for text in self.texts(".legend .entry") if "partition" in text or "due" in text], [])

    def test_sessions_of_event_driven_kernels_have_a_table(self):
        summary = self.open_experiment("gloop_two_sessions")
        sessions = [process["gloop"] for process in summary["processes"]]
        self.assertEqual(self.cells("sessions", "name"), [process["name"] for process in summary["processes"]])
        for column in ("launches", "suspensions", "killed", "revoked"):
            self.assertEqual([int(value) for value in self.cells("sessions", column)], [each[column] for each in sessions])
        self.assertGreater(sum(each["suspensions"] for each in sessions), 0)
        self.assertEqual([float(value) for value in self.cells("sessions", "wait")],
                         [each["token"]["wait_us"]["mean"] for each in sessions])
        overlap = [float(value) if value is not None else None for value in self.cells("sessions", "overlap")]
        self.assertEqual(overlap, [each["io"]["while_suspended"] for each in sessions])


class TasksInTheDark(ExperimentTest):
    dark = True

    def test_bands_have_the_colours_of_partitions_there_too(self):
        self.check_bands()

    def test_missed_deadlines_are_red_there_too(self):
        self.check_red()


if __name__ == "__main__":
    unittest.main()
