# SPDX-License-Identifier: Apache-2.0
"""A test of the Python package with the built program, whose path is the first argument, in a folder of its own."""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(sys.argv.pop(1)).resolve()
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/cli")]
from small_experiment import write_small_experiment  # noqa: E402

os.environ["MPLBACKEND"] = "Agg"
MISSING = ""
try:
    import tessera
except ImportError as missing:
    tessera = None
    MISSING = f"python3-{missing.name} is not installed"

SWEEP = """
schema_version: 1
name: small_sweep
base: small.yaml
axes:
  - {key: gpu.num_sms, values: [4, 8]}
  - {key: scheduler.technique, values: [context_switch, drain]}
plots:
  - {name: front, x: sram_bytes, y: antt, series: technique, pareto: {x: min, y: min}}
  - {name: panels, x: num_sms, y: antt, facets: technique, pareto: {x: min, y: min}}
  - {name: lines, x: num_sms, y: antt, series: technique}
"""


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if MISSING:
            raise unittest.SkipTest(MISSING)

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="python test "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.experiment = write_small_experiment(self.folder)
        self.sweep_file = self.folder / "sweep.yaml"
        self.sweep_file.write_text(SWEEP)
        self.set_environment("TESSERA", str(PROGRAM))

    def set_environment(self, name, value):
        self.addCleanup(os.environ.__setitem__, name, os.environ.get(name, ""))
        os.environ[name] = value
