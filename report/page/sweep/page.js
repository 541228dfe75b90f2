// SPDX-License-Identifier: Apache-2.0
// A sweep: filters, scatter with Pareto front, parallel axes, all points, and one of them closely.
import { el, section, toggle } from "../base/dom.js";
import { measure } from "../base/format.js";
import { Table } from "../base/table.js";
import { Details } from "./details.js";
import { filterBar } from "./filters.js";
import { SweepModel } from "./model.js";
import { Parallel } from "./parallel.js";
import { titleOf } from "./scale.js";
import { Scatter } from "./scatter.js";

const kMostMeasures = 12; // shown at first

// One machine: its engine behind the axes. Two: a note, since the engine makes a difference too.
function enginesOf(model) {
  return [...new Set(model.rows.map((row) => model.column("engine")?.value(row)))].filter(Boolean);
}

function pointTable(model, sweep, onpick) {
  const hasReasons = model.rows.some((row) => model.column("reason").value(row));
  const candidates = model.columns.filter(
    ({ name, isConstant }) =>
      name !== "key" && (name !== "reason" || hasReasons) && (!["seed", "engine"].includes(name) || !isConstant),
  );
  const columns = candidates.map((column) => ({
    name: column.name,
    title: titleOf(column),
    isNumber: column.isNumber,
    value: (row) => (column.isNumber ? column.number(row) : column.value(row)),
    text: (value) => measure(value),
  }));
  if (Object.keys(sweep.runs).length + sweep.left_out.length > 0) {
    const key = model.column("key");
    const leftOut = new Set(sweep.left_out);
    const where = (name) => (Object.hasOwn(sweep.runs, name) ? "here" : leftOut.has(name) ? "in its folder" : null);
    columns.push({ name: "timeline", title: "timeline", value: (row) => where(key.value(row)) });
  }
  // A sweep has dozens of columns, some for each process: the first of them, and those of no single process.
  const hidden = new Set(
    candidates
      .filter(({ kind }) => kind === "metric" || kind === "cost")
      .filter(({ name }, i) => name.includes(".") || i >= kMostMeasures)
      .map(({ name }) => name),
  );
  const visible = () => columns.filter(({ name }) => !hidden.has(name));
  const table = new Table({
    caption: "Points; choose one to see it below",
    columns: visible(),
    rows: model.rows,
    pageSize: 20,
    onpick,
  });
  model.onchange(() => table.filter((row) => model.keeps(row)));
  const boxes = candidates.map(({ name }) =>
    toggle(name, !hidden.has(name), (isShown) => {
      if (isShown) hidden.delete(name);
      else hidden.add(name);
      table.columns = visible();
      table.update();
    }),
  );
  return { table, chooser: el("details", {}, el("summary", {}, "Columns"), el("div", { class: "tools" }, boxes)) };
}

export function sweepPage({ sweep }) {
  const model = new SweepModel(sweep);
  const status = model.column("status");
  const failed = model.rows.filter((row) => status.value(row) !== "done").length;
  const details = new Details(sweep, model);
  const point = section("Point", details.node);
  const pick = (row) => {
    details.show(row);
    scatter?.pick(row);
    point.scrollIntoView({ block: "start" });
  };
  const scatter = model.measures.length > 0 ? new Scatter(model, pick) : null;
  const parallel = new Parallel(model, pick);
  const { table, chooser } = pointTable(model, sweep, pick);
  const axes = model
    .of("axis")
    .map(({ name, labels }) => `${name} (${labels.length})`)
    .join(" × ");
  const engines = enginesOf(model);
  return {
    title: sweep.name,
    subtitle: `${model.rows.length} points, ${axes}${engines.length === 1 ? `, ${engines[0]} engine` : ""}`,
    version: sweep.tessera_version,
    nodes: [
      failed > 0 &&
        el("p", { class: "warning" }, `${failed} of ${model.rows.length} points failed; the table has the reasons.`),
      engines.length > 1 &&
        el("p", { class: "note" }, "Points run on two engines, serialised and ideal: differences are the engine's too."),
      sweep.left_out.length > 0 &&
        el(
          "p",
          { class: "note" },
          `${sweep.left_out.length} of the timelines that the sweep kept have no room in this page: `,
          "their points say how to see them.",
        ),
      section("Filter", filterBar(model)),
      section("Scatter", scatter?.node ?? el("p", { class: "note" }, "No point has a measure.")),
      section("Parallel axes", parallel.node),
      section("Points", chooser, table.node),
      point,
    ],
    probe: { model, table, scatter, parallel, details, pick },
  };
}
