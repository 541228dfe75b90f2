// SPDX-License-Identifier: Apache-2.0
// From a column's values to places on an axis: linear, logarithmic, or one place a label.
import { short } from "../base/format.js";
import { extent, ticks } from "../base/statistics.js";

const kMostValues = 8; // of an axis of the sweep; each of them is a tick then
const kMostPowers = 8; // that are ticks
const kRounding = 1e-9; // of its size: numbers that differ by less are equal, but for the last digits of their sums

function logTicks(low, high) {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const every = Math.ceil((last - first) / kMostPowers);
  const digits = last - first > 3 ? [1] : [1, 2, 5];
  const list = [];
  for (let power = first; power <= last; power += every) list.push(...digits.map((digit) => digit * 10 ** power));
  return list.filter((value) => value >= low * 0.999 && value <= high * 1.001);
}

// Of numbers that are equal, some room on either side.
function rangeOf(numbers) {
  if (numbers.length === 0) return [0, 1];
  const [low, high] = extent(numbers);
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > size * kRounding) return [low, high];
  return size === 0 ? [-1, 1] : [low - size / 10, high + size / 10];
}

// {at(number), ticks: [[number, text]], isLog}: `at` is between 0 and 1. An axis with zero or less stays linear.
export function makeScale(column, numbers, isLog) {
  if (!column.isNumber) {
    const room = Math.max(1, column.labels.length - 1);
    return { at: (value) => 0.06 + (0.88 * value) / room, ticks: column.labels.map((label, i) => [i, label]), isLog };
  }
  const [low, high] = rangeOf(numbers.filter((value) => value !== null));
  const isLogarithmic = isLog && low > 0;
  const measure = isLogarithmic ? Math.log : (value) => value / 2; // halves: a difference may be too large for a number
  const [zero, whole] = [measure(low), measure(high) - measure(low)];
  // On a logarithmic axis an interval may reach below zero: to the end of the axis then.
  const at = (value) => (isLogarithmic && value <= 0 ? 0 : 0.03 + (0.94 * (measure(value) - zero)) / whole);
  const isOwn = column.kind === "axis" && column.labels.length <= kMostValues;
  const round = isLogarithmic ? logTicks(low, high) : Number.isFinite(high - low) ? ticks(low, high, 6) : [low, high];
  const marks = isOwn ? column.labels.map(Number) : round;
  return { at, ticks: marks.map((value) => [value, short(value)]), isLog: isLogarithmic };
}

// With its unit, unless the name ends in that.
export const titleOf = ({ name, unit }) => (unit && !name.endsWith(`_${unit}`) ? `${name} (${unit})` : name);
