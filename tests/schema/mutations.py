# SPDX-License-Identifier: Apache-2.0
"""One value of a document at a time, changed for one that is out of range, another word, of another type, or missing."""

import copy

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


def changes(value):
    """What a value is changed for, by the name of the change; None: it is taken out."""
    if isinstance(value, bool):
        return {"word": "perhaps", "type": {"x": 1}}
    if isinstance(value, (int, float)):
        return {"below": -1, "above": HUGE, "word": "some", "quoted": str(value), "type": {"x": 1}}
    if isinstance(value, str):
        return {"word": f"{value}\u00e4", "type": {"x": 1}}
    if isinstance(value, list):
        return {"type": 7}
    return {"type": 7, "unknown": {**value, "no_such_key": 1}}


def mutants(document, seen):
    """Name of the key, name of the change, and the changed document; of each key that is not in `seen` yet."""
    for path, value in nodes(document):
        name = name_of(path)
        if name in seen:
            continue
        seen.add(name)
        for change, new in changes(value).items():
            yield name, change, changed(document, path, new)
        if not isinstance(path[-1], int):
            yield name, "missing", changed(document, path, None)
