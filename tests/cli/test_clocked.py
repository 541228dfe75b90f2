# SPDX-License-Identifier: Apache-2.0
"""Claims about the clocked model at the command line: `run --abstraction rtl_model`, waveforms, `agree`, `replay`.

Called with the path of the built program; every test runs it in a folder of its own whose path has spaces.
"""

import json
import signal
import subprocess
import time
import unittest

from program_test import PROGRAM, ProgramTest
from small_experiment import ROOT, write_small_experiment

SHORT = ("--set", "stop.max_time_us=80000")  # of GPU time: the quickstart's first preemptions
ALONE = ("--set", "workload.processes=[{name: alone, application: ../applications/spmv.yaml}]")  # from 0.4 ms on


class ClockedTest(ProgramTest):
    # LINE:COLUMN of the value behind a key.
    def place_of(self, name, key, value):
        for number, line in enumerate((self.folder / name).read_text().splitlines(), 1):
            if f"{key}: {value}" in line:
                return f"{number}:{line.index(f'{key}: {value}') + len(key) + 3}"
        self.fail(f"{name} has no {key}")

    def run_json(self, *arguments):
        return json.loads(self.tessera("run", *SHORT, "--json", *arguments).stdout)

    # ---- run -----------------------------------------------------------------------------------------------------

    def test_run_gives_the_outputs_of_the_transaction_level_model(self):
        tlm = self.run_json("--out", "tlm")
        clocked = self.run_json("--abstraction", "rtl_model", "--out", "clocked")
        self.assertEqual(tlm["abstraction"], "tlm")
        self.assertEqual(clocked["abstraction"], "rtl_model")
        self.assertEqual(tlm.keys(), clocked.keys())
        self.assertEqual(tlm["spec"], clocked["spec"])
        self.assertGreater(clocked["tbs_completed"], 0)
        self.assertGreater(clocked["preemptions"]["count"], 0)
        self.assertEqual(set(clocked["invariants"].values()), {"ok"})
        names = sorted(entry.name for entry in (self.folder / "clocked").iterdir())
        self.assertEqual(names, [".tessera-results", "preemptions.csv", "processes.csv", "summary.json", "timing.json"])

    def test_each_abstraction_has_a_results_folder_of_its_own(self):
        self.tessera("run", *SHORT)
        self.tessera("run", *SHORT, "--abstraction", "rtl_model")
        names = sorted(entry.name for entry in (self.folder / "results").iterdir())
        self.assertEqual(len(names), 2)
        self.assertEqual(names[1], names[0] + "-rtl_model")

    def test_the_clock_gated_or_free_gives_the_same_bytes(self):
        window = (*ALONE, "--set", "stop.max_time_us=430", "--trace", "vcd,csv", "--abstraction", "rtl_model")
        self.tessera("run", *window, "--out", "gated")
        self.tessera("run", *window, "--clock", "free", "--out", "free")
        for name in ("summary.json", "records.csv", "waveform.vcd", "waveform.gtkw"):
            gated = (self.folder / "gated" / name).read_bytes()
            self.assertEqual(gated, (self.folder / "free" / name).read_bytes(), name)
            self.assertGreater(len(gated), 500, name)

    def test_an_interrupted_run_prints_its_incomplete_summary_and_nothing_else(self):
        command = [PROGRAM, "run", "context_switch_thrashing", "--abstraction", "rtl_model", "--json", "--out", "out"]
        process = subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # whoever runs the tests may ignore it
        )
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        summary = json.loads(process.communicate(timeout=120)[0])
        self.assertEqual(process.returncode, 130)
        self.assertFalse(summary["complete"])

    # ---- waveforms -----------------------------------------------------------------------------------------------

    def waveform(self, *arguments):
        self.tessera(
            "run", *ALONE, "--set", "stop.max_time_us=3000", "--abstraction", "rtl_model", "--trace", "vcd", "--out", "out",
            "--force", *arguments,
        )
        text = (self.folder / "out/waveform.vcd").read_text()
        times = [int(line[1:]) for line in text.splitlines() if line.startswith("#")]
        return text, times

    def test_a_waveform_begins_with_the_first_kernel_and_is_short(self):
        text, times = self.waveform()
        self.assertIn("$scope module u_tsr_scheduler $end", text)
        self.assertIn("u_ksrt", text)
        self.assertLessEqual(times[-1] - times[0], 100_000_000)  # 100 us

    def test_a_waveform_keeps_to_its_window(self):
        _, times = self.waveform("--trace-from", "500", "--trace-for", "20")
        self.assertGreaterEqual(times[0], 499_990_000)
        self.assertLessEqual(times[-1], 520_010_000)
        self.assertEqual(times, sorted(set(times)))

    def test_the_save_file_names_signals_of_the_waveform(self):
        text, _ = self.waveform("--trace-for", "1")
        names = {line.split()[4] for line in text.splitlines() if line.startswith("$var")}
        save = (self.folder / "out/waveform.gtkw").read_text().splitlines()
        signals = [line for line in save if line.startswith("top.")]
        self.assertGreater(len(signals), 50)
        for signal in signals:
            self.assertIn(signal.rsplit(".", 1)[1].split("[")[0], names)

    def test_options_that_contradict_each_other_are_refused_and_nothing_is_written(self):
        for arguments, word in (
            (("--trace", "vcd"), "--trace"),
            (("--clock", "free"), "--clock"),
            (("--trace-for", "5"), "--trace-from"),
            (("--abstraction", "rtl_mode"), "--abstraction"),
            (("--abstraction", "rtl_model", "--trace", "vcd", "--trace-for", "0"), "--trace-for"),
        ):
            error = self.tessera("run", *arguments, status=2).stderr
            self.assertEqual(len(error.splitlines()), 1, error)
            self.assertIn(word, error)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_what_the_core_does_not_have_is_refused_and_nothing_is_written(self):
        gpu = (ROOT / "configs/gpus/k20c.yaml").read_text()
        gpu = gpu.replace("  trap_entry_cycles: ", "  tb_issue_cycles: 5 \n  trap_entry_cycles: ")
        self.assertIn("tb_issue_cycles: 5 ", gpu)
        (self.folder / "gpu.yaml").write_text(gpu)
        experiment = write_small_experiment(self.folder)
        text = experiment.read_text().replace(f"{ROOT}/configs/gpus/k20c.yaml", "gpu.yaml")
        experiment.write_text(text.replace("technique: context_switch}", "technique: context_switch, search_width: 3}"))
        files = sorted(self.folder.iterdir())
        mistakes = (("gpu.yaml", "tb_issue_cycles", "5 "), ("small.yaml", "search_width", "3}"))
        for command in (("run", "--abstraction", "rtl_model"), ("run", "--abstraction", "rtl"), ("agree",)):
            lines = self.tessera(*command, "small.yaml", status=2).stderr.splitlines()
            self.assertEqual(len(lines), 2, lines)
            for line, (path, key, value) in zip(sorted(lines), mistakes):
                self.assertIn(f"{path}:{self.place_of(path, key, value)}: ", line)
                self.assertIn(key, line)
            self.assertEqual(sorted(self.folder.iterdir()), files)
        self.tessera("run", "small.yaml", "--set", "gpu.framework.engine=ideal", "--out", "out")  # it has both

    # ---- agree ---------------------------------------------------------------------------------------------------

    def test_agree_compares_random_experiments(self):
        answer = json.loads(self.tessera("agree", "--random", "12", "--seed", "3", "--json").stdout)
        self.assertEqual(answer["experiments"], 12)
        self.assertEqual(answer["unexplained"] + answer["faulty"], 0)
        self.assertEqual(answer["exact"] + answer["within_tolerance"] + answer["explained"], 12)
        self.assertEqual(len(answer["results"]), 12)
        self.assertGreater(answer["kernels"]["finished_in_both"], 0)

    def test_agree_compares_random_experiments_with_drivers(self):
        # Of seed 90 the drivers part, of 326 kernels are late within the tolerance, 876 charges what SMs were held for.
        for seed in ("90", "326", "876"):
            answer = json.loads(self.tessera("agree", "--random", "1", "--seed", seed, "--with-driver", "--json").stdout)
            self.assertEqual(answer["unexplained"] + answer["faulty"], 0, seed)
            self.assertGreater(answer["drivers"]["decisions_alike"], 0, seed)
            self.assertEqual(answer["drivers"]["differ"], answer["drivers"]["explained"], seed)
            self.assertEqual(answer["results"][0]["spec"]["driver"]["kind"], "timegraph")
        text = self.tessera("agree", "--random", "1", "--seed", "90", "--with-driver").stdout
        self.assertIn("drivers part: process", text)
        self.assertIn("drivers decide otherwise, having been told otherwise           1", text)

    def test_agree_draws_a_driver_for_random_experiments_only(self):
        self.assertIn("--random", self.tessera("agree", *ALONE, "--with-driver", status=2).stderr)

    def test_agree_tells_of_an_experiment_what_differs_and_why(self):
        text = self.tessera("agree", *ALONE, "--set", "stop.max_time_us=3000").stdout
        self.assertIn("kernels within tolerance", text)
        self.assertIn("quickstart", text)

    # ---- replay --------------------------------------------------------------------------------------------------

    def test_replay_states_the_scheduler_clock_and_the_latency_it_adds(self):
        log = ["# 2 SMs", "# tbs_per_sm=1", "tb,sm,slot,start_cycle,end_cycle", "0,1,0,7,17", "1,0,0,7,30", "2,1,0,18,20"]
        (self.folder / "log.csv").write_text("\n".join(log) + "\n")
        answer = json.loads(self.tessera("replay", "log.csv", "--abstraction", "rtl_model", "--json").stdout)
        self.assertEqual(answer["mismatches"], {"sm": 0, "slot": 0, "start_cycle": 0})
        self.assertGreater(answer["clock_ratio"], 1)
        self.assertEqual(answer["max_added_latency_cycles"], 0)


if __name__ == "__main__":
    unittest.main()
