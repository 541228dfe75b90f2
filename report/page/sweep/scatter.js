// SPDX-License-Identifier: Apache-2.0
// Two measures against each other, coloured by a third; the Pareto front as a line, what it dominates pale.
import { choice, el, toggle } from "../base/dom.js";
import { kNone, short } from "../base/format.js";
import { colorOf, ramp } from "../base/palette.js";
import { extent, interval } from "../base/statistics.js";
import { paretoFront } from "./pareto.js";
import { makeScale, titleOf } from "./scale.js";
import { scatterPicture } from "./scatter_picture.js";

const kMostLabels = 10; // beyond, a colour is a shade

export class Scatter {
  constructor(model, onpick) {
    Object.assign(this, {
      model,
      onpick,
      isLogX: false,
      isLogY: false,
      hasFront: true,
      isAveraged: model.hasSeeds,
      picked: null,
    });
    const measures = model.measures.filter((each) => !each.isConstant);
    const axes = model.of("axis").filter((each) => !each.isConstant);
    this.choices = [...measures, ...model.of("axis"), ...model.measures.filter((each) => each.isConstant)];
    const named = (pattern) => measures.find((each) => pattern.test(each.name));
    const cost = measures.find(({ kind }) => kind === "cost");
    this.x = named(/^gates/) ?? cost ?? named(/^stp$/) ?? measures[1] ?? this.choices[0];
    this.y = named(/^antt$/) ?? measures[0] ?? this.choices[0];
    this.colour = axes[0] ?? model.of("axis")[0] ?? this.choices[0];
    this.plot = el("div", { class: "plot" });
    this.legend = el("div", { class: "legend" });
    this.node = el("div", {}, this.tools(), this.legend, this.plot);
    model.onchange(() => this.draw());
    this.draw();
  }

  tools() {
    const options = this.choices.map((each) => [each.name, titleOf(each)]);
    const pick = (key) => (name) => {
      this[key] = this.model.column(name);
      this.draw();
    };
    const flag = (key) => (isOn) => {
      this[key] = isOn;
      this.draw();
    };
    this.betterX = el("button", { type: "button", onclick: () => this.turn(this.x) });
    this.betterY = el("button", { type: "button", onclick: () => this.turn(this.y) });
    return el(
      "div",
      { class: "tools", role: "group", "aria-label": "Scatter plot controls" },
      choice("x", options, this.x.name, pick("x")),
      this.betterX,
      toggle("log x", false, flag("isLogX")),
      choice("y", options, this.y.name, pick("y")),
      this.betterY,
      toggle("log y", false, flag("isLogY")),
      choice("colour", options, this.colour.name, pick("colour")),
      toggle("Pareto front", true, flag("hasFront")),
      this.model.hasSeeds && toggle("average over seeds, 95 % intervals", true, flag("isAveraged")),
    );
  }

  turn(column) {
    column.isMoreBetter = !column.isMoreBetter;
    this.draw();
  }

  pick(row) {
    this.picked = row;
    this.draw();
  }

  // The mean of replicates, with half its interval, stands at the first of them.
  points() {
    const rows = this.model.kept().filter((row) => this.x.number(row) !== null && this.y.number(row) !== null);
    const groups = this.isAveraged ? this.model.replicates(rows) : rows.map((row) => [row]);
    return groups
      .map((group) => {
        const mean = (column) => group.reduce((sum, row) => sum + column.number(row), 0) / group.length;
        const spread = (column) => (column.kind === "axis" ? 0 : interval(group.map((row) => column.number(row))));
        const c = group.some((row) => this.colour.number(row) === null) ? null : mean(this.colour);
        return { row: group[0], x: mean(this.x), y: mean(this.y), c, dx: spread(this.x), dy: spread(this.y) };
      })
      .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  }

  colorOf(c, low, high) {
    if (c === null) return "var(--muted)";
    if (this.colour.labels.length <= kMostLabels) return colorOf(this.indexOf(c));
    return ramp((c - low) / (high - low || 1));
  }

  indexOf(c) {
    return this.colour.isNumber ? this.colour.labels.findIndex((label) => Number(label) === c) : Math.round(c);
  }

  draw() {
    for (const [node, column] of [
      [this.betterX, this.x],
      [this.betterY, this.y],
    ]) {
      node.textContent = column.isMoreBetter ? "more is better" : "less is better";
      node.setAttribute("aria-label", `${column.name}: ${node.textContent}; press to turn round`);
    }
    const points = this.points();
    const [low, high] = extent(points.map(({ c }) => c).filter((c) => c !== null));
    for (const point of points) {
      point.fill = this.colorOf(point.c, low, high);
      point.text = this.textOf(point);
      point.isPicked = point.row === this.picked;
    }
    const front = this.hasFront ? paretoFront(points, this.x.isMoreBetter ? -1 : 1, this.y.isMoreBetter ? -1 : 1) : [];
    this.front = front.map(({ row }) => row);
    const axes = {
      x: this.axis(
        this.x,
        this.isLogX,
        points.map(({ x, dx }) => [x, dx]),
      ),
      y: this.axis(
        this.y,
        this.isLogY,
        points.map(({ y, dy }) => [y, dy]),
      ),
    };
    this.plot.replaceChildren(
      points.length
        ? scatterPicture(points, front, axes, this.onpick)
        : el("p", { class: "note" }, "No point has both measures."),
    );
    this.drawLegend(low, high);
  }

  // Of values with half their intervals.
  axis(column, isLog, values) {
    const ends = values.flatMap(([value, half]) => [
      value,
      ...[value - half, value + half].filter((end) => !isLog || end > 0),
    ]);
    const scale = makeScale(column, ends, isLog);
    return { scale, title: titleOf(column) + (isLog && !scale.isLog ? " (linear: some are not above 0)" : "") };
  }

  textOf({ row, x, y, dx, dy }) {
    const measure = (column, value, half) =>
      `${column.name} ${column.isNumber ? short(value) : column.value(row)}${half > 0 ? ` ± ${short(half)}` : ""}`;
    const others = this.model.of("axis").filter((each) => ![this.x, this.y].includes(each));
    return [
      measure(this.x, x, dx),
      measure(this.y, y, dy),
      ...others.map((each) => `${each.name} ${each.value(row) ?? kNone}`),
    ].join("\n");
  }

  // [low, high] of the points' colours.
  drawLegend(low, high) {
    const { colour } = this;
    const sample = (style) => el("span", { class: "sample", style: `--sample: ${style}`, "aria-hidden": "true" });
    const entries =
      colour.labels.length <= kMostLabels
        ? colour.labels.map((label, i) => el("span", { class: "entry" }, sample(colorOf(i)), label))
        : [low, (low + high) / 2, high].map((value, i) =>
            el(
              "span",
              { class: "entry" },
              sample(ramp(i / 2)),
              colour.isNumber ? short(value) : colour.labels[Math.round(value)],
            ),
          );
    this.legend.replaceChildren(el("span", { class: "note" }, `${titleOf(colour)}:`), ...entries);
  }
}
