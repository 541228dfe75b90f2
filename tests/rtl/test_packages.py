# SPDX-License-Identifier: Apache-2.0
"""Claims about descriptions of the core and of the IP for other tools: each says what the Verilog says, and its files
make one.

Called with the root of the sources. A tool or module that is not installed skips its tests, and says so.
"""

import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from elaborated import ports_and_parameters
from file_lists import files_of
from packages import IPXACT, ORDERS, BenderPackage, FuseSocCore, IpXactComponent

try:
    import yaml
except ImportError:
    yaml = None

ROOT = Path(sys.argv.pop(1)).resolve()
HEADERS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "rtl").glob("*.vh"))
CORE = files_of(ROOT, "rtl.f")
FRONT_END = files_of(ROOT, "ip.f")
SM_SIDE = files_of(ROOT, "soc/soc.f")
EXAMPLE = files_of(ROOT, "soc/example.f")
SRAM = "rtl/tsr_sram_1r1w.v"
GATE = "rtl/tsr_clock_gate.sv"
WRAPPER = "rtl/tsr_gated_scheduler.v"
ASSUMPTIONS = "rtl/tsr_input_assumptions.sv"
# No two widths are the same.
SHAPE = {"NUM_SMS": 2, "MAX_TBS_PER_SM": 5, "NUM_KSRS": 15, "NUM_COMMAND_BUFFERS": 31, "NUM_CONTEXTS": 63,
         "PTBQ_DEPTH": 7, "TB_WIDTH": 9, "WAIT_WIDTH": 11, "TAG_WIDTH": 3}
# What has to change with a parameter so that only that one is out of range.
COMPANIONS = {"MAX_TBS_PER_SM": {"PTBQ_DEPTH": 16}}

needs_verilator = unittest.skipUnless(shutil.which("verilator"), "needs verilator")
needs_yaml = unittest.skipUnless(yaml, "needs python3-yaml")


def without(files, *left_out):
    return [file for file in files if file not in left_out]


class Package(unittest.TestCase):
    def lint(self, sources, top, *options):
        result = subprocess.run(["verilator", "--lint-only", "-Wall", "-Irtl", *options, *sources, "--top-module", top],
                                cwd=ROOT, capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))


class Wrapper(Package):
    @unittest.skipUnless(shutil.which("yosys"), "needs yosys")
    def test_has_the_pins_and_parameters_of_the_core_and_a_test_enable(self):
        ports, parameters = ports_and_parameters(ROOT, [*CORE, GATE, WRAPPER], "tsr_gated_scheduler", SHAPE)
        self.assertEqual(ports.pop("test_en_i"), ("in", 1))
        self.assertEqual((ports, parameters), ports_and_parameters(ROOT, CORE, "tsr_scheduler", SHAPE))

    @needs_verilator
    def test_is_clean_with_its_assumptions(self):
        self.lint([*CORE, GATE, WRAPPER, ASSUMPTIONS], "tsr_gated_scheduler", "--assert")

    def test_is_listed_with_its_gate(self):
        self.assertEqual(files_of(ROOT, "gated.f"), [GATE, WRAPPER])


class FileLists(Package):
    # Nothing but the list: it names the include folder.
    @needs_verilator
    def test_a_tool_reads_them_alone(self):
        for top, *lists in (("tsr_scheduler", "rtl"), ("tsr_gated_scheduler", "rtl", "gated"), ("tsr_ip", "rtl", "ip"),
                            ("tsr_sm_side", "rtl", "soc/soc")):
            with self.subTest(top):
                call = [word for name in lists for word in ("-f", f"rtl/{name}.f")]
                result = subprocess.run(["verilator", "--lint-only", "-Wall", *call, "--top-module", top], cwd=ROOT,
                                        capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""))


