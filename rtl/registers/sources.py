# SPDX-License-Identifier: Apache-2.0
"""What the register map is: the numbers of two C++ headers, and the tables of docs/hardware/register_map.md. Tests hold
them against each other.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ("tlm/include/tessera/register_map.h", "tlm/include/tessera/command_format.h")
PAGE = "docs/hardware/register_map.md"


def snake(name):
    """kLaunchGrid, LoopProgramHeader: as C has names."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", re.sub(r"^k(?=[A-Z])", "", name)).lower()


def table(first_heading):
    """Rows of the page's table whose heading begins with it, without back quotes."""
    rows, is_inside = [], False
    for line in (ROOT / PAGE).read_text().splitlines():
        if not line.startswith("| "):
            is_inside = False
            continue
        cells = [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]
        if cells[0] == first_heading:
            is_inside = True
        elif is_inside and not cells[0].startswith("---"):
            rows.append(cells)
    return rows


class CppHeader:
    """Constants, enumerations and structures of a header, in order, each with the comment beside it, and comments of
    their own.
    """

    CONSTANT = re.compile(r"inline constexpr std::\w+ (k\w+) = ([^;]+);\s*(?://(.*))?$")
    VALUE = re.compile(r"(k\w+)(?: = (\d+))?,\s*(?://(.*))?$")
    MEMBER = re.compile(r"(\S+) (\w+)(?: = [^;]+)?;\s*(?://(.*))?$")

    def __init__(self, name):
        # ("constant", name, expression, comment), (kind, name, [(name, value or type, comment)]), ("comment", text)
        self.items = []
        block = last = None
        for line in (ROOT / name).read_text().partition("\nnamespace ")[2].splitlines():
            line = line.strip()
            if line.startswith("//") and last:  # the comment goes on
                last[-1] += " " + line.lstrip("/ ")
                continue
            if line.startswith("//"):
                last = ["comment", line.lstrip("/ ")]
                self.items.append(last)
                continue
            last = None
            constant = self.CONSTANT.match(line)
            one_line = re.match(r"enum class (\w+) : std::\w+ \{ (.*) \};", line)
            begin = re.match(r"(enum class|struct) (\w+)(?: : std::\w+)? \{", line)
            if constant:
                last = ["constant", constant[1], constant[2], (constant[3] or "").strip()]
                self.items.append(last)
            elif one_line:
                values = [[*value.split(" = "), ""] for value in one_line[2].split(", ")]
                self.items.append(["enum", one_line[1], values])
            elif begin:
                block = [begin[1].split()[0], begin[2], []]
                self.items.append(block)
            elif line.startswith("};"):
                block = None
            elif block:
                last = self.member(block, line)

    def member(self, block, line):
        found = (self.VALUE if block[0] == "enum" else self.MEMBER).match(line)
        if not found or line.startswith("static"):
            return None
        comment = (found[3] or "").strip()
        if block[0] == "enum":
            member = [found[1], found[2] or str(len(block[2])), comment]
        else:
            member = [found[2], found[1], comment]
        block[2].append(member)
        return member


def constants(headers):
    """Name to value, in order."""
    values = {f"{item[1]}::{name}": int(value) for header in headers for item in header.items if item[0] == "enum"
              for name, value, _ in item[2]}
    for header in headers:
        for kind, name, *rest in header.items:
            if kind == "constant":
                code = re.sub(r"static_cast<[\w:]+>\(([\w:]+)\)", r"\1", rest[0]).replace("'", "")
                code = re.sub(r"std::uint64_t\{(\w+)\}", r"\1", code)
                code = re.sub(r"\w+::k\w+", lambda found: str(values[found[0]]), code)
                values[name] = eval(code, {}, {}) & (1 << 64) - 1
    return {name: value for name, value in values.items() if "::" not in name}


class Field:
    def __init__(self, register, bits, name, meaning, in_ip):
        high, _, low = bits.partition(":")
        self.register, self.name, self.meaning, self.in_ip = register, name, meaning, in_ip
        self.high, self.low = int(high), int(low or high)
        self.width = self.high - self.low + 1


def fields():
    return [Field(*row) for row in table("Register")]
