# SPDX-License-Identifier: Apache-2.0
"""Claims about `cmake --install --component program`: the build folder is the first argument."""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(sys.argv.pop(1)).resolve()
PYTHON = """
import tessera
run = tessera.run("quickstart", set={"stop.max_time_us": 80000})
print(tessera.find_program(), len(run.preemptions) > 0, tessera.__file__)
"""


class Installed(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="install test "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.install("first")
        self.prefix = self.folder / "a prefix"
        (self.folder / "first").rename(self.prefix)  # what knows where it was installed breaks here
        self.environment = {**os.environ, "PATH": f"{self.prefix / 'bin'}:/usr/bin:/bin"}
        self.environment.pop("TESSERA", None)

    def install(self, name):
        self.run_here("cmake", "--install", BUILD, "--component", "program", "--prefix", self.folder / name, "--strip")

    def run_here(self, *words, environment=None):
        result = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def tessera(self, *words):
        return self.run_here("tessera", *words, environment=self.environment)

    def test_ProgramFindsItsFilesHasManPagesAndRunsFromPython(self):
        # 1. Configurations by name, the Verilog core (kept where tests keep theirs), nothing of the libraries.
        self.tessera("validate", *sorted((self.prefix / "share/tessera/configs/experiments").glob("*.yaml")))
        self.assertIn("policies", self.tessera("sweep", "policies", "--dry-run"))
        self.tessera("run", "--abstraction", "rtl", "--set", "stop.max_time_us=75000", "--out", "rtl")
        names = [str(path.relative_to(self.prefix)) for path in self.prefix.rglob("*")]
        self.assertEqual([name for name in names if re.search(r"\.a$|^include|\.cmake$|__pycache__", name)], [])
        # 2. A man page for each command.
        commands = re.findall(r"^  ([a-z]+) ", self.tessera("--help").partition("Subcommands:")[2], re.MULTILINE)
        self.assertGreater(len(commands), 15)
        if shutil.which("help2man"):
            pages = {path.name for path in (self.prefix / "share/man/man1").iterdir()}
            self.assertEqual(pages, {"tessera.1.gz", *(f"tessera-{command}.1.gz" for command in commands)})
            page = gzip.decompress((self.prefix / "share/man/man1/tessera-run.1.gz").read_bytes()).decode()
            self.assertIn("tessera-run \\- Simulate an experiment", page)
            self.assertIn("Override a key", page)
        # 3. The Python package beside it.
        if not Path("/usr/lib/python3/dist-packages/pandas").exists():
            self.skipTest("python3-pandas is not installed")
        packages = self.prefix / "lib/python3/dist-packages"
        environment = {**self.environment, "PYTHONPATH": str(packages), "PYTHONDONTWRITEBYTECODE": "1"}
        printed = self.run_here("/usr/bin/python3", "-c", PYTHON, environment=environment)
        self.assertEqual(printed.strip(), f"{self.prefix / 'bin/tessera'} True {packages / 'tessera/__init__.py'}")


if __name__ == "__main__":
    unittest.main()