class IpXactClaims(Package):
    name = ""
    files = {}  # by the sets of the instance
    sizes = ""  # the text of the parameters that a user sets

    @classmethod
    def setUpClass(cls):
        if not cls.name:
            raise unittest.SkipTest("of no component")
        cls.component = IpXactComponent(ROOT / f"rtl/{cls.name}.xml")
        cls.sources = [file for name, files in cls.files.items() if name != "headers" for file in files]

    @unittest.skipUnless(shutil.which("yosys"), "needs yosys")
    def test_has_the_ports_and_parameters_of_the_verilog_whatever_their_values(self):
        self.maxDiff = None
        for settings in ({}, SHAPE):
            with self.subTest(settings):
                ports, parameters = ports_and_parameters(ROOT, self.sources, self.name, settings)
                self.assertEqual(list(self.component.ports(settings).items()), list(ports.items()))
                self.assertEqual(self.component.parameters(settings), parameters)

    def test_passes_on_every_parameter_that_a_user_sets(self):
        self.assertEqual(list(self.component.user_parameters()), re.findall(r"parameter (\w+)", self.sizes))
        of_module = [(self.component.text("ipxact:name", each), self.component.text("ipxact:value", each))
                     for each in self.component.all(".//ipxact:moduleParameter")]
        self.assertEqual(of_module, [(name, name) for name in self.component.user_parameters()])

    @needs_verilator
    def test_limits_of_parameters_are_those_of_the_verilog(self):
        for name, (lowest, highest) in self.component.user_parameters().items():
            outside = [lowest - 1] if highest is None else [lowest - 1, highest + 1]
            for value in outside:
                with self.subTest(f"{name} = {value}"):
                    settings = COMPANIONS.get(name, {}) | {name: value}
                    options = [f"-G{each}={number}" for each, number in settings.items()]
                    result = subprocess.run(["verilator", "--lint-only", "-Wno-lint", "-Irtl", *options, *self.sources,
                                             "--top-module", self.name], cwd=ROOT, capture_output=True, text=True)
                    self.assertNotEqual(result.returncode, 0)

    def test_names_the_module_and_its_files(self):
        instantiation = "ipxact:model/ipxact:instantiations/ipxact:componentInstantiation"
        self.assertEqual(self.component.text(f"{instantiation}/ipxact:moduleName"), self.name)
        file_sets = self.component.all(f"{instantiation}/ipxact:fileSetRef/ipxact:localName")
        self.assertEqual([each.text for each in file_sets], list(self.files))
        from_root = {each.text: [f"rtl/{name}" for name in self.component.file_set(each.text)] for each in file_sets}
        self.assertEqual(from_root, self.files)

    # What the schema of IEEE 1685-2014 says of the order of elements, which not every reader of a file checks.
    def test_elements_are_in_the_order_of_the_standard(self):
        for element in self.component.root.iter():
            order = ORDERS.get(element.tag.rpartition("}")[2])
            names = [child.tag.rpartition("}")[2] for child in element]
            if order:
                self.assertLessEqual(set(names), set(order), element.tag)
                names = [name.replace("registerFile", "register") for name in names]  # a choice between the two
                self.assertEqual(names, sorted(names, key=order.index), element.tag)


class CoreInIpXact(IpXactClaims):
    name = "tsr_scheduler"
    files = {"headers": HEADERS, "sram": [SRAM], "core": without(CORE, SRAM)}
    sizes = (ROOT / "rtl/tsr_sizes.vh").read_text().partition("// Not to be set")[0]


class IpInIpXact(IpXactClaims):
    name = "tsr_ip"
    files = {**CoreInIpXact.files, "front_end": FRONT_END}
    sizes = CoreInIpXact.sizes + "parameter DONE_DEPTH"

    def buses(self):
        """By name, with what it is and physical ports by logical ones."""
        found = {}
        for bus in self.component.all("ipxact:busInterfaces/ipxact:busInterface"):
            maps = bus.findall(".//ipxact:portMap", IPXACT)
            ends = [[self.component.text(f"ipxact:{end}/ipxact:name", each) for end in ("logicalPort", "physicalPort")]
                    for each in maps]
            kind = bus.find("ipxact:busType", IPXACT).attrib
            found[self.component.text("ipxact:name", bus)] = (bus, kind, dict(ends))
        return found

    def test_every_pin_of_axi_the_clock_the_reset_and_the_interrupt_are_on_a_bus(self):
        ports, buses = self.component.ports(), self.buses()
        self.assertEqual({name: kind["name"] for name, (_, kind, _) in buses.items()},
                         {"axi": "AXI4Lite", "clk": "clock", "rst": "reset", "irq": "interrupt"})
        axi = buses["axi"][2]
        self.assertEqual(set(axi), {"ACLK", "ARESETn", *(channel + signal for channel in ("AW", "W", "B", "AR", "R")
                                                         for signal in ("VALID", "READY"))}
                         | {"AWADDR", "AWPROT", "WDATA", "WSTRB", "BRESP", "ARADDR", "ARPROT", "RDATA", "RRESP"})
        self.assertEqual({port for port in axi.values() if port.startswith("axi_")},
                         {port for port in ports if port.startswith("axi_")})
        self.assertEqual([buses[name][2] for name in ("clk", "rst", "irq")],
                         [{"CLK": "clk_i"}, {"RST": "rst_ni"}, {"INTERRUPT": "irq_o"}])

    def test_the_bus_leads_to_the_memory_map(self):
        reference = self.buses()["axi"][0].find("ipxact:slave/ipxact:memoryMapRef", IPXACT)
        maps = self.component.all("ipxact:memoryMaps/ipxact:memoryMap")
        self.assertEqual([reference.get("memoryMapRef")], [self.component.text("ipxact:name", each) for each in maps])


