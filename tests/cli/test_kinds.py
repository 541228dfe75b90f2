# SPDX-License-Identifier: Apache-2.0
"""Claims about `tessera kinds` at the command line, and about [Z21] Figures 2 to 4 under memory that has a roof.

Called with the path of the built program; every test runs it in a folder of its own whose path has spaces.
"""

import json
import unittest

from program_test import ProgramTest


class Kinds(ProgramTest):
    def test_memory_intensive_kernels_of_z21_stop_to_gain_at_40_sms(self):
        kernels = {one["kernel"]: one for one in json.loads(self.tessera("kinds", "z21_kinds", "--json").stdout)["kernels"]}
        for name in ("vector_add", "transpose"):
            times = kernels[name]["time_us"]
            self.assertEqual(kernels[name]["kind"], "memory")
            self.assertEqual(kernels[name]["levels_off_sms"], 40)
            self.assertEqual(len(times), 68)
            self.assertAlmostEqual(times[0] / times[19], 20, delta=0.2)
            self.assertAlmostEqual(times[39] / times[67], 1, delta=0.01)
        for name in ("hotspot", "pathfinder"):
            times = kernels[name]["time_us"]
            self.assertEqual(kernels[name]["kind"], "compute")
            self.assertAlmostEqual(times[0] / times[67], 68, delta=1)

    def test_two_halves_of_the_sms_that_read_take_68_over_40_as_long(self):
        summary = json.loads(self.tessera("run", "z21_halves", "--json", "--out", "out").stdout)
        times = {process["name"]: process["turnaround_us"] for process in summary["processes"]}
        self.assertAlmostEqual(times["alone"], 2300, delta=10)
        self.assertAlmostEqual(times["beside"] / times["alone"], 68 / 40, delta=0.01)

    def test_a_table_says_a_kernel_a_line(self):
        lines = self.tessera("kinds", "z21_kinds").stdout.splitlines()
        self.assertEqual(len(lines), 6)
        self.assertEqual(lines[2].split()[0], "vector_add")
        self.assertEqual(lines[2].split()[-1], "memory")

    def test_without_loaded_memory_there_is_nothing_to_measure(self):
        errors = self.tessera("kinds", "quickstart", status=2).stderr.splitlines()
        self.assertEqual(len(errors), 1)
        self.assertIn("memory_channel.sharing: memory limits no kernel (static; loaded_latency)", errors[0])


if __name__ == "__main__":
    unittest.main()
