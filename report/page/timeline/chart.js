// SPDX-License-Identifier: Apache-2.0
// The canvas of a timeline: tracks as pixels, names and ruler above them, a cursor on a canvas of its own.
import { el } from "../base/dom.js";
import { inkOn, mixed, rgb } from "../base/palette.js";
import { color, onTheme } from "../base/theme.js";
import { drawAxis } from "./axis.js";
import { drawBands } from "./bands.js";
import { makeClasses, pixelsOf } from "./classes.js";
import { addCoverage } from "./coverage.js";
import { firstEndingAfter, isOfLaunch, kIdleByRule, nameOfLaunch, ownerOfShared } from "./data.js";
import { kAxisHeight, kGutter, layOut } from "./layout.js";
import { drawMarks } from "./marks.js";
import { Minimap } from "./minimap.js";
import { drawTrack } from "./raster.js";

const kMostNames = 400; // in a row; beyond, no slice has room for its name

export class Chart {
  constructor(timeline, view, label) {
    Object.assign(this, { timeline, view, width: 0, ratio: 1, selected: null, frameTimes: [] });
    this.colouring = "process";
    this.shown = new Set(["sms", "kernels", "transfers"]);
    this.canvas = el("canvas", {});
    this.cursor = el("canvas", { class: "cursor", tabindex: 0, role: "application", "aria-label": label });
    this.stage = el("div", { class: "stage" }, this.canvas, this.cursor);
    this.minimap = new Minimap(this);
    this.node = el("div", { class: "chart" }, this.minimap.node, this.stage);
    this.reclass();
    view.onchange(() => this.ask());
    onTheme(() => this.repaint());
    addEventListener("beforeprint", () => this.draw()); // in the colours of paper, now: no frame comes before it is printed
    new ResizeObserver(() => this.resize()).observe(this.node);
  }

  colourBy(colouring) {
    this.colouring = colouring;
    this.reclass();
    this.repaint();
  }

  show(group, isShown) {
    if (isShown) this.shown.add(group);
    else this.shown.delete(group);
    this.relayout();
  }

  select(selected) {
    this.selected = selected;
    this.ask();
  }

  // ---- what changes seldom ----

  reclass() {
    this.classes = makeClasses(this.timeline, this.colouring);
    for (const track of this.timeline.tracks) addCoverage(track, this.classes);
  }

  recolor() {
    const background = rgb(color("track"));
    const css = [];
    for (let c = 0; c < this.classes.count; ++c) {
      const share = [1, 0.65, 0.38][this.classes.kind(c)];
      css.push(`rgb(${mixed(rgb(this.classes.hex(c)), background, share).join(" ")})`);
    }
    this.colors = { ...pixelsOf(this.classes, background), css };
    for (const name of ["text", "muted", "grid", "accent", "track", "panel", "veil", "bad"])
      this.colors[name] = color(name);
  }

  repaint() {
    if (this.width === 0) return;
    this.recolor();
    this.minimap.prepare();
    this.ask();
  }

  resize() {
    const width = Math.floor(this.node.clientWidth);
    if (width < kGutter + 50 || width === this.width) return;
    this.width = width;
    this.ratio = Math.min(2, devicePixelRatio || 1);
    this.relayout();
    this.repaint();
  }

  relayout() {
    Object.assign(this, layOut(this.timeline, this.shown));
    for (const canvas of [this.canvas, this.cursor]) {
      canvas.width = this.width * this.ratio;
      canvas.height = this.height * this.ratio;
      canvas.style.width = `${this.width}px`;
      canvas.style.height = `${this.height}px`;
    }
    this.stage.style.height = `${this.height}px`;
    this.ask();
  }

  // ---- a frame ----

