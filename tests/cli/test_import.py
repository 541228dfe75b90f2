# SPDX-License-Identifier: Apache-2.0
"""Claims about `tessera import` at the command line.

Called with the path of the built program; every test runs it in a folder of its own whose path has spaces.
"""

import gzip
import json
import sqlite3
import sys
import unittest
from pathlib import Path

import jsonschema

from program_test import ProgramTest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "schema"))
import schema_files  # noqa: E402

WRITTEN_KINDS = ("application", "experiment", "gpu", "host")


def kernel(name, start, correlation, duration=50, stream=7, **more):
    arguments = {"device": 0, "context": 1, "stream": stream, "correlation": correlation, "grid": [300, 1, 1],
                 "block": [128, 1, 1], "registers per thread": 32, "shared memory": 0, **more}
    return [{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": start - 9.5, "dur": 4,
             "args": {"correlation": correlation}},
            {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream, "ts": start, "dur": duration,
             "args": arguments}]


def trace(steps=20, **more):
    events = [event for step in range(steps) for layer in range(4)
              for event in kernel(f"void layer{layer}<float>(int)", 1000 + 400 * step + 90 * layer, 4 * step + layer, **more)]
    return {"deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-40GB", "numSms": 108}], "traceEvents": events}


class Import(ProgramTest):
    def file(self, content, name="trace.json"):
        text = content if isinstance(content, (str, bytes)) else json.dumps(content)
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def refused(self, *arguments, because):
        """One line says why, and nothing is written."""
        before = sorted(self.folder.iterdir())
        result = self.tessera("import", *arguments, "--out", "out", status=2)
        told = [line for line in result.stderr.splitlines() if not line.startswith("tessera: reading")]
        self.assertEqual(len(told), 1, result.stderr)
        self.assertIn(because, told[0])
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_what_is_imported_validates_and_runs(self):
        self.tessera("import", self.file(trace()), "--out", "out", "--name", "net")
        self.assertEqual({path.name for path in (self.folder / "out").iterdir()},
                         {".tessera-results", "gpu.yaml", "host.yaml", "import.json", "import.txt", "net.yaml",
                          "net_alone.yaml", "shared.yaml", *(f"{kind}.schema.json" for kind in WRITTEN_KINDS)})
        self.tessera("validate", *sorted((self.folder / "out").glob("*.yaml")))
        summary = json.loads(self.tessera("run", "out/net_alone.yaml", "--json", "--out", "run").stdout)
        self.assertEqual(summary["processes"][0]["runs"], 1)
        self.assertEqual(summary["engine"], "serialised")

    COUNTED = ('"ID","Kernel Name","Block Size","Grid Size","Metric Name","Metric Unit","Metric Value"\n' + "".join(
        f'"{layer}","layer{layer}","(128, 1, 1)","(300, 1, 1)","dram__bytes.sum","Mbyte","{layer + 1}.5"\n'
        for layer in range(3)))

    def on_an_h200(self):
        return {**trace(), "deviceProperties": [{"id": 0, "name": "NVIDIA H200", "numSms": 132}]}

    def test_counted_bytes_are_those_of_thread_blocks_and_memory_answers_later_under_them(self):
        counters = self.file(self.COUNTED, "counters.csv")
        told = self.tessera("import", self.file(self.on_an_h200()), "--counters", counters, "--out", "out").stdout
        self.assertIn("1 of 4 kernels move no bytes to or from device memory", told)
        application = (self.folder / "out/imported.yaml").read_text()
        for layer in range(3):
            self.assertRegex(application, rf"name: layer{layer},.*dram_bytes_per_tb: {(layer + 1.5) * 1e6 / 300:.0f}\b")
        self.assertNotRegex(application, r"name: layer3,.*dram_bytes_per_tb")
        self.tessera("validate", *sorted((self.folder / "out").glob("*.yaml")))
        summary = json.loads(self.tessera("run", "out/imported_alone.yaml", "--json", "--out", "run").stdout)
        self.assertEqual(summary["memory"]["bytes"], 20 * sum(round((layer + 1.5) * 1e6 / 300) * 300 for layer in range(3)))

    def test_without_counters_kernels_have_no_bytes_and_the_import_says_so(self):
        told = self.tessera("import", self.file(trace()), "--out", "out").stdout
        self.assertIn("kernels move no bytes to or from device memory: the profile tells none", told)
        self.assertNotIn("dram_bytes", (self.folder / "out/imported.yaml").read_text())

    def test_bytes_for_a_gpu_whose_memory_is_not_known_are_refused(self):
        self.refused(self.file(trace()), "--counters", self.file(self.COUNTED, "counters.csv"),
                     because="GPU 'a100' has no memory_latency")

    def test_each_file_names_the_schema_beside_it_and_fits_it(self):
        self.tessera("import", self.file(trace()), "--out", "out", "--name", "net")
        kinds = []
        for path in sorted((self.folder / "out").glob("*.yaml")):
            text = path.read_text()
            (name,) = schema_files.MODELINE.findall(text)
            kinds.append(name.split(".")[0])
            schema = json.loads((path.parent / name).read_text())
            for reader in (schema_files.Yaml11, schema_files.Yaml12):
                jsonschema.validate(schema_files.read(text, reader), schema, jsonschema.Draft7Validator)
        self.assertEqual(sorted(kinds), ["application", "experiment", "experiment", "gpu", "host"])

    def test_the_report_has_recorded_and_simulated_times(self):
        report = json.loads(self.tessera("import", self.file(trace()), "--out", "out", "--json").stdout)
        fidelity = report["applications"][0]["fidelity"]
        # From the first kernel's begin to the last one's end.
        self.assertEqual(fidelity["span_us"]["recorded"], 19 * 400 + 3 * 90 + 50)
        self.assertEqual([one["recorded_us"] for one in fidelity["kernels"]], [50, 50, 50, 50])
        for one in fidelity["kernels"]:
            self.assertAlmostEqual(one["simulated_us"] / one["recorded_us"], 1, delta=0.01)

    def test_kernels_that_fill_the_gpu_beside_each_other_explain_a_longer_span(self):
        # Four streams, a kernel of 50 us in each at once, every 60 us: here they take turns.
        events = [event for step in range(20) for stream in range(4)
                  for event in kernel(f"k{stream}", 1000 + 60 * step + stream, 4 * step + stream, stream=stream,
                                      grid=[2000, 1, 1])]
        name = self.file({**trace(), "traceEvents": events})
        told = self.tessera("import", name, "--out", "out").stdout
        self.assertIn("ms shorter without overlap: kernels that ran beside others take turns here", told)
        report = json.loads((self.folder / "out/import.json").read_text())
        # Four times 50 us in 53.
        fidelity = report["applications"][0]["fidelity"]
        self.assertEqual(fidelity["overlap_us"], 20 * (4 * 50 - 53))
        # Without it, what was recorded comes out.
        (overlap,) = [each for each in fidelity["span_reasons"] if each["cause"] == "overlap"]
        without = fidelity["span_us"]["simulated"] - overlap["shorter_without_us"]
        self.assertAlmostEqual(without / fidelity["span_us"]["recorded"], 1, delta=0.03)

    def test_several_profiles_share_a_gpu(self):
        self.file(trace(steps=3), "a.json")
        self.file(gzip.compress(json.dumps(trace(steps=5)).encode()), "b.json.gz")
        self.tessera("import", "a.json", "b.json.gz", "--out", "out")
        for policy in ("fcfs", "time_slice", "ppq", "dss"):
            run = self.tessera("run", "out/shared.yaml", "--set", f"scheduler.policy={policy}", "--json", "--out", policy)
            self.assertEqual([one["name"] for one in json.loads(run.stdout)["processes"]], ["imported_1", "imported_2"])

    def test_the_same_profile_gives_the_same_bytes(self):
        self.file(trace())
        for out in ("one", "two"):
            self.tessera("import", "trace.json", "--out", out)
        for path in (self.folder / "one").iterdir():
            self.assertEqual(path.read_bytes(), (self.folder / "two" / path.name).read_bytes(), path.name)

    def test_an_nsight_export_is_recognised(self):
        database = sqlite3.connect(self.folder / "export.sqlite")
        database.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, gridX, gridY, gridZ, blockX, blockY, blockZ,"
                         " registersPerThread, correlationId)")
        database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0, 90000, 64, 1, 1, 256, 1, 1, 32, 1)")
        database.commit()
        database.close()
        report = json.loads(self.tessera("import", "export.sqlite", "--out", "out", "--json").stdout)
        self.assertEqual(report["format"], "nsys-sqlite")

    def test_accelsim_wants_times(self):
        self.file("kernel-1.traceg\n", "kernelslist.g")
        self.file("-kernel name = f\n-grid dim = (64,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 16\n",
                  "kernel-1.traceg")
        self.refused("kernelslist.g", because="has no times")
        self.tessera("import", "kernelslist.g", "--tb-time", "12.5", "--out", "out")
        self.assertIn("tb_time_us: 12.5", (self.folder / "out/imported.yaml").read_text())

    def test_wrong_profiles_are_one_line_each(self):
        whole = json.dumps(trace())
        self.refused(self.file(whole[:-300]), because="trace.json:1:")
        self.refused(self.file(whole.replace(":", " ", 3)), because="is malformed JSON")
        self.refused(self.file(gzip.compress(whole.encode())[:-40]), because="ends in the middle of its gzip data")
        self.refused(self.file({"traceEvents": []}), because="has no kernel")
        self.refused(self.file(""), because="is empty")
        self.refused(self.file("hello"), because="is not a profile of a known kind")
        self.refused("nowhere.json", because="cannot be read")
        sqlite3.connect(self.folder / "empty.sqlite").execute("CREATE TABLE a (b)").connection.close()
        self.refused("empty.sqlite", because="has no table CUPTI_ACTIVITY_KIND_KERNEL")

    def test_wrong_options_are_one_line_each(self):
        self.file(trace())
        self.refused("trace.json", "--format", "vtune", because="--format")
        self.refused("trace.json", "--name", "../elsewhere", because="--name")
        self.refused("trace.json", "--gpu", "no_such_gpu", because="no_such_gpu")
        self.refused("trace.json", "--collectives", "maybe", because="--collectives")
        self.tessera("import", "trace.json", status=2)

    def test_a_kernel_that_fits_no_sm_is_refused(self):
        self.file(trace(**{"shared memory": 400_000}))
        self.refused("trace.json", because="4 of its kernels fit no SM of GPU 'a100'")

    def test_a_folder_of_others_is_left_alone(self):
        self.file(trace())
        (self.folder / "out").mkdir()
        (self.folder / "out/mine").write_text("mine")
        self.tessera("import", "trace.json", "--out", "out", "--force", status=2)
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["mine"])


if __name__ == "__main__":
    unittest.main()
