# SPDX-License-Identifier: Apache-2.0
"""The bundle that is checked in is what esbuild makes of the page's sources today."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

REPORT = Path(__file__).resolve().parents[2] / "report"
ESBUILD = shutil.which("esbuild")
VERSION = "0.17."  # Debian 12's; another one writes other bytes


def version():
    return subprocess.run([ESBUILD, "--version"], capture_output=True, text=True).stdout.strip() if ESBUILD else "none"


class Bundle(unittest.TestCase):
    @unittest.skipUnless(version().startswith(VERSION), f"esbuild {VERSION}x (Debian: esbuild) is not there: {version()}")
    def test_it_is_current(self):
        with tempfile.TemporaryDirectory(prefix="bundle test ") as folder:
            subprocess.run([REPORT / "bundle.sh", folder], check=True)
            for name in ("page.js", "page.css"):
                fresh = (Path(folder) / name).read_text()
                self.assertEqual(fresh, (REPORT / "bundle" / name).read_text(), f"{name}: run report/bundle.sh")

    def test_it_ends_no_script_element(self):
        for name in ("page.js", "page.css"):
            text = (REPORT / "bundle" / name).read_text().lower()
            self.assertNotIn("</script", text)
            self.assertNotIn("</style", text)
            self.assertNotIn("<!--", text)


if __name__ == "__main__":
    unittest.main()
