// SPDX-License-Identifier: Apache-2.0
// Numbers for people. What has no value is a dash.

export const kNone = "–";

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

export function number(value, digits = 2) {
  return isNumber(value) ? value.toFixed(digits) : kNone;
}

export function count(value) {
  return isNumber(value)
    ? Math.round(value)
        .toString()
        .replace(/\B(?=(\d{3})+$)/g, "\u202f")
    : kNone;
}

export function times(value) {
  return isNumber(value) ? `${value.toFixed(2)}\u00d7` : kNone;
}

export function percent(value, digits = 1) {
  return isNumber(value) ? `${(100 * value).toFixed(digits)} %` : kNone;
}

// In us, of any size; `digits` behind the point.
export function duration(us, digits = 2) {
  if (!isNumber(us)) return kNone;
  const size = Math.abs(us);
  if (size >= 1e6) return `${(us / 1e6).toFixed(digits)} s`;
  if (size >= 1e3) return `${(us / 1e3).toFixed(digits)} ms`;
  if (size >= 1 || us === 0) return `${us.toFixed(digits)} µs`;
  return `${(us * 1e3).toFixed(digits)} ns`;
}

// A moment in us, by digits that tell it from those `step` apart, in the unit that fits a time axis up to `end`.
export function instant(us, step, end) {
  const [unit, size] = end >= 2e6 ? ["s", 1e6] : end >= 2e3 ? ["ms", 1e3] : end >= 2 ? ["µs", 1] : ["ns", 1e-3];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  return `${(us / size).toFixed(Math.min(digits, 9))} ${unit}`;
}

export function bytes(value) {
  if (!isNumber(value)) return kNone;
  for (const [unit, size] of [
    ["GB", 1e9],
    ["MB", 1e6],
    ["kB", 1e3],
  ]) {
    if (value >= size) return `${(value / size).toFixed(1)} ${unit}`;
  }
  return `${value} B`;
}

// A measure of unknown size, short: 0.0123, 1.5, 1234, 2.5e+9. What is no number as it is.
export function short(value) {
  if (!isNumber(value)) return value === null || value === undefined ? kNone : String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) return value.toExponential(2).replace(/\.?0+e/, "e");
  return String(Number(value.toPrecision(size >= 1e4 ? 8 : 4)));
}

// The same where there is room: counts with all their digits.
export function measure(value) {
  return Number.isSafeInteger(value) && Math.abs(value) >= 1e4 ? count(value) : short(value);
}

export function difference(a, b) {
  if (!isNumber(a) || !isNumber(b) || a === 0) return kNone;
  const share = (b - a) / a;
  if (share === 0) return "equal";
  if (Math.abs(share) < 5e-5) return "under 0.01 %";
  return `${share > 0 ? "+" : "\u2212"}${(100 * Math.abs(share)).toFixed(Math.abs(share) < 0.1 ? 2 : 1)} %`;
}

export function scheduler(spec) {
  return ["fcfs", "npq"].includes(spec.policy) ? spec.policy : `${spec.policy} + ${spec.technique}`;
}
