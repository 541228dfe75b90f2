# SPDX-License-Identifier: Apache-2.0
"""One value of a document at a time, changed for one that is out of range, another word, of another type, or missing."""

import copy
import re
from decimal import Decimal

HUGE = 10 ** 25


def nodes(value, path=()):
    """Every value below the root, with its path."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in entries:
        yield (*path, key), child
        yield from nodes(child, (*path, key))


def name_of(path):
    """As the reference has it: positions are `[]`."""
    name = ""
    for key in path:
        name += "[]" if isinstance(key, int) else f".{key}" if name else key
    return name


def changed(document, path, value):
    copied = copy.deepcopy(document)
    holder = copied
    for key in path[:-1]:
        holder = holder[key]
    if value is None:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return copied


def limits_of(table):
    """The least and the greatest number of each key, in the words of the reference."""
    lines = re.findall(r"^\| `(.*?)` \| (integer|decimal).*? \| (-?[0-9.]+) \.\. ([0-9.]+)", table, re.MULTILINE)
    return {key: (number(least), number(most)) for key, _, least, most in lines}


def number(text):
    return float(text) if "." in text else int(text)


def around(least, most):
    """At the limits, which both must accept, and just beyond them."""
    step = Decimal(1) if isinstance(least, int) else Decimal(str(least))
    return {"least": least, "most": most, "below": number(format(Decimal(str(least)) - step, "f")), "above": most + 1}


def changes(value, limits):
    """What a value is changed for, by the name of the change."""
    if isinstance(value, bool):
        return {"word": "perhaps", "type": {"x": 1}}
    if isinstance(value, (int, float)):
        beyond = around(*limits) if limits else {"below": -1, "above": HUGE}
        return {**beyond, "word": "some", "quoted": str(value), "type": {"x": 1}}
    if isinstance(value, str):
        return {"word": f"{value}\u00e4", "type": {"x": 1}}
    if isinstance(value, list):
        return {"type": 7}
    return {"type": 7, "unknown": {**value, "no_such_key": 1}}


def mutants(document, seen, limits):
    """Name of the key, name of the change, and the changed document; of each key that is not in `seen` yet."""
    for path, value in nodes(document):
        name = name_of(path)
        if name in seen:
            continue
        seen.add(name)
        for change, new in changes(value, limits.get(name)).items():
            yield name, change, changed(document, path, new)
        if not isinstance(path[-1], int):
            yield name, "missing", changed(document, path, None)
