// SPDX-License-Identifier: Apache-2.0
// Preemptions as rows, and the parts of their latency.
import { kTechniques, nameOfLaunch } from "./data.js";

export const kParts = [
  {
    name: "decision",
    meaning: "from the policy's invocation to the request; before the latency that summary.json counts",
  },
  {
    name: "trap",
    meaning:
      "from the request to the start of the save: a restore that is under way ends, the pipeline drains, the trap is entered",
  },
  { name: "drain", meaning: "technique drain: from the request until the thread blocks have run to their end" },
  { name: "movement", meaning: "of the save, the time its bytes take at the memory's whole bandwidth" },
  { name: "channel", meaning: "the rest of the save: the SM has a share of that bandwidth only" },
];

// Those parts that occur in any of the rows.
export const partsOf = (rows) => kParts.filter(({ name }) => rows.some((row) => row[name]));

// One preemption, times in us.
export function preemptionRow(timeline, i) {
  const list = timeline.preemptions;
  const us = (cycles) => cycles / timeline.mhz;
  const technique = kTechniques[list.technique[i]];
  const isDrain = technique === "drain";
  return {
    i,
    technique,
    at: us(list.requested[i]),
    sm: list.sm[i],
    victim: nameOfLaunch(timeline, list.victim[i]),
    beneficiary: nameOfLaunch(timeline, list.beneficiary[i]),
    decision: list.decision[i] < 0 ? null : us(list.decision[i]),
    trap: isDrain ? 0 : us(list.wait[i]),
    drain: isDrain ? us(list.wait[i]) : 0,
    movement: us(list.movement[i]),
    channel: us(list.channel[i]),
    latency: us(list.wait[i] + list.movement[i] + list.channel[i]),
    bytes: list.bytes[i],
  };
}

export const preemptionRows = (timeline) =>
  Array.from({ length: timeline.preemptions.count }, (_, i) => preemptionRow(timeline, i));
