// SPDX-License-Identifier: Apache-2.0
// One point: its values, and its timeline where the sweep kept it.
import { el } from "../base/dom.js";
import { measure } from "../base/format.js";
import { timelineSections } from "../run/page.js";
import { processTable } from "../run/processes.js";
import { titleOf } from "./scale.js";

const kKinds = [
  ["axis", "Axes"],
  ["metric", "Metrics"],
  ["cost", "Cost"],
  ["status", "Point"],
];

export class Details {
  constructor(sweep, model) {
    Object.assign(this, { sweep, model, panel: null });
    this.node = el(
      "div",
      { class: "point", "aria-live": "polite" },
      el("p", { class: "note" }, "Choose a point in the table or in a chart."),
    );
  }

  show(row) {
    const key = this.model.column("key").value(row);
    const groups = kKinds.map(([kind, title]) => {
      const columns = this.model.of(kind).filter((column) => ![null, ""].includes(column.value(row)));
      return (
        columns.length > 0 &&
        el(
          "div",
          {},
          el("h3", {}, title),
          el(
            "dl",
            { class: "values" },
            columns.map((column) => [el("dt", {}, titleOf(column)), el("dd", {}, measure(column.value(row)))]),
          ),
        )
      );
    });
    this.node.replaceChildren(el("div", { class: "groups" }, groups), ...this.timeline(key));
  }

  timeline(key) {
    this.panel = null;
    if (Object.hasOwn(this.sweep.runs, key)) {
      const run = this.sweep.runs[key];
      const { panel, nodes } = timelineSections(run);
      this.panel = panel;
      return [processTable(run.summary), ...nodes];
    }
    if (this.sweep.left_out.includes(key)) {
      return [
        el(
          "p",
          { class: "note" },
          "Its timeline is kept, and the page has no room for more of them: ",
          el("code", {}, `tessera report SWEEP/timelines/${key}`),
          " makes a page of it.",
        ),
      ];
    }
    return [
      el(
        "p",
        { class: "note" },
        "The sweep kept no timeline of it (",
        el("code", {}, "keep_timelines: true"),
        " does).",
      ),
    ];
  }
}
