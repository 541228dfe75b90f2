// SPDX-License-Identifier: Apache-2.0
// Which row a track has, and what stands to its left. Sizes are CSS pixels.

export const kGutter = 148;
export const kAxisHeight = 26;
const kGroupGap = 10;

// Of a track: an SM that kernels share has several, which lie close together.
function smHeight(numSms, partsOfOne) {
  return Math.max(1, Math.floor(heightOfSm(numSms) / partsOfOne));
}

function heightOfSm(numSms) {
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

// [{track, y, height, label, room}], and the height of all; `room`: of the label. `shown`: a set of group names.
export function layOut(timeline, shown) {
  const tracksOfSms = timeline.tracks.filter((track) => track.group === "sm");
  const numSms = new Set(tracksOfSms.map((track) => track.index)).size;
  const partsOfOne = tracksOfSms.length / Math.max(1, numSms);
  const heights = { sm: smHeight(numSms, partsOfOne), runs: 14, kernels: 14, dma: 14, decisions: 14 };
  const rows = [];
  let y = kAxisHeight;
  let last = null;
  for (const { name, groups } of kGroups) {
    if (!shown.has(name)) continue;
    const tracks = timeline.tracks.filter(
      (track) => groups.includes(track.group) && (track.group === "sm" || track.count),
    );
    for (const [i, track] of tracks.entries()) {
      const isPart = (other) => track.group === "sm" && other?.group === "sm" && other.index === track.index;
      const label = isPart(tracks[i - 1]) ? "" : labelOf(track, timeline, last?.group === "runs");
      if (track.group === "runs" && last?.group === "kernels") y += 3;
      const height = heights[track.group];
      rows.push({ track, y, height, label, room: track.group === "sm" ? height * partsOfOne : height });
      const gap = partsOfOne > 1 && track.group === "sm" ? 1 : height > 8 ? 2 : 0;
      y += height + (isPart(tracks[i + 1]) ? 0 : gap);
      last = track;
    }
    if (tracks.length) y += kGroupGap;
  }
  return { rows, height: y };
}
