// SPDX-License-Identifier: Apache-2.0
// A table that sorts by its heads, filters, and shows a page at a time: rows may be many.
import { el } from "./dom.js";

// `columns`: {name, title, value(row), text(value, row), isNumber, cell(row)}; `rows`: anything.
export class Table {
  constructor({ caption, columns, rows, pageSize = 50, sortBy = null, isDescending = false, onpick = null }) {
    Object.assign(this, { columns, rows, pageSize, sortBy, isDescending, onpick });
    this.page = 0;
    this.keep = () => true;
    this.head = el("tr");
    this.body = el("tbody");
    this.foot = el("div", { class: "pager", "aria-live": "polite" });
    const table = el("table", {}, el("caption", {}, caption), el("thead", {}, this.head), this.body);
    this.node = el("div", { class: "table" }, el("div", { class: "scroll", tabindex: 0 }, table), this.foot);
    this.update();
  }

  filter(keep) {
    this.keep = keep;
    this.page = 0;
    this.update();
  }

  sort(name) {
    this.isDescending = this.sortBy === name && !this.isDescending;
    this.sortBy = name;
    this.page = 0;
    this.update();
  }

  // The rows that pass the filter, in order.
  visible() {
    const rows = this.rows.filter((row) => this.keep(row));
    const column = this.columns.find((each) => each.name === this.sortBy);
    if (!column) return rows;
    const sign = this.isDescending ? -1 : 1;
    const keyed = rows.map((row) => [column.value(row), row]);
    keyed.sort(([a], [b]) => compare(a, b, sign));
    return keyed.map(([, row]) => row);
  }

  update() {
    this.head.replaceChildren(...this.columns.map((column) => this.headOf(column)));
    const rows = this.visible();
    const from = this.page * this.pageSize;
    this.body.replaceChildren(...rows.slice(from, from + this.pageSize).map((row) => this.rowOf(row)));
    this.foot.replaceChildren(...this.pager(rows.length, from));
  }

  headOf(column) {
    const isSorted = column.name === this.sortBy;
    const order = isSorted ? (this.isDescending ? "descending" : "ascending") : "none";
    const mark = el("span", { class: "mark", "aria-hidden": "true" }, isSorted ? (this.isDescending ? "▾" : "▴") : "");
    const press = el(
      "button",
      { type: "button", onclick: () => this.sort(column.name) },
      column.title ?? column.name,
      mark,
    );
    return el("th", { scope: "col", class: column.isNumber && "number", "aria-sort": order }, press);
  }

  rowOf(row) {
    const cells = this.columns.map((column) => {
      const value = column.value(row);
      const content = column.cell ? column.cell(row) : column.text ? column.text(value, row) : String(value ?? "–");
      return el("td", { class: column.isNumber && "number", "data-column": column.name, "data-value": value }, content);
    });
    if (!this.onpick) return el("tr", {}, cells);
    const pick = () => this.onpick(row);
    const onkeydown = (event) => event.key === "Enter" && pick();
    return el("tr", { class: "pick", tabindex: 0, onclick: pick, onkeydown }, cells);
  }

  pager(total, from) {
    if (total <= this.pageSize && total === this.rows.length) return [];
    const of = total === this.rows.length ? `${total}` : `${total} (of ${this.rows.length})`;
    const text =
      total === 0 ? `none of ${this.rows.length}` : `${from + 1}–${Math.min(from + this.pageSize, total)} of ${of}`;
    const go = (step) => () => {
      this.page += step;
      this.update();
    };
    const press = (label, step, isOff) => el("button", { type: "button", disabled: isOff, onclick: go(step) }, label);
    return [
      press("‹ previous", -1, from === 0),
      el("span", {}, text),
      press("next ›", 1, from + this.pageSize >= total),
    ];
  }
}

// What has no value comes last, either way.
function compare(a, b, sign) {
  const isNone = (value) => value === null || value === undefined || Number.isNaN(value);
  if (isNone(a) || isNone(b)) return isNone(a) - isNone(b);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}
