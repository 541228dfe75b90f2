// SPDX-License-Identifier: Apache-2.0
// Marks on the runs of a process: released (a triangle from below), due (one from above; red, where it was missed).
import { kGutter } from "./layout.js";

const kClosest = 7; // pixels between marks; only missed deadlines are never left out
const kHalf = 3.5;
const kTall = 5;

// The first of `times` at or after `time`.
function firstFrom(times, count, time) {
  let low = 0;
  for (let high = count; low < high;) {
    const middle = (low + high) >> 1;
    if (times[middle] >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}

function drawMark(context, x, { y, height }, isDue, isMissed, colors) {
  const tip = isDue ? y + kTall : y + height - kTall;
  const line = isMissed ? 2 : 1;
  if (isMissed) {
    context.fillStyle = colors.panel; // red is seen on any slice
    context.fillRect(x - line, y - 1, 2 * line, height + 2);
  }
  const foot = isDue ? y - 1 : y + height + 1;
  context.beginPath();
  context.moveTo(x, tip);
  context.lineTo(x - kHalf, foot);
  context.lineTo(x + kHalf, foot);
  context.closePath();
  context.strokeStyle = colors.panel;
  context.lineWidth = 2;
  context.stroke();
  context.fillStyle = isMissed ? colors.bad : colors.text;
  context.fill();
  context.fillRect(x - line / 2, y - 1, line, height + 2);
}

// `times`: of marks, in order; `isMissed(i)`.
function drawAll(context, times, count, window, row, isDue, isMissed, colors) {
  const { from, to, width } = window;
  const scale = (width - kGutter) / (to - from);
  let last = -Infinity;
  let lastMissed = -Infinity;
  for (let i = firstFrom(times, count, from); i < count && times[i] <= to; ++i) {
    const x = kGutter + (times[i] - from) * scale;
    const missed = isDue && isMissed(i);
    const isFree = x - last >= kClosest || (missed && x - lastMissed >= 1);
    if (!isFree) continue;
    drawMark(context, x, row, isDue, missed, colors);
    last = x;
    if (missed) lastMissed = x;
  }
}

// `row`: of a process's runs; `window`: {from, to} in cycles, and the canvas's width.
export function drawMarks(context, releases, row, window, colors) {
  const { at, due, missed, count } = releases;
  drawAll(context, at, count, window, row, false, null, colors);
  drawAll(context, due, count, window, row, true, (i) => missed[i] === 1, colors);
}
