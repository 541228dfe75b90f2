# SPDX-License-Identifier: Apache-2.0
"""Claims about what is generated from the register map: the header in C has the numbers of those in C++, the memory map
in IP-XACT those of the Verilog.

Called with the root of the sources. A tool that is not installed skips its tests, and says so.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from file_lists import files_of
from packages import IpXactComponent

ROOT = Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "rtl/registers"))
import generate  # noqa: E402
from sources import HEADERS, fields, snake, table  # noqa: E402

C_HEADER = "tlm/include/tessera/tsr_registers.h"
C_CALL = ["cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
CPP_CALL = ["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror"]
SIZES = {"NUM_SMS": 3, "MAX_TBS_PER_SM": 5, "NUM_KSRS": 4, "NUM_COMMAND_BUFFERS": 6, "NUM_CONTEXTS": 2, "TB_WIDTH": 9,
         "POLICIES": 255, "KEPT_TURN": 1, "DONE_DEPTH": 7}
# Reads registers after reset. Wires are the IP's and the host's pins of AXI4-Lite.
BENCH = """module bench;
  reg clk = 1'b0, rst_n = 1'b0;
  always #5 clk = !clk;
  wire error;
  reg [31:0] data;
  {wires}
  tsr_ip #({parameters}) u_ip ({of_ip});
  tsr_example_host u_host (.clk_i(clk), {of_host}, .error_o(error));
  initial begin
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    {reads}
    $finish;
  end
endmodule
"""


def zero(width):
    return f"{width}'d0"


def needs(tool):
    return unittest.skipUnless(shutil.which(tool), f"{tool} is not installed")


class Generated(unittest.TestCase):
    def test_files_are_those_of_their_sources(self):
        for name, text in generate.FILES.items():
            with self.subTest(name):
                self.assertTrue((ROOT / name).read_text() == text(), f"{name} is old: run rtl/registers/generate.py")


class Fields(unittest.TestCase):
    """The page's table, whose fields have no other source than the page and constants for two registers."""

    def test_fields_of_a_register_do_not_overlap_and_are_its_writable_bits(self):
        for row in table("Offset"):
            taken = 0
            for field in (each for each in fields() if each.register == row[1]):
                bits = ((1 << field.width) - 1) << field.low
                self.assertEqual(taken & bits, 0, f"{row[1]} {field.name}")
                taken |= bits
            if taken and row[2] == "RW" and row[4] != "see below":
                self.assertEqual(taken, int(row[4], 16), row[1])

    def test_every_register_of_the_ip_has_fields_or_is_one_number(self):
        numbers = {"kCounters", "kSmCycles"}
        self.assertLessEqual({row[1] for row in table("Offset") if "IP" in row[5]} - numbers,
                             {field.register for field in fields()})

    def test_places_are_those_of_the_code(self):
        text = (ROOT / HEADERS[0]).read_text()
        for structure, register in (("DoorbellFields", "kLaunchDoorbell"), ("PolicyFields", "kPolicy")):
            body = re.search(rf"struct {structure} \{{(.*?)\}};", text, flags=re.DOTALL)[1]
            of_code = {snake(name): int(shift) for name, shift in re.findall(r"k(\w+)Shift = (\d+)", body)}
            self.assertEqual({field.name: field.low for field in fields() if field.register == register}, of_code)


