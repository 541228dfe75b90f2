// SPDX-License-Identifier: Apache-2.0
// A line a point across an axis a column. A drag along an axis keeps what passes there.
import { el, svg, toggle } from "../base/dom.js";
import { colorOf, ramp } from "../base/palette.js";
import { makeScale, titleOf } from "./scale.js";

const kSize = { width: 1360, height: 300, top: 34, bottom: 14, side: 70 };
const kMostAtFirst = 8;

export class Parallel {
  constructor(model, onpick) {
    Object.assign(this, { model, onpick });
    this.candidates = [...model.of("axis"), ...model.measures].filter((each) => !each.isConstant);
    this.shown = new Set(this.candidates.slice(0, kMostAtFirst).map((each) => each.name));
    this.plot = el("div", { class: "plot" });
    const boxes = this.candidates.map(({ name }) =>
      toggle(name, this.shown.has(name), (isShown) => {
        if (isShown) this.shown.add(name);
        else this.shown.delete(name);
        this.draw();
      }),
    );
    this.node = el(
      "div",
      {},
      el("details", {}, el("summary", {}, "Axes"), el("div", { class: "tools" }, boxes)),
      this.plot,
      el("p", { class: "hint" }, "Drag along an axis to keep the points that pass there; a click on it lets all pass."),
    );
    model.onchange(() => this.draw());
    this.draw();
  }

  draw() {
    const columns = this.candidates.filter(({ name }) => this.shown.has(name));
    if (columns.length < 2) {
      this.plot.replaceChildren(el("p", { class: "note" }, "Two axes or more make a picture."));
      return;
    }
    const { width, height, top, bottom, side } = kSize;
    const axes = columns.map((column, i) => ({
      column,
      x: side + (i * (width - 2 * side)) / (columns.length - 1),
      scale: makeScale(
        column,
        this.model.rows.map((row) => column.number(row)),
        false,
      ),
    }));
    const y = (share) => height - bottom - share * (height - top - bottom);
    const lines = this.model.rows.map((row) => this.line(row, axes, y));
    lines.sort((a, b) => a.classList.contains("kept") - b.classList.contains("kept"));
    this.plot.replaceChildren(
      svg(
        "svg",
        {
          viewBox: `0 0 ${width} ${height}`,
          class: "graph large parallel",
          role: "img",
          "aria-label": `Parallel axes: ${columns.map(titleOf).join(", ")}`,
        },
        lines,
        axes.map((axis) => this.axis(axis, y)),
      ),
    );
  }

  line(row, axes, y) {
    const places = axes
      .map(({ column, x, scale }) => [x, column.number(row), scale])
      .filter(([, value]) => value !== null);
    const first = axes[0].column;
    const number = first.number(row);
    const color =
      number === null
        ? "var(--muted)"
        : first.labels.length <= 10
          ? colorOf(first.labels.indexOf(String(first.value(row))))
          : ramp(axes[0].scale.at(number));
    const path = places.map(([x, value, scale], i) => `${i ? "L" : "M"}${x},${y(scale.at(value))}`).join("");
    return svg("path", {
      class: this.model.keeps(row) ? "line kept" : "line",
      d: path,
      stroke: color,
      onclick: () => this.onpick(row),
    });
  }

  axis({ column, x, scale }, y) {
    const range = this.model.ranges.get(column.name);
    const clamp = (value) => Math.min(1, Math.max(0, scale.at(value))); // also of a range without an end
    const band =
      range &&
      svg("rect", {
        class: "band",
        x: x - 9,
        width: 18,
        y: y(clamp(range[1])),
        height: Math.max(2, y(clamp(range[0])) - y(clamp(range[1]))),
      });
    const labels = scale.ticks.map(([value, text]) => svg("text", { x: x + 8, y: y(scale.at(value)) + 4 }, text));
    const grip = svg("rect", {
      class: "grip",
      x: x - 14,
      width: 28,
      y: y(1) - 6,
      height: y(0) - y(1) + 12,
      "data-column": column.name,
    });
    this.grip(grip, column, scale, y);
    return svg(
      "g",
      {},
      svg("line", { class: "axis", x1: x, x2: x, y1: y(1), y2: y(0) }),
      labels,
      band,
      grip,
      svg("text", { class: "label", x, y: 14, "text-anchor": "middle" }, titleOf(column)),
    );
  }

  // The value at a height, by the scale turned round.
  grip(node, column, scale, y) {
    const [zero, one] = [scale.at(0), scale.at(1)];
    const valueAt = (event) => {
      const box = node.getBoundingClientRect();
      const share =
        1 -
        (event.clientY - box.top - 6 * (box.height / (y(0) - y(1) + 12))) /
          (box.height * ((y(0) - y(1)) / (y(0) - y(1) + 12)));
      return (share - zero) / (one - zero);
    };
    let start = null;
    node.addEventListener("pointerdown", (event) => {
      start = { value: valueAt(event), y: event.clientY };
      node.setPointerCapture(event.pointerId);
    });
    node.addEventListener("pointerup", (event) => {
      if (!start) return;
      const range = [start.value, valueAt(event)].sort((a, b) => a - b);
      this.model.setRange(column.name, Math.abs(event.clientY - start.y) < 4 ? null : range);
      start = null;
    });
  }
}
