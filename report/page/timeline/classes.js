// SPDX-License-Identifier: Apache-2.0
// What colour a slice has: its class, and the colour of each class on this background.
import { colorOf, kNeutral, kNumColors, mixed, pixel, rgb } from "../base/palette.js";
import { isOfLaunch, kIdleByRule, kPhases } from "./data.js";

// How a class is drawn: its colour, hatched (contexts on the move), or faint (an SM
// that is being set up or taken, or is idle by rule; a kernel that waits).
export const kKinds = ["running", "moving contexts", "set-up, trap, drain"];
const kKindOfPhase = [2, 2, 0, 1, 2, 2, 1, 2, 0];
const kPhaseColors = ["#9498a0", "#8c2d19", "#4269d0", "#97bbf5", "#d9f0a3", "#efb118", "#ff725c", "#1f143d", "#18f0c0"];

function kernelIds(timeline) {
  const first = [];
  let next = 0;
  for (const kernels of timeline.kernels) {
    first.push(next);
    next += kernels.length;
  }
  return { first, count: next };
}

// By phase: those of the SMs; all else is idle or running.
function phaseClasses() {
  const of = (track, i) => (track.group === "sm" ? track.state[i] : track.state[i] ? 2 : 0);
  const parts = { parts: kPhases.slice(1), part: (c) => c - 1 };
  return { count: kPhaseColors.length, hex: (c) => kPhaseColors[c], kind: () => 0, of, ...parts };
}

// {count, hex(class), kind(class), of(track, slice), parts, part(class)} for "process", "kernel" or "phase"; `parts` are
// what an SM's time is told as, and the part of a class one of them. Slices of the same colour are of
// one class: there may be thousands of kernels, and sums are kept for each class.
export function makeClasses(timeline, colouring) {
  if (colouring === "phase") return phaseClasses();
  const { launches, colours } = timeline;
  const isByKernel = colouring === "kernel";
  const ids = kernelIds(timeline);
  const numColors = Math.min(kNumColors, isByKernel ? ids.count : 1 + Math.max(0, ...colours));
  const idOfLaunch = (launch) => {
    const process = Math.max(0, launches.process[launch]);
    return isByKernel ? ids.first[process] + launches.kernel[launch] : colours[process];
  };
  const colourOf = (track, i) => {
    if (track.group === "sm" || track.group === "kernels") return idOfLaunch(track.reference[i]) % numColors;
    if (isByKernel || track.group === "decisions") return numColors; // neutral
    return colours[track.group === "dma" ? track.reference[i] : track.index] % numColors;
  };
  const kindOf = (track, i) => {
    if (track.group === "sm") return kKindOfPhase[track.state[i]];
    return track.group === "kernels" && track.state[i] === 0 ? 2 : 0;
  };
  const withheld = numColors * kKinds.length + 2; // neutral and faint, as nothing else is
  return {
    count: kKinds.length * (numColors + 1),
    hex: (c) => (c < kKinds.length * numColors ? colorOf(Math.floor(c / kKinds.length)) : kNeutral),
    kind: (c) => c % kKinds.length,
    of: (track, i) => (isOfLaunch(track, i) ? colourOf(track, i) * kKinds.length + kindOf(track, i) : withheld),
    parts: [...kKinds, kIdleByRule],
    part: (c) => (c === withheld ? kKinds.length : c % kKinds.length),
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
