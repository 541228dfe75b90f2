// SPDX-License-Identifier: Apache-2.0
// A timeline with all that belongs to it: buttons, legend, what is shown, what is selected.
import { button, choice, el, toggle } from "../base/dom.js";
import { count, duration, instant, percent } from "../base/format.js";
import { colorOf } from "../base/palette.js";
import { colorOfPartition } from "../base/partitions.js";
import { Chart } from "./chart.js";
import { kKinds } from "./classes.js";
import { kIdleByRule, kPhases } from "./data.js";
import { describe } from "./describe.js";
import { Interaction } from "./interact.js";
import { partsOf, preemptionRow } from "./preemption_rows.js";
import { sharesOf } from "./shares.js";
import { View } from "./view.js";

const kKeys =
  "Wheel or + − to zoom, drag or ← → to pan, shift-drag to zoom into a stretch, 0 for all, n p for the next " +
  "or previous preemption, click for details";

const kMostEntries = 40; // of the legend; the pointer tells all names

export class TimelinePanel {
  constructor(timeline, { view = new View(timeline.end / timeline.mhz), label = "Timeline of the SMs" } = {}) {
    Object.assign(this, { timeline, view });
    this.chart = new Chart(timeline, view, `${label}. ${kKeys}`);
    this.interaction = new Interaction(this.chart, (found) => this.pick(found));
    this.interaction.step = (direction) => this.stepPreemption(direction);
    this.legend = el("div", { class: "legend" });
    this.window = el("div", { class: "window", "aria-live": "polite" });
    this.details = el("div", { class: "details", "aria-live": "polite" });
    this.preemption = -1;
    view.onchange(() => this.tellSoon());
    this.node = el(
      "div",
      { class: "timeline" },
      this.tools(),
      this.legend,
      this.chart.node,
      this.window,
      this.details,
      el("p", { class: "hint" }, kKeys, "."),
      this.warning(),
    );
    this.recolour("process");
    this.tell();
  }

  tools() {
    const { chart, view } = this;
    const groups = [
      ["kernels", "kernels"],
      ["transfers", "copies"],
      ["decisions", "decisions"],
    ];
    return el(
      "div",
      { class: "tools", role: "group", "aria-label": "Timeline controls" },
      button("−", "Zoom out", () => view.zoom(2)),
      button("+", "Zoom in", () => view.zoom(0.5)),
      button("all", "Show all of the run", () => view.all()),
      button("‹ preemption", "Previous preemption", () => this.stepPreemption(-1)),
      button("preemption ›", "Next preemption", () => this.stepPreemption(1)),
      choice(
        "colour by",
        [
          ["process", "process"],
          ["kernel", "kernel"],
          ["phase", "phase"],
        ],
        "process",
        (value) => this.recolour(value),
      ),
      groups.map(([name, text]) => toggle(text, chart.shown.has(name), (isShown) => chart.show(name, isShown))),
    );
  }

  warning() {
    if (this.timeline.isWhole) return null;
    const end = duration(this.timeline.end / this.timeline.mhz);
    return el(
      "p",
      { class: "note" },
      `The log ${this.timeline.file} ends at ${end}, before the run does `,
      "(--trace-limit sets another size): what follows is not drawn.",
    );
  }

  recolour(colouring) {
    this.chart.colourBy(colouring);
    const { processes, kernels, colours } = this.timeline;
    const names = {
      process: () => processes,
      kernel: () => processes.flatMap((process, i) => kernels[i].map((name) => `${process}/${name}`)),
      phase: () => kPhases,
    }[colouring]();
    const hex = {
      process: (i) => colorOf(colours[i]),
      kernel: colorOf,
      phase: (i) => this.chart.classes.hex(i),
    }[colouring];
    const isPhase = colouring === "phase";
    const entry = (hex, style, text) =>
      el(
        "span",
        { class: "entry" },
        el("span", { class: `sample ${style}`, style: `--sample: ${hex}`, "aria-hidden": "true" }),
        text,
      );
    const entries = names.slice(0, kMostEntries).map((name, i) => entry(hex(i), "", name));
    if (names.length > kMostEntries)
      entries.push(el("span", { class: "note" }, `and ${count(names.length - kMostEntries)} more`));
    if (!isPhase)
      entries.push(
        entry("var(--muted)", "hatched", kKinds[1]),
        entry("var(--muted)", "faint", `${kKinds[2]}, ${kIdleByRule}`),
      );
    this.legend.replaceChildren(...entries, ...this.realTimeEntries());
    this.tell();
  }

