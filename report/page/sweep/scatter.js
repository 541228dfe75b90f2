// SPDX-License-Identifier: Apache-2.0
// Two measures against each other, coloured by a third; the Pareto front as a line, what it dominates pale.
import { choice, el, svg, toggle } from "../base/dom.js";
import { kNone, short } from "../base/format.js";
import { colorOf, ramp } from "../base/palette.js";
import { extent, interval } from "../base/statistics.js";
import { paretoFront } from "./pareto.js";
import { makeScale, titleOf } from "./scale.js";

const kSize = { width: 760, height: 430, left: 74, bottom: 46, top: 12, right: 16 };
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
    return groups.map((group) => {
      const mean = (column) => group.reduce((sum, row) => sum + column.number(row), 0) / group.length;
      const spread = (column) => (column.kind === "axis" ? 0 : interval(group.map((row) => column.number(row))));
      const c = group.some((row) => this.colour.number(row) === null) ? null : mean(this.colour);
      return { row: group[0], x: mean(this.x), y: mean(this.y), c, dx: spread(this.x), dy: spread(this.y) };
    });
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
    const front = this.hasFront ? paretoFront(points, this.x.isMoreBetter ? -1 : 1, this.y.isMoreBetter ? -1 : 1) : [];
    this.front = front.map(({ row }) => row);
    const scales = [
      makeScale(
        this.x,
        points.flatMap(({ x, dx }) => (this.isLogX ? [x] : [x - dx, x + dx])),
        this.isLogX,
      ),
      makeScale(
        this.y,
        points.flatMap(({ y, dy }) => (this.isLogY ? [y] : [y - dy, y + dy])),
        this.isLogY,
      ),
    ];
    this.plot.replaceChildren(
      points.length ? this.picture(points, front, scales) : el("p", { class: "note" }, "No point has both measures."),
    );
    this.drawLegend(points);
  }

  picture(points, front, [xScale, yScale]) {
    const { width, height, left, bottom, top, right } = kSize;
    const px = (x) => left + xScale.at(x) * (width - left - right);
    const py = (y) => height - bottom - yScale.at(y) * (height - bottom - top);
    const xTicks = xScale.ticks.map(([value, text]) => [
      svg("line", { class: "grid", x1: px(value), x2: px(value), y1: top, y2: height - bottom }),
      svg("text", { x: px(value), y: height - bottom + 16, "text-anchor": "middle" }, text),
    ]);
    const yTicks = yScale.ticks.map(([value, text]) => [
      svg("line", { class: "grid", x1: left, x2: width - right, y1: py(value), y2: py(value) }),
      svg("text", { x: left - 8, y: py(value) + 4, "text-anchor": "end" }, text),
    ]);
    const steps = front.map(({ x, y }, i) => (i === 0 ? `M${px(x)},${py(y)}` : `H${px(x)}V${py(y)}`)).join("");
    const numbers = points.map(({ c }) => c).filter((c) => c !== null);
    const [low, high] = extent(numbers);
    const best = new Set(front);
    const ordered = [...points].sort((a, b) => best.has(a) - best.has(b));
    const dots = ordered.map((point) =>
      this.dot(point, px, py, this.colorOf(point.c, low, high), front.length > 0 && !best.has(point)),
    );
    return svg(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        class: "graph large scatter",
        role: "group",
        "aria-label": `${titleOf(this.y)} over ${titleOf(this.x)}: ${points.length} points, ${front.length} on the Pareto front`,
      },
      xTicks,
      yTicks,
      steps && svg("path", { class: "front", d: steps }),
      ordered.map((point) => this.whiskers(point, px, py)),
      dots,
      svg(
        "text",
        { class: "label", x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" },
        titleOf(this.x),
      ),
      svg(
        "text",
        { class: "label", x: -(top + height - bottom) / 2, y: 14, transform: "rotate(-90)", "text-anchor": "middle" },
        titleOf(this.y),
      ),
    );
  }

  whiskers({ x, y, dx, dy }, px, py) {
    const d =
      (dx > 0 ? `M${px(x - dx)},${py(y)}H${px(x + dx)}` : "") + (dy > 0 ? `M${px(x)},${py(y - dy)}V${py(y + dy)}` : "");
    return d && svg("path", { class: "whisker", d });
  }

  dot({ row, x, y, c }, px, py, fill, isDominated) {
    const text = `${this.x.name} ${short(x)}, ${this.y.name} ${short(y)}, ${this.colour.name} ${this.colour.value(row) ?? kNone}`;
    const names = ["dot", isDominated && "dominated", row === this.picked && "picked"].filter(Boolean).join(" ");
    return svg(
      "circle",
      {
        class: names,
        cx: px(x),
        cy: py(y),
        r: row === this.picked ? 7 : 4.5,
        fill,
        "data-index": row[0],
        onclick: () => this.onpick(row),
      },
      svg("title", {}, text),
    );
  }

  drawLegend(points) {
    const { colour } = this;
    const numbers = points.map(({ c }) => c).filter((c) => c !== null);
    const [low, high] = extent(numbers);
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
