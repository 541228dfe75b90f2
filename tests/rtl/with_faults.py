# SPDX-License-Identifier: Apache-2.0
"""A core with faults in it, of which a number on an extra port chooses one."""

import re


def with_fault(text, number, where, expression, faulty):
    """The source with `expression`, in the statement that `where` begins or lies in, made faulty for one number."""
    if text.count(where) != 1:
        raise ValueError(f"fault {number}: {text.count(where)} places with {where!r}: adapt the table to the core")
    begin = text.index(where)
    end = text.index(";", begin)
    at = text.index(expression, begin, end)
    chosen = f"(tsr_scheduler.mutant_i == {number} ? ({faulty}) : ({expression}))"
    return text[:at] + chosen + text[at + len(expression):]


def write_core_with_faults(folder, core_files, faults):
    """The files of the core, in `folder`; faults are (file, where, expression, faulty, ...) and count from 1."""
    sources = {path.stem: path.read_text() for path in core_files}
    for number, (stem, where, expression, faulty, *_) in enumerate(faults, 1):
        sources[stem] = with_fault(sources[stem], number, where, expression, faulty)
    top = sources["tsr_scheduler"]
    sources["tsr_scheduler"] = re.sub(r"(\n  input +clk_i,)", r"\n  input [7:0] mutant_i,\1", top, count=1)
    for stem, text in sources.items():
        (folder / f"{stem}.v").write_text(text)
    return [folder / f"{stem}.v" for stem in sources]
