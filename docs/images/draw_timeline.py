#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws who ran on which SM, from the records.csv of `tessera run --trace csv`, as SVG.

usage: draw_timeline.py RECORDS.csv CLOCK_MHZ FROM_US FOR_US > timeline.svg
"""
import csv
import sys

COLOURS = ["#d95f02", "#1b9e77", "#7570b3", "#e7298a", "#66a61e", "#e6ab02", "#a6761d", "#666666"]
LEFT, TOP, WIDTH, ROW = 60, 50, 1040, 22


def intervals(records, start, end):
    """(sm, first cycle, last cycle, process, 'run' or 'move') for every stretch inside the window."""
    state = {}  # sm -> (since, process, what)

    def change(sm, cycle, process, what):
        if sm in state:
            since, owner, was = state[sm]
            if cycle > start and since < end:
                yield sm, max(since, start), min(cycle, end), owner, was
        if what is None:
            state.pop(sm, None)
        else:
            state[sm] = (cycle, process, what)

    for record in records:
        cycle, kind = int(record["cycle"]), record["kind"]
        if cycle > end:
            break
        if not record["sm"]:
            continue
        sm, process = int(record["sm"]), record["process"]
        what = {"sm_set_up": "run", "restore_done": "run", "save_started": "move", "restore_started": "move"}.get(kind)
        if what is not None:
            yield from change(sm, cycle, process, what)
        elif kind in ("preemption_done", "sm_released"):
            yield from change(sm, cycle, process, None)
    for sm in sorted(state):
        yield from change(sm, end, None, None)


def draw(drawn, clock_mhz, from_us, for_us):
    processes = sorted({d[3] for d in drawn})
    colour = {p: COLOURS[i % len(COLOURS)] for i, p in enumerate(processes)}
    num_sms = 1 + max(d[0] for d in drawn)
    height = TOP + num_sms * ROW + 50

    def x(cycle):
        return LEFT + (cycle / clock_mhz - from_us) * WIDTH / for_us

    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 40}" height="{height}" '
          'font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="white"/>')
    for sm, first, last, process, what in drawn:
        opacity = 1 if what == "run" else 0.35
        print(f'<rect x="{x(first):.1f}" y="{TOP + sm * ROW}" width="{max(x(last) - x(first), 0.3):.1f}" '
              f'height="{ROW - 3}" fill="{colour[process]}" fill-opacity="{opacity}"/>')
    for sm in range(num_sms):
        print(f'<text x="{LEFT - 8}" y="{TOP + sm * ROW + 14}" text-anchor="end">SM {sm}</text>')
    for i, process in enumerate(processes):
        print(f'<rect x="{LEFT + i * 190}" y="14" width="14" height="14" fill="{colour[process]}"/>'
              f'<text x="{LEFT + i * 190 + 20}" y="26">{process}</text>')
    print(f'<text x="{LEFT + WIDTH}" y="26" text-anchor="end">pale: contexts being saved or restored</text>')
    for tick in range(5):
        us = from_us + tick * for_us / 4
        at = LEFT + tick * WIDTH / 4
        print(f'<line x1="{at}" x2="{at}" y1="{TOP - 4}" y2="{height - 40}" stroke="#999" stroke-dasharray="2 4"/>'
              f'<text x="{at}" y="{height - 20}" text-anchor="middle">{us / 1000:.2f} ms</text>')
    print("</svg>")


def main():
    path, clock_mhz, from_us, for_us = sys.argv[1], *map(float, sys.argv[2:5])
    with open(path, newline="") as file:
        drawn = list(intervals(csv.DictReader(file), from_us * clock_mhz, (from_us + for_us) * clock_mhz))
    draw(drawn, clock_mhz, from_us, for_us)


if __name__ == "__main__":
    main()
