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


def table_of(kind):
    command = [PROGRAM, "schema", kind, "--table"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


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
        limits = {kind: mutations.limits_of(table_of(kind)) for kind in files.KINDS}
        self.assertEqual(limits["gpu"]["num_sms"], (1, 256))
        for path in sorted(files.SAMPLES.glob("*.yaml")):
            kind, text = files.sample(path)
            document = files.read(text)
            cases.append((path.name, "", "none", kind, document))
            cases += [(path.name, *mutant, kind, changed)
                      for *mutant, changed in mutations.mutants(document, seen[kind], limits[kind])]
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
                if files.is_accepted(kind, document) == is_good or (change in ("least", "most") and not is_good):
                    continue  # at a limit, another key may forbid what its own rule allows
                self.assertFalse(is_good, f"only the schema refuses it: {files.complaints(kind, document)}")
                entry = exceptions.of_change(kind, key, change)
                self.assertIsNotNone(entry, "only the loader refuses it")
                used.add(entry)
        self.assertEqual([entry for entry in exceptions.CHANGES if entry not in used], [], "on the list without need")

    def test_the_changes_tell_a_schema_that_is_too_wide_from_the_right_one(self):
        schema = files.validator("gpu").schema
        _, text = files.sample(files.SAMPLES / "full.gpu.yaml")
        limits = mutations.limits_of(table_of("gpu"))
        changed = {(key, change): document for key, change, document in mutations.mutants(files.read(text), set(), limits)}
        properties = schema["properties"]
        damages = {
            ("num_sms", "above"): {"properties": {**properties, "num_sms": {"type": "integer", "maximum": 257}}},
            ("clock_mhz", "below"): {"properties": {**properties, "clock_mhz": {"type": "number", "minimum": 0}}},
            ("shared_memory_choice", "word"): {"properties": {**properties, "shared_memory_choice": {}}},
            ("pcie", "unknown"): {"properties": {**properties, "pcie": {"type": "object"}}},
            ("num_sms", "missing"): {"required": []},
        }
        for case, damage in damages.items():
            with self.subTest(case):
                self.assertFalse(files.is_accepted("gpu", changed[case]))
                self.assertTrue(files.Draft7Validator({**schema, **damage}).is_valid(changed[case]))

    def test_the_samples_have_every_key(self):
        found = collections.defaultdict(set)
        for path in files.SAMPLES.glob("*.yaml"):
            kind, text = files.sample(path)
            found[kind] |= {mutations.name_of(node) for node, _ in mutations.nodes(files.read(text))}
        for kind in files.KINDS:
            keys = set(re.findall(r"^\| `(.*?)`", table_of(kind), re.MULTILINE))
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
