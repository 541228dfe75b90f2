// SPDX-License-Identifier: Apache-2.0
// A timeline with all that belongs to it: buttons, legend, what is shown, what is selected.
import { button, choice, el, toggle } from "../base/dom.js";
import { count, duration, percent } from "../base/format.js";
import { colorOf } from "../base/palette.js";
import { Chart } from "./chart.js";
import { kKinds, makeClasses } from "./classes.js";
import { kPhases, nameOfLaunch } from "./data.js";
import { describe } from "./describe.js";
import { Interaction } from "./interact.js";
import { sharesOf } from "./shares.js";
import { View } from "./view.js";

const kKeys =
  "Wheel or + − to zoom, drag or ← → to pan, shift-drag to zoom into a stretch, 0 for all, n p for the next " +
  "or previous preemption, click for details";

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
    const names = {
      process: () => this.timeline.processes,
      kernel: () =>
        this.timeline.processes.flatMap((process, i) => this.timeline.kernels[i].map((name) => `${process}/${name}`)),
      phase: () => kPhases,
    }[colouring]();
    const classes = makeClasses(this.timeline, colouring);
    const sample = (hex, style = "") =>
      el("span", { class: `sample ${style}`, style: `--sample: ${hex}`, "aria-hidden": "true" });
    const entries = names.map((name, i) => [sample(colouring === "phase" ? classes.hex(i) : colorOf(i)), name]);
    const kinds =
      colouring === "phase"
        ? []
        : [
            [sample("var(--muted)", "hatched"), kKinds[1]],
            [sample("var(--muted)", "faint"), kKinds[2]],
          ];
    this.legend.replaceChildren(...[...entries, ...kinds].map((entry) => el("span", { class: "entry" }, entry)));
    this.tell();
  }

  tellSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell(), 120);
  }

  // The window in numbers.
  tell() {
    const { view, chart } = this;
    const { shares, whole } = sharesOf(chart);
    const parts = [];
    if (chart.colouring !== "phase") {
      const step = 3;
      const byKind = [0, 1, 2].map((kind) =>
        shares.reduce((sum, value, c) => sum + (c % step === kind ? value : 0), 0),
      );
      parts.push(...byKind.map((value, kind) => `${kKinds[kind]} ${percent(value / whole)}`));
      parts.push(`idle ${percent(1 - byKind.reduce((a, b) => a + b, 0) / whole)}`);
    } else {
      shares.forEach((value, c) => value > 0 && parts.push(`${kPhases[c]} ${percent(value / whole)}`));
    }
    this.window.textContent = `${duration(view.from, 3)} to ${duration(view.to, 3)} (${duration(view.span, 3)}): SM time ${parts.join(", ")}`;
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

  stepPreemption(direction) {
    const { requested, count: total } = this.timeline.preemptions;
    if (total === 0) {
      this.details.replaceChildren("There is no preemption in the log.");
      return;
    }
    const middle = ((this.view.from + this.view.to) / 2) * this.timeline.mhz;
    let next = this.preemption + direction;
    if (this.preemption < 0)
      next =
        direction > 0
          ? requested.findIndex((cycle) => cycle >= middle)
          : requested.findLastIndex((cycle) => cycle <= middle);
    this.showPreemption(Math.min(Math.max(next, 0), total - 1));
  }

  // Around it, its SM marked.
  showPreemption(i) {
    this.preemption = i;
    const list = this.timeline.preemptions;
    const begin = list.requested[i];
    const end = begin + list.wait[i] + list.movement[i] + list.channel[i];
    const us = (cycles) => cycles / this.timeline.mhz;
    const width = Math.max(us(end - begin) * 6, 5);
    this.view.show(us((begin + end) / 2) - width / 2, us((begin + end) / 2) + width / 2);
    const track = this.timeline.tracks.find((each) => each.group === "sm" && each.index === list.sm[i]);
    this.chart.select({ track, begin, end });
    const name = (launch) => nameOfLaunch(this.timeline, launch);
    this.details.replaceChildren(
      el("strong", {}, `Preemption ${count(i + 1)} of ${count(list.count)}`),
      ` SM ${list.sm[i]} from ${name(list.victim[i])} for ${name(list.beneficiary[i])}, ${duration(us(end - begin), 3)}`,
    );
  }
}
