// SPDX-License-Identifier: Apache-2.0
// Static partitions of the SMs: which SM is in which, and their colours, which come from the far end of those that
// processes have.
import { colorOf, kNeutral, kNumColors } from "./palette.js";

export const kNoPartition = -1;

// {names, sms, ownerOf}: the SMs of each partition, and the partition of each SM; null without partitions.
export function partitionsOf({ scheduler, gpu }) {
  if (!scheduler.partitions?.length) return null;
  const ownerOf = new Array(gpu.num_sms).fill(kNoPartition);
  scheduler.partitions.forEach(({ sms }, i) => {
    for (const sm of sms) if (sm < ownerOf.length) ownerOf[sm] = i;
  });
  return {
    names: scheduler.partitions.map(({ name }) => name),
    sms: scheduler.partitions.map(({ sms }) => sms),
    ownerOf,
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
