#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what the program says of its input: the tables of docs/guide/yaml_reference.md, and configs/schema/.

    docs/generate.py [PROGRAM]      PROGRAM: a built tessera; without it the launcher, which builds one
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/guide/yaml_reference.md"
SECTIONS = {"Experiment": "experiment", "GPU": "gpu", "Application": "application", "Host": "host",
            "Synthesis": "synthesis", "Sweep": "sweep", "Task set": "task_set", "Measurements": "measurements"}


def said(program, *arguments):
    return subprocess.run([program, "schema", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def with_table(page, title, table):
    """The page with this table in the section of this title, in the place of that which is there."""
    pattern = rf"(\n## {title}\n(?:(?!\n## )(?s:.))*?\n)\| Key \|.*?\n(?=\n|\Z)"
    changed, count = re.subn(pattern, lambda found: found[1] + table, page, flags=re.DOTALL)
    if count != 1:
        raise SystemExit(f"{PAGE}: section {title} has no table")
    return changed


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else ROOT / "tessera"
    page = PAGE.read_text()
    for title, kind in SECTIONS.items():
        page = with_table(page, title, said(program, kind, "--table"))
        (ROOT / f"configs/schema/{kind}.schema.json").write_text(said(program, kind))
    PAGE.write_text(page)


if __name__ == "__main__":
    main()
