// SPDX-License-Identifier: Apache-2.0
// A line a point across an axis a column. A drag along an axis keeps what passes there.
import { el, svg, toggle } from "../base/dom.js";
import { colorOf, ramp } from "../base/palette.js";
import { makeScale, titleOf } from "./scale.js";

const kSize = { width: 1360, height: 320, top: 54, bottom: 14, side: 70 };
const kRoom = 110; // at least, between two axes: more of them are scrolled
const kMostAtFirst = 8;
const kMostColors = 10; // beyond, a colour is a shade
const kLetter = 6.6; // how wide one of a title is, about

// A title that fits; the middle goes first, since names differ at their ends.
function cut(text, room) {
  const most = Math.max(4, Math.floor(room / kLetter));
  if (text.length <= most) return text;
  return `${text.slice(0, Math.ceil(most / 2) - 1)}…${text.slice(text.length - Math.floor(most / 2))}`;
}

function pathOf(row, axes, y) {
  const places = axes
    .map(({ column, x, scale }) => [x, column.number(row), scale])
    .filter(([, value]) => value !== null);
  return places.map(([x, value, scale], i) => `${i ? "L" : "M"}${x},${y(scale.at(value))}`).join("");
}

// As its place on the first axis.
function colorOfRow(row, { column, scale }) {
  const number = column.number(row);
  if (number === null) return "var(--muted)";
  return column.labels.length <= kMostColors
    ? colorOf(column.labels.indexOf(String(column.value(row))))
    : ramp(scale.at(number));
}

export class Parallel {
  constructor(model, onpick) {
    Object.assign(this, { model, onpick });
    this.candidates = [...model.of("axis"), ...model.measures].filter((each) => !each.isConstant);
    this.shown = new Set(this.candidates.slice(0, kMostAtFirst).map((each) => each.name));
    this.plot = el("div", { class: "plot", tabindex: 0 });
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
    const { height, top, bottom, side } = kSize;
    const width = Math.max(kSize.width, 2 * side + (columns.length - 1) * kRoom);
    const axes = this.axesOf(columns, width - 2 * side);
    const y = (share) => height - bottom - share * (height - top - bottom);
    this.plot.replaceChildren(
      svg(
        "svg",
        {
          viewBox: `0 0 ${width} ${height}`,
          style: `min-width: ${columns.length * kRoom}px`,
          class: "graph large parallel",
          role: "img",
          "aria-label": `Parallel axes: ${columns.map(titleOf).join(", ")}`,
        },
        this.lines(axes, y),
        axes.map((axis) => this.axis(axis, y)),
      ),
    );
  }

  axesOf(columns, width) {
    const room = width / (columns.length - 1);
    return columns.map((column, i) => {
      const numbers = this.model.rows.map((row) => column.number(row));
      return { column, x: kSize.side + i * room, room, isLow: i % 2 === 1, scale: makeScale(column, numbers, false) };
    });
  }

  // Points that are left out are one path, and no line to click on.
  lines(axes, y) {
    const kept = this.model.rows.filter((row) => this.model.keeps(row));
    const isKept = new Set(kept);
    const others = this.model.rows.filter((row) => !isKept.has(row));
    return [
      svg("path", { class: "line", stroke: "var(--muted)", d: others.map((row) => pathOf(row, axes, y)).join("") }),
      kept.map((row) =>
        svg("path", {
          class: "line kept",
          d: pathOf(row, axes, y),
          stroke: colorOfRow(row, axes[0]),
          onclick: () => this.onpick(row),
        }),
      ),
    ];
  }

  axis({ column, x, room, isLow, scale }, y) {
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
      svg(
        "text",
        { class: "label", x, y: isLow ? 32 : 14, "text-anchor": "middle" },
        cut(titleOf(column), 2 * room - 10),
        svg("title", {}, titleOf(column)),
      ),
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
