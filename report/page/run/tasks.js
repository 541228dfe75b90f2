// SPDX-License-Identifier: Apache-2.0
// Real-time tasks: their worst responses against their deadlines, beside those under the baseline.
import { failures, named, number } from "../base/columns.js";
import { el } from "../base/dom.js";
import { count, duration, percent, scheduler } from "../base/format.js";
import { colorOf } from "../base/palette.js";
import { colorOfPartition } from "../base/partitions.js";
import { Table } from "../base/table.js";

const kMostDeadlines = 3; // what is later is drawn as an arrow

// Worst responses as bars, the deadline as a line across them.
function bars(row, scale) {
  const bar = (ratio, kind) => {
    if (typeof ratio !== "number") return null;
    const late = ratio > 1 ? " late" : "";
    const beyond = ratio > scale ? " beyond" : "";
    const width = (100 * Math.min(ratio, scale)) / scale;
    return el("div", { class: `bar ${kind}${late}${beyond}`, style: `width: ${width}%; --sample: ${row.color}` });
  };
  return el(
    "div",
    { class: "bars due", style: `--due: ${100 / scale}%`, "aria-hidden": "true" },
    bar(row.response_to_deadline, "solid"),
    bar(row.baseline?.response_to_deadline, "outline"),
  );
}

export function taskTable(summary) {
  const colours = new Map(summary.processes.map(({ name }, i) => [name, colorOf(i)]));
  const partitions = summary.partitions.map(({ name }) => name);
  const under = new Map((summary.baseline?.tasks ?? []).map((task) => [task.process, task]));
  const rows = summary.tasks.map((task) => ({
    ...task,
    color: colours.get(task.process),
    baseline: under.get(task.process),
  }));
  const ratios = rows.flatMap((row) => [row.response_to_deadline ?? 0, row.baseline?.response_to_deadline ?? 0]);
  const scale = Math.min(kMostDeadlines, Math.max(1.02, ...ratios));
  const columns = [
    named(
      "process",
      "task",
      (row) => row.process,
      (row) => row.color,
    ),
    named(
      "partition",
      "partition",
      (row) => row.partition,
      (row) => colorOfPartition(partitions.indexOf(row.partition)),
    ),
    number("jobs", "jobs", (row) => row.jobs, count),
    failures("missed", "missed", (row) => row.missed),
    number("deadline_us", "deadline", (row) => row.deadline_us, duration),
    number("worst_response_us", "worst response", (row) => row.worst_response_us, duration),
    number("response_to_deadline", "of the deadline", (row) => row.response_to_deadline, percent),
  ];
  if (under.size > 0) {
    columns.push(
      failures("baseline_missed", "missed, baseline", (row) => row.baseline?.missed ?? null),
      number("baseline", "of the deadline, baseline", (row) => row.baseline?.response_to_deadline ?? null, percent),
    );
  }
  columns.push({
    name: "bars",
    title: under.size > 0 ? "worst response, baseline outlined" : "worst response",
    value: (row) => row.response_to_deadline,
    cell: (row) => bars(row, scale),
  });
  const beside = under.size > 0 ? `; the baseline is ${scheduler(summary.spec.baseline)}` : "";
  const caption =
    "Responses from release, or from a kernel's arrival, to the end; a job that is open past its deadline is missed. " +
    `A line across the bars: the deadline${beside}`;
  return new Table({ caption, columns, rows }).node;
}
