# SPDX-License-Identifier: Apache-2.0
"""Claims about what commands print with --json: it fits the schema that `tessera schema COMMAND` prints.

Called with the path of the built program. What builds Verilog cores is asked with TESSERA_LONG_TESTS only.
"""

import copy
import json
import os
import unittest

import jsonschema

import small_experiment
from program_test import ProgramTest
from test_import import trace

ROOT = small_experiment.ROOT
TASKS = ROOT / "configs/tasks/parboil.yaml"
LOG = "# 2 SMs\n# tbs_per_sm=1\ntb,sm,slot,start_cycle,end_cycle\n0,1,0,7,17\n1,0,0,7,30\n2,1,0,18,20\n"
# The second thread block is where no policy puts it.
WRONG_LOG = LOG.replace("1,0,0,7,30", "1,0,0,9,30")
MEASURED = """\
schema_version: 1
name: mine
title: Mine
constants: [{name: c, value: 3, fitted_on: nothing, reason: it is round}]
ablations: [{name: fcfs, set: {scheduler.policy: fcfs}}]
rows:
  - {name: speed, title: Speed, source: nobody, kind: values, experiment: small.yaml, constants: [c],
     quantities: [{name: antt, measured: 2, at: /antt, unit: x, tolerance_percent: 50}]}
"""
TINY = """\
schema_version: 1
name: tiny
core: {num_sms: 2, max_tbs_per_sm: 2, num_command_buffers: 2, num_contexts: 2, tb_id_bits: 4, wait_bits: 4,
       policies: [dss]}
"""
VERILOG = [("cosim", "--random", "3", "--cycles", "20000", "--configuration", "few_ksrs", "-j", "1"),
           ("cosim", "small.yaml", "--set", "stop.max_time_us=50"),
           ("coverage", "--configuration", "one_sm", "--cycles", "20000", "-j", "1"),
           ("faults", "01_ring_head_wraps_early"), ("mutate", "--mutants", "1", "--cycles", "1", "-j", "1"),
           ("prove", "row_of_the_bit", "--quick", "-j", "1"), ("synth", "tiny.yaml"),
           ("synth", "tiny.yaml", "--front-end")]


class Outputs(ProgramTest):
    def setUp(self):
        super().setUp()
        small_experiment.write_small_experiment(self.folder)
        for name, text in (("log.csv", LOG), ("wrong.csv", WRONG_LOG), ("mine.yaml", MEASURED), ("tiny.yaml", TINY),
                           ("trace.json", json.dumps(trace()))):
            (self.folder / name).write_text(text)

    def schema_of(self, command):
        schema = json.loads(self.tessera("schema", command).stdout)
        jsonschema.Draft7Validator.check_schema(schema)
        return jsonschema.Draft7Validator(schema)

    def check(self, *arguments, status=0):
        answer = json.loads(self.tessera(*arguments, "--json", status=status).stdout)
        validator = self.schema_of(arguments[0])
        self.assertEqual([error.message for error in validator.iter_errors(answer)], [], arguments)
        return validator, answer

    def test_of_runs_and_replays(self):
        self.check("run", "small.yaml", "--out", "run")
        self.check("replay", "log.csv")
        _, answer = self.check("replay", "wrong.csv", status=1)
        self.assertIsNotNone(answer["first_mismatch"])

    def test_of_comparisons(self):
        self.check("agree", "--random", "2", "--seed", "3")
        self.check("agree", "--random", "1", "--seed", "3", "--with-driver")
        self.check("reproduce", "t14-sram")
        self.check("measured", "mine.yaml", "--out", "measured")

    def test_of_machines_and_tasks(self):
        self.check("storage")
        self.check("storage", ROOT / "configs/gpus/h100.yaml", "--kept-turn")
        self.check("partition", TASKS)
        self.check("kinds", "z21_kinds")
        self.check("partition", TASKS, "--preset", "mps", "--execute")

    def test_of_imports(self):
        self.check("import", "trace.json", "--out", "out")

    @unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "builds Verilog cores: with --long only")
    def test_of_what_is_asked_of_the_verilog_core(self):
        for arguments in VERILOG:
            with self.subTest(arguments):
                self.check(*arguments)

    def test_a_key_too_many_or_too_few_is_refused(self):
        validator, answer = self.check("partition", TASKS)
        for change in (lambda one: one.pop("schedulable"), lambda one: one.update(more=1),
                       lambda one: one["partitions"][0].pop("tasks"),
                       lambda one: one["partitions"][0]["tasks"][0].update(kind="both")):
            changed = copy.deepcopy(answer)
            change(changed)
            self.assertFalse(validator.is_valid(changed))

    def test_every_command_with_json_has_a_schema(self):
        kinds = self.tessera("schema", "nonsense", status=2).stderr
        for command in ("run", "replay", "reproduce", "measured", "agree", "cosim", "coverage", "mutate", "faults",
                        "prove", "partition", "storage", "synth", "import"):
            self.assertIn("--json", self.tessera(command, "--help").stdout)
            self.assertIn(command, kinds)
            self.schema_of(command)
        error = self.tessera("schema", "storage", "--table", status=2).stderr
        self.assertEqual(error.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
