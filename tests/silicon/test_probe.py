# SPDX-License-Identifier: Apache-2.0
"""Claims about the probe where there is no GPU: what it says, and the files that it makes of an H200's rows."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 and Path(sys.argv[1]).is_file() else None


class Probe(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="probe test "))
        self.addCleanup(shutil.rmtree, self.folder)

    def rows_of_the_h200(self):
        for file in (ROOT / "silicon/h200").glob("*.csv"):
            shutil.copy(file, self.folder)
        subprocess.run([sys.executable, "-B", ROOT / "probe/gpu_file.py", self.folder], check=True, capture_output=True)
        return self.folder / "gpu.yaml", self.folder / "host.yaml"

    def test_WithoutAGpuOneLineSaysSo(self):
        tools = self.folder / "tools"  # no nvidia-smi, no nvcc
        tools.mkdir()
        for name in ("bash", "dirname", "readlink"):
            (tools / name).symlink_to(shutil.which(name))
        result = subprocess.run([ROOT / "probe/run", self.folder / "out"], env={"PATH": str(tools)}, text=True,
                                capture_output=True)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertIn("no NVIDIA GPU", result.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_RowsOfTheH200GiveItsGpuFile(self):
        probed = yaml.safe_load(self.rows_of_the_h200()[0].read_text())
        ours = yaml.safe_load((ROOT / "configs/gpus/silicon/h200.yaml").read_text())
        for key in ("clock_mhz", "num_sms", "max_tbs_per_sm", "registers_per_sm", "shared_memory_bytes",
                    "shared_memory_reserve_bytes", "num_dma_engines", "memory_bandwidth_gbps"):
            self.assertEqual(probed[key], ours[key], key)
        for key, share in (("tb_issue_cycles", 0.02), ("tb_issue_mhz", 0.01), ("dispatch_cycles", 0.1)):
            self.assertAlmostEqual(probed["framework"][key] / ours["framework"][key], 1, delta=share, msg=key)
        for key, value in ours["framework"]["gpu_switch"].items():
            if key == "dry_us":
                self.assertAlmostEqual(probed["framework"]["gpu_switch"][key], value, delta=1)
            else:
                self.assertEqual(probed["framework"]["gpu_switch"][key], value, key)

    def test_ItsFilesValidate(self):
        if PROGRAM is None:
            self.skipTest("no program was given")
        for file in self.rows_of_the_h200():
            result = subprocess.run([PROGRAM, "validate", file], text=True, capture_output=True)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
