// SPDX-License-Identifier: Apache-2.0
// The picture of a scatter plot: grid, Pareto front, 95 % intervals, dots.
import { svg } from "../base/dom.js";

const kSize = { width: 760, height: 430, left: 74, bottom: 46, top: 12, right: 16 };
const kMostIntervals = 200; // beyond, only those of the front are drawn

function grid(axes, { width, height, left, bottom, top, right }, px, py) {
  const middle = { x: (left + width - right) / 2, y: (top + height - bottom) / 2 };
  return [
    axes.x.scale.ticks.map(([value, text]) => [
      svg("line", { class: "grid", x1: px(value), x2: px(value), y1: top, y2: height - bottom }),
      svg("text", { x: px(value), y: height - bottom + 16, "text-anchor": "middle" }, text),
    ]),
    axes.y.scale.ticks.map(([value, text]) => [
      svg("line", { class: "grid", x1: left, x2: width - right, y1: py(value), y2: py(value) }),
      svg("text", { x: left - 8, y: py(value) + 4, "text-anchor": "end" }, text),
    ]),
    svg("text", { class: "label", x: middle.x, y: height - 8, "text-anchor": "middle" }, axes.x.title),
    svg(
      "text",
      { class: "label", x: -middle.y, y: 14, transform: "rotate(-90)", "text-anchor": "middle" },
      axes.y.title,
    ),
  ];
}

function whiskers({ x, y, dx, dy }, px, py) {
  const d =
    (dx > 0 ? `M${px(x - dx)},${py(y)}H${px(x + dx)}` : "") + (dy > 0 ? `M${px(x)},${py(y - dy)}V${py(y + dy)}` : "");
  return d && svg("path", { class: "whisker", d });
}

function dot({ row, x, y, fill, text, isPicked }, px, py, isDominated, onpick) {
  return svg(
    "circle",
    {
      class: ["dot", isDominated && "dominated", isPicked && "picked"].filter(Boolean).join(" "),
      cx: px(x),
      cy: py(y),
      r: isPicked ? 7 : 4.5,
      fill,
      "data-index": row[0],
      onclick: () => onpick(row),
    },
    svg("title", {}, text),
  );
}

// `points`: {row, x, y, dx, dy, fill, text, isPicked}; `front`: those of them that no other beats; `axes`: {scale, title}
// of x and y.
export function scatterPicture(points, front, axes, onpick) {
  const { width, height, left, bottom, top, right } = kSize;
  const px = (x) => left + axes.x.scale.at(x) * (width - left - right);
  const py = (y) => height - bottom - axes.y.scale.at(y) * (height - bottom - top);
  const best = new Set(front);
  const ordered = [...points].sort((a, b) => best.has(a) - best.has(b));
  const steps = front.map(({ x, y }, i) => (i === 0 ? `M${px(x)},${py(y)}` : `H${px(x)}V${py(y)}`)).join("");
  return svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      class: "graph large scatter",
      role: "group",
      "aria-label": `${axes.y.title} over ${axes.x.title}: ${points.length} points, ${front.length} on the Pareto front`,
    },
    grid(axes, kSize, px, py),
    ordered
      .filter((point) => points.length <= kMostIntervals || best.has(point))
      .map((point) => whiskers(point, px, py)),
    steps && svg("path", { class: "front", d: steps }),
    ordered.map((point) => dot(point, px, py, front.length > 0 && !best.has(point), onpick)),
  );
}
