# SPDX-License-Identifier: Apache-2.0
"""Claims about the pictures: what they draw is what the tables hold."""

import unittest

import numpy as np
from package_test import PackageTest, tessera


class Pictures(PackageTest):
    def test_of_slow_downs_have_a_bar_for_each_process_and_run(self):
        run = tessera.run(self.experiment)
        ax = tessera.pictures.slowdown_bars(run)
        heights = [bar.get_height() for bar in ax.patches]
        self.assertEqual(heights, [*run.processes.ntt, *run.processes.baseline_ntt])
        self.assertEqual([text.get_text() for text in ax.get_xticklabels()], ["front", "back"])
        self.assertEqual([text.get_text() for text in ax.get_legend().get_texts()], ["ppq", "fcfs (baseline)"])
        other = tessera.run(self.experiment, set={"scheduler.policy": "dss"})
        both = tessera.pictures.slowdown_bars({"a": run, "b": other})
        self.assertEqual([bar.get_height() for bar in both.patches], [*run.processes.ntt, *other.processes.ntt])
        self.experiment.write_text(self.experiment.read_text().replace("back", "behind"))
        with self.assertRaisesRegex(ValueError, "different processes"):
            tessera.pictures.slowdown_bars({"a": run, "b": tessera.run(self.experiment)})
        both.figure.savefig(self.folder / "bars.png")

    def test_of_sms_draw_each_slice_of_the_window_in_its_row(self):
        run = tessera.run(self.experiment, timeline=True)
        begin, end = np.quantile(run.timeline.begin_us, [0.25, 0.75])
        ax = tessera.pictures.sm_timeline(run, begin, end)
        shown = run.timeline[(run.timeline.end_us > begin) & (run.timeline.begin_us < end)]
        drawn = [path.vertices for group in ax.collections for path in group.get_paths()]
        boxes = sorted((int(box[:, 1].min()), box[:, 0].min(), box[:, 0].max()) for box in drawn)
        self.assertEqual(boxes, sorted(zip(shown.sm, shown.begin_us, shown.end_us)))
        self.assertGreater(len(boxes), 20)
        self.assertLess(len(boxes), len(run.timeline))
        self.assertEqual(ax.get_xlim(), (begin, end))
        ax.figure.savefig(self.folder / "timeline.png")

    def test_of_a_sweep_join_the_designs_of_the_front(self):
        sweep = tessera.sweep(self.sweep_file)
        ax = tessera.pictures.sweep_scatter(sweep, "front")
        designs = sweep.plot("front")
        front = designs[designs.on_front == "yes"].sort_values("sram_bytes")
        self.assertEqual(list(ax.lines[0].get_xdata()), list(front.sram_bytes))
        self.assertEqual(list(ax.lines[0].get_ydata()), list(front.antt))
        dots = [line for line in ax.lines if line.get_marker() == "o"]
        points = [point for line in dots for point in zip(line.get_xdata(), line.get_ydata())]
        self.assertEqual(sorted(points), sorted(zip(designs.sram_bytes, designs.antt)))
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("sram_bytes", "antt"))
        panels = sweep.plot("panels")
        lines = [list(line.get_ydata()) for line in tessera.pictures.sweep_scatter(sweep, "panels").lines
                 if line.get_linestyle() == "-" and line.get_color() == "#555555"]  # fmt: skip
        for technique, line in zip(panels.technique.unique(), lines):
            front = panels[(panels.technique == technique) & (panels.on_front == "yes")]
            self.assertEqual(line, list(front.sort_values("num_sms").antt))
        self.assertEqual(len(lines), 2)
        with self.assertRaisesRegex(tessera.TesseraError, r"say which plot \(front, panels, lines\)"):
            tessera.pictures.sweep_scatter(sweep)
        without_front = tessera.pictures.sweep_scatter(sweep, "lines")
        self.assertEqual(len(without_front.lines[0].get_xdata()), 0)
        ax.figure.savefig(self.folder / "scatter.png")


if __name__ == "__main__":
    unittest.main()
