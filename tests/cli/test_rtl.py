# SPDX-License-Identifier: Apache-2.0
"""Claims about the Verilog core at the command line: `run --abstraction rtl`, its waveforms, `replay`.

Called with the path of the built program; every test runs it in a folder of its own whose path has spaces.
"""

import json
import os
import shutil
import subprocess
import unittest

import full_output
from program_test import PROGRAM, ProgramTest

# One small core for all: two SMs, one context.
TINY = (
    "--set", "gpu.num_sms=2", "--set", "workload.processes=[{name: alone, application: ../applications/spmv.yaml}]",
)
SMALL = (*TINY, "--set", "stop.max_time_us=3000")


class RtlTest(ProgramTest):
    def test_run_gives_the_results_of_the_clocked_model(self):
        model = json.loads(
            self.tessera("run", *SMALL, "--abstraction", "rtl_model", "--trace", "csv", "--out", "model", "--json").stdout
        )
        rtl = json.loads(
            self.tessera("run", *SMALL, "--abstraction", "rtl", "--trace", "csv", "--out", "rtl", "--json").stdout
        )
        self.assertEqual(rtl.pop("abstraction"), "rtl")
        self.assertEqual(model.pop("abstraction"), "rtl_model")
        self.assertEqual(model, rtl)
        self.assertGreater(rtl["tbs_completed"], 0)
        records = (self.folder / "rtl/records.csv").read_bytes()
        self.assertEqual((self.folder / "model/records.csv").read_bytes(), records)

    def test_it_has_a_results_folder_of_its_own(self):
        self.tessera("run", *SMALL, "--abstraction", "rtl")
        (folder,) = (self.folder / "results").iterdir()
        self.assertTrue(folder.name.endswith("-rtl"), folder.name)

    def test_the_clock_gated_or_free_gives_the_same_bytes(self):
        run = ("run", *TINY, "--set", "stop.max_time_us=430", "--abstraction", "rtl", "--trace", "vcd,csv")
        self.tessera(*run, "--out", "gated")
        self.tessera(*run, "--clock", "free", "--out", "free")
        for name in ("summary.json", "records.csv", "waveform.vcd", "waveform.gtkw"):
            gated = (self.folder / "gated" / name).read_bytes()
            self.assertEqual(gated, (self.folder / "free" / name).read_bytes(), name)
            self.assertGreater(len(gated), 500, name)

    # ---- waveforms -----------------------------------------------------------------------------------------------

    def test_the_vcd_has_the_pins_and_tables_of_the_clocked_models_under_their_names(self):
        def signals(abstraction):
            self.tessera("run", *SMALL, "--abstraction", abstraction, "--trace", "vcd", "--out", abstraction)
            names, scopes = set(), []
            for line in (self.folder / abstraction / "waveform.vcd").read_text().splitlines():
                words = line.split()
                if line.startswith("$scope"):
                    scopes.append(words[2])
                elif line.startswith("$upscope"):
                    scopes.pop()
                elif line.startswith("$var"):
                    names.add((*scopes, words[4], words[2]))
            return names

        rtl = signals("rtl")
        self.assertLessEqual(rtl, signals("rtl_model"))
        self.assertIn(("top", "u_tsr_scheduler", "u_smst", "state_q_1", "2"), rtl)

    def test_the_fst_has_the_cores_own_signals_and_those_around_it(self):
        self.tessera("run", *SMALL, "--abstraction", "rtl", "--trace", "fst", "--trace-for", "20", "--out", "out")
        wave = self.folder / "out/waveform.fst"
        self.assertGreater(wave.stat().st_size, 1000)
        if shutil.which("fst2vcd") is None:
            self.skipTest("fst2vcd (package gtkwave) is not there to look inside")
        text = subprocess.run(["fst2vcd", wave], capture_output=True, text=True, check=True).stdout
        for scope in ("u_tsr_scheduler", "u_search", "u_sm_networks", "u_sm_1"):
            self.assertIn(f"$scope module {scope} $end", text)
        times = [int(line[1:]) for line in text.splitlines() if line.startswith("#")]
        self.assertGreater(times[0], 380_000_000)  # ps: from the first kernel on
        self.assertLessEqual(times[-1] - times[0], 20_010_000)
        self.assertGreater(len(times), 20)

    def test_an_fst_of_another_abstraction_is_refused(self):
        for abstraction in ("tlm", "rtl_model"):
            error = self.tessera("run", "--abstraction", abstraction, "--trace", "fst", status=2).stderr
            self.assertEqual(len(error.splitlines()), 1, error)
            self.assertIn("--abstraction rtl", error)
        self.assertEqual(list(self.folder.iterdir()), [])

    # ---- replay --------------------------------------------------------------------------------------------------

    def test_replay_places_thread_blocks_as_the_clocked_model_does(self):
        log = ["# 2 SMs", "# tbs_per_sm=1", "tb,sm,slot,start_cycle,end_cycle", "0,1,0,7,17", "1,0,0,7,30", "2,1,0,18,20"]
        (self.folder / "log.csv").write_text("\n".join(log) + "\n")
        answers = []
        for abstraction in ("rtl_model", "rtl"):
            text = self.tessera("replay", "log.csv", "--abstraction", abstraction, "--json").stdout
            answers.append(json.loads(text))
        self.assertEqual(answers[1].pop("abstraction"), "rtl")
        answers[0].pop("abstraction")
        self.assertEqual(*answers)
        self.assertEqual(answers[1]["mismatches"], {"sm": 0, "slot": 0, "start_cycle": 0})

    # ---- lockstep ------------------------------------------------------------------------------------------------

    def test_random_lockstep_counts_what_it_did_and_a_seed_says_all(self):
        def cosim():
            answer = self.tessera("cosim", "--random", "3", "--cycles", "20000", "--configuration", "few_ksrs",
                                  "--no-assertions", "-j", "1", "--json")
            return json.loads(answer.stdout)

        first = cosim()
        (counts,) = first["configurations"]
        self.assertEqual((first["seed"], counts["configuration"]), (3, "few_ksrs"))
        self.assertGreaterEqual(counts["active_cycles"], 20000)
        self.assertGreater(counts["register_comparisons"], 0)
        self.assertNotIn("failure", counts)
        self.assertEqual(len(first["coverpoints_missed"]), counts["coverpoints"] - counts["coverpoints_hit"])
        self.assertEqual(first, cosim())

    def test_cores_of_a_synthesis_file_agree_too_with_the_engines_that_they_have(self):
        (self.folder / "tiny.yaml").write_text(
            "schema_version: 1\nname: tiny\ncore: {num_sms: 2, max_tbs_per_sm: 2, num_command_buffers: 2,\n"
            "  num_contexts: 2, tb_id_bits: 4, policies: [fcfs, dss]}\n")
        answer = json.loads(self.tessera("cosim", "--random", "3", "--cycles", "20000", "--synthesis", "tiny.yaml",
                                         "--no-assertions", "-j", "1", "--json").stdout)
        (counts,) = answer["configurations"]
        self.assertIn("2x2_", counts["configuration"])
        self.assertIn("_fcfs_dss", counts["configuration"])
        self.assertGreaterEqual(counts["active_cycles"], 20000)
        self.assertNotIn("failure", counts)

    def test_an_unknown_size_of_the_core_is_refused(self):
        for command in ("cosim", "coverage"):
            error = self.tessera(command, "--random", "1", "--configuration", "few_sms", status=2).stderr
            self.assertIn("few_sms", error)

    def test_an_unknown_property_is_refused(self):
        error = self.tessera("prove", "one_ovner", status=2).stderr
        self.assertEqual(len(error.splitlines()), 1, error)
        self.assertIn("one_ovner", error)

    def test_a_full_standard_output_is_a_failure_told_in_a_line(self):
        random = ("cosim", "--random", "3", "--configuration", "few_ksrs", "--no-assertions", "--cycles", "1", "-j", "1")
        coverage = ("coverage", "--configuration", "one_sm", "--cycles", "1", "-j", "1")
        proof = ("prove", "row_of_the_bit", "--quick", "-j", "1")
        commands = [random, (*random, "--json"), coverage, (*coverage, "--json"), proof, (*proof, "--json")]
        if os.environ.get("TESSERA_LONG_TESTS"):  # a netlist for mutants takes a quarter of a minute
            commands.append(("mutate", "--mutants", "1", "--cycles", "1", "-j", "1"))
        full_output.check(self, PROGRAM, commands, self.folder)

    def test_coverage_tells_what_was_met_and_names_every_hole(self):
        answer = json.loads(
            self.tessera("coverage", "--configuration", "one_sm", "--cycles", "20000", "-j", "1", "--json").stdout
        )
        met = {point["name"] for point in answer["coverpoints"] if point["hits"]}
        self.assertIn("assign.done", met)
        self.assertLess(len(met), len(answer["coverpoints"]))  # fewer cycles than they take
        files = {file["file"]: file for file in answer["files"]}
        self.assertLessEqual({"rtl/tsr_scheduler.v", "rtl/tsr_search.v", "rtl/tsr_engine.v"}, files.keys())
        for name, file in files.items():
            for kind in ("lines", "branches", "toggles"):
                counts = file[kind]
                self.assertLessEqual(counts["hit"] + counts["explained"], counts["total"], name)
        self.assertGreater(len(files["rtl/tsr_search.v"]["holes"]), 0)  # fewer cycles than it takes


if __name__ == "__main__":
    unittest.main()
