# SPDX-License-Identifier: Apache-2.0
"""Claims about editors: a language server marks a mistake in the line where the loader marks it.

Called with the path of the program. The server comes from npm, and is named by TESSERA_YAML_LANGUAGE_SERVER or on the path:
`npm install yaml-language-server`, which is in no Debian package. With TESSERA_LONG_TESTS only.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import schema_files as files
from language_server import LanguageServer

PROGRAM = Path(sys.argv.pop(1)).resolve()
SERVER = os.environ.get("TESSERA_YAML_LANGUAGE_SERVER") or shutil.which("yaml-language-server")

# File, what is replaced, by what.
MISTAKES = {
    "gpus/k20c.yaml": [("burst_bytes: ", "burst_byte: "), ("clock_mhz: 706", "clock_mhz: fast"), ("num_sms: 13", "num_sms: 0"),
                       ("name: k20c\n", "")],
    "experiments/quickstart.yaml": [("policy: ppq", "policy: pqp"), ("stop: {", "stop: {min_rnus: 1, "),
                                    ("seed: ", "sede: "), ("policy: ppq, ", ""), ("name: quickstart\n", "")],
    "applications/spmv.yaml": [("kernel: ", "kernell: "), ("direction: to_gpu", "direction: up"), ("name: spmv\n", "")],
    "sweeps/policies.yaml": [("axes:", "axis:"), ("name: policies\n", "")],
}


@unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "takes a language server: with --long only")
@unittest.skipUnless(SERVER, "no yaml-language-server: TESSERA_YAML_LANGUAGE_SERVER names none, nor is one on the path")
class LanguageServers(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copytree(files.CONFIGS, self.folder / "configs")
        self.server = LanguageServer([SERVER, "--stdio"], self.folder)
        self.addCleanup(self.server.close)

    def lines_of_loader(self, path):
        told = subprocess.run([PROGRAM, "validate", path], capture_output=True, text=True).stderr
        return {int(line) for line in re.findall(rf"^{re.escape(str(path))}:(\d+):", told, re.MULTILINE)}

    def lines_of_server(self, path):
        return {mark["range"]["start"]["line"] + 1 for mark in self.server.open(path)}

    def test_nothing_is_marked_in_a_shipped_file(self):
        for name in MISTAKES:
            self.assertEqual(self.server.open(self.folder / "configs" / name), [], name)

    def test_a_misspelt_key_a_wrong_word_and_a_missing_key_are_marked_where_the_loader_marks_them(self):
        for name, changes in MISTAKES.items():
            path = self.folder / "configs" / name
            text = path.read_text()
            for number, (old, new) in enumerate(changes):
                with self.subTest(file=name, change=new or f"without {old}"):
                    self.assertIn(old, text)
                    damaged = path.with_name(f"damaged_{number}.yaml")
                    damaged.write_text(text.replace(old, new, 1))
                    told = self.lines_of_loader(damaged)
                    self.assertTrue(told)
                    self.assertEqual(self.lines_of_server(damaged), told)

    def test_what_a_block_mapping_lacks_is_marked_at_the_mappings_own_key(self):
        """The loader marks the first line of the mapping, which is below that."""
        path = self.folder / "configs/gpus/k20c.yaml"
        text = path.read_text()
        damaged = path.with_name("damaged.yaml")
        damaged.write_text(re.sub(r"\n  num_lanes: .*", "", text, count=1))
        (line,) = self.lines_of_loader(damaged)
        self.assertTrue(text.splitlines()[line - 2].startswith("pcie:"))
        self.assertEqual(self.lines_of_server(damaged), {line - 1})

    def test_keys_and_words_are_offered(self):
        path = self.folder / "configs/experiments/mine.yaml"
        path.write_text("# yaml-language-server: $schema=../schema/experiment.schema.json\n"
                        "schema_version: 1\nscheduler:\n  policy: \n  tech\n")
        self.server.open(path)
        words = {item["label"] for item in self.server.at("completion", path, 4, 11)["items"]}
        keys = {item["label"] for item in self.server.at("completion", path, 5, 7)["items"]}
        self.assertLessEqual({"fcfs", "ppq", "dss"}, words)
        self.assertLessEqual({"technique", "search_width"}, keys)
        self.assertIn("who gets the SMs", self.server.at("hover", path, 4, 5)["contents"]["value"])


if __name__ == "__main__":
    unittest.main()
