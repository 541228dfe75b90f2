// SPDX-License-Identifier: Apache-2.0
// What the SMs' time in the visible window went to: the numbers behind the picture.
import { addBetween } from "./coverage.js";
import { firstEndingAfter } from "./data.js";

// [class's time], and the time of all SMs, in cycles.
export function sharesOf(chart) {
  const { timeline, view, classes } = chart;
  const from = view.from * timeline.mhz;
  const to = view.to * timeline.mhz;
  const shares = new Float64Array(classes.count);
  const tracks = timeline.tracks.filter((track) => track.group === "sm");
  for (const track of tracks) {
    const first = firstEndingAfter(track, from);
    let last = firstEndingAfter(track, to, first);
    if (last < track.count && track.begin[last] < to) ++last;
    addBetween(track, classes.count, first, last, from, to, shares);
  }
  return { shares, whole: (to - from) * tracks.length };
}
