# SPDX-License-Identifier: Apache-2.0
"""Claims about the JSON Schemas of configs/schema: what the loader accepts they accept, and what it refuses they refuse,
but for what only the loader can know.

Called with the paths of the program and of the tests of `model`.
"""

import collections
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

import exceptions
import mutations
import schema_files as files

MODEL_TESTS = Path(sys.argv.pop(2)).resolve()
PROGRAM = Path(sys.argv.pop(1)).resolve()


def accepted_by_loader(paths):
    """Those of these files that have no mistake."""
    command = [PROGRAM, "validate", *paths]
    told = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
    return {Path(line[:-len(": ok")]) for line in told.splitlines() if line.endswith(": ok")}


class Schemas(unittest.TestCase):
    def test_every_shipped_file_names_its_schema_and_fits_it(self):
        shipped = sorted(files.CONFIGS.rglob("*.yaml"))
        self.assertGreater(len(shipped), 150)
        for path in shipped:
            text = path.read_text()
            (name,) = files.MODELINE.findall(text)
            schema = (path.parent / name).resolve()
            self.assertTrue(schema.is_file(), f"{path}: {name}")
            kind = schema.name.split(".")[0]
            for reader in (files.Yaml11, files.Yaml12):
                self.assertEqual(files.complaints(kind, files.read(text, reader)), [], path)

    def test_what_yaml_takes_for_something_else_is_accepted_where_the_loader_accepts_it(self):
        text = (files.SAMPLES / "streams.application.yaml").read_text()
        host = (files.SAMPLES / "full.host.yaml").read_text()
        accepted = [("application", text.replace("name: streams", f"name: {name}"))
                    for name in ("2024", "0x4", "yes", "off", "1.5", "1e3", "true", "2024-01-01", "-7", "0o7", "1_000")]
        accepted += [("host", host.replace("launch_us: 5", f"launch_us: {number}"))
                     for number in ("0", "5.0", "0.000001", "1000000000")]
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{number}.yaml" for number in range(len(accepted))]
            for path, (_, document) in zip(paths, accepted):
                path.write_text(document)
            self.assertEqual(accepted_by_loader(paths), set(paths))
        for kind, document in accepted:
            for reader in (files.Yaml11, files.Yaml12):
                self.assertEqual(files.complaints(kind, files.read(document, reader)), [], document)

    def test_one_changed_value_is_refused_by_both_or_is_on_the_list(self):
        cases = []  # of which file, key, change, kind, document
        seen = collections.defaultdict(set)
        for path in sorted(files.SAMPLES.glob("*.yaml")):
            kind, text = files.sample(path)
            document = files.read(text)
            cases.append((path.name, "", "none", kind, document))
            cases += [(path.name, *mutant, kind, changed) for *mutant, changed in mutations.mutants(document, seen[kind])]
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{number}.yaml" for number in range(len(cases))]
            for path, case in zip(paths, cases):
                path.write_text(yaml.dump(case[-1], Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False))
            good = accepted_by_loader(paths)
        used = set()
        for path, (name, key, change, kind, document) in zip(paths, cases):
            with self.subTest(file=name, key=key, change=change):
                is_good = path in good
                self.assertTrue(is_good or change != "none", "the sample itself is wrong")
                if files.is_accepted(kind, document) == is_good:
                    continue
                self.assertFalse(is_good, f"only the schema refuses it: {files.complaints(kind, document)}")
                entry = exceptions.of_change(kind, key, change)
                self.assertIsNotNone(entry, "only the loader refuses it")
                used.add(entry)
        self.assertEqual([entry for entry in exceptions.CHANGES if entry not in used], [], "on the list without need")

    def test_the_samples_have_every_key(self):
        found = collections.defaultdict(set)
        for path in files.SAMPLES.glob("*.yaml"):
            kind, text = files.sample(path)
            found[kind] |= {mutations.name_of(node) for node, _ in mutations.nodes(files.read(text))}
        for kind in files.KINDS:
            command = [PROGRAM, "schema", kind, "--table"]
            table = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            keys = set(re.findall(r"^\| `(.*?)`", table, re.MULTILINE))
            self.assertGreater(len(keys), 10)
            lacking = {key for key in keys - found[kind] if not re.fullmatch(exceptions.WITHOUT_SAMPLE, key)}
            self.assertEqual(lacking, set(), kind)

    def test_of_the_wrong_files_of_other_tests_only_listed_classes_are_accepted(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [MODEL_TESTS, "--gtest_brief=1", "--gtest_filter=" + ":".join(exceptions.TESTS_OF_WRONG_FILES)]
            subprocess.run(command, check=True, env={**os.environ, "TESSERA_WRONG_FILES": folder}, capture_output=True)
            wrong = sorted(Path(folder).iterdir())
            self.assertGreater(len(wrong), 300)
            used = set()
            for path in wrong:
                text = path.read_bytes().decode(errors="replace")
                mistakes = re.findall(r"^# mistake: (.*)$", text, re.MULTILINE)
                try:
                    document = files.read(text)
                except yaml.YAMLError:
                    continue
                if not files.is_accepted(path.suffix[1:], document):
                    continue
                for mistake in mistakes:
                    with self.subTest(kind=path.suffix[1:], mistake=mistake):
                        entry = exceptions.of_mistake(mistake)
                        self.assertIsNotNone(entry, "only the loader refuses it")
                        used.add(entry)
        self.assertEqual([entry for entry in exceptions.MISTAKES if entry not in used], [], "on the list without need")


if __name__ == "__main__":
    unittest.main()