@needs_yaml
class FuseSoc(Package):
    @classmethod
    def setUpClass(cls):
        cls.core = FuseSocCore(yaml, (ROOT / "tessera.core").read_text())

    def test_has_the_files_of_the_core_in_their_order(self):
        self.assertEqual(self.core.files("default"), [SRAM, *without(CORE, SRAM)])
        self.assertEqual(self.core.files("gated"), [SRAM, *without(CORE, SRAM), GATE, WRAPPER])
        self.assertEqual(self.core.files("default", ["tessera_assumptions"])[-1], ASSUMPTIONS)
        self.assertEqual(self.core.files("gated", ["tessera_assumptions"])[-1], ASSUMPTIONS)
        self.assertEqual(self.core.files("ip"), [SRAM, *without(CORE, SRAM), *FRONT_END])
        self.assertEqual(self.core.files("ip", ["tessera_sm_side"]), [SRAM, *without(CORE, SRAM), *FRONT_END, *SM_SIDE])
        self.assertEqual(self.core.files("example"), [SRAM, *without(CORE, SRAM), *FRONT_END, *SM_SIDE, *EXAMPLE])

    def test_leaves_out_the_cells_that_a_technology_brings(self):
        flags = ("tessera_exclude_sram", "tessera_exclude_clock_gate")
        self.assertEqual(self.core.files("default", flags), without(CORE, SRAM))
        self.assertEqual(self.core.files("gated", flags), [*without(CORE, SRAM), WRAPPER])

    def test_says_of_each_file_what_language_it_is(self):
        for name, file_set in self.core.description["filesets"].items():
            suffix = {"verilogSource": ".v", "systemVerilogSource": ".sv"}[file_set["file_type"]]
            sources = [file for file in file_set["files"] if isinstance(file, str)]
            self.assertLessEqual({Path(file).suffix for file in sources}, {suffix}, name)

    def test_names_the_headers(self):
        self.assertEqual(self.core.headers(), HEADERS)

    def test_has_the_parameters_of_the_core(self):
        parameters, of_ip = (list(IpXactComponent(ROOT / f"rtl/{name}.xml").user_parameters())
                             for name in ("tsr_scheduler", "tsr_ip"))
        self.assertEqual(list(self.core.description["parameters"]), of_ip)
        for name in ("default", "gated", "lint", "lint_gated"):
            self.assertEqual(self.core.description["targets"][name]["parameters"], parameters, name)
        for name in ("ip", "lint_ip"):
            self.assertEqual(self.core.description["targets"][name]["parameters"], of_ip, name)

    @needs_verilator
    def test_every_target_is_clean(self):
        designs = {(target["toplevel"], *self.core.files(name))
                   for name, target in self.core.description["targets"].items() if name != "example"}
        for top, *files in designs:
            with self.subTest(top):
                self.lint(files, top)


@needs_yaml
class Bender(Package):
    @classmethod
    def setUpClass(cls):
        cls.package = BenderPackage(yaml, (ROOT / "Bender.yml").read_text())

    def test_has_the_files_of_the_core_in_their_order(self):
        core = [SRAM, *without(CORE, SRAM)]
        self.assertEqual(self.package.files(), core)
        self.assertEqual(self.package.files(["tessera_gated"]), [*core, GATE, WRAPPER])
        self.assertEqual(self.package.files(["tessera_ip"]), [*core, *FRONT_END])
        self.assertEqual(self.package.files(["tessera_ip", "tessera_sm_side"]), [*core, *FRONT_END, *SM_SIDE])
        self.assertEqual(self.package.files(["tessera_assumptions"]), [*core, ASSUMPTIONS])

    def test_names_the_folder_of_the_headers_wherever_they_are_included(self):
        for source in self.package.description["sources"]:
            includes = any("`include" in (ROOT / file).read_text() for file in source["files"])
            self.assertEqual(source.get("include_dirs", []), ["rtl"] if includes else [], source["files"])

    def test_leaves_out_the_cells_that_a_technology_brings(self):
        targets = ["tessera_gated", "tessera_exclude_sram", "tessera_exclude_clock_gate"]
        self.assertEqual(self.package.files(targets), [*without(CORE, SRAM), WRAPPER])


@needs_yaml
class Versions(unittest.TestCase):
    def test_are_that_of_the_project(self):
        version = re.search(r"project\(tessera VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        core = FuseSocCore(yaml, (ROOT / "tessera.core").read_text())
        self.assertEqual(core.description["name"], f"tessera:ip:tsr_scheduler:{version}")
        vendor, library, _, version = core.description["name"].split(":")
        for name in ("tsr_scheduler", "tsr_ip"):
            component = IpXactComponent(ROOT / f"rtl/{name}.xml")
            self.assertEqual([component.text(f"ipxact:{part}") for part in ("vendor", "library", "name", "version")],
                             [vendor, library, name, version])


if __name__ == "__main__":
    unittest.main()
