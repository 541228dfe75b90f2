// SPDX-License-Identifier: Apache-2.0
// Static partitions: whose each SM is, and what became of each partition.
import { failures, named, number, word } from "../base/columns.js";
import { el } from "../base/dom.js";
import { count, percent } from "../base/format.js";
import { colorOfPartition, kNoPartition, partitionsOf, rangesOf } from "../base/partitions.js";
import { Table } from "../base/table.js";

const kNone = "in no partition, never used";

// The GPU as a row of SMs, filled as far as those of the partition were busy; red below: it missed deadlines.
function strip(summary, { names, sms, ownerOf }) {
  const cell = (owner, sm) => {
    const of = summary.partitions[owner];
    const style = `--sample: ${colorOfPartition(owner)}; --busy: ${100 * (of?.busy_share ?? 0)}%`;
    const missed = of?.missed > 0 ? " missed" : "";
    const title = `SM ${sm}: ${of ? `${of.name}, ${percent(of.busy_share)} busy` : kNone}`;
    return el("div", { class: `sm${of ? "" : " none"}${missed}`, style, title });
  };
  const unused = ownerOf.flatMap((owner, sm) => (owner === kNoPartition ? [sm] : []));
  const told = names.map((name, i) => `${name}: SMs ${rangesOf(sms[i])}`);
  if (unused.length > 0) told.push(`${kNone}: SMs ${rangesOf(unused)}`);
  return el(
    "figure",
    {},
    el("div", { class: "gpu", role: "img", "aria-label": told.join("; ") }, ownerOf.map(cell)),
    el("div", { class: "ends" }, el("span", {}, "SM 0"), el("span", {}, `SM ${ownerOf.length - 1}`)),
    el(
      "figcaption",
      {},
      "The GPU's SMs by partition, filled as far as those of a partition were busy; grey: in none; red below: deadlines were missed",
    ),
  );
}

export function partitionSection(summary) {
  const partitions = partitionsOf(summary.spec);
  const tasks = summary.partitions.map(({ name }) =>
    (summary.tasks ?? []).filter(({ partition }) => partition === name).map(({ process }) => process),
  );
  const rows = summary.partitions.map((partition, i) => ({
    ...partition,
    i,
    sms: rangesOf(partitions?.sms[i] ?? []),
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
  return [partitions && strip(summary, partitions), new Table({ caption, columns, rows }).node];
}
