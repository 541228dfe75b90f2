# SPDX-License-Identifier: Apache-2.0
"""What the descriptions for other tools say of the core and of the IP: tessera.core (FuseSoC), Bender.yml,
rtl/tsr_scheduler.xml and rtl/tsr_ip.xml (IP-XACT), as far as these files go.
"""

import re
import xml.etree.ElementTree as ElementTree

IPXACT = {"ipxact": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}

# Elements within others, in the order that IEEE 1685-2014 has for them, as far as these files have them.
NAMES = ["name", "displayName", "description"]
ORDERS = {
    "component": ["vendor", "library", "name", "version", "busInterfaces", "memoryMaps", "model", "fileSets",
                  "description", "parameters"],
    "busInterface": [*NAMES, "busType", "abstractionTypes", "master", "slave", "parameters"],
    "abstractionType": ["abstractionRef", "portMaps"],
    "portMap": ["logicalPort", "physicalPort"],
    "memoryMap": [*NAMES, "addressBlock", "addressUnitBits"],
    "addressBlock": [*NAMES, "baseAddress", "range", "width", "usage", "register", "registerFile"],
    "registerFile": [*NAMES, "dim", "addressOffset", "range", "register"],
    "register": [*NAMES, "dim", "addressOffset", "size", "volatile", "access", "field"],
    "field": [*NAMES, "bitOffset", "resets", "bitWidth", "volatile", "access", "modifiedWriteValue"],
    "model": ["views", "instantiations", "ports"],
    "componentInstantiation": [*NAMES, "language", "moduleName", "moduleParameters", "fileSetRef"],
    "port": [*NAMES, "wire"],
    "wire": ["direction", "vectors"],
    "vector": ["left", "right"],
    "fileSet": [*NAMES, "file"],
    "file": ["name", "fileType", "isIncludeFile"],
    "parameter": [*NAMES, "value"],
}


def in_python(expression):
    """`a ? b : c`, alone or in parentheses of its own, as Python has it."""
    choice = r"([^?:]+)\?([^?:]+):([^?:]+)"
    code = re.sub(rf"\((?=[^()]*\?){choice}\)", r"((\2) if (\1) else (\3))", expression)
    return re.sub(rf"^{choice}$", r"(\2) if (\1) else (\3)", code)


class FuseSocCore:
    def __init__(self, yaml, text):
        first, _, rest = text.partition("\n")
        if first != "CAPI=2:":
            raise ValueError(f"FuseSoC reads no core that begins with {first!r}")
        self.description = yaml.safe_load(rest)

    def files(self, target, flags=()):
        """In the order in which they are read; flags as given on FuseSoC's command line."""
        names = []
        for word in self.description["targets"][target]["filesets"]:
            condition = re.fullmatch(r"(!?)(\w+) \? \((\w+)\)", word)
            if condition is None:
                names.append(word)
            elif (condition[2] in flags) != (condition[1] == "!"):
                names.append(condition[3])
        return [file for name in names for file in self.description["filesets"][name]["files"] if isinstance(file, str)]

    def headers(self):
        """Files that others include."""
        return [name for file_set in self.description["filesets"].values() for file in file_set["files"]
                if isinstance(file, dict) for name, attributes in file.items() if attributes.get("is_include_file")]


class BenderPackage:
    def __init__(self, yaml, text):
        self.description = yaml.safe_load(text)

    def files(self, targets=()):
        return [file for source in self.description["sources"] if self.is_met(source.get("target", "all()"), targets)
                for file in source["files"]]

    @staticmethod
    def is_met(expression, targets):
        functions = {"all": lambda *each: all(each), "any": lambda *each: any(each), "not_": lambda each: not each}
        code = re.sub(r"\bnot\(", "not_(", expression)
        names = set(re.findall(r"\w+", code)) - set(functions)
        return eval(code, functions | {name: name in targets for name in names})


class IpXactComponent:
    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()

    def text(self, path, element=None):
        return (self.root if element is None else element).findtext(path, namespaces=IPXACT)

    def all(self, path):
        return self.root.findall(path, IPXACT)

    def file_set(self, name):
        for file_set in self.all("ipxact:fileSets/ipxact:fileSet"):
            if self.text("ipxact:name", file_set) == name:
                return [each.text for each in file_set.findall("ipxact:file/ipxact:name", IPXACT)]
        raise KeyError(name)

    def parameters(self, settings=()):
        """Values by name, in the order of the file, with some of them set."""
        values = {}
        for parameter in self.all("ipxact:parameters/ipxact:parameter"):
            name = parameter.get("parameterId")
            expression = self.text("ipxact:value", parameter)
            values[name] = dict(settings).get(name, self.value(expression, values))
        return values

    def user_parameters(self):
        """Those that may be set: name to lowest and highest value, None where there is no limit."""
        return {parameter.get("parameterId"): tuple(bound and int(bound) for bound in map(parameter.get,
                                                                                          ("minimum", "maximum")))
                for parameter in self.all("ipxact:parameters/ipxact:parameter") if parameter.get("resolve") == "user"}

    def ports(self, settings=()):
        """Direction and number of bits by name, in the order of the file."""
        values, ports = self.parameters(settings), {}
        for port in self.all("ipxact:model/ipxact:ports/ipxact:port"):
            ends = [self.text(f"ipxact:wire/ipxact:vectors/ipxact:vector/ipxact:{end}", port) or "0"
                    for end in ("left", "right")]
            left, right = (self.value(end, values) for end in ends)
            ports[self.text("ipxact:name", port)] = (self.text("ipxact:wire/ipxact:direction", port), left - right + 1)
        return ports

    def registers(self, settings=()):
        """Of the memory maps, in order, each element of an array, with addresses from the map's beginning."""
        values, found = self.parameters(settings), []

        def collect(parent, base):
            for element in parent:
                kind = element.tag.rpartition("}")[2]
                if kind not in ("registerFile", "register"):
                    continue
                offset = base + self.number(element, "addressOffset", values)
                if kind == "register":
                    found.append(Register(self, element, offset, values))
                    continue
                for index in range(self.number(element, "dim", values)):
                    collect(element, offset + index * self.number(element, "range", values))

        for block in self.all("ipxact:memoryMaps/ipxact:memoryMap/ipxact:addressBlock"):
            collect(block, self.number(block, "baseAddress", values))
        return found

    def number(self, element, name, values):
        return self.value(self.text(f"ipxact:{name}", element), values)

    @staticmethod
    def value(expression, values):
        code = in_python(expression.replace("$clog2", "clog2").replace("/", "//").replace("'h", "0x"))
        return eval(code, {"clog2": lambda n: (n - 1).bit_length()}, values)


class Register:
    """Of a component's memory map, with its fields."""

    def __init__(self, component, element, offset, values):
        self.name, self.offset = component.text("ipxact:name", element), offset
        self.fields = [Field(component, field, values) for field in element.findall("ipxact:field", IPXACT)]


class Field:
    def __init__(self, component, element, values):
        self.name = component.text("ipxact:name", element)
        self.low, self.width = (component.number(element, name, values) for name in ("bitOffset", "bitWidth"))
        reset = component.text("ipxact:resets/ipxact:reset/ipxact:value", element)
        self.reset = None if reset is None else component.value(reset, values)
