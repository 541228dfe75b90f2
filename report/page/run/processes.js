// SPDX-License-Identifier: Apache-2.0
// The processes of a run, each beside itself alone and under the baseline.
import { el } from "../base/dom.js";
import { count, duration, scheduler, times } from "../base/format.js";
import { colorOf } from "../base/palette.js";
import { Table } from "../base/table.js";

// Two bars of NTT: shared, and under the baseline.
function bars(row, largest) {
  const bar = (value, kind) =>
    typeof value === "number" &&
    el("div", { class: `bar ${kind}`, style: `width: ${(100 * value) / largest}%; --sample: ${row.color}` });
  return el("div", { class: "bars", "aria-hidden": "true" }, bar(row.ntt, "solid"), bar(row.baseline, "outline"));
}

export function processTable(summary, caption = "Mean turnaround of the completed runs; NTT is shared over alone") {
  const rows = summary.processes.map((process, i) => ({
    ...process,
    baseline: summary.baseline?.processes[i].ntt ?? null,
    color: colorOf(i),
    late: process.deadline ? `${process.deadline.missed} of ${process.deadline.kernels}` : null,
    frame_rate: process.frames?.rate_hz ?? null,
    response_p50: process.frames?.response_us.p50 ?? null,
    response_p99: process.frames?.response_us.p99 ?? null,
    killed: process.killed_runs > 0 ? `${process.killed_runs} of ${process.killed_runs + process.runs}` : null,
    missed: process.frames ? `${process.frames.missed} of ${process.frames.released}` : null,
  }));
  const largest = Math.max(1, ...rows.flatMap((row) => [row.ntt ?? 0, row.baseline ?? 0]));
  const swatch = (row) => [
    el("span", { class: "sample", style: `--sample: ${row.color}`, "aria-hidden": "true" }),
    row.name,
  ];
  const plain = (name, title, text, more = {}) => ({
    name,
    title,
    text,
    value: (row) => row[name],
    isNumber: true,
    ...more,
  });
  const columns = [
    plain("name", "process", null, { isNumber: false, cell: swatch }),
    plain("application", "application", null, { isNumber: false }),
    plain("priority", "priority", (value) => String(value)),
    plain("runs", "runs", (value, row) => (row.background ? `${count(value)} (background)` : count(value))),
    plain("alone_us", "alone", (value) => duration(value)),
    plain("turnaround_us", "shared", (value) => duration(value)),
    plain("ntt", "NTT", times),
  ];
  if (summary.baseline) columns.push(plain("baseline", scheduler(summary.spec.baseline), times));
  if (rows.some((row) => row.late)) columns.push(plain("late", "late kernels", (value) => value ?? "–"));
  if (rows.some((row) => row.killed)) columns.push(plain("killed", "killed runs", (value) => value ?? "–"));
  if (rows.some((row) => row.missed)) {
    columns.push(
      plain("frame_rate", "runs a second", (value) => value?.toFixed(1) ?? "–"),
      plain("response_p50", "response, median", (value) => duration(value)),
      plain("response_p99", "response, 99 %", (value) => duration(value)),
      plain("missed", "runs late or skipped", (value) => value ?? "–"),
    );
  }
  columns.push({
    name: "bars",
    title: summary.baseline ? "NTT: shared, baseline outlined" : "NTT",
    value: (row) => row.ntt,
    cell: (row) => bars(row, largest),
  });
  return new Table({ caption, columns, rows }).node;
}
