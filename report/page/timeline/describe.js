// SPDX-License-Identifier: Apache-2.0
// What a slice is, in words: for the tooltip, the selection and screen readers.
import { duration, instant } from "../base/format.js";
import { isOfLaunch, kPhases, nameOfLaunch, ownerOfShared } from "./data.js";

function subject(timeline, track, i) {
  const reference = track.reference[i];
  if (track.group === "sm") {
    const what = `SM ${track.index}: ${kPhases[track.state[i]]}`;
    return [isOfLaunch(track, i) ? nameOfLaunch(timeline, reference) : "nobody", what];
  }
  if (track.group === "kernels") return [nameOfLaunch(timeline, reference), track.state[i] ? "active" : "waiting"];
  if (track.group === "runs") return [timeline.processes[track.index], `run ${reference}`];
  if (track.group === "dma")
    return [timeline.processes[reference], track.index ? "copy to the host" : "copy to the GPU"];
  return ["scheduler", "decision"];
}

// When a run was released and due, if it was.
function release(timeline, process, run) {
  const { at, due, missed, run: runs } = timeline.releases[process];
  const found = runs.indexOf(run);
  if (found < 0) return [];
  const time = (cycles) => instant(cycles / timeline.mhz, 1 / timeline.mhz, cycles / timeline.mhz);
  const lines = [`released at ${time(at[found])}`];
  if (due[found] < Infinity) lines.push(`due at ${time(due[found])}${missed[found] ? ", missed" : ""}`);
  return lines;
}

// {title, lines}
export function describe(timeline, track, i) {
  const [title, what] = subject(timeline, track, i);
  const cycles = track.end[i] - track.begin[i];
  const begin = track.begin[i] / timeline.mhz;
  const lines = [
    what,
    `from ${instant(begin, 1 / timeline.mhz, begin)} for ${duration(cycles / timeline.mhz, 3)}`,
    `cycle ${track.begin[i]}, ${cycles} cycles`,
  ];
  if (["sm", "kernels"].includes(track.group) && isOfLaunch(track, i)) {
    lines.push(`launch ${track.reference[i]}, run ${timeline.launches.run[track.reference[i]] ?? "?"}`);
  }
  if (track.group === "runs") lines.push(...release(timeline, track.index, track.reference[i]));
  if (track.group === "sm" && timeline.partitions) {
    const { names, ownersOf } = timeline.partitions;
    lines.push(`partition ${ownersOf[track.index].map((owner) => names[owner] ?? "none").join(", ")}`);
  }
  const owner = ownerOfShared(track, i);
  if (owner >= 0) lines.push(`beside ${nameOfLaunch(timeline, owner)}`);
  return { title, lines };
}