  // Bands and marks, where there are some.
  realTimeEntries() {
    const { partitions, releases } = this.timeline;
    const entry = (sample, text) => el("span", { class: "entry" }, sample, text);
    const band = (i) =>
      el("span", { class: "sample band", style: `--sample: ${colorOfPartition(i)}`, "aria-hidden": "true" });
    const entries = (partitions?.names ?? [])
      .slice(0, kMostEntries)
      .map((name, i) => entry(band(i), `partition ${name}`));
    const mark = (text, kind) => el("span", { class: `release ${kind}`, "aria-hidden": "true" }, text);
    if (releases.some(({ count }) => count > 0)) entries.push(entry(mark("▲", ""), "released"));
    if (releases.some(({ due }) => due.some(Number.isFinite)))
      entries.push(entry(mark("▼", ""), "due"), entry(mark("▼", "bad"), "due, and missed"));
    return entries;
  }

  tellSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell(), 120);
  }

  // The window in numbers.
  tell() {
    const { view, chart } = this;
    const { shares, whole } = sharesOf(chart);
    const { parts, part } = chart.classes;
    const times = parts.map((_, i) => shares.reduce((sum, time, c) => sum + (part(c) === i ? time : 0), 0));
    const idle = Math.max(0, whole - times.reduce((a, b) => a + b, 0));
    // Few runs have a rule that keeps SMs idle.
    const told = [...parts.map((name, i) => [name, times[i]]), ["idle", idle]];
    const texts = told
      .filter(([name, time]) => name !== kIdleByRule || time > 0)
      .map(([name, time]) => `${name} ${percent(time / whole)}`);
    const at = (us) => instant(us, view.span / 1000, view.to);
    this.window.textContent = `${at(view.from)} to ${at(view.to)} (${duration(view.span, 3)}): SM time ${texts.join(", ")}`;
  }

  pick(found) {
    if (!found) {
      this.chart.select(null);
      this.details.replaceChildren();
      return;
    }
    const { track, slice } = found;
    this.chart.select({ track, begin: track.begin[slice], end: track.end[slice] });
    const { title, lines } = describe(this.timeline, track, slice);
    const zoomTo = () => {
      const [from, to] = [track.begin[slice], track.end[slice]].map((cycles) => cycles / this.timeline.mhz);
      this.view.show(from - (to - from), to + (to - from));
    };
    this.details.replaceChildren(
      el("strong", {}, title),
      ` ${lines.join("; ")} `,
      button("zoom to it", "Zoom to the selected slice", zoomTo),
    );
  }

  // From the one that was told last, or else the first (backwards: the last) in the window.
  stepPreemption(direction) {
    const { requested, count: total } = this.timeline.preemptions;
    if (total === 0) {
      this.details.replaceChildren("There is no preemption in the log.");
      return;
    }
    const [from, to] = [this.view.from, this.view.to].map((us) => us * this.timeline.mhz);
    const isShown = requested[this.preemption] >= from && requested[this.preemption] <= to;
    const first = requested.findIndex((cycle) => cycle >= from);
    const nearest = direction > 0 ? (first < 0 ? total - 1 : first) : requested.findLastIndex((cycle) => cycle <= to);
    const next = isShown ? this.preemption + direction : nearest;
    this.showPreemption(Math.min(Math.max(next, 0), total - 1));
  }

  // Around it, its SM marked.
  showPreemption(i) {
    this.preemption = i;
    const { requested, sm, wait, movement, channel, count: total } = this.timeline.preemptions;
    const [begin, end] = [requested[i], requested[i] + wait[i] + movement[i] + channel[i]];
    const [from, to] = [begin, end].map((cycles) => cycles / this.timeline.mhz);
    const around = Math.max(3 * (to - from), 2.5);
    this.view.show((from + to) / 2 - around, (from + to) / 2 + around);
    const track = this.timeline.tracks.find((each) => each.group === "sm" && each.index === sm[i]);
    this.chart.select({ track, begin, end });
    const row = preemptionRow(this.timeline, i);
    const parts = partsOf([row]).map(({ name }) => `${name} ${duration(row[name], 3)}`);
    this.details.replaceChildren(
      el("strong", {}, `Preemption ${count(i + 1)} of ${count(total)}`),
      ` SM ${row.sm} from ${row.victim} for ${row.beneficiary}, ${duration(row.latency, 3)} (${parts.join(", ")})`,
    );
  }
}
