// SPDX-License-Identifier: Apache-2.0
// Which row a track has, and what stands to its left. Sizes are CSS pixels.

export const kGutter = 148;
export const kAxisHeight = 26;
const kGroupGap = 10;

function smHeight(numSms) {
  if (numSms <= 20) return 22;
  return Math.max(5, Math.min(16, Math.floor(640 / numSms)));
}

const kGroups = [
  { name: "sms", groups: ["sm"] },
  { name: "kernels", groups: ["runs", "kernels"] },
  { name: "transfers", groups: ["dma"] },
  { name: "decisions", groups: ["decisions"] },
];

function labelOf(track, timeline, isFirstLane) {
  if (track.group === "sm") return `SM ${track.index}`;
  if (track.group === "runs") return timeline.processes[track.index];
  if (track.group === "dma") return track.index === 0 ? "copies to GPU" : "copies to host";
  if (track.group === "decisions") return "decisions";
  return isFirstLane ? "  kernels" : "";
}

// [{track, y, height, label, indented}], and the height of all. `shown`: a set of group names.
export function layOut(timeline, shown) {
  const numSms = timeline.tracks.filter((track) => track.group === "sm").length;
  const heights = { sm: smHeight(numSms), runs: 14, kernels: 14, dma: 14, decisions: 14 };
  const rows = [];
  let y = kAxisHeight;
  let last = null;
  for (const { name, groups } of kGroups) {
    if (!shown.has(name)) continue;
    const tracks = timeline.tracks.filter(
      (track) => groups.includes(track.group) && (track.group === "sm" || track.count),
    );
    for (const track of tracks) {
      const label = labelOf(track, timeline, last?.group === "runs");
      if (track.group === "runs" && last?.group === "kernels") y += 3;
      rows.push({ track, y, height: heights[track.group], label });
      y += heights[track.group] + (heights[track.group] > 8 ? 2 : 0);
      last = track;
    }
    if (tracks.length) y += kGroupGap;
  }
  return { rows, height: y };
}
