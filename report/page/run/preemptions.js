// SPDX-License-Identifier: Apache-2.0
// Where the time of preemptions goes: parts by technique, the spread of the latency, and each of them in a table.
import { el } from "../base/dom.js";
import { bytes, count, duration, instant } from "../base/format.js";
import { summarise } from "../base/statistics.js";
import { Table } from "../base/table.js";
import { partsOf, preemptionRows } from "../timeline/preemption_rows.js";
import { histogram } from "./histogram.js";

// Mean parts as one bar, with its numbers in a list below.
export function splitBar(rows, label, scale = null) {
  const parts = partsOf(rows).map(({ name }) => [name, summarise(rows.map((row) => row[name] ?? 0)).mean]);
  const total = parts.reduce((sum, [, mean]) => sum + mean, 0);
  const whole = scale ?? total;
  const piece = ([name, mean]) =>
    el("div", {
      class: `piece ${name}`,
      style: `width: ${(100 * mean) / whole}%`,
      title: `${name}: ${duration(mean)}`,
    });
  const text = parts.map(([name, mean]) => `${name} ${duration(mean)}`).join(", ");
  return el(
    "figure",
    { class: "split" },
    el("figcaption", {}, `${label}: ${duration(total)} on average, the decision included`),
    el("div", { class: "pieces", role: "img", "aria-label": text }, parts.map(piece)),
    el(
      "div",
      { class: "legend" },
      parts.map(([name, mean]) =>
        el(
          "span",
          { class: "entry" },
          el("span", { class: `sample ${name}`, "aria-hidden": "true" }),
          `${name} ${duration(mean)}`,
        ),
      ),
    ),
  );
}

function statisticsTable(rows) {
  const names = [...partsOf(rows).map(({ name }) => name), "latency"];
  const lines = names.map((name) => ({
    name,
    ...summarise(rows.map((row) => row[name]).filter((value) => value !== null)),
  }));
  const column = (name, title) => ({
    name,
    title,
    isNumber: true,
    value: (line) => line[name],
    text: (value) => duration(value),
  });
  const columns = [
    { name: "name", title: "part", value: (line) => line.name },
    column("min", "least"),
    column("p50", "median"),
    column("mean", "mean"),
    column("p99", "99 %"),
    column("max", "most"),
  ];
  return new Table({ caption: "Parts of the latency; latency is from request to done", columns, rows: lines }).node;
}

// The summary counts all of the run; the log may have less.
function summaryLine(summary, technique, rows) {
  const stats = summary.preemptions.by_technique[technique];
  const us = (cycles) => duration(cycles === null ? null : cycles / summary.spec.gpu.clock_mhz);
  const { mean, p99, max } = stats.latency_cycles;
  return el(
    "p",
    {},
    `summary.json: ${count(stats.count)} SMs, ${us(mean)} on average, 99 % within ${us(p99)}, ${us(max)} at most; `,
    `${bytes(stats.bytes_saved)} saved. In the log: ${count(rows.length)}.`,
  );
}

export function preemptionTable(timeline, rows, onpick) {
  const time = (name, title) => ({
    name,
    title,
    isNumber: true,
    value: (row) => row[name],
    text: (value) => duration(value, 3),
  });
  const plain = (name, title) => ({ name, title, value: (row) => row[name] });
  const columns = [
    { ...time("at", "at"), text: (value) => instant(value, 0.01, timeline.end / timeline.mhz) },
    { ...plain("sm", "SM"), isNumber: true },
    plain("victim", "from"),
    plain("beneficiary", "for"),
    plain("technique", "technique"),
    ...partsOf(rows).map(({ name }) => time(name, name)),
    time("latency", "latency"),
    { name: "bytes", title: "context", isNumber: true, value: (row) => row.bytes, text: (value) => bytes(value) },
  ];
  return new Table({
    caption: "Each preemption; choose one to see it in the timeline",
    columns,
    rows,
    pageSize: 12,
    sortBy: "latency",
    isDescending: true,
    onpick,
  }).node;
}

export function preemptionSection(summary, timeline, onpick) {
  const rows = timeline ? preemptionRows(timeline) : [];
  if (summary.preemptions.count === 0 && rows.length === 0) return el("p", {}, "No SM was preempted.");
  const used = Object.keys(summary.preemptions.by_technique).filter(
    (name) => summary.preemptions.by_technique[name].count > 0,
  );
  const groups = used.map((technique) => {
    const own = rows.filter((row) => row.technique === technique);
    return el(
      "div",
      { class: "technique" },
      el("h3", {}, technique.replace("_", " ")),
      summaryLine(summary, technique, own),
      own.length > 0 &&
        el(
          "div",
          { class: "columns" },
          el("div", {}, splitBar(own, `${count(own.length)} preemptions`), statisticsTable(own)),
          histogram(
            own.map((row) => row.latency),
            "Latency from request to done",
            (value) => duration(value, 1),
          ),
        ),
    );
  });
  const meanings = el(
    "dl",
    { class: "meanings" },
    partsOf(rows).map(({ name, meaning }) => [el("dt", {}, name), el("dd", {}, meaning)]),
  );
  return [groups, rows.length > 0 && [meanings, preemptionTable(timeline, rows, (row) => onpick(row.i))]];
}
