# SPDX-License-Identifier: Apache-2.0
"""Claims about `tessera storage`: it lists the registers and memories of the Verilog, no more and no fewer.

Called with the built program and the root of the sources.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from file_lists import files_of

PROGRAM = Path(sys.argv.pop(1)).resolve()
ROOT = Path(sys.argv.pop(1)).resolve()
RAM = "tsr_sram_1r1w"

K20C = (ROOT / "configs/gpus/k20c.yaml").read_text()
# Changes to the K20c: nothing, rows and widths that all differ, more kernels than SMs, a large machine.
GPUS = {
    "default": {},
    "narrow": {"num_sms": 5, "max_tbs_per_sm": 9, "num_ksrs": 4, "num_command_buffers": 7, "tb_id_bits": 20},
    "more kernels than SMs": {"num_sms": 3, "num_ksrs": 19, "num_command_buffers": 33},
    "large": {"num_sms": 132, "max_tbs_per_sm": 32, "num_ksrs": 16},
    "few thread blocks": {"num_sms": 4, "tb_id_bits": 5},
    "links": {"num_sms": 5, "setup_tag_bits": 2},
    "a refill lane": {"num_sms": 5, "max_tbs_per_sm": 9, "num_ksrs": 4, "num_command_buffers": 7, "tb_id_bits": 20,
                      "refill_lane": "true", "setup_tag_bits": 2},
    "a refill lane, few thread blocks": {"num_sms": 4, "tb_id_bits": 5, "refill_lane": "true"},
    "a refill lane, many slots": {"num_sms": 200, "max_tbs_per_sm": 32, "num_ksrs": 16, "refill_lane": "true"},
}
# What the parameter LINGER adds; without it constants fold it away (a test), so that it is in no table.
OF_LINGERS = {"tsr_linger": {"priority", "lingers", "start"}, "tsr_smst": {"kept"}, "tsr_smst_look": {"any_free"}}
FRAMEWORK = ("num_ksrs", "num_command_buffers", "tb_id_bits", "setup_tag_bits", "refill_lane")


def gpu_file(changes):
    text = K20C
    for key, value in changes.items():
        if key in FRAMEWORK:
            text = re.sub(rf"(?m)^  {key}:.*\n", "", text)
            text = re.sub(r"(?m)^framework:.*$", rf"\g<0>\n  {key}: {value}", text)
        else:
            text = re.sub(rf"(?m)^{key}:.*$", f"{key}: {value}", text)
    return text


def parameters(sizes):
    return {
        "NUM_SMS": sizes["num_sms"], "MAX_TBS_PER_SM": sizes["max_tbs_per_sm"], "NUM_KSRS": sizes["num_ksrs"],
        "NUM_COMMAND_BUFFERS": sizes["num_command_buffers"], "NUM_CONTEXTS": sizes["num_contexts"],
        "PTBQ_DEPTH": sizes["ptbq_depth"], "SEARCH_WIDTH": sizes["search_width"],
        "TB_WIDTH": sizes["tb_id_bits"], "WAIT_WIDTH": sizes["wait_bits"], "TAG_WIDTH": sizes["setup_tag_bits"],
        "KEPT_TURN": sizes["kept_turn"], "REFILL": sizes.get("refill_lane", 0),
    }


class Design:
    """Registers (module -> name -> bits) and RAM bits (module that instantiates the memory) of an elaboration."""

    def __init__(self, modules):
        self.modules = modules
        self.registers, self.ram_bits = {}, {}
        for name, module in modules.items():
            stem = self.stem(name)
            if stem == RAM:
                continue
            instances = self.instances(name)
            for bits in self.flip_flops(module):
                owner = self.registers.setdefault(stem, {})
                owner[bits] = owner.get(bits, 0) + instances
            for cell in module["cells"].values():
                if self.stem(cell["type"]) == RAM:
                    self.ram_bits[stem] = self.ram_bits.get(stem, 0) + self.size(cell["type"])

    def stem(self, module):
        return module.split("\\")[1 if module.startswith("$paramod") else -1].split("$")[0]

    def instances(self, name):
        types = [cell["type"] for module in self.modules.values() for cell in module["cells"].values()]
        return max(1, types.count(name))  # of the top none

    def size(self, memory):
        return sum(m["width"] * m["size"] for m in self.modules[memory]["memories"].values())

    def without_lingers(self):
        rest = {module: {name: bits for name, bits in registers.items() if name not in OF_LINGERS.get(module, ())}
                for module, registers in self.registers.items()}
        return {module: registers for module, registers in rest.items() if registers}

    def bits_of_lingers(self):
        return sum(self.registers[module][name] for module, names in OF_LINGERS.items() for name in names)

    # The register that each flip-flop belongs to.
    def flip_flops(self, module):
        names = {}
        for name, net in module["netnames"].items():
            # Of the names of one net the register's own is wanted: `_q`, or that of an output.
            rank = name.endswith("_q") * 2 + name.endswith("_o")
            for bit in net["bits"]:
                names.setdefault(bit, []).append((rank, name))
        for cell in module["cells"].values():
            if re.fullmatch(r"\$(s|a|al)?dff(c?e)?", cell["type"]):
                for bit in cell["connections"]["Q"]:
                    yield re.sub(r"_[qo]$", "", max(names[bit])[1])


@unittest.skipUnless(shutil.which("yosys"), "yosys is not installed")
class StorageTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="storage_test_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def storage(self, changes, *options):
        path = self.folder / "gpu.yaml"
        path.write_text(gpu_file(changes))
        result = subprocess.run([PROGRAM, "storage", path, *options, "--json"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def design(self, values):
        path = self.folder / "core.json"
        chparam = " ".join(f"-chparam {name} {value}" for name, value in values.items())
        sources = files_of(ROOT, "rtl.f")
        script = (f"read_verilog -Irtl {' '.join(sources)}; hierarchy -check -top tsr_scheduler {chparam}; proc; "
                  f"write_json {path}")
        result = subprocess.run(["yosys", "-q", "-p", script], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return Design(json.loads(path.read_text())["modules"])

    def num_flip_flops(self, values):
        chparam = " ".join(f"-chparam {name} {value}" for name, value in values.items())
        sources = files_of(ROOT, "rtl.f")
        script = (f"read_verilog -Irtl {' '.join(sources)}; hierarchy -check -top tsr_scheduler {chparam}; proc; flatten; "
                  "memory_collect; opt -full; simplemap t:$*dff*; opt; stat")
        result = subprocess.run(["yosys", "-p", script], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return sum(map(int, re.findall(r"^ +\$_S?DFF\w*_ +(\d+)$", result.stdout, flags=re.MULTILINE)))

    def test_lingers_have_no_flip_flop_without_their_parameter(self):
        values = parameters(self.storage(GPUS["narrow"])["sizes"])
        with_lingers = self.num_flip_flops({**values, "LINGER": 1})
        self.assertEqual(with_lingers - self.num_flip_flops(values), self.design(values).bits_of_lingers())

    # timing.md 3.11: a tag and one bit more of each SM; of a job, the event's tag and the SM's new row.
    def test_tags_have_the_flip_flops_of_their_module_and_no_other(self):
        values = parameters(self.storage(GPUS["narrow"])["sizes"])
        without = self.num_flip_flops(values)
        for width in (1, 3):
            with self.subTest(width):
                with_tags = {**values, "TAG_WIDTH": width}
                registers = self.design(with_tags).registers["tsr_tags"]
                self.assertEqual({name: bits for name, bits in registers.items() if name in ("tag", "unanswered")},
                                 {"tag": values["NUM_SMS"] * width, "unanswered": values["NUM_SMS"] * (width + 1)})
                self.assertEqual(self.num_flip_flops(with_tags) - without, sum(registers.values()))

    # timing.md 3.12: of each context two levels, its slice end, and whether a command waits; of each KSR a number of TBs
    # (4.2), in a memory, whose register of its read port is counted with it.
    def test_a_kept_turn_has_the_flip_flops_of_its_table_and_no_other(self):
        without, with_turn = (self.storage(GPUS["narrow"], *options) for options in ((), ("--kept-turn",)))
        fields = {field["name"]: field["bits"] for structure in with_turn["structures"] for field in structure["fields"]
                  if field["needed_by"] == "kept turn"}
        contexts = GPUS["narrow"]["num_command_buffers"]
        self.assertEqual([fields[name] for name in ("waiting", "listed", "g_queued.queued", "slice_end")],
                         [contexts, contexts, contexts, 2 * contexts])
        counted = [self.num_flip_flops(parameters(storage["sizes"])) for storage in (without, with_turn)]
        tbs = GPUS["narrow"]["max_tbs_per_sm"].bit_length()
        self.assertEqual(with_turn["ram_bits"] - without["ram_bits"], GPUS["narrow"]["num_ksrs"] * tbs)
        self.assertEqual(counted[1] - counted[0], with_turn["flip_flops"] - without["flip_flops"] + tbs)

    def test_every_register_and_every_memory_bit_of_the_verilog_is_in_the_table(self):
        machines = {name: (changes, ()) for name, changes in GPUS.items()}
        machines["a kept turn"] = (GPUS["narrow"], ("--kept-turn",))
        machines["a kept turn of one context"] = ({"num_sms": 2, "num_command_buffers": 1}, ("--kept-turn",))
        for name, (changes, options) in machines.items():
            storage = self.storage(changes, *options)
            design = self.design(parameters(storage["sizes"]))
            registers, ram_bits = {}, {}
            for structure in storage["structures"]:
                for field in structure["fields"]:
                    if field["memory"] == "ram":
                        ram_bits[structure["module"]] = ram_bits.get(structure["module"], 0) + field["bits"]
                    else:
                        of_module = registers.setdefault(structure["module"], {})
                        name_of_register = re.sub(r"^entries\..*", "entries", field["name"])  # one, field by field
                        of_module[name_of_register] = of_module.get(name_of_register, 0) + field["bits"]
            of_core = design.without_lingers()
            for module in sorted({*registers, *of_core}):
                with self.subTest(name, module=module):
                    self.assertEqual(registers.get(module), of_core.get(module))
            with self.subTest(name, module=RAM):
                self.assertEqual(ram_bits, design.ram_bits)

    def test_totals_are_the_sums_of_the_fields(self):
        storage = self.storage(GPUS["narrow"])
        fields = [field for structure in storage["structures"] for field in structure["fields"]]
        for kind, key in (("flip_flops", "flip_flops"), ("ram", "ram_bits")):
            self.assertEqual(storage[key], sum(f["width"] * f["rows"] for f in fields if f["memory"] == kind))
        self.assertEqual(sum(storage["bits_by_need"].values()), storage["flip_flops"] + storage["ram_bits"])
        self.assertEqual(storage["bytes"] * 8, storage["flip_flops"] + storage["ram_bits"])


if __name__ == "__main__":
    unittest.main()
