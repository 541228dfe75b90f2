// SPDX-License-Identifier: Apache-2.0
// A sweep: filters, scatter with Pareto front, parallel axes, all points, and one of them closely.
import { el, section } from "../base/dom.js";
import { short } from "../base/format.js";
import { Table } from "../base/table.js";
import { Details } from "./details.js";
import { filterBar } from "./filters.js";
import { SweepModel } from "./model.js";
import { Parallel } from "./parallel.js";
import { titleOf } from "./scale.js";
import { Scatter } from "./scatter.js";

function pointTable(model, sweep, onpick) {
  const hasReasons = model.rows.some((row) => model.column("reason").value(row));
  const shown = model.columns.filter(({ name, isConstant }) => name !== "key" && (name !== "reason" || hasReasons) && (name !== "seed" || !isConstant));
  const columns = shown.map((column) => ({
    name: column.name,
    title: titleOf(column),
    isNumber: column.isNumber,
    value: (row) => (column.isNumber ? column.number(row) : column.value(row)),
    text: (value) => short(value),
  }));
  if (Object.keys(sweep.runs).length > 0) {
    const key = model.column("key");
    columns.push({ name: "timeline", title: "timeline", value: (row) => (key.value(row) in sweep.runs ? "kept" : null) });
  }
  const table = new Table({ caption: "Points; choose one to see it below", columns, rows: model.rows, pageSize: 20, onpick });
  model.onchange(() => table.filter((row) => model.keeps(row)));
  return table;
}

export function sweepPage({ sweep }) {
  const model = new SweepModel(sweep);
  const status = model.column("status");
  const failed = model.rows.filter((row) => status.value(row) !== "done").length;
  const details = new Details(sweep, model);
  const point = section("Point", details.node);
  const pick = (row) => {
    details.show(row);
    scatter.pick(row);
    point.scrollIntoView({ block: "start" });
  };
  const scatter = new Scatter(model, pick);
  const parallel = new Parallel(model, pick);
  const table = pointTable(model, sweep, pick);
  const axes = model.of("axis").map(({ name, labels }) => `${name} (${labels.length})`).join(" × ");
  return {
    title: sweep.name,
    subtitle: `${model.rows.length} points, ${axes}`,
    version: sweep.tessera_version,
    nodes: [
      failed > 0 && el("p", { class: "warning" }, `${failed} of ${model.rows.length} points failed; the table has the reasons.`),
      section("Filter", filterBar(model)),
      section("Scatter", scatter.node),
      section("Parallel axes", parallel.node),
      section("Points", table.node),
      point,
    ],
    probe: { model, table, scatter, parallel, details, pick },
  };
}
