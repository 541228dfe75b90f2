# SPDX-License-Identifier: Apache-2.0
"""Claims about the page of `tessera report`, as a browser shows it: Debian's Chromium without a window.

Called with the path of the built program. Without Chromium the tests are skipped.
"""

import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from browser import PROGRAM as CHROMIUM
from browser import Browser
from folders import long_log, make_sweep, run_small, write_log, write_sweep

PROGRAM = Path(sys.argv.pop(1)).resolve()
VIEW = "(({from, to}) => [from, to])(tessera.panels[0].view)"


@unittest.skipUnless(CHROMIUM, "no Chromium (Debian: chromium)")
class PageTest(unittest.TestCase):
    dark = False

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="report test "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.browser = Browser(dark=self.dark)
        self.addCleanup(self.browser.close)

    def report(self, *arguments):
        result = subprocess.run([PROGRAM, "report", *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def open(self, page):
        """Opens it from disk; nothing may be wrong with it, and it may ask for nothing else."""
        self.browser.open(page)
        self.assertEqual(self.browser.complaints, [])
        page_requests = [url for url in self.browser.requests if not url.startswith(("data:", "about:", "blob:"))]
        self.assertEqual(page_requests, [Path(page).resolve().as_uri()])

    def open_run(self, *arguments):
        out = run_small(PROGRAM, self.folder, "out", *arguments)
        self.report(out)
        self.open(out / "report.html")
        return json.loads((out / "summary.json").read_text())

    def cells(self, section, column):
        """The values of a table's column, as the page has them."""
        selector = f"#{section} td[data-column='{column}']"
        return self.browser.run(f"[...document.querySelectorAll(`{selector}`)].map(td => td.dataset.value)")

    def texts(self, selector):
        return self.browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")

    def tearDown(self):
        self.assertEqual(self.browser.complaints, [])


class Run(PageTest):
    def test_numbers_equal_the_summary(self):
        summary = self.open_run()
        processes = summary["processes"]
        self.assertEqual(self.cells("processes", "name"), [process["name"] for process in processes])
        for key in ("runs", "alone_us", "turnaround_us", "ntt"):
            self.assertEqual([float(value) for value in self.cells("processes", key)], [each[key] for each in processes])
        baseline = [process["ntt"] for process in summary["baseline"]["processes"]]
        self.assertEqual([float(value) for value in self.cells("processes", "baseline")], baseline)
        metrics = self.browser.run(
            "Object.fromEntries([...document.querySelectorAll('[data-metric]')].map(e => [e.dataset.metric, +e.dataset.value]))"
        )
        wanted = {key: summary[key] for key in ("antt", "stp", "fairness", "sm_utilisation", "tbs_completed",
                                                "simulated_cycles")}
        nested = {"preemptions.count": summary["preemptions"]["count"],
                  "sm_slots.occupancy": summary["sm_slots"]["occupancy"]}
        self.assertEqual(metrics, {**wanted, **nested})
        # What is read is that, rounded.
        ntt = self.texts("#processes td[data-column='ntt']")
        self.assertEqual(ntt, [f"{process['ntt']:.2f}\u00d7" for process in processes])

    def test_a_driver_that_holds_groups_back_has_tables_of_groups_and_reserves(self):
        spec = "['<front:HT:none:3:-:->', '<back:PRT:AE:2:100:1000>']"
        summary = self.open_run("--set", "driver.kind=timegraph", "--set", f"driver.spec={spec}")
        gpus = [process["gpu"] for process in summary["processes"]]
        self.assertEqual(self.cells("driver", "reserve"), [None, "back"])
        self.assertEqual([int(value) for value in self.cells("driver", "groups")], [gpu["groups"] for gpu in gpus])
        self.assertEqual([float(value) for value in self.cells("driver", "wait")], [gpu["wait_us"]["mean"] for gpu in gpus])
        (reserve,) = summary["driver"]["reserves"]
        self.assertEqual(self.cells("reserves", "members"), ["back"])
        for column, key in (("capacity", "capacity_us"), ("used", "used_us"), ("debt", "worst_debt_us")):
            self.assertEqual([float(value) for value in self.cells("reserves", column)], [reserve[key]])

    def test_any_other_driver_has_none(self):
        self.open_run()
        self.assertEqual(self.texts("#driver, #reserves"), [])

    def test_the_latency_of_preemptions_is_split_without_remainder(self):
        summary = self.open_run()
        stats = summary["preemptions"]["by_technique"]["context_switch"]
        clock = summary["spec"]["gpu"]["clock_mhz"]
        list_ = "tessera.timelines[0].preemptions"
        self.assertGreater(stats["count"], 0)
        self.assertEqual(self.browser.run(f"{list_}.count"), stats["count"])
        parts = {name: self.browser.run(f"[...{list_}.{name}]") for name in ("decision", "wait", "movement", "channel")}
        latencies = [sum(each) for each in zip(parts["wait"], parts["movement"], parts["channel"])]
        cycles = stats["latency_cycles"]
        self.assertEqual((min(latencies), max(latencies)), (cycles["min"], cycles["max"]))
        self.assertAlmostEqual(sum(latencies) / len(latencies), cycles["mean"], places=6)
        # Every search takes an SM's cycle at least, and every save moves at the memory's speed.
        self.assertTrue(all(decision >= summary["spec"]["gpu"]["num_sms"] for decision in parts["decision"]))
        saved = self.browser.run(f"[...{list_}.bytes]")
        self.assertEqual(sum(saved), stats["bytes_saved"])
        bytes_a_cycle = summary["spec"]["gpu"]["memory_bandwidth_gbps"] * 1000 / clock
        for bytes_, movement, channel in zip(saved, parts["movement"], parts["channel"]):
            self.assertEqual(movement, -(-bytes_ // bytes_a_cycle))
            # The channel is shared statically: an SM has 1/13 of it. That the save is over is an event, a job of the
            # engine with two visits, 11 cycles, and comes behind those of all other SMs at most.
            num_sms = summary["spec"]["gpu"]["num_sms"]
            whole = bytes_ * num_sms / bytes_a_cycle
            self.assertGreaterEqual(movement + channel, whole - 1)
            self.assertLessEqual(movement + channel, whole + 11 * num_sms + 1)

    def shares_of_phases(self, *arguments):
        """Of the time of all SMs, by phase; and the summary."""
        summary = self.open_run(*arguments)
        cycles = self.browser.run(
            "tessera.timelines[0].tracks.filter(t => t.group === 'sm').reduce((sums, t) => (t.begin.forEach((begin, i) => "
            "sums[t.state[i]] += t.end[i] - begin), sums), Array(7).fill(0))"
        )
        whole = summary["simulated_cycles"] * summary["spec"]["gpu"]["num_sms"]
        names = ("idle", "set-up", "running", "restoring", "reserved", "draining", "saving")
        return {name: each / whole for name, each in zip(names, cycles)}, summary["sm_utilisation"]

    def test_sms_that_run_or_drain_are_those_the_summary_calls_busy(self):
        shares, busy = self.shares_of_phases("--set", "scheduler.technique=drain")
        self.assertGreater(shares["draining"], 0)
        # A slot is empty for the engine's job between two thread blocks, an SM of one slot with it.
        self.assertAlmostEqual(shares["running"] + shares["draining"], busy, delta=1e-3)

    def test_thread_blocks_run_on_until_the_save_and_while_others_are_restored(self):
        shares, busy = self.shares_of_phases()
        self.assertGreater(shares["saving"], 0)
        self.assertLessEqual(shares["running"], busy)
        self.assertGreaterEqual(shares["running"] + shares["reserved"] + shares["restoring"], busy)

    def test_wheel_drag_and_keys_change_the_window(self):
        self.open_run()
        self.browser.run("document.querySelector('.cursor').scrollIntoView({block: 'center'})")
        box = self.browser.run("(({x, y, width}) => [x, y, width])(document.querySelector('.cursor').getBoundingClientRect())")
        x, y = box[0] + box[2] * 0.6, box[1] + 60
        all_of_it = self.browser.run(VIEW)
        pointed = self.browser.run(f"tessera.panels[0].chart.timeAt({box[2] * 0.6})")
        self.browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-400)
        self.browser.settle()
        zoomed = self.browser.run(VIEW)
        self.assertLess(zoomed[1] - zoomed[0], 0.7 * (all_of_it[1] - all_of_it[0]))
        # What was under the pointer stays there.
        still = self.browser.run(f"tessera.panels[0].chart.timeAt({box[2] * 0.6})")
        self.assertAlmostEqual(still, pointed, delta=1e-6 * all_of_it[1])
        self.browser.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self.browser.mouse("mouseMoved", x - 100, y, button="left", buttons=1)
        self.browser.mouse("mouseReleased", x - 100, y, button="left", clickCount=1)
        dragged = self.browser.run(VIEW)
        self.assertGreater(dragged[0], zoomed[0])
        self.assertAlmostEqual(dragged[1] - dragged[0], zoomed[1] - zoomed[0], places=6)
        self.browser.key("+")
        self.browser.key("ArrowLeft")
        after_keys = self.browser.run(VIEW)
        self.assertAlmostEqual(after_keys[1] - after_keys[0], (dragged[1] - dragged[0]) / 2, places=6)
        self.browser.key("0")
        self.assertEqual(self.browser.run(VIEW), all_of_it)

    def test_the_next_preemption_is_told_with_the_parts_of_its_latency(self):
        self.open_run()
        self.browser.run("document.querySelector('.cursor').focus()")
        self.browser.key("n")
        text = "".join(self.texts(".details"))
        self.assertIn("Preemption 1 of", text)
        self.browser.key("n")
        self.assertIn("Preemption 2 of", "".join(self.texts(".details")))
        self.browser.key("0")
        self.browser.run("tessera.panels[0].view.show(tessera.panels[0].view.end - 1, tessera.panels[0].view.end)")
        self.browser.key("p")
        last = self.browser.run("tessera.timelines[0].preemptions.count")
        self.assertIn(f"Preemption {last} of {last}", "".join(self.texts(".details")))
        us = {"n": 1e-3, "µ": 1}
        parts = {name: float(value) * us[unit] for name, value, unit in re.findall(r"(\w+) ([0-9.]+) ([nµ])s", text)}
        wanted = self.browser.run("(({decision, wait, movement, channel}) => ({decision: decision[0], trap: wait[0], "
                                  "movement: movement[0], channel: channel[0]}))(tessera.timelines[0].preemptions)")
        mhz = self.browser.run("tessera.timelines[0].mhz")
        for name, cycles in wanted.items():
            self.assertAlmostEqual(parts[name], cycles / mhz, delta=0.0006)

    def test_what_is_under_the_pointer_is_told(self):
        summary = self.open_run()
        self.browser.run("document.querySelector('.cursor').scrollIntoView({block: 'center'})")
        # The middle of the first slice of SM 0 in which thread blocks run.
        x, y, begin, end = self.browser.run("""(() => {
          const {chart, view} = tessera.panels[0];
          const {track, y, height} = chart.rows[0];
          const i = track.state.indexOf(2);
          const mhz = chart.timeline.mhz;
          view.show((track.begin[i] - 1000) / mhz, (track.end[i] + 1000) / mhz);
          const box = document.querySelector('.cursor').getBoundingClientRect();
          const x = 148 + (box.width - 148) / 2;
          return [box.x + x, box.y + y + height / 2, track.begin[i], track.end[i]];
        })()""")
        self.browser.settle()
        self.browser.mouse("mouseMoved", x, y)
        self.browser.settle()
        self.assertFalse(self.browser.run("document.querySelector('.tip').hidden"))
        (text,) = self.texts(".tip")
        name = summary["spec"]["workload"]["processes"][0]["name"]
        for words in (f"{name}/k", "SM 0: running", f"cycle {begin}, {end - begin} cycles"):
            self.assertIn(words, text)
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.mouse(kind, x, y, button="left", clickCount=1)
        self.browser.settle()
        self.assertIn("SM 0: running", "".join(self.texts(".details")))

    def test_the_window_is_told_in_numbers(self):
        summary = self.open_run()
        (text,) = self.texts(".window")
        shares = [float(each) for each in re.findall(r"([0-9.]+) %", text)]
        self.assertAlmostEqual(sum(shares), 100, delta=0.3)
        self.browser.run("tessera.panels[0].recolour('phase')")
        (phases,) = self.texts(".window")
        self.assertAlmostEqual(sum(float(each) for each in re.findall(r"([0-9.]+) %", phases)), 100, delta=0.5)
        self.assertEqual(re.findall(r"idle [0-9.]+", phases), re.findall(r"idle [0-9.]+", text))
        self.assertLess(shares[0], 100 * summary["sm_utilisation"] + 0.1)
        self.assertGreater(sum(shares[:3]), 100 * summary["sm_utilisation"] - 0.1)

    def test_late_in_a_run_times_are_told_to_the_cycle(self):
        out = run_small(PROGRAM, self.folder, "out")
        start = 2_000_000_000  # cycles: some seconds
        write_log(out, ["0,kernel_arrived,front,k,0,0,,,,,,,", f"{start},sm_set_up,front,k,0,,0,,,,,,",
                        f"{start + 5000},sm_released,front,k,0,,0,,,,,,"])
        self.report(out)
        self.open(out / "report.html")
        mhz = self.browser.run("tessera.timelines[0].mhz")
        self.browser.run(f"tessera.panels[0].view.show({start / mhz}, {(start + 5000) / mhz}); tessera.panels[0].tell()")
        (text,) = self.texts(".window")
        begin, end = (float(each) for each in re.match(r"([0-9.]+) s to ([0-9.]+) s", text).groups())
        self.assertAlmostEqual(begin * 1e6, start / mhz, delta=0.01)
        self.assertAlmostEqual(end * 1e6, (start + 5000) / mhz, delta=0.01)
        self.browser.run("(track => tessera.panels[0].pick({track, slice: track.count - 1}))(tessera.timelines[0].tracks[0])")
        (begin,) = re.findall(r"from ([0-9.]+) s for", "".join(self.texts(".details")))
        slice_begin = self.browser.run("(track => track.begin[track.count - 1])(tessera.timelines[0].tracks[0])")
        self.assertAlmostEqual(float(begin) * 1e6, slice_begin / mhz, delta=0.5 / mhz)

    def test_thousands_of_kernels_have_colours(self):
        out = run_small(PROGRAM, self.folder, "out")
        summary = json.loads((out / "summary.json").read_text())
        (application,) = summary["spec"]["applications"]
        application["kernels"] = [{**application["kernels"][0], "name": f"k{i}"} for i in range(5000)]
        (out / "summary.json").write_text(json.dumps(summary))
        log = []
        for i in range(5000):
            log += [f"{1000 * i},kernel_arrived,front,k{i},{i},0,,,,,,,", f"{1000 * i},sm_set_up,front,k{i},{i},,0,,,,,,",
                    f"{1000 * i + 900},sm_released,front,k{i},{i},,0,,,,,,",
                    f"{1000 * i + 950},kernel_finished,front,k{i},{i},0,,,,,,,1"]
        write_log(out, log)
        self.report(out)
        self.open(out / "report.html")
        self.browser.run("tessera.panels[0].recolour('kernel')")
        # Sums are kept for each class: few of them, though each of ten colours and those that are none of a kernel.
        self.assertLessEqual(self.browser.run("tessera.panels[0].chart.classes.count"), 33)
        hex_of = "(({classes, timeline}, group, i) => (track => classes.hex(classes.of(track, i)))(timeline.tracks.find(t => t.group === group && t.count)))"
        colour = lambda group, i: self.browser.run(f"{hex_of}(tessera.panels[0].chart, '{group}', {i})")
        self.assertEqual(len({colour("kernels", i) for i in range(10)}), 10)
        self.assertEqual(colour("kernels", 3), colour("kernels", 13))
        self.assertLess(len(self.texts(".legend .entry")), 60)

    def test_light_and_dark_are_as_the_system_says_until_the_switch(self):
        self.open_run()
        background = "getComputedStyle(document.body).backgroundColor"
        light = self.browser.run(background)
        self.browser.click(".theme")
        self.assertNotEqual(self.browser.run(background), light)
        picture = "tessera.panels[0].chart.canvas.toDataURL()"
        dark = self.browser.run(picture)
        self.browser.click(".theme")
        self.assertNotEqual(self.browser.run(picture), dark)  # the canvas goes along
        self.assertEqual(self.browser.run(background), light)

    def test_everything_has_a_name_for_those_who_do_not_see_it(self):
        self.open_run()
        nameless = self.browser.run(
            "[...document.querySelectorAll('button, select, input, [role]:not([role=tooltip])')].filter(e => !(e.getAttribute('aria-label') "
            "|| e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)"
        )
        self.assertEqual(nameless, [])
        self.assertEqual(self.browser.run("[...document.querySelectorAll('table')].every(t => t.caption.textContent)"), True)
        self.assertEqual(self.browser.run("document.documentElement.lang"), "en")

    def test_without_a_log_the_page_says_how_to_get_one(self):
        out = run_small(PROGRAM, self.folder, "out")
        (out / "timeline.csv").unlink()
        self.assertIn("--trace timeline", self.report(out))
        self.open(out / "report.html")
        self.assertIn("--trace timeline", "".join(self.texts("#timeline")))

    def test_names_that_look_like_html_are_text(self):
        out = run_small(PROGRAM, self.folder, "out")
        name = "</script><img src=x onerror=alert(1)>"
        summary = (out / "summary.json").read_text().replace('"front"', json.dumps(name))
        (out / "summary.json").write_text(summary)
        (out / "timeline.csv").write_text((out / "timeline.csv").read_text().replace(",front,", f",{name},"))
        self.report(out)
        self.open(out / "report.html")
        self.assertIn(name, self.cells("processes", "name"))
        self.assertEqual(self.texts("img"), [])

    def test_a_million_slices_are_drawn(self):
        out = run_small(PROGRAM, self.folder, "out")
        num_sms = json.loads((out / "summary.json").read_text())["spec"]["gpu"]["num_sms"]
        write_log(out, long_log(num_sms, -(-1_000_000 // (2 * num_sms))))
        self.report(out)
        start = time.monotonic()
        self.open(out / "report.html")
        opened = time.monotonic() - start
        self.assertGreaterEqual(self.browser.run("tessera.timelines[0].numSlices"), 1_000_000)
        frames = self.browser.run("""(async () => {
          const {chart, view} = tessera.panels[0];
          chart.frameTimes.length = 0;
          for (let i = 0; i < 60; ++i) {
            if (i % 30 === 0) view.all();
            view.zoom(0.75, view.end * 0.4);
            await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
          }
          return chart.frameTimes;
        })()""")
        self.assertGreaterEqual(len(frames), 60)
        size = (out / "report.html").stat().st_size / 1e6
        print(f"a million slices: page of {size:.1f} MB, open in {opened:.2f} s; a frame takes "
              f"{sorted(frames)[len(frames) // 2]:.1f} ms (median), {max(frames):.1f} ms at most", file=sys.stderr)
        # At every zoom each SM's share of the window is what the log says: 500 of 1000 cycles.
        self.browser.run("tessera.panels[0].view.all(); tessera.panels[0].tell()")
        self.assertIn("idle 50.0 %", "".join(self.texts(".window")))


class InTheDark(PageTest):
    dark = True

    def test_a_dark_system_gets_a_dark_page(self):
        self.open_run()
        red = self.browser.run("+getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0]")
        self.assertLess(red, 64)


class Comparison(PageTest):
    def test_two_runs_stand_side_by_side_on_one_time_axis(self):
        a = run_small(PROGRAM, self.folder, "a")
        b = run_small(PROGRAM, self.folder, "b", "--set", "scheduler.policy=dss")
        self.report(a, b)
        self.open(self.folder / "a-vs-b.html")
        summaries = [json.loads((each / "summary.json").read_text()) for each in (a, b)]
        for column, summary in zip(("before", "after"), summaries):
            self.assertEqual(float(self.cells("metrics", column)[0]), summary["antt"])
        self.assertEqual(self.cells("what-differs", "key"), ["scheduler.policy"])
        self.browser.run("tessera.panels[0].view.zoom(0.5)")
        windows = self.browser.run("tessera.panels.map(({view}) => [view.from, view.to])")
        self.assertEqual(windows[0], windows[1])


    def test_processes_of_the_same_name_have_the_same_colour(self):
        a, b = (run_small(PROGRAM, self.folder, name) for name in "ab")
        for path in (b / "summary.json", b / "timeline.csv"):  # what was front is another, back stays
            swapped = path.read_text().replace('"front"', '"other"').replace(",front,", ",other,")
            path.write_text(swapped)
        summary = json.loads((b / "summary.json").read_text())
        summary["spec"]["workload"]["processes"].reverse()
        for results in (summary, summary["baseline"]):
            results["processes"].reverse()
        (b / "summary.json").write_text(json.dumps(summary))
        self.report(a, b)
        self.open(self.folder / "a-vs-b.html")
        legends = self.browser.run("""[...document.querySelectorAll('.legend')].slice(0, 2).map(legend => Object.fromEntries(
          [...legend.querySelectorAll('.entry')].map(e => [e.textContent, e.querySelector('.sample').getAttribute('style')])))""")
        self.assertEqual(legends[0]["back"], legends[1]["back"])
        self.assertEqual(len({legends[0]["front"], legends[0]["back"], legends[1]["other"]}), 3)
        drawn = self.browser.run("""tessera.panels.map(({chart: {timeline, classes}}) =>
          Object.fromEntries(timeline.tracks.filter(t => t.group === 'runs').map(t => [timeline.processes[t.index], classes.hex(classes.of(t, 0))])))""")
        for legend, colours in zip(legends, drawn):
            for name, colour in colours.items():
                self.assertIn(colour, legend[name])


class Sweep(PageTest):
    def open_sweep(self, **how):
        sweep, points = make_sweep(PROGRAM, self.folder, **how)
        self.report(sweep)
        self.open(sweep / "report.html")
        return points

    def test_the_table_has_every_point_sorts_and_filters(self):
        points = self.open_sweep()
        self.assertEqual([int(value) for value in self.cells("points", "index")], [point["index"] for point in points])
        of = lambda name: [point["metrics"][name] for point in points if point["metrics"]]
        self.assertEqual([float(value) for value in self.cells("points", "antt") if value], of("antt"))
        self.assertIn("out of memory", self.cells("points", "reason"))
        head = self.browser.run("[...document.querySelectorAll('#points th')].findIndex(th => th.textContent.startsWith('antt'))")
        self.browser.click("#points th button", head)
        self.assertEqual([float(value) for value in self.cells("points", "antt") if value], sorted(of("antt")))
        self.browser.click("#points th button", head)
        self.assertEqual([float(value) for value in self.cells("points", "antt") if value], sorted(of("antt"), reverse=True))
        self.browser.run("[...document.querySelectorAll('.chip')].find(e => e.textContent === 'dss').click()")
        self.assertEqual(set(self.cells("points", "policy")), {"dss"})
        self.assertEqual(len(self.texts("circle.dot")), 1)  # the mean of two seeds

    def test_the_pareto_front_has_the_points_that_no_other_beats(self):
        points = self.open_sweep()
        self.browser.run("tessera.scatter.x = tessera.model.column('sram_bytes'); tessera.scatter.y = tessera.model.column('antt'); tessera.scatter.isAveraged = false; tessera.scatter.draw()")
        front = set(self.browser.run("tessera.scatter.front.map(row => row[0])"))
        places = {point["index"]: (point["cost"]["sram_bytes"], point["metrics"]["antt"]) for point in points if point["metrics"]}
        beaten = {i for i, (x, y) in places.items() for (u, v) in places.values() if u <= x and v <= y and (u, v) != (x, y)}
        self.assertEqual(front, set(places) - beaten)

    def test_replicates_are_averaged_with_their_interval(self):
        points = self.open_sweep()
        self.browser.run("tessera.scatter.y = tessera.model.column('antt')")
        means = {place["row"][0]: (place["y"], place["dy"]) for place in self.browser.run("tessera.scatter.points()")}
        self.assertEqual(len(means), 3)
        t = 12.7062  # of one degree of freedom, 97.5 %
        for index, (mean, half) in means.items():
            policy = points[index]["axes"]["policy"]
            values = [point["metrics"]["antt"] for point in points if point["axes"]["policy"] == policy and point["metrics"]]
            self.assertAlmostEqual(mean, statistics.mean(values), places=9)
            self.assertAlmostEqual(half, t * statistics.stdev(values) / len(values) ** 0.5, delta=1e-3 * mean)

    def test_a_stretch_of_a_parallel_axis_keeps_what_passes_there(self):
        points = self.open_sweep()
        values = sorted(point["metrics"]["antt"] for point in points if point["metrics"])
        middle = (values[2] + values[3]) / 2
        self.browser.run(f"tessera.model.setRange('antt', [0, {middle}])")
        kept = [float(value) for value in self.cells("points", "antt")]
        self.assertEqual(sorted(kept), [value for value in values if value <= middle])
        self.assertEqual(len(self.texts(".parallel .line.kept")), len(kept))

    def open_points(self, name, columns, points):
        sweep = write_sweep(self.folder / name, columns, points)
        self.report(sweep)
        self.open(sweep / "report.html")

    def places(self):
        """Where the dots are, in the picture's own units."""
        return self.browser.run("[...document.querySelectorAll('circle.dot')].map(e => [+e.getAttribute('cx'), +e.getAttribute('cy')])")

    def test_points_of_any_kind_make_a_page(self):
        measures = [("policy", "axis"), ("antt", "metric"), ("stp", "metric")]
        point = lambda policy, antt, stp, **more: {"axes": {"policy": policy}, "metrics": {"antt": antt, "stp": stp}, **more}
        sweeps = {
            "no point": (measures, []),
            "one point": (measures, [point("a", 1.5, 2)]),
            "no columns": ([], [{}, {}]),
            "no axis": ([("antt", "metric")], [{"metrics": {"antt": i}} for i in range(3)]),
            "no number": (measures, [point(name, None, None) for name in "abc"]),
            "all failed": (measures, [{"axes": {"policy": name}, "status": "failed", "reason": "killed"} for name in "ab"]),
            "equal but for rounding": (measures, [point(str(i), 1 + (i % 2) * 2**-52, 0.3 + i * 2**-54) for i in range(3)]),
            "as large as numbers get": (measures, [point("a", -1.7e308, 1e300), point("b", 1.7e308, 1e-300), point("c", 0, 5e-324)]),
            "values of any kind": (measures, [point(*each) for each in ((True, True, 1), (1, "a", 2), (None, 2, None))]),
        }
        for name, (columns, points) in sweeps.items():
            with self.subTest(name):
                self.open_points(name, columns, points)
                self.assertEqual(len(self.cells("points", "index")), len(points))
                for x, y in self.places():
                    self.assertTrue(0 <= x <= 760 and 0 <= y <= 430, (x, y))

    def test_counts_in_the_table_have_all_their_digits(self):
        self.open_points("counts", [("bytes_saved", "metric")], [{"metrics": {"bytes_saved": n}} for n in (17612800, 99, 0.5)])
        self.assertEqual(self.texts("#points td[data-column='bytes_saved']"), ["17\u202f612\u202f800", "99", "0.5"])

    def test_an_interval_that_reaches_below_zero_ends_with_a_logarithmic_axis(self):
        points = [{"seed": seed, "metrics": {"antt": antt, "stp": 1 + seed}} for seed, antt in ((1, 1), (2, 3))]  # 2 +- 12.7
        self.open_points("log", [("antt", "metric"), ("stp", "metric")], points)
        self.browser.run("[...document.querySelectorAll('.toggle')].find(e => e.textContent === 'log y').click()")
        (whisker,) = self.browser.run("[...document.querySelectorAll('.whisker')].map(e => e.getAttribute('d'))")
        self.assertTrue(all(0 <= float(y) <= 430 for y in re.findall(r"V([0-9.]+)", whisker)), whisker)

    def test_a_logarithmic_axis_with_zero_is_said_to_be_linear(self):
        self.open_points("zero", [("antt", "metric"), ("stp", "metric")], [{"metrics": {"antt": i, "stp": i}} for i in range(3)])
        self.browser.run("[...document.querySelectorAll('.toggle')].find(e => e.textContent === 'log y').click()")
        self.assertEqual(["linear" in text for text in self.texts(".scatter .label")], [False, True])

    def test_many_parallel_axes_keep_their_room(self):
        names = [f"turnaround_us.process_{i}" for i in range(30)]
        points = [{"metrics": {name: i + j for j, name in enumerate(names)}} for i in range(3)]
        self.open_points("wide", [(name, "metric") for name in names], points)
        self.browser.run("document.querySelectorAll('#parallel-axes input').forEach(e => e.checked || e.click())")
        boxes = self.browser.run(
            "[...document.querySelectorAll('.parallel .label')].map(e => e.getBoundingClientRect()).map(({left, right}) => [left, right])"
        )
        self.assertEqual(len(boxes), len(names))
        for row in (boxes[::2], boxes[1::2]):
            for (_, right), (left, _) in zip(row, row[1:]):
                self.assertLess(right, left)

    def test_ten_thousand_points_are_filtered_and_drawn(self):
        points = [{"axes": {"n": str(i // 4)}, "metrics": {"antt": (i * 7919) % 9973, "stp": i % 101}} for i in range(10_000)]
        self.open_points("many", [("n", "axis"), ("antt", "metric"), ("stp", "metric")], points)
        took = self.browser.run("""(async () => {
          const start = performance.now();
          tessera.model.setRange("antt", [0, 4999]);
          await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
          return performance.now() - start;
        })()""")
        kept = sum(point["metrics"]["antt"] <= 4999 for point in points)
        self.assertEqual(len(self.texts(".parallel .line.kept")), kept)
        print(f"ten thousand points: a filter takes {took:.0f} ms", file=sys.stderr)

    def test_a_click_on_a_point_shows_the_timeline_that_was_kept(self):
        self.open_sweep(seeds=(1,))
        self.browser.run("document.querySelector('circle[data-index=\"1\"]').dispatchEvent(new MouseEvent('click'))")  # ppq
        self.browser.settle()
        self.assertGreater(self.browser.run("tessera.details.panel.timeline.numSlices"), 0)
        self.assertEqual(self.cells("point", "name")[:2], ["front", "back"])
        self.browser.run("document.querySelector('circle[data-index=\"0\"]').dispatchEvent(new MouseEvent('click'))")  # fcfs
        self.assertIn("keep_timelines", "".join(self.texts(".point")))


    def test_a_timeline_without_room_in_the_page_is_told_with_the_way_to_it(self):
        sweep, points = make_sweep(PROGRAM, self.folder, policies=("ppq", "dss"), seeds=(1,), keep=("ppq", "dss"))
        self.report(sweep)
        page = sweep / "report.html"
        head, data, rest = re.split(r'(?<=id="data">)(.*?)(?=</script>)', page.read_text(), maxsplit=1, flags=re.DOTALL)
        data = json.loads(data)
        key = points[1]["key"]
        del data["sweep"]["runs"][key]
        data["sweep"]["left_out"] = [key]
        page.write_text(head + json.dumps(data) + rest)
        self.open(page)
        self.assertEqual(self.cells("points", "timeline"), ["here", "in its folder", None])
        self.assertIn("1 of the timelines", "".join(self.texts("main > .note")))
        self.browser.click("#points tr.pick", 1)
        self.assertIn(f"tessera report SWEEP/timelines/{key}", "".join(self.texts(".point")))


class Reproduction(PageTest):
    def test_values_and_claims_are_those_of_the_reproduction(self):
        out = self.folder / "out"
        subprocess.run([PROGRAM, "reproduce", "t14-sram", "--out", out], check=True, capture_output=True, cwd=self.folder)
        self.report(out)
        self.open(out / "report.html")
        reproduction = json.loads((out / "reproduction.json").read_text())
        shown = self.browser.run("tessera.tables.flatMap(table => table.rows.map(row => row.ours))")
        self.assertEqual(shown, [value["ours"] for value in reproduction["values"]])
        good = len(self.texts(".checks .good"))
        self.assertEqual(good, sum(each["holds"] for each in reproduction["orderings"]))


if __name__ == "__main__":
    unittest.main()
