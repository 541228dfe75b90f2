# SPDX-License-Identifier: Apache-2.0
"""Claims about the site that `./tessera docs` builds of the pages."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "site"))
import pages  # noqa: E402

THEMES = Path("/usr/share/mkdocs/themes")
PYTHON = "/usr/bin/python3"  # Debian's: it is the one that has mkdocs


def build(folder):
    environment = {**os.environ, "PYTHONPATH": f"{THEMES}:{ROOT / 'site'}", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([PYTHON, "-m", "mkdocs", "build", "-f", str(ROOT / "site/mkdocs.yml"), "-d", folder],
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def broken_links(site):
    """Links of the articles to files or headings that are not there."""
    texts = {path: path.read_text() for path in site.rglob("*.html") if path.name != "404.html"}
    for path, text in texts.items():
        article = re.search(r"<article.*</article>", text, re.DOTALL)[0]
        for link in re.findall(r'(?:href|src)="([^"]+)"', article):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            if not target.exists() or (anchor and f'id="{anchor}"' not in texts.get(target, "")):
                yield str(path.relative_to(site)), link


class Site(unittest.TestCase):
    def test_ItHasEveryPageAndNoLinkIsBroken(self):
        if not THEMES.is_dir():
            self.skipTest("mkdocs-material is not installed; ./tessera docs installs it")
        with tempfile.TemporaryDirectory() as folder:
            result = build(folder)
            self.assertEqual(result.returncode, 0, result.stdout)
            site = Path(folder).resolve()
            for page in (ROOT / "docs").rglob("*.md"):
                name = page.relative_to(ROOT / "docs").with_suffix(".html")
                self.assertTrue((site / ("index.html" if str(name) == "README.html" else name)).is_file(), name)
            self.assertEqual(list(broken_links(site)), [])

    def test_ItsGroupsAreThoseOfTheMap(self):
        text = "# Map\n\n## Guide: using it\n\n1. [One](guide/one.md): a\n2. [Two](guide/two.md)\n\n## Words\n\ntext\n"
        self.assertEqual(pages.navigation(text),
                         [{"Map": "README.md"}, {"Guide": [{"One": "guide/one.md"}, {"Two": "guide/two.md"}]}])

    def test_ALinkOutOfThePagesBecomesItsPath(self):
        self.assertEqual(pages.outside_to_text("[the rows](../../configs/a.yaml) [b](c.md)", "guide"),
                         "the rows (`configs/a.yaml`) [b](c.md)")
        self.assertEqual(pages.outside_to_text("[`rtl`](../../rtl/)", "guide"), "`rtl`")


if __name__ == "__main__":
    unittest.main()
