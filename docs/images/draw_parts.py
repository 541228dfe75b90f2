# SPDX-License-Identifier: Apache-2.0
"""Draws parts.svg: the folders of the sources, and which includes which. `python3 docs/images/draw_parts.py`

A folder stands above all that it includes, directly below the lowest that includes it. An arrow that another path implies is left out.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURE = Path(__file__).with_name("parts.svg")
WORDS = {
    "model": "spec, policies, records", "stats": "intervals, fronts", "tlm": "machine, transaction level",
    "rtl_model": "clocked scheduler, SMs", "cosim": "builds and loads rtl/", "platform": "puts machines together",
    "plot": "diagrams", "report": "HTML pages", "importer": "profiles", "verification": "log check, agreement",
    "testbench": "lockstep", "campaign": "the papers", "synthesis": "gates, clock", "sweep": "design spaces",
    "apps": "command line",
}
WIDTH, HEIGHT, GAP_X, GAP_Y = 176, 44, 18, 46


def includes():
    """Folder: the folders whose headers it includes."""
    return {
        room: {
            name
            for path in (ROOT / room).rglob("*") if path.suffix in (".h", ".cpp")
            for name in re.findall(r'^#include "(\w+)/', path.read_text(), re.MULTILINE)
            if name in WORDS and name != room
        }
        for room in WORDS
    }


def floors(graph):
    """Lists of folders, the highest first: each one floor below the lowest that includes it. A circle is an error."""
    levels = {}

    def level(room, below=()):
        if room in below:
            raise ValueError("a circle of includes: " + " < ".join([*below, room]))
        if room not in levels:
            users = [name for name, names in graph.items() if room in names]
            levels[room] = 1 + max((level(name, (*below, room)) for name in users), default=-1)
        return levels[room]

    for room in graph:
        level(room)
    return [[room for room in graph if levels[room] == floor] for floor in range(max(levels.values()) + 1)]


def reach(graph, room):
    return set().union(*({name} | reach(graph, name) for name in graph[room]), set())


def needed(graph):
    """Arrows that no other path implies."""
    for room, names in graph.items():
        for name in sorted(names):
            if not any(name in reach(graph, other) for other in names):
                yield room, name


def draw(graph):
    rows = floors(graph)
    total = max(map(len, rows)) * (WIDTH + GAP_X) + GAP_X
    place = {}
    for floor, rooms in enumerate(rows):
        left = (total - len(rooms) * (WIDTH + GAP_X) + GAP_X) // 2
        for i, room in enumerate(rooms):
            place[room] = (left + i * (WIDTH + GAP_X), GAP_X + floor * (HEIGHT + GAP_Y))
    height = len(rows) * (HEIGHT + GAP_Y) - GAP_Y + 2 * GAP_X
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {height}" font-family="sans-serif">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#607d8b"/></marker></defs>',
        f'<rect width="{total}" height="{height}" fill="white"/>',
    ]
    for room, name in needed(graph):
        (x1, y1), (x2, y2) = place[room], place[name]
        x1, y1, x2 = x1 + WIDTH // 2, y1 + HEIGHT, x2 + WIDTH // 2
        lines.append(f'<path d="M{x1} {y1}C{x1} {y1 + 30} {x2} {y2 - 30} {x2} {y2}" fill="none" stroke="#607d8b" '
                     'stroke-width="1.3" marker-end="url(#tip)"/>')
    for room, (x, y) in place.items():
        lines.append(f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="#e0f2f1" stroke="#00796b"/>')
        lines.append(f'<text x="{x + WIDTH // 2}" y="{y + 18}" text-anchor="middle" font-size="14" font-weight="bold">'
                     f'{room}</text>')
        lines.append(f'<text x="{x + WIDTH // 2}" y="{y + 35}" text-anchor="middle" font-size="12">{WORDS[room]}</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(draw(includes()))
