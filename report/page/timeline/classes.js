// SPDX-License-Identifier: Apache-2.0
// What colour a slice has: its class, and the colour of each class on this background.
import { colorOf, mixed, pixel, rgb } from "../base/palette.js";

// How a class is drawn: its colour, hatched (contexts on the move), or faint (an SM
// that is being set up or taken, a kernel that waits).
export const kKinds = ["running", "moving contexts", "set-up, trap, drain"];
const kKindOfPhase = [2, 2, 0, 1, 2, 2, 1];
const kPhaseColors = ["#9498a0", "#9c6b4e", "#4269d0", "#3ca951", "#a463f2", "#efb118", "#ff725c"];

function kernelIds(timeline) {
  const first = [];
  let next = 0;
  for (const kernels of timeline.kernels) {
    first.push(next);
    next += kernels.length;
  }
  return { first, count: next };
}

// {count, hex(class), kind(class), of(track, slice)} for "process", "kernel" or "phase".
export function makeClasses(timeline, colouring) {
  const { launches, processes } = timeline;
  if (colouring === "phase") {
    const of = (track, i) => (track.group === "sm" ? track.state[i] : track.state[i] ? 2 : 0);
    return { count: 7, hex: (c) => kPhaseColors[c], kind: () => 0, of };
  }
  const ids = kernelIds(timeline);
  const base = (launch) => {
    const process = Math.max(0, launches.process[launch]);
    return colouring === "kernel" ? ids.first[process] + launches.kernel[launch] : process;
  };
  const owner = (track, i) => {
    if (track.group === "runs") return colouring === "kernel" ? 0 : track.index;
    if (track.group === "dma") return colouring === "kernel" ? 0 : track.reference[i];
    return track.group === "decisions" ? 0 : base(track.reference[i]);
  };
  const kind = (track, i) => {
    if (track.group === "sm") return kKindOfPhase[track.state[i]];
    return track.group === "kernels" && track.state[i] === 0 ? 2 : 0;
  };
  return {
    count: 3 * Math.max(1, colouring === "kernel" ? ids.count : processes.length),
    hex: (c) => colorOf(Math.floor(c / 3)),
    kind: (c) => c % 3,
    of: (track, i) => owner(track, i) * 3 + kind(track, i),
  };
}

// Per class the colour of its pixels; `hatch` where every second stripe has another one.
export function pixelsOf(classes, background) {
  const solid = new Uint32Array(classes.count);
  const hatch = new Uint32Array(classes.count);
  for (let c = 0; c < classes.count; ++c) {
    const color = rgb(classes.hex(c));
    const kind = classes.kind(c);
    solid[c] = pixel(kind === 2 ? mixed(color, background, 0.38) : color);
    hatch[c] = kind === 1 ? pixel(mixed(color, background, 0.3)) : solid[c];
  }
  return { solid, hatch };
}
