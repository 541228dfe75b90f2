# SPDX-License-Identifier: Apache-2.0
"""Which names a Verilog text declares and which it takes from elsewhere, as far as the texts of rtl/formal go: no macros,
no tasks, hierarchical names only if escaped.
"""

import itertools
import re
from pathlib import Path

RTL = Path(__file__).resolve().parents[2] / "rtl"

TOKEN = re.compile(r"\\\S+|[A-Za-z_$][\w$]*|\d*'\w+|\d+|\S")
DECLARING = set("function genvar inout input integer localparam output parameter reg wire".split())
KEYWORDS = DECLARING | set("""always and anyconst anyseq assert assign assume begin case default else end endcase
    endfunction endgenerate endmodule for generate hierconn if initial module negedge or posedge property signed""".split())


class Scope:
    def __init__(self):
        self.declared, self.used = set(), set()

    def foreign(self):
        return self.used - self.declared


class Reader:
    def __init__(self, code):
        self.tokens = ["", ""] + TOKEN.findall(code) + ["", ""]
        self.scopes = [Scope()]
        self.depth = 0            # of brackets
        self.declares_at = None   # the depth of the declaration that we are in
        self.awaits_name = False  # and its next name comes

    def read(self):
        for at in range(2, len(self.tokens) - 2):
            token = self.tokens[at]
            if token in "([{" or token in ")]}":
                self.bracket(1 if token in "([{" else -1)
            elif token in ",;" and self.declares_at == self.depth:
                self.awaits_name = token == ","
                self.declares_at = self.depth if token == "," else None
            elif token in KEYWORDS:
                self.keyword(token)
            elif token[0] == "\\":  # of an instance: its name comes first
                self.scopes[-1].used.add(token[1:].split(".")[0])
                self.awaits_name = False
            elif re.match(r"[A-Za-z_]", token):
                self.name(token, self.tokens[at - 2:at], self.tokens[at + 1:at + 3])
        return self.scopes[0]

    def bracket(self, step):
        self.depth += step
        if self.declares_at is not None and self.depth < self.declares_at:
            self.declares_at = None

    def keyword(self, token):
        if token in DECLARING:
            self.declares_at, self.awaits_name = self.depth, True
        if token in ("function", "generate"):
            self.scopes.append(Scope())
        elif token in ("endfunction", "endgenerate"):
            inner = self.scopes.pop()
            self.scopes[-1].used |= inner.foreign()

    def name(self, name, before, behind):
        is_label = behind[0] == ":" and behind[1] in ("assert", "assume") or before == ["begin", ":"]
        if is_label or before[1] in (".", "module") or behind[0] == "#":
            return  # of a property, a block, a port, a module: nobody refers to them
        if self.awaits_name and self.declares_at == self.depth:
            is_function = behind[0] == "("  # whoever stands beside it may call it
            self.scopes[-2 if is_function else -1].declared.add(name)
            self.awaits_name = False
        elif before[1] == ")" and behind == ["(", "."]:
            self.scopes[-1].declared.add(name)  # an instance
        else:
            self.scopes[-1].used.add(name)


def names_of(text, implicit_ports=()):
    """What the text declares for those beside it, and what it uses of theirs; with `.*`, the ports of the instance too."""
    code = re.sub(r"//.*|^`.*", "", text, flags=re.MULTILINE)
    scope = Reader(code).read()
    if "(.*)" in code:
        scope.used |= set(implicit_ports)
    return scope.declared, scope.foreign()


def listed_names(text):
    """Lists at the top of a text: who shares the names (`// From FILE: ...`, `// For others: ...`) -> the names."""
    head = re.match(r"(//.*\n)*", text)[0]
    lists = re.findall(r"^// (From [\w. ]+|For others): (.*(?:\n//   .*)*)", head, flags=re.MULTILINE)
    return {who: set(names.replace("//", " ").split()) - {"nothing"} for who, names in lists}


def read_with(text, defines):
    """What `ifdef and its like leave of it, if these are defined."""
    lines, is_read = [], [True]
    for line in text.splitlines(keepends=True):
        word, _, name = line.strip().partition(" ")
        if word in ("`ifdef", "`ifndef"):
            is_read.append((name in defines) == (word == "`ifdef"))
        elif word == "`else":
            is_read[-1] = not is_read[-1]
        elif word == "`endif":
            is_read.pop()
        elif all(is_read):
            lines.append(line)
    return "".join(lines)


def include(folder, name):
    """One of the folder's own, else of rtl/."""
    own = folder / name
    return own if own.exists() else RTL / name


class SharedNames:
    """Of the includes in a folder, under any of some sets of defines: who declares what they use, and what of theirs is
    used."""

    INCLUDER = "the includer"

    def __init__(self, folder, implicit_ports, sets_of_defines):
        self.lists, self.undeclared = {}, []
        for includer, defines in itertools.product(folder.glob("*.v"), sets_of_defines):
            text = read_with(includer.read_text(), defines)
            names = {name: names_of(read_with(include(folder, name).read_text(), defines), implicit_ports)
                     for name in re.findall(r'^`include "(.*)"', text, flags=re.MULTILINE)}
            names[self.INCLUDER] = names_of(text)
            self.share(includer.name, names)

    def share(self, includer, names):
        for user, (_, used) in names.items():
            for name in used:
                owners = [owner for owner, (declared, _) in names.items() if name in declared]
                if len(owners) != 1:
                    self.undeclared.append((includer, user, name, owners))
                    continue
                self.of(user).setdefault(f"From {owners[0]}", set()).add(name)
                self.of(owners[0])["For others"].add(name)

    def of(self, user):
        return self.lists.setdefault(user, {"For others": set()})
