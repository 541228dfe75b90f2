// SPDX-License-Identifier: Apache-2.0
// The points of a sweep and what is wanted of them: filters that table and charts share.

// Measures of which more is better; of all others less is.
const kMoreIsBetter = /stp|fairness|utilisation|throughput|fmax|mhz|runs|tbs_completed|speedup/i;

const isNone = (value) => value === null || value === undefined || value === "";

export class SweepModel {
  constructor(sweep) {
    this.columns = sweep.columns.map((column, i) => this.columnOf(column, i, sweep.rows));
    this.rows = sweep.rows;
    this.text = "";
    this.choices = new Map(); // axis name -> set of labels; none: all
    this.ranges = new Map(); // column name -> [low, high]
    this.listeners = [];
  }

  columnOf({ name, kind, unit }, i, rows) {
    const values = rows.map((row) => row[i]).filter((value) => !isNone(value));
    const labels = [...new Set(values.map(String))];
    const isNumber =
      values.length > 0 && labels.every((label) => label.trim() !== "" && Number.isFinite(Number(label)));
    labels.sort((a, b) => (isNumber ? Number(a) - Number(b) : a.localeCompare(b, "en", { numeric: true })));
    const number = (row) => (isNone(row[i]) ? null : isNumber ? Number(row[i]) : labels.indexOf(String(row[i])));
    return {
      name,
      kind,
      unit,
      index: i,
      isNumber,
      labels,
      number,
      value: (row) => row[i],
      isConstant: labels.length < 2,
      isMoreBetter: kMoreIsBetter.test(name),
    };
  }

  column(name) {
    return this.columns.find((each) => each.name === name);
  }

  of(kind) {
    return this.columns.filter((each) => each.kind === kind);
  }

  get measures() {
    return this.columns
      .filter((each) => each.kind === "metric" || each.kind === "cost")
      .filter((each) => each.isNumber);
  }

  onchange(listener) {
    this.listeners.push(listener);
  }

  change(edit) {
    edit(this);
    for (const listener of this.listeners) listener();
  }

  setRange(name, range) {
    this.change(() => (range ? this.ranges.set(name, range) : this.ranges.delete(name)));
  }

  clear() {
    this.change(() => {
      this.text = "";
      this.choices.clear();
      this.ranges.clear();
    });
  }

  keeps(row) {
    if (this.text && !row.some((value) => !isNone(value) && String(value).toLowerCase().includes(this.text)))
      return false;
    for (const [name, labels] of this.choices) {
      if (labels.size && !labels.has(String(this.column(name).value(row)))) return false;
    }
    for (const [name, [low, high]] of this.ranges) {
      const value = this.column(name).number(row);
      if (value === null || value < low || value > high) return false;
    }
    return true;
  }

  kept() {
    return this.rows.filter((row) => this.keeps(row));
  }

  get hasSeeds() {
    return this.column("seed") !== undefined && !this.column("seed").isConstant;
  }

  // Lists of rows that differ in their seed only.
  replicates(rows) {
    const axes = this.of("axis");
    const groups = new Map();
    for (const row of rows) {
      const key = JSON.stringify(axes.map((axis) => axis.value(row)));
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(row);
    }
    return [...groups.values()];
  }
}
