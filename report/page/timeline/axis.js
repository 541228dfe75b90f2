// SPDX-License-Identifier: Apache-2.0
// The ruler above the tracks: round times, and how long a step is.
import { instant } from "../base/format.js";
import { niceStep } from "../base/statistics.js";

const kPixelsAStep = 110;

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
    const text = instant(i * step, step, Math.max(view.to, step));
    if (x + 4 + context.measureText(text).width <= right) context.fillText(text, x + 4, top + 4);
  }
}
