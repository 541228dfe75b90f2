# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/guide/python.md, each in the folder that the first argument names.

    PYTHONPATH=python /usr/bin/python3 docs/images/draw_python.py docs/images
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "tessera", "svg.fonttype": "none"})  # the same bytes each time

import tessera  # noqa: E402


def main(folder):
    shared = tessera.run("quickstart", timeline=True)
    drawn = {
        "slowdowns": tessera.pictures.slowdown_bars(shared),
        "timeline": tessera.pictures.sm_timeline(shared, begin_us=108_000, end_us=109_500),
        "front": tessera.pictures.sweep_scatter(tessera.sweep("core_price")),
    }
    for name, ax in drawn.items():
        ax.figure.savefig(folder / f"python-{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
