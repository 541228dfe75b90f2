// SPDX-License-Identifier: Apache-2.0
// The ruler above the tracks: round times, and how long a step is.
import { niceStep } from "../base/statistics.js";

const kPixelsAStep = 110;

// Digits that tell neighbouring steps apart, in the unit that fits the whole view.
export function timeText(us, step, span) {
  const [unit, size] = span >= 2e6 ? ["s", 1e6] : span >= 2e3 ? ["ms", 1e3] : span >= 2 ? ["µs", 1] : ["ns", 1e-3];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  return `${(us / size).toFixed(Math.min(digits, 9))} ${unit}`;
}

export function drawAxis(context, view, { left, right, top, bottom }, colors) {
  const usAPixel = view.span / (right - left);
  const step = niceStep(usAPixel * kPixelsAStep);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "top";
  context.textAlign = "left";
  for (let i = Math.ceil(view.from / step); i * step <= view.to; ++i) {
    const x = left + (i * step - view.from) / usAPixel;
    context.fillStyle = colors.grid;
    context.fillRect(Math.round(x), top, 1, bottom - top);
    context.fillStyle = colors.muted;
    const text = timeText(i * step, step, Math.max(view.to, step));
    if (x + 4 + context.measureText(text).width <= right) context.fillText(text, x + 4, top + 4);
  }
}
