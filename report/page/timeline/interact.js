// SPDX-License-Identifier: Apache-2.0
// Wheel, drag and keys on a chart; what is under the pointer is told beside it.
import { el } from "../base/dom.js";
import { describe } from "./describe.js";
import { kGutter } from "./layout.js";

const kWheelStep = 0.0015;
const kDragStarts = 3; // pixels

export class Interaction {
  // `onpick` gets {track, slice} or null.
  constructor(chart, onpick) {
    this.chart = chart;
    this.onpick = onpick;
    this.drag = null;
    this.tip = el("div", { class: "tip", role: "tooltip", hidden: true });
    chart.stage.append(this.tip);
    const on = (name, handler, options) =>
      chart.cursor.addEventListener(name, (event) => handler.call(this, event), options);
    on("wheel", this.wheel, { passive: false });
    on("pointerdown", this.press);
    on("pointermove", this.move);
    on("pointerup", this.release);
    on("pointerleave", this.leave);
    on("dblclick", (event) => chart.view.zoom(0.25, chart.timeAt(event.offsetX)));
    on("keydown", this.key);
  }

  get usAPixel() {
    return this.chart.view.span / (this.chart.width - kGutter);
  }

  wheel(event) {
    event.preventDefault();
    const { view } = this.chart;
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (isSideways) view.pan((event.deltaX || event.deltaY) * this.usAPixel);
    else view.zoom(Math.exp(event.deltaY * kWheelStep), this.chart.timeAt(Math.max(kGutter, event.offsetX)));
  }

  press(event) {
    if (event.button !== 0) return;
    this.chart.cursor.focus({ preventScroll: true });
    this.chart.cursor.setPointerCapture(event.pointerId);
    this.drag = {
      x: event.offsetX,
      from: this.chart.view.from,
      to: this.chart.view.to,
      isMeasuring: event.shiftKey,
      hasMoved: false,
    };
  }

  move(event) {
    const { drag, chart } = this;
    if (!drag) return this.hover(event);
    const moved = event.offsetX - drag.x;
    drag.hasMoved ||= Math.abs(moved) >= kDragStarts;
    if (!drag.hasMoved) return;
    this.tip.hidden = true;
    if (drag.isMeasuring) this.drawRange(drag.x, event.offsetX);
    else chart.view.show(drag.from - moved * this.usAPixel, drag.to - moved * this.usAPixel);
  }

  release(event) {
    const { drag, chart } = this;
    this.drag = null;
    this.clear();
    if (!drag) return;
    if (!drag.hasMoved) return this.onpick(chart.sliceAt(event.offsetX, event.offsetY));
    if (!drag.isMeasuring) return;
    const [from, to] = [chart.timeAt(drag.x), chart.timeAt(event.offsetX)].sort((a, b) => a - b);
    chart.view.show(from, to);
  }

  leave() {
    this.tip.hidden = true;
    if (!this.drag) this.clear();
  }

  hover(event) {
    const { chart } = this;
    this.drawRange(event.offsetX, event.offsetX + 1);
    const found = chart.sliceAt(event.offsetX, event.offsetY);
    this.tip.hidden = !found;
    if (!found) return;
    const { title, lines } = describe(chart.timeline, found.track, found.slice);
    this.tip.replaceChildren(el("strong", {}, title), ...lines.map((line) => el("div", {}, line)));
    const isRight = event.offsetX > chart.width * 0.65;
    this.tip.style.left = isRight ? "" : `${event.offsetX + 14}px`;
    this.tip.style.right = isRight ? `${chart.width - event.offsetX + 14}px` : "";
    this.tip.style.top = `${event.offsetY + 14}px`;
  }

  clear() {
    const { cursor } = this.chart;
    cursor.getContext("2d").clearRect(0, 0, cursor.width, cursor.height);
  }

  drawRange(a, b) {
    this.clear();
    const { cursor, ratio, height, colors } = this.chart;
    if (Math.min(a, b) < kGutter) return;
    const context = cursor.getContext("2d");
    context.fillStyle = colors.accent;
    context.globalAlpha = Math.abs(b - a) > 1 ? 0.25 : 0.7;
    context.fillRect(Math.min(a, b) * ratio, 0, Math.abs(b - a) * ratio, height * ratio);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { view } = this.chart;
    const actions = {
      ArrowLeft: () => view.pan(-0.1 * view.span),
      ArrowRight: () => view.pan(0.1 * view.span),
      a: () => view.pan(-0.1 * view.span),
      d: () => view.pan(0.1 * view.span),
      PageUp: () => view.pan(-view.span),
      PageDown: () => view.pan(view.span),
      "+": () => view.zoom(0.5),
      "=": () => view.zoom(0.5),
      w: () => view.zoom(0.5),
      "-": () => view.zoom(2),
      s: () => view.zoom(2),
      0: () => view.all(),
      Home: () => view.all(),
      Escape: () => this.onpick(null),
      n: () => this.step?.(1),
      p: () => this.step?.(-1),
    };
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
