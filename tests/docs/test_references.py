# SPDX-License-Identifier: Apache-2.0
"""Claims about references: whatever a document or a comment points to is in this repository."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/images"))
import draw_parts  # noqa: E402

DOCS = ROOT / "docs"
MAP = DOCS / "README.md"
NOT_OURS = "design" + ".md"  # a contract that lies beside the repository: a reader has not got it


def text_files():
    """Path and text of every file of the repository, new ones included, that is text and not ignored by git."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout.decode().split("\0")
    for name in filter(None, names):
        path = ROOT / name
        if not path.is_file():  # deleted, not yet committed
            continue
        data = path.read_bytes()
        if b"\0" not in data:
            yield path, data.decode()


def without_code(markdown):
    markdown = re.sub(r"^```.*?^```", "", markdown, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`]*`", "", markdown)


def headings(path):
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^#+ +(.*?) *$", text, flags=re.MULTILINE)


def anchors(path):
    """What GitHub makes of the headings."""
    names = []
    for heading in headings(path):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        names.append(name if name not in names else f"{name}-{names.count(name)}")
    return names


def links(markdown):
    """Targets of links and pictures that are neither on the web nor in code."""
    targets = re.findall(r"\]\(([^)\s]+)\)", without_code(markdown))
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def unwrapped(text):
    """One line, so that a reference that a comment breaks is whole."""
    return re.sub(r"\s*\n[ \t]*(//+|#+|\*)?\s*", " ", text)


class References(unittest.TestCase):
    def test_NoFileCitesOneThatIsKeptElsewhere(self):
        citing = [path.relative_to(ROOT) for path, text in text_files() if NOT_OURS in text]
        self.assertEqual(citing, [])

    def test_EveryLinkOfADocumentLeadsToAFileAndAHeading(self):
        broken = []
        for path, text in text_files():
            for link in links(text) if path.suffix == ".md" else []:
                name, _, anchor = link.partition("#")
                target = (path.parent / name).resolve() if name else path
                if not target.exists() or (anchor and anchor not in anchors(target)):
                    broken.append((str(path.relative_to(ROOT)), link))
        self.assertEqual(broken, [])

    def test_EveryDocumentThatIsNamedExists(self):
        missing = []
        for path, text in text_files():
            for name in set(re.findall(r"\bdocs/[\w./-]+\.(?:md|json|svg)\b(?!\.gz)", text)):
                if not (ROOT / name).is_file():
                    missing.append((str(path.relative_to(ROOT)), name))
        self.assertEqual(missing, [])

    def test_EveryReadingThatIsCitedIsAHeading(self):
        known = tuple(headings(ROOT / "docs/concepts/readings.md"))
        self.assertEqual(len(known), len(set(known)))
        unknown, found = [], 0
        for path, text in text_files():
            for match in re.finditer(r"docs/concepts/readings\.md, (.{1,40})", unwrapped(text)):
                found += 1
                if not match[1].startswith(known):
                    unknown.append((str(path.relative_to(ROOT)), match[1]))
        self.assertEqual(unknown, [])
        self.assertGreater(found, 0)

    def test_EverySectionThatIsCitedHasItsNumber(self):
        missing = []
        for path, text in text_files():
            for name, number in re.findall(r"\b(docs/[\w./-]+\.md),? section (\d[\d.]*\d|\d)", unwrapped(text)):
                if not any(re.match(rf"{re.escape(number)}\.? ", heading) for heading in headings(ROOT / name)):
                    missing.append((str(path.relative_to(ROOT)), name, number))
        self.assertEqual(missing, [])

    def test_EveryPageIsOnTheMap(self):
        linked = {(DOCS / link.partition("#")[0]).resolve() for link in links(MAP.read_text())}
        self.assertEqual([path.name for path in DOCS.rglob("*.md") if path not in linked | {MAP}], [])

    def test_TheReadmeLeadsToTheMap(self):
        linked = {(ROOT / link.partition("#")[0]).resolve() for link in links((ROOT / "README.md").read_text())}
        self.assertIn(MAP, linked)

    def test_ThePictureOfThePartsIsThatOfTheSources(self):
        graph = draw_parts.includes()
        self.assertIn("model", graph["tlm"])
        self.assertEqual(draw_parts.PICTURE.read_text(), draw_parts.draw(graph), "python3 docs/images/draw_parts.py")

    def test_ACircleOfIncludesIsFound(self):
        with self.assertRaisesRegex(ValueError, "a circle of includes"):
            draw_parts.floors({"a": {"b"}, "b": {"a"}})

    def test_ThePictureHasEveryFolderOfSources(self):
        folders = {path.parent.relative_to(ROOT).parts[0] for path, _ in text_files()
                   if path.suffix == ".cpp" and path.parent != ROOT}
        self.assertEqual(folders - {"tests", "benchmarks", "probe"}, set(draw_parts.WORDS))

    def test_NamesOfPagesAreNotUsedTwice(self):
        names = [path.name for path in DOCS.rglob("*.md")]
        self.assertEqual(sorted(names), sorted(set(names)))  # issues and commits cite a page by its name alone


if __name__ == "__main__":
    unittest.main()
