// SPDX-License-Identifier: Apache-2.0
// A reproduction: per figure the picture, the paper's values beside ours, and what the text claims.
import { el, section } from "../base/dom.js";
import { count, short } from "../base/format.js";
import { Table } from "../base/table.js";

const kRatioRange = 2; // on either side of 1, as a factor

// A dot on a line whose middle is agreement; beyond the ends it sits at the end.
function ratioMark(ratio) {
  if (typeof ratio !== "number" || ratio <= 0) return "";
  const at = Math.min(1, Math.max(0, 0.5 + Math.log(ratio) / Math.log(kRatioRange) / 2));
  return el("div", { class: "ratio", "aria-hidden": "true" }, el("span", { style: `left: ${100 * at}%` }));
}

function valueTable(figure, values) {
  const plain = (name, title = name) => ({ name, title, value: (row) => row[name] });
  const measure = (name, title = name) => ({ ...plain(name, title), isNumber: true, text: (value) => short(value) });
  const has = (name) => values.some((row) => row[name] !== null && row[name] !== undefined && row[name] !== "");
  const columns = [
    plain("panel"),
    plain("series"),
    { ...measure("processes"), isNumber: true },
    plain("category"),
    measure("paper"),
    measure("ours"),
    measure("ci95", "± 95 %"),
    measure("ratio", "ours / paper"),
  ].filter(({ name }) => has(name));
  if (has("ratio"))
    columns.push({
      name: "mark",
      title: `½ · equal · ${kRatioRange}×`,
      value: (row) => row.ratio,
      cell: (row) => ratioMark(row.ratio),
    });
  return new Table({ caption: `Values of ${figure.figure}`, columns, rows: values, pageSize: 30 });
}

function claims(orderings) {
  if (orderings.length === 0) return null;
  return el(
    "ul",
    { class: "checks wide" },
    orderings.map(({ claim, holds, evidence }) =>
      el(
        "li",
        { class: holds ? "good" : "bad" },
        `${holds ? "✓" : "✗"} ${claim}`,
        el("span", { class: "evidence" }, ` (${evidence})`),
      ),
    ),
  );
}

export function reproductionPage({ reproduction }) {
  const { name, seed, engine, workloads, figures, values, orderings, pictures, violations = [] } = reproduction;
  const held = orderings.filter(({ holds }) => holds).length;
  const tables = [];
  const sections = figures.map((figure) => {
    const own = (list) => list.filter((each) => each.figure === figure.figure);
    const picture = pictures[figure.figure];
    const table = valueTable(figure, own(values));
    tables.push(table);
    return section(
      `${figure.figure}: ${figure.title}`,
      picture &&
        el("img", {
          class: "picture",
          src: `data:image/svg+xml;base64,${picture}`,
          alt: `${figure.title}; the values are in the table below`,
        }),
      figure.notes.map((note) => el("p", { class: "note" }, note)),
      claims(own(orderings)),
      table.node,
    );
  });
  return {
    title: name,
    subtitle: `${count(figures.length)} ${figures.length === 1 ? "figure" : "figures"}, ${count(values.length)} values, ${held} of ${orderings.length} claims hold; ${workloads} workloads, seed ${seed}${engine ? `, ${engine} engine` : ""}`,
    version: reproduction.tessera_version,
    nodes: [violations.map((text) => el("p", { class: "warning", role: "alert" }, text)), sections],
    probe: { tables },
  };
}
