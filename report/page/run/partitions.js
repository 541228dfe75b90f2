// SPDX-License-Identifier: Apache-2.0
// Static partitions: whose each SM is, and what became of each partition.
import { failures, named, number, word } from "../base/columns.js";
import { el } from "../base/dom.js";
import { count, percent } from "../base/format.js";
import { colorOfPartition, kNoPartition, partitionsOf, rangesOf } from "../base/partitions.js";
import { Table } from "../base/table.js";

const kNone = "in no partition, never used";

// A partition's part of an SM, filled as far as its SMs were busy.
function part(partition, i) {
  if (!partition) return el("div", { class: "part none" });
  const style = `--sample: ${colorOfPartition(i)}; --busy: ${100 * (partition.busy_share ?? 0)}%`;
  return el("div", { class: partition.missed > 0 ? "part missed" : "part", style });
}

// The GPU as a row of SMs; one that is in several partitions is divided among them.
function strip({ partitions }, ownersOf) {
  const told = (i) => (i === kNoPartition ? kNone : `${partitions[i].name}, ${percent(partitions[i].busy_share)} busy`);
  const cell = (owners, sm) =>
    el(
      "div",
      { class: "sm", title: `SM ${sm}: ${owners.map(told).join("; ")}` },
      owners.map((i) => part(partitions[i], i)),
    );
  const unused = ownersOf.flatMap(([owner], sm) => (owner === kNoPartition ? [sm] : []));
  const label = partitions.map(({ name, sms }) => `${name}: SMs ${rangesOf(sms)}`);
  if (unused.length > 0) label.push(`${kNone}: SMs ${rangesOf(unused)}`);
  return el(
    "figure",
    {},
    el("div", { class: "gpu", role: "img", "aria-label": label.join("; ") }, ownersOf.map(cell)),
    el("div", { class: "ends" }, el("span", {}, "SM 0"), el("span", {}, `SM ${ownersOf.length - 1}`)),
    el(
      "figcaption",
      {},
      "The GPU's SMs by partition, filled as far as those of a partition were busy; grey: in none; red below: deadlines were missed",
    ),
  );
}

export function partitionSection(summary) {
  const tasks = summary.partitions.map(({ name }) =>
    (summary.tasks ?? []).filter(({ partition }) => partition === name).map(({ process }) => process),
  );
  const rows = summary.partitions.map((partition, i) => ({
    ...partition,
    i,
    sms: rangesOf(partition.sms),
    tasks: tasks[i].join(", ") || null,
  }));
  const columns = [
    named(
      "name",
      "partition",
      (row) => row.name,
      (row) => colorOfPartition(row.i),
    ),
    number("num_sms", "SMs", (row) => row.num_sms, count),
    word("sms", "which", (row) => row.sms),
    word("tasks", "tasks", (row) => row.tasks),
    number("busy_share", "busy", (row) => row.busy_share, percent),
    number("kernels", "kernels", (row) => row.kernels, count),
    number("preemptions", "preemptions", (row) => row.preemptions, count),
    failures("missed", "missed", (row) => row.missed),
  ];
  const unused = summary.sms_in_no_partition;
  const caption = `${count(unused)} of ${count(summary.spec.gpu.num_sms)} SMs are in no partition`;
  return [strip(summary, partitionsOf(summary).ownersOf), new Table({ caption, columns, rows }).node];
}
