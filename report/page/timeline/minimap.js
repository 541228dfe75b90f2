// SPDX-License-Identifier: Apache-2.0
// The whole run on a strip: the SMs' time by class, and the stretch that is shown. A drag moves that.
import { el } from "../base/dom.js";
import { addBetween } from "./coverage.js";
import { firstEndingAfter } from "./data.js";
import { kGutter } from "./layout.js";

const kHeight = 40;

export class Minimap {
  constructor(chart) {
    this.chart = chart;
    this.node = el("canvas", { class: "minimap", "aria-hidden": "true", height: kHeight });
    this.picture = document.createElement("canvas");
    const move = (event) => {
      if (event.buttons !== 1) return;
      const { view } = this.chart;
      const time = ((event.offsetX - kGutter) / (this.chart.width - kGutter)) * view.end;
      view.show(time - view.span / 2, time + view.span / 2);
    };
    this.node.addEventListener("pointerdown", (event) => {
      this.node.setPointerCapture(event.pointerId);
      move(event);
    });
    this.node.addEventListener("pointermove", move);
  }

  // After a change of size, colours or classes.
  prepare() {
    const { timeline, classes, colors, width } = this.chart;
    const columns = Math.max(1, Math.floor(width - kGutter));
    this.picture.width = columns;
    this.picture.height = kHeight;
    const context = this.picture.getContext("2d");
    const tracks = timeline.tracks.filter((track) => track.group === "sm");
    const span = (this.chart.view.end * timeline.mhz) / columns;
    const shares = new Float64Array(classes.count);
    const next = tracks.map(() => 0);
    for (let x = 0; x < columns; ++x) {
      shares.fill(0);
      tracks.forEach((track, t) => {
        const first = firstEndingAfter(track, x * span, next[t]);
        let last = firstEndingAfter(track, (x + 1) * span, first);
        next[t] = last;
        if (last < track.count && track.begin[last] < (x + 1) * span) ++last;
        addBetween(track, classes.count, first, last, x * span, (x + 1) * span, shares);
      });
      this.column(context, x, shares, span * tracks.length, colors);
    }
  }

  column(context, x, shares, whole, colors) {
    let y = kHeight;
    for (let c = 0; c < shares.length; ++c) {
      const height = (shares[c] / whole) * kHeight;
      if (height === 0) continue;
      context.fillStyle = colors.css[c];
      context.fillRect(x, y - height, 1, height);
      y -= height;
    }
  }

  draw() {
    const { view, width, ratio, colors } = this.chart;
    this.node.width = width * ratio;
    this.node.height = kHeight * ratio;
    this.node.style.height = `${kHeight}px`;
    const context = this.node.getContext("2d");
    context.scale(ratio, ratio);
    const room = width - kGutter;
    context.drawImage(this.picture, kGutter, 0, room, kHeight);
    const from = kGutter + (view.from / view.end) * room;
    const to = kGutter + (view.to / view.end) * room;
    context.fillStyle = colors.veil;
    context.fillRect(kGutter, 0, from - kGutter, kHeight);
    context.fillRect(to, 0, width - to, kHeight);
    context.strokeStyle = colors.accent;
    context.lineWidth = 2;
    context.strokeRect(from, 1, Math.max(2, to - from), kHeight - 2);
    context.fillStyle = colors.muted;
    context.font = "11px system-ui, sans-serif";
    context.fillText("all SMs, whole run", 4, kHeight / 2 + 4);
  }
}
