// SPDX-License-Identifier: Apache-2.0
// Static partitions of the SMs: which SM is in which, and their colours, which come from the far end of those that
// processes have.
import { colorOf, kNeutral, kNumColors } from "./palette.js";

export const kNoPartition = -1;

// {names, ownersOf}: the partitions that each SM is in, kNoPartition where it is in none; null without partitions.
export function partitionsOf({ partitions, spec }) {
  if (!partitions) return null;
  const ownersOf = Array.from({ length: spec.gpu.num_sms }, () => []);
  partitions.forEach(({ sms }, i) => sms.forEach((sm) => ownersOf[sm]?.push(i)));
  return {
    names: partitions.map(({ name }) => name),
    ownersOf: ownersOf.map((owners) => (owners.length > 0 ? owners : [kNoPartition])),
  };
}

export const colorOfPartition = (i) => (i < 0 ? kNeutral : colorOf(kNumColors - 1 - (i % kNumColors)));

// "0–2, 7"
export function rangesOf(sms) {
  const ranges = [];
  for (const sm of [...sms].sort((a, b) => a - b)) {
    const last = ranges[ranges.length - 1];
    if (last && last[1] === sm - 1) last[1] = sm;
    else ranges.push([sm, sm]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}
