# SPDX-License-Identifier: Apache-2.0
"""tsr_ip in IP-XACT (IEEE 1685-2014): its registers from the register map, its ports and files from the Verilog, its
parameters from the core's description.
"""

import re
from xml.sax.saxutils import escape

from sources import HEADERS, ROOT, CppHeader, constants, fields, snake, table

ACCESS = {"RO": "read-only", "RW": "read-write", "W": "write-only", "W pops": "read-write",
          "any write clears": "read-write"}
CONSTANT = ("kId", "kCapabilities", "kCoreSize", "kFeatures")  # of those that a driver cannot write
# What describes buses: AXI is Arm's, the rest are those that AMD's tools know.
AXI = ("amba.com", "AMBA4", "AXI4Lite", "r0p0_0")
PINS = {"clock": ("xilinx.com", "signal", "clock", "1.0"), "reset": ("xilinx.com", "signal", "reset", "1.0"),
        "interrupt": ("xilinx.com", "signal", "interrupt", "1.0")}


class Writer:
    """Elements, indented; text is escaped."""

    def __init__(self, depth):
        self.lines, self.depth = [], depth

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def leaf(self, name, text):
        self.line(f"<ipxact:{name}>{escape(str(text))}</ipxact:{name}>")

    def empty(self, name, attributes=""):
        self.line(f"<ipxact:{name}{attributes}/>")

    def inside(self, name, attributes=""):
        writer = self

        class Element:
            def __enter__(self):
                writer.line(f"<ipxact:{name}{attributes}>")
                writer.depth += 1

            def __exit__(self, *_):
                writer.depth -= 1
                writer.line(f"</ipxact:{name}>")

        return Element()


def vlnv(name):
    return ' vendor="{}" library="{}" name="{}" version="{}"'.format(*name)


# ---- registers -------------------------------------------------------------------------------------------------------


class Register:
    """A row of the page's table, with its fields."""

    def __init__(self, row):
        self.name, self.access, self.reset, self.writable, self.meaning = row[1], row[2], row[3], row[4], row[6]
        self.offset = int(row[0], 16)
        self.fields = [field for field in fields() if field.register == self.name]
        self.is_volatile = self.access != "RW" and self.name not in CONSTANT

    def half(self, writer, upper, offset):
        """What the bus sees: a register of 32 bits. None where nothing is in it."""
        low, high = (32, 63) if upper else (0, 31)
        parts = [field for field in self.fields if field.low <= high and field.high >= low]
        whole = not self.fields  # counters, SM cycles: all bits are one number
        if not parts and not whole:
            return
        with writer.inside("register"):
            writer.leaf("name", snake(self.name).upper() + ("_UPPER" if upper else ""))
            writer.leaf("description", ("Bits 63:32. " if upper else "") + self.meaning)
            writer.leaf("addressOffset", f"'h{offset + 4 * upper:X}")
            writer.leaf("size", 32)
            writer.leaf("volatile", str(self.is_volatile).lower())
            writer.leaf("access", ACCESS[self.access])
            if whole:
                self.field(writer, "value", self.meaning, 0, 32, 0)
            for field in parts:
                first, last = max(field.low, low), min(field.high, high)
                is_split = field.low < 32 <= field.high
                name = field.name + (("_upper" if upper else "_lower") if is_split else "")
                reset = self.reset_of(field)
                if is_split and reset is not None:
                    reset = reset >> (32 - field.low if upper else 0) & ((1 << last - first + 1) - 1)
                self.field(writer, name, field.meaning, first - low, last - first + 1, reset)

    def reset_of(self, field):
        """A number, an expression of parameters, or None: a strap."""
        if self.reset == "Spec":
            return None if field.in_ip == "strap" else field.in_ip
        return int(self.reset, 16) >> field.low & (1 << field.width) - 1

    def field(self, writer, name, meaning, low, width, reset):
        with writer.inside("field"):
            writer.leaf("name", name)
            writer.leaf("description", meaning)
            writer.leaf("bitOffset", low)
            if reset is not None:
                with writer.inside("resets"), writer.inside("reset"):
                    writer.leaf("value", f"'h{reset:X}" if isinstance(reset, int) else reset)
            writer.leaf("bitWidth", width)
            writer.leaf("volatile", str(self.is_volatile).lower())
            writer.leaf("access", ACCESS[self.access])
            if self.access == "any write clears":
                writer.leaf("modifiedWriteValue", "clear")

    def both(self, writer, offset):
        for upper in (0, 1):
            self.half(writer, upper, offset)