class InC(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="registers")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.c_text = (ROOT / C_HEADER).read_text()
        cls.cpp_text = "".join((ROOT / name).read_text() for name in HEADERS)

    def printed(self, call, suffix, includes, lines):
        """What a program of these lines prints: numbers by name."""
        source, program = self.folder / f"print.{suffix}", self.folder / f"print_{suffix}"
        source.write_text("\n".join([*includes, "int main(void) {", *lines, "  return 0;", "}"]))
        result = subprocess.run([*call, f"-I{ROOT / 'tlm/include'}", source, "-o", program], capture_output=True,
                                text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        output = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout
        return {name: int(number) for name, number in map(str.split, output.splitlines())}

    @needs("cc")
    @needs("c++")
    def test_numbers_and_structures_are_those_of_cpp(self):
        constants = re.findall(r"^inline constexpr std::\w+ k(\w+) =", self.cpp_text, flags=re.MULTILINE)
        enumerations = re.findall(r"enum class (\w+) : \S+ \{(.*?)\};", self.cpp_text, flags=re.DOTALL)
        values = [(kind, value) for kind, body in enumerations
                  for value in re.findall(r"\bk([A-Z]\w+)(?= =|,)", re.sub(r"//.*", "", body))]
        structures = re.findall(r"^struct (\w+(?<!Fields)) \{(.*?)^\};", self.cpp_text, flags=re.MULTILINE | re.DOTALL)
        members = [(name, member) for name, body in structures
                   for member in re.findall(r"^  [\w:]+ (\w+)(?: = [^;]+)?;", body, flags=re.MULTILINE)]
        self.assertGreater(min(len(constants), len(values), len(members)), 25)

        of_c, of_cpp = [], []
        line = '  printf("%s %llu\\n", (unsigned long long)({}));'
        for name in constants:
            of_c.append(line.format(f"TSR_{snake('k' + name)}".upper()).replace("%s", name))
            of_cpp.append(line.format(f"k{name}").replace("%s", name))
        for kind, value in values:
            of_c.append(line.format(f"TSR_{snake(kind)}_{snake('k' + value)}".upper()).replace("%s", kind + value))
            of_cpp.append(line.format(f"{kind}::k{value}").replace("%s", kind + value))
        for name, member in members:
            for what in ("offsetof({0}, {1})", "sizeof((({0}*)0)->{1})"):
                label = f"{what[:6]}{name}.{member}"
                of_c.append(line.format(what.format(f"struct tsr_{snake(name)}", member)).replace("%s", label))
                of_cpp.append(line.format(what.format(name, member)).replace("%s", label))
        c_begin = ["#include <stddef.h>", "#include <stdio.h>", "#include <tessera/tsr_registers.h>"]
        cpp_begin = ["#include <cstddef>", "#include <cstdio>",
                     *(f'#include "{Path(name).relative_to("tlm/include")}"' for name in HEADERS),
                     "using namespace tessera::tlm_model;", "using namespace tessera::tlm_model::reg;"]
        in_c = self.printed(C_CALL, "c", c_begin, of_c)
        in_cpp = self.printed(CPP_CALL, "cpp", cpp_begin, of_cpp)
        self.assertEqual(in_c, in_cpp)

    def test_fields_are_those_of_the_page(self):
        found = re.findall(r"#define TSR_(\w+)_SHIFT (\d+)\n#define TSR_\1_MASK UINT64_C\((\w+)\)", self.c_text)
        self.assertEqual([(name, int(low), int(mask, 16)) for name, low, mask in found],
                         [(f"{snake(each.register)}_{each.name}".upper(), each.low, (1 << each.width) - 1)
                          for each in fields()])

    @needs("cc")
    def test_the_example_of_the_page_compiles(self):
        page = (ROOT / "docs/hardware/register_map.md").read_text()
        example = re.search(r"^```c\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)[1]
        source = self.folder / "example.c"
        source.write_text("#include <stdint.h>\nvoid write32(uint64_t offset, uint32_t value);\n"
                          "void launch(uint32_t, uint32_t, uint32_t, uint64_t);\n" + example)
        result = subprocess.run([*C_CALL, f"-I{ROOT / 'tlm/include'}", "-c", source, "-o", self.folder / "example.o"],
                                capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))


class MemoryMap(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.component = IpXactComponent(ROOT / "rtl/tsr_ip.xml")
        cls.registers = cls.component.registers(SIZES)

    def test_registers_are_halves_that_do_not_overlap(self):
        offsets = [register.offset for register in self.registers]
        self.assertGreater(len(offsets), 60)
        self.assertEqual(offsets, sorted(set(offsets)))
        for register in self.registers:
            self.assertEqual(register.offset % 4, 0, register.name)
            ends = [(field.low, field.low + field.width) for field in register.fields]
            self.assertLessEqual(ends[-1][1], 32, register.name)
            self.assertTrue(all(end <= begin for (_, end), (begin, _) in zip(ends, ends[1:])), register.name)

    @needs("iverilog")
    def test_the_ip_has_these_values_after_reset(self):
        ports = self.component.ports(SIZES)
        axi = [name for name in ports if name.startswith("axi_")]
        given = {"clk_i": "clk", "rst_ni": "rst_n", **{name: name[:-2] for name in axi}}  # what is not is 0
        text = BENCH.format(
            wires=" ".join(f"wire [{ports[name][1] - 1}:0] {name[:-2]};" for name in axi),
            parameters=", ".join(f".{name}({value})" for name, value in SIZES.items()),
            of_ip=", ".join(f".{name}({given.get(name, zero(width))})" for name, (direction, width) in ports.items()
                            if direction == "in" or name in given),
            of_host=", ".join(f".{name[:-1]}{'i' if name[-1] == 'o' else 'o'}({name[:-2]})" for name in axi),
            reads="\n    ".join(f"u_host.read({each.offset}, data); $display(\"%0d %0d\", {each.offset}, data);"
                                for each in self.registers))
        with tempfile.TemporaryDirectory(prefix="map") as folder:
            bench, program = Path(folder) / "bench.v", Path(folder) / "bench.vvp"
            bench.write_text(text)
            files = [*files_of(ROOT, "rtl.f", "ip.f"), "rtl/soc/tsr_example_host.v", bench]
            subprocess.run(["iverilog", "-g2005", "-Irtl", "-s", "bench", "-o", program, *files], cwd=ROOT, check=True)
            lines = subprocess.run(["vvp", "-n", program], check=True, stdout=subprocess.PIPE, text=True).stdout
        read = {int(offset): int(value) for offset, value in re.findall(r"^(\d+) (\d+)$", lines, flags=re.MULTILINE)}
        self.assertEqual(set(read), {register.offset for register in self.registers})
        for register in self.registers:
            if register.name.startswith("COUNTER_CYCLES"):
                continue  # they pass
            for field in register.fields:
                if field.reset is not None:
                    self.assertEqual(read[register.offset] >> field.low & (1 << field.width) - 1, field.reset,
                                     f"{register.name} {field.name}")


if __name__ == "__main__":
    unittest.main()
