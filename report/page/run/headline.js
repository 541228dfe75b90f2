// SPDX-License-Identifier: Apache-2.0
// What a run was, and how it came out: title, warnings, the few numbers that matter.
import { el } from "../base/dom.js";
import { count, difference, duration, number, percent, scheduler, times } from "../base/format.js";

export function titleOf(summary) {
  const { spec } = summary;
  const machine = `${spec.gpu.name} (${spec.gpu.num_sms} SMs, ${summary.engine} engine)`;
  return `${scheduler(spec.scheduler)} on ${machine}, seed ${spec.seed}, ${summary.abstraction}`;
}

export function warningsOf(summary) {
  const warnings = [];
  if (!summary.complete) warnings.push(`Incomplete: ${summary.stop_reason.replace("_", " ")}.`);
  for (const [name, state] of Object.entries(summary.invariants)) {
    if (state !== "ok") warnings.push(`Invariant ${name} is broken: ${state}`);
  }
  return warnings.map((text) => el("p", { class: "warning", role: "alert" }, text));
}

const heldBack = (causes) =>
  Object.entries(causes)
    .map(([cause, share]) => `${cause} ${percent(share)}`)
    .join(", ");

// [name, value, text, text of the baseline's, what it means]
export function metricsOf(summary) {
  const { baseline } = summary;
  const against = (key, format) => {
    if ((baseline?.[key] ?? null) === null) return "";
    const change = summary[key] === null ? "" : `, ${difference(baseline[key], summary[key])}`;
    return `${scheduler(summary.spec.baseline)} ${format(baseline[key])}${change}`;
  };
  const us = summary.simulated_cycles / summary.spec.gpu.clock_mhz;
  return [
    {
      key: "antt",
      name: "ANTT",
      text: times(summary.antt),
      note: against("antt", times),
      help: "mean normalised turnaround time: lower is better",
    },
    {
      key: "stp",
      name: "STP",
      text: number(summary.stp, 2),
      note: against("stp", (v) => number(v, 2)),
      help: "system throughput: higher is better",
    },
    {
      key: "fairness",
      name: "Fairness",
      text: number(summary.fairness, 3),
      note: against("fairness", (v) => number(v, 3)),
      help: "least over largest normalised progress: higher is better",
    },
    {
      key: "sm_utilisation",
      name: "SMs busy",
      text: percent(summary.sm_utilisation),
      note: "",
      help: "SM cycles in which thread blocks ran",
    },
    {
      key: "sm_slots.occupancy",
      name: "Slots used",
      text: percent(summary.sm_slots?.occupancy),
      note: summary.sm_slots ? heldBack(summary.sm_slots.held_back) : "",
      help: "cycles of SMs' slots, while kernels hold these, in which thread blocks ran; and what held the others back",
    },
    {
      key: "preemptions.count",
      name: "Preemptions",
      text: count(summary.preemptions.count),
      note: "",
      help: "of one SM each",
    },
    { key: "tbs_completed", name: "Thread blocks", text: count(summary.tbs_completed), note: "", help: "completed" },
    {
      key: "simulated_cycles",
      name: "Simulated",
      text: duration(us),
      note: `${count(summary.simulated_cycles)} cycles`,
      help: "",
    },
  ];
}

export const valueOf = (summary, key) => key.split(".").reduce((value, step) => value?.[step], summary);

export function cards(summary) {
  return el(
    "dl",
    { class: "cards" },
    metricsOf(summary).map(({ key, name, text, note, help }) =>
      el(
        "div",
        { class: "card", title: help },
        el("dt", {}, name),
        el("dd", { "data-metric": key, "data-value": valueOf(summary, key) }, text),
        note && el("dd", { class: "note" }, note),
      ),
    ),
  );
}
