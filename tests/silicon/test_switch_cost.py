# SPDX-License-Identifier: Apache-2.0
"""Claims about the fit of what a switch costs: configs/gpus/silicon/h200.yaml against silicon/h200/slices.csv."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "silicon"))
import fit_switch_cost as fit  # noqa: E402


class SwitchCost(unittest.TestCase):
    def setUp(self):
        self.rows = fit.read_rows(fit.ROWS)
        self.constants = fit.constants_of(fit.GPU)

    def test_PeriodAndRunAreWithinTenMicrosecondsOfEveryRowAndNobodyWithinTwelve(self):
        for row in self.rows:
            predicted = fit.predict(self.constants, row)
            with self.subTest(row=row["name"]):
                self.assertAlmostEqual(predicted["period"], row["period_us"], delta=10)
                self.assertAlmostEqual(predicted["run"], row["run_first_sm_us"], delta=10)
                self.assertAlmostEqual(predicted["nobody"], row["none_runs_first_sm_us"], delta=12)

    def test_ThePeriodIsARunAndTheTimeInWhichNobodyRuns(self):
        for row in self.rows:
            predicted = fit.predict(self.constants, row)
            self.assertAlmostEqual(predicted["period"], predicted["run"] + predicted["nobody"])

    def test_OneWarpWithAllOfTheSharedMemoryIsAsByHand(self):
        """132 SMs x (4096 + 227 KiB) bytes at 2.2 TB/s are 14.2 us; a warp copies 227 KiB."""
        row = {"sms": 132, "blocks_per_sm": 1, "threads": 32, "smem_kib": 226, "registers": 32}
        constants = {"in_slice_us": 9.5, "preempted_us": 161.5, "save_us_per_warp": 0.39, "save_us_per_kib": 0.01,
                     "restore_us_per_warp": 0.21, "restore_us_per_kib": 0.73, "bandwidth_gbps": 2200}
        predicted = fit.predict(constants, row)
        self.assertAlmostEqual(predicted["save"], 0.39 + 2.27 + 14.19, delta=0.01)
        self.assertAlmostEqual(predicted["restore"], 0.21 + 165.71 + 14.19, delta=0.01)

    def test_TheSearchFindsTheConstantsOfTheFile(self):
        self.assertEqual(fit.search(self.rows), self.constants)


if __name__ == "__main__":
    unittest.main()