  ask() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      this.draw();
    });
  }

  draw() {
    if (this.width === 0 || !this.colors) return;
    const start = performance.now();
    this.drawTracks();
    this.drawTexts();
    this.minimap.draw();
    this.frameTimes.push(performance.now() - start);
    if (this.frameTimes.length > 1000) this.frameTimes.shift();
  }

  drawTracks() {
    const { ratio, timeline, view, rows, classes, colors } = this;
    const context = this.canvas.getContext("2d");
    const x0 = Math.round(kGutter * ratio);
    const width = this.canvas.width;
    context.clearRect(0, 0, width, this.canvas.height);
    const image = context.createImageData(width, Math.max(1, this.canvas.height - kAxisHeight * ratio));
    const canvas = { pixels: new Uint32Array(image.data.buffer), width };
    const background = new Uint32Array(new Uint8Array([...rgb(colors.track), 255]).buffer)[0];
    const times = { from: view.from * timeline.mhz, to: view.to * timeline.mhz };
    for (const { track, y, height } of rows) {
      const y0 = Math.round((y - kAxisHeight) * ratio);
      const y1 = Math.round((y - kAxisHeight + height) * ratio);
      for (let line = y0; line < y1; ++line) canvas.pixels.fill(background, line * width + x0, (line + 1) * width);
      drawTrack(canvas, track, { x0, x1: width, y0, y1, ...times }, classes.count, colors);
    }
    context.putImageData(image, 0, Math.round(kAxisHeight * ratio));
  }

  drawTexts() {
    const context = this.canvas.getContext("2d");
    context.save();
    context.scale(this.ratio, this.ratio);
    const place = { left: kGutter, right: this.width, top: 0, bottom: this.height };
    drawAxis(context, this.view, { ...place, bottom: kAxisHeight }, this.colors);
    context.textBaseline = "middle";
    for (const row of this.rows) {
      this.drawLabel(context, row);
      if (row.height >= 12) this.drawNames(context, row);
    }
    this.drawRealTime(context);
    if (this.selected) this.drawSelection(context);
    context.restore();
  }

  // Partitions of the SMs, and when runs are released and due.
  drawRealTime(context) {
    const { timeline, view, rows, width, colors } = this;
    if (timeline.partitions) drawBands(context, rows, timeline.partitions, colors);
    const window = { from: view.from * timeline.mhz, to: view.to * timeline.mhz, width };
    for (const row of rows) {
      if (row.track.group === "runs") drawMarks(context, timeline.releases[row.track.index], row, window, colors);
    }
  }

  // Rows that are lower than a letter: every eighth SM's.
  drawLabel(context, { label, track, y, room }) {
    if (room < 10 && track.index % 8 !== 0) return;
    context.fillStyle = label.startsWith(" ") ? this.colors.muted : this.colors.text;
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "left";
    let text = label;
    while (text.length > 3 && context.measureText(text).width > kGutter - 12) text = `${text.slice(0, -2)}…`;
    context.fillText(text, 4, y + room / 2);
  }

  drawNames(context, { track, y, height }) {
    const { timeline, view } = this;
    const from = view.from * timeline.mhz;
    const to = view.to * timeline.mhz;
    const scale = (this.width - kGutter) / (to - from);
    const first = firstEndingAfter(track, from);
    const last = firstEndingAfter(track, to, first);
    if (track.group === "decisions" || last - first > kMostNames) return;
    context.font = "11px system-ui, sans-serif";
    for (let i = first; i <= last && i < track.count; ++i) {
      const left = Math.max(kGutter, kGutter + (track.begin[i] - from) * scale);
      const right = Math.min(this.width, kGutter + (track.end[i] - from) * scale);
      if (right - left < 4) continue;
      context.fillStyle = this.colors.panel; // where one ends and the next begins
      if (left > kGutter) context.fillRect(left, y, 1, height);
      if (right - left < 34) continue;
      const name = this.nameOf(track, i);
      if (context.measureText(name).width + 8 > right - left) continue;
      context.fillStyle =
        this.classes.kind(track.class[i]) === 0 ? inkOn(this.classes.hex(track.class[i])) : this.colors.text;
      context.fillText(name, left + 4, y + height / 2 + 0.5);
    }
  }

  nameOf(track, i) {
    if (track.group === "runs") return `run ${track.reference[i]}`;
    if (track.group === "dma") return this.timeline.processes[track.reference[i]];
    const name = isOfLaunch(track, i) ? nameOfLaunch(this.timeline, track.reference[i]) : kIdleByRule;
    const kernel = name.slice(name.indexOf("/") + 1);
    const owner = ownerOfShared(track, i);
    return owner < 0 ? kernel : `${kernel} beside ${nameOfLaunch(this.timeline, owner)}`;
  }

  drawSelection(context) {
    const row = this.rows.find((each) => each.track === this.selected.track);
    if (!row) return;
    const { begin, end } = this.selected;
    const at = (cycles) =>
      kGutter + ((cycles / this.timeline.mhz - this.view.from) / this.view.span) * (this.width - kGutter);
    const left = Math.max(kGutter, at(begin));
    const right = Math.min(this.width, at(end));
    if (right < kGutter || left > this.width) return;
    context.strokeStyle = this.colors.text;
    context.lineWidth = 2;
    context.strokeRect(left - 1, row.y - 1, Math.max(2, right - left) + 2, row.height + 2);
  }

  // ---- places ----

  timeAt(x) {
    return this.view.from + ((x - kGutter) / (this.width - kGutter)) * this.view.span;
  }

  // {track, slice} at a point of the canvas; a slice that is narrower than two pixels is caught beside it.
  sliceAt(x, y) {
    const row = this.rows.find((each) => y >= each.y && y < each.y + each.height + 1);
    if (!row || x < kGutter) return null;
    const { track } = row;
    const reach = (2 * this.view.span * this.timeline.mhz) / (this.width - kGutter);
    const time = this.timeAt(x) * this.timeline.mhz;
    const slice = firstEndingAfter(track, time);
    if (slice < track.count && track.begin[slice] <= time) return { track, slice };
    const beside = firstEndingAfter(track, time - reach);
    return beside < track.count && track.begin[beside] <= time + reach ? { track, slice: beside } : null;
  }
}
