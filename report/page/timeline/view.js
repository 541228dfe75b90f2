// SPDX-License-Identifier: Apache-2.0
// The stretch of time that is shown, in us. Timelines that share a view move together.

const kShortest = 0.01;

export class View {
  constructor(end) {
    this.end = Math.max(end, kShortest);
    this.from = 0;
    this.to = this.end;
    this.listeners = [];
  }

  get span() {
    return this.to - this.from;
  }

  onchange(listener) {
    this.listeners.push(listener);
  }

  show(from, to) {
    const span = Math.min(Math.max(to - from, kShortest), this.end);
    const middle = (from + to) / 2;
    this.from = Math.min(Math.max(middle - span / 2, 0), this.end - span);
    this.to = this.from + span;
    for (const listener of this.listeners) listener();
  }

  pan(us) {
    this.show(this.from + us, this.to + us);
  }

  // `around` stays where it is.
  zoom(factor, around = (this.from + this.to) / 2) {
    const span = Math.min(Math.max(this.span * factor, kShortest), this.end);
    const from = around - ((around - this.from) / this.span) * span;
    this.show(from, from + span);
  }

  all() {
    this.show(0, this.end);
  }
}