def counters(writer, base):
    for number, name, meaning in table("Counter"):
        row = [hex(base + 8 * int(number)), "kCounter" + name[1:], "RO", "0", "0", "IP", f"Counts {meaning}."]
        Register(row).both(writer, base + 8 * int(number))


def repeated(writer, name, count, offset, stride, registers):
    with writer.inside("registerFile"):
        writer.leaf("name", name)
        writer.leaf("dim", count)
        writer.leaf("addressOffset", f"'h{offset:X}")
        writer.leaf("range", stride)
        for register in registers:
            register.both(writer, register.offset - offset)


def memory_map(writer):
    numbers = constants([CppHeader(HEADERS[0])])
    contexts, stride = numbers["kContexts"], numbers["kContextStride"]
    registers = [Register(row) for row in table("Offset") if "IP" in row[5]]
    with writer.inside("memoryMaps"), writer.inside("memoryMap"):
        writer.leaf("name", "registers")
        with writer.inside("addressBlock"):
            writer.leaf("name", "registers")
            writer.leaf("baseAddress", "'h0")
            writer.leaf("range", numbers["kSize"])
            writer.leaf("width", 32)
            writer.leaf("usage", "register")
            for register in registers:
                own = re.search(r"That of (SM|context) (\w) is at (\w+) \+ \2 \* (\d+)", register.meaning)
                count = {"SM": "NUM_SMS", "context": "NUM_CONTEXTS"}
                if register.name == "kCounters":
                    counters(writer, register.offset)
                elif own:
                    name = snake(register.name).upper() + "_TABLE"
                    repeated(writer, name, count[own[1]], register.offset, int(own[4]), [register])
                elif register.offset == contexts:
                    of_one = [each for each in registers if contexts <= each.offset < contexts + stride]
                    repeated(writer, "CONTEXT_TABLE", "NUM_CONTEXTS", contexts, stride, of_one)
                elif not contexts <= register.offset < contexts + stride:
                    register.both(writer, register.offset)
        writer.leaf("addressUnitBits", 8)


# ---- buses, ports, files ---------------------------------------------------------------------------------------------


def verilog_ports():
    """Name, direction and the left end of its range, or none."""
    text = (ROOT / "rtl/tsr_ip.v").read_text()
    ports = re.findall(r"^  (in|out)put +(?:\[(.*?):0\])? *(\w+)", text[:text.index("\n);\n")], flags=re.MULTILINE)
    return [(name, direction, left) for direction, left, name in ports]


def bus(writer, name, kind, role, port_maps, parameters=()):
    with writer.inside("busInterface"):
        writer.leaf("name", name)
        writer.empty("busType", vlnv(kind))
        with writer.inside("abstractionTypes"), writer.inside("abstractionType"):
            writer.empty("abstractionRef", vlnv((*kind[:2], kind[2] + "_rtl", kind[3])))
            with writer.inside("portMaps"):
                for logical, physical in port_maps:
                    with writer.inside("portMap"):
                        for end, port in (("logicalPort", logical), ("physicalPort", physical)):
                            with writer.inside(end):
                                writer.leaf("name", port)
        if role == "map":
            with writer.inside("slave"):
                writer.empty("memoryMapRef", ' memoryMapRef="registers"')
        else:
            writer.empty(role)
        if parameters:
            with writer.inside("parameters"):
                for key, value in parameters:
                    with writer.inside("parameter", f' parameterId="{name}_{key}"'):
                        writer.leaf("name", key)
                        writer.leaf("value", value)


def buses(writer):
    axi = [(re.sub(r"_[io]$", "", name[4:]).upper(), name) for name, _, _ in verilog_ports() if name.startswith("axi_")]
    with writer.inside("busInterfaces"):
        bus(writer, "axi", AXI, "map", [("ACLK", "clk_i"), ("ARESETn", "rst_ni"), *axi])
        bus(writer, "clk", PINS["clock"], "slave", [("CLK", "clk_i")],
            [("ASSOCIATED_BUSIF", "axi"), ("ASSOCIATED_RESET", "rst_ni")])
        bus(writer, "rst", PINS["reset"], "slave", [("RST", "rst_ni")], [("POLARITY", "ACTIVE_LOW")])
        bus(writer, "irq", PINS["interrupt"], "master", [("INTERRUPT", "irq_o")], [("SENSITIVITY", "LEVEL_HIGH")])


