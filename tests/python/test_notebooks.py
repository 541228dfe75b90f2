# SPDX-License-Identifier: Apache-2.0
"""Claims about the notebooks: they run from top to bottom, and a figure that is not so any more ends one."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

from package_test import MISSING, PROGRAM, ROOT

try:
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
except ImportError as missing:
    MISSING = MISSING or f"python3-{missing.name} is not installed"

NOTEBOOKS = ROOT / "python/notebooks"
LONG = os.environ.get("TESSERA_LONG_TESTS")


@unittest.skipIf(MISSING, MISSING)
class Notebooks(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="notebook test "))
        self.addCleanup(shutil.rmtree, self.folder)
        os.environ.pop("MPLBACKEND", None)  # the kernel has its own, whose pictures are outputs
        os.environ.update(TESSERA=str(PROGRAM), PYTHONPATH=str(ROOT / "python"), IPYTHONDIR=str(self.folder))

    def execute(self, name, before="", after=""):
        """Runs a copy in a folder of its own, with a text replaced in its cells."""
        for path in filter(Path.is_file, NOTEBOOKS.iterdir()):
            shutil.copy(path, self.folder)
        notebook = nbformat.read(self.folder / f"{name}.ipynb", 4)
        if before:
            self.assertEqual(sum(before in cell.source for cell in notebook.cells), 1)
            for cell in notebook.cells:
                cell.source = cell.source.replace(before, after)
        place = {"metadata": {"path": self.folder}}
        NotebookClient(notebook, timeout=500, kernel_name="python3", resources=place).execute()
        return notebook

    def assert_has_pictures(self, notebook, count):
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        pictures = [output for output in outputs if "image/png" in output.get("data", {})]
        self.assertEqual(len(pictures), count)

    def test_sharing_a_gpu_comes_out_as_it_says(self):
        self.assert_has_pictures(self.execute("share_a_gpu"), 2)

    @unittest.skipUnless(LONG, "--long only")
    def test_your_own_profile_comes_out_as_it_says(self):
        self.assert_has_pictures(self.execute("your_own_profile"), 3)

    @unittest.skipUnless(LONG, "--long only")
    @unittest.skipUnless(shutil.which("yosys") and shutil.which("sta"), "no Yosys, or no OpenSTA")
    def test_the_price_of_a_scheduler_comes_out_as_it_says(self):
        self.assert_has_pictures(self.execute("price_a_scheduler"), 1)

    @unittest.skipUnless(LONG, "--long only")
    def test_a_figure_that_is_wrong_ends_its_notebook(self):
        with self.assertRaisesRegex(CellExecutionError, "AssertionError"):
            self.execute("your_own_profile", "== 264", "== 265")

    def test_are_kept_without_outputs_which_could_be_out_of_date(self):
        names = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
        self.assertEqual(names, ["price_a_scheduler.ipynb", "share_a_gpu.ipynb", "your_own_profile.ipynb"])
        for name in names:
            notebook = nbformat.read(NOTEBOOKS / name, 4)
            nbformat.validate(notebook)
            code = [cell for cell in notebook.cells if cell.cell_type == "code"]
            self.assertEqual([cell.outputs for cell in code], [[]] * len(code), name)
            self.assertGreater(sum("assert " in cell.source for cell in code), 2, name)


if __name__ == "__main__":
    unittest.main()
