# SPDX-License-Identifier: Apache-2.0
"""Claims about the tutorial: its commands, typed in order in the repository's root folder, print what the page shows.

Of the page, `sh` blocks are run, `yaml` blocks written to the file that their first line names, and each line of a block
without a language, and each row of a table of results, has to be among what the block before it printed.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).resolve()
ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/guide/tutorial.md"
PART = re.compile(r"^```(\w*)\n(.*?)^```$|^(\| \w+ \| [a-z_]+ \|[^\n]*)$", re.MULTILINE | re.DOTALL)


def chapters():
    """The text of each, by its number."""
    found = re.split(r"^## (\d)\. .*\n", PAGE.read_text(), flags=re.MULTILINE)[1:]
    return {int(number): text.partition("\n## ")[0] for number, text in zip(found[::2], found[1::2])}


def parts(text):
    """(language, text) of each block, and ("", row) of each row of a table of results, in their order."""
    for language, block, row in PART.findall(text):
        yield language, block or row


def run(commands, folder):
    script = "".join(["set -euo pipefail\n", *commands])
    return subprocess.run(["bash", "-c", script], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


class Tutorial(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="tutorial"))
        self.addCleanup(shutil.rmtree, self.folder)

    def follow(self, text):
        printed = ""
        for language, part in parts(text):
            if language == "sh":
                result = run([part], self.folder)
                printed = result.stdout
                self.assertEqual(result.returncode, 0, part + printed)
            elif language == "yaml":
                (self.folder / part.splitlines()[0].removeprefix("# ")).write_text(part)
            elif language == "":
                for line in part.splitlines():
                    self.assertTrue(line in printed.splitlines(), f"not printed: {line}")

    def test_ItsFirstSixChaptersPrintWhatThePageShows(self):
        (self.folder / "docs").symlink_to(ROOT / "docs")
        (self.folder / "tessera").symlink_to(PROGRAM)
        for number in range(1, 7):
            with self.subTest(chapter=number):
                if number == 6 and not shutil.which("yosys"):
                    self.skipTest("Yosys is not installed")
                self.follow(chapters()[number])
        for left in ("which/report.html", "which/plots/who_pays.svg", "which/sweep.sqlite", "point/report.html"):
            self.assertTrue((self.folder / left).is_file(), left)

    @unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "building a copy of the program takes minutes")
    def test_ThePatchOfItsLastChapterAddsAPolicyToAllThreeModels(self):
        commands = next(part for language, part in parts(chapters()[7]) if language == "sh")
        moved = commands.replace("git clone .", f"git clone --quiet {ROOT}").replace("../tessera_copy", "copy")
        self.assertNotEqual(moved, commands)
        text = chapters()[7].replace(commands, moved)
        first, _, second = text.partition("Then ask the question")
        self.follow(first)
        self.folder = self.folder / "copy"
        self.addCleanup(setattr, self, "folder", self.folder.parent)
        self.follow(second)


class Page(unittest.TestCase):
    def test_ItHasCommandsAndWhatTheyPrint(self):
        found = [language for number in range(1, 7) for language, _ in parts(chapters()[number])]
        self.assertGreater(found.count("sh"), 8)
        self.assertEqual(found.count("yaml"), 3)
        self.assertGreater(found.count(""), 10)

    def test_ThePatchAppliesToTheSources(self):
        check = subprocess.run(["git", "apply", "--check", "docs/guide/tutorial/stream_priority.patch"], cwd=ROOT,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(check.returncode, 0, check.stdout)


if __name__ == "__main__":
    unittest.main()
