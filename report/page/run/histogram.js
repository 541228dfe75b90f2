// SPDX-License-Identifier: Apache-2.0
// How often what value occurs, as columns.
import { svg, el } from "../base/dom.js";
import { count } from "../base/format.js";
import { niceStep } from "../base/statistics.js";

const kSize = { width: 460, height: 190, left: 46, bottom: 34, top: 10, right: 12 };

function binned(values) {
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  const step = niceStep((high || 1) / 36);
  const bins = new Array(Math.floor(high / step) + 1).fill(0);
  for (const value of values) ++bins[Math.min(bins.length - 1, Math.floor(value / step))];
  return { step, bins };
}

export function histogram(values, title, text) {
  const { width, height, left, bottom, top, right } = kSize;
  const { step, bins } = binned(values);
  const most = Math.max(...bins);
  const x = (i) => left + (i / bins.length) * (width - left - right);
  const y = (n) => height - bottom - (n / most) * (height - bottom - top);
  const columns = bins.map(
    (n, i) =>
      n > 0 &&
      svg(
        "rect",
        {
          class: "column",
          x: x(i) + 0.5,
          y: y(n),
          width: Math.max(1, x(1) - x(0) - 1),
          height: height - bottom - y(n),
        },
        svg("title", {}, `${text(i * step)} to ${text((i + 1) * step)}: ${count(n)}`),
      ),
  );
  const every = Math.max(1, Math.ceil(bins.length / 6));
  const marks = bins.map(
    (_, i) =>
      i % every === 0 && svg("text", { x: x(i), y: height - bottom + 16, "text-anchor": "middle" }, text(i * step)),
  );
  return el(
    "figure",
    {},
    svg(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        class: "graph",
        role: "img",
        "aria-label": `${title}: ${values.length} values`,
      },
      svg("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }),
      columns,
      marks,
      svg("text", { x: left - 6, y: top + 8, "text-anchor": "end" }, count(most)),
      svg("text", { x: left - 6, y: height - bottom, "text-anchor": "end" }, "0"),
    ),
    el("figcaption", {}, title),
  );
}