def model(writer, parameters):
    with writer.inside("model"):
        with writer.inside("views"), writer.inside("view"):
            writer.leaf("name", "rtl")
            writer.leaf("componentInstantiationRef", "verilog")
        with writer.inside("instantiations"), writer.inside("componentInstantiation"):
            writer.leaf("name", "verilog")
            writer.leaf("language", "Verilog")
            writer.leaf("moduleName", "tsr_ip")
            with writer.inside("moduleParameters"):
                for name in parameters:
                    with writer.inside("moduleParameter", ' dataType="integer"'):
                        writer.leaf("name", name)
                        writer.leaf("value", name)
            for name in ("headers", "sram", "core", "front_end"):
                with writer.inside("fileSetRef"):
                    writer.leaf("localName", name)
        with writer.inside("ports"):
            for name, direction, left in verilog_ports():
                with writer.inside("port"):
                    writer.leaf("name", name)
                    with writer.inside("wire"):
                        writer.leaf("direction", direction)
                        if left:
                            with writer.inside("vectors"), writer.inside("vector"):
                                writer.leaf("left", left)
                                writer.leaf("right", 0)


def files_of(name):
    return [line for line in (ROOT / "rtl" / name).read_text().split() if not line.startswith("+")]


def file_sets(writer):
    sram = "rtl/tsr_sram_1r1w.v"
    sets = {"headers": sorted(f"rtl/{path.name}" for path in (ROOT / "rtl").glob("*.vh")), "sram": [sram],
            "core": [name for name in files_of("rtl.f") if name != sram], "front_end": files_of("ip.f")}
    with writer.inside("fileSets"):
        for name, files in sets.items():
            with writer.inside("fileSet"):
                writer.leaf("name", name)
                for file in files:
                    with writer.inside("file"):
                        writer.leaf("name", file[len("rtl/"):])
                        writer.leaf("fileType", "verilogSource")
                        if name == "headers":
                            writer.leaf("isIncludeFile", "true")


def of_core():
    """The head of the core's description up to its model, and its parameters."""
    text = (ROOT / "rtl/tsr_scheduler.xml").read_text()
    head, _, _ = text.partition("  <ipxact:model>")
    return head, re.search(r"  <ipxact:parameters>\n.*?  </ipxact:parameters>\n", text, flags=re.DOTALL)[0]


DONE_DEPTH = """    <ipxact:parameter parameterId="DONE_DEPTH" type="int" resolve="user" minimum="1" maximum="32767">
      <ipxact:name>DONE_DEPTH</ipxact:name>
      <ipxact:description>Kernels launched and not yet read as done.</ipxact:description>
      <ipxact:value>NUM_KSRS + NUM_COMMAND_BUFFERS</ipxact:value>
    </ipxact:parameter>
"""


def text():
    head, parameters = of_core()
    head = re.sub(r"<!-- For tools.*?-->", "<!-- Generated by rtl/registers/generate.py. What the registers do is in "
                  "docs/hardware/register_map.md, what the pins do in docs/hardware/timing.md. -->", head)
    head = head.replace("<ipxact:name>tsr_scheduler<", "<ipxact:name>tsr_ip<")
    # The register map has 8 bits for it.
    parameters = re.sub(r'(parameterId="MAX_TBS_PER_SM"[^>]*?)>', r'\1 maximum="255">', parameters)
    first_derived = re.search(r"    <ipxact:parameter [^>]*type=\"int\">\n", parameters)
    parameters = parameters[:first_derived.start()] + DONE_DEPTH + parameters[first_derived.start():]
    writer = Writer(1)
    buses(writer)
    memory_map(writer)
    model(writer, re.findall(r'parameterId="(\w+)"[^>]*resolve="user"', parameters))
    file_sets(writer)
    writer.leaf("description", "Preemptive scheduling framework of a GPU behind registers on AXI4-Lite.")
    return head + "\n".join(writer.lines) + "\n" + parameters + "</ipxact:component>\n"
