// SPDX-License-Identifier: Apache-2.0
// Draws a track into pixels. A column in which much happens is divided among the classes by their time, so that what
// is shorter than a pixel is merged and nothing is left out; the work depends on the columns, not on the slices.
import { firstEndingAfter } from "./data.js";
import { addBetween } from "./coverage.js";

const kStripe = 3; // pixels

function fillColumns(canvas, x0, x1, y0, y1, solid, hatch) {
  const { pixels, width } = canvas;
  for (let y = y0; y < y1; ++y) {
    const row = y * width;
    if (solid === hatch) {
      pixels.fill(solid, row + x0, row + x1);
    } else {
      for (let x = x0; x < x1; ++x) pixels[row + x] = Math.floor((x + y) / kStripe) % 2 === 0 ? solid : hatch;
    }
  }
}

// From below, each class by its share; idle time stays free. What happens at all gets a pixel.
function fillMixed(canvas, x, y0, y1, shares, span, colors) {
  const height = y1 - y0;
  let sum = 0;
  let bottom = y1;
  let largest = 0;
  for (let c = 0; c < shares.length; ++c) {
    if (shares[c] === 0) continue;
    sum += shares[c];
    if (shares[c] > shares[largest]) largest = c;
    const top = y1 - Math.round((sum / span) * height);
    if (top < bottom) fillColumns(canvas, x, x + 1, top, bottom, colors.solid[c], colors.hatch[c]);
    bottom = Math.min(bottom, top);
  }
  if (bottom === y1 && sum > 0) fillColumns(canvas, x, x + 1, y1 - 1, y1, colors.solid[largest], colors.solid[largest]);
}

// `canvas`: {pixels, width}; columns x0 .. x1 show [from, to); rows y0 .. y1.
export function drawTrack(canvas, track, { x0, x1, y0, y1, from, to }, numClasses, colors) {
  const cyclesAColumn = (to - from) / (x1 - x0);
  const shares = new Float64Array(numClasses);
  const column = (time) => x0 + Math.floor((time - from) / cyclesAColumn);
  let slice = firstEndingAfter(track, from);
  for (let x = x0; x < x1 && slice < track.count;) {
    const start = from + (x - x0) * cyclesAColumn;
    const stop = start + cyclesAColumn;
    if (track.end[slice] <= start) slice = firstEndingAfter(track, start, slice);
    if (slice === track.count) return;
    if (track.begin[slice] >= stop) {
      x = Math.max(x + 1, column(track.begin[slice]));
    } else if (track.begin[slice] <= start && track.end[slice] >= stop) {
      const next = Math.min(x1, Math.max(x + 1, column(track.end[slice])));
      const c = track.class[slice];
      fillColumns(canvas, x, next, y0, y1, colors.solid[c], colors.hatch[c]);
      x = next;
    } else {
      let last = firstEndingAfter(track, stop, slice);
      if (last < track.count && track.begin[last] < stop) ++last;
      shares.fill(0);
      addBetween(track, numClasses, slice, last, start, stop, shares);
      fillMixed(canvas, x, y0, y1, shares, cyclesAColumn, colors);
      ++x;
    }
  }
}
