# SPDX-License-Identifier: Apache-2.0
"""Finds the program and calls it."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from tessera.errors import InputError, TesseraError

CHECKOUT = Path(__file__).resolve().parents[2]  # of an installed package: a folder without the launcher
WRONG_INPUT = 2  # docs/guide/command_line.md


def find_program() -> Path:
    """The program: what `$TESSERA` names, else `tessera` on PATH, else the launcher of this package's checkout."""
    named = os.environ.get("TESSERA")
    if named:
        found = shutil.which(named)
        if found is None:
            raise TesseraError(f"$TESSERA: is no program ({named})")
        return Path(found).absolute()
    on_path = shutil.which("tessera")
    if on_path is not None:
        return Path(on_path).absolute()
    launcher = CHECKOUT / "tessera"
    if launcher.is_file() and (CHECKOUT / "CMakeLists.txt").is_file():
        return launcher
    raise TesseraError("the program was not found: $TESSERA is not set, and there is no tessera on PATH")


def command(*arguments: str | os.PathLike[str]) -> str:
    """Calls `tessera ARGUMENT...` and returns its standard output.

    Raises InputError where the input is wrong, and TesseraError where the program fails otherwise.
    """
    return call(*arguments)[0]


def call(*arguments: str | os.PathLike[str]) -> tuple[str, str]:
    """The same; returns standard output and standard error."""
    words = [os.fspath(find_program()), *(os.fspath(argument) for argument in arguments)]
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            output, errors = process.communicate()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)  # it ends by itself then, and leaves no half-written folder
            process.wait()
            raise
    if process.returncode != 0:
        text = errors.strip() or f"tessera {words[1]} ended with status {process.returncode}"
        kind = InputError if process.returncode == WRONG_INPUT else TesseraError
        raise kind(text, process.returncode)
    return output, errors


def overrides(changes: Mapping[str, Any] | None) -> list[str]:
    """`--set KEY=VALUE` for each change. Values are Python's, and become YAML."""
    words = []
    for key, value in (changes or {}).items():
        words += ["--set", f"{key}={_yaml(value)}"]
    return words


def _yaml(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return format(Decimal(repr(value)), "f")  # never with an exponent
    return json.dumps(value)  # which is YAML
