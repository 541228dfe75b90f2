// SPDX-License-Identifier: Apache-2.0
// From a column's values to places on an axis: linear, logarithmic, or one place a label.
import { short } from "../base/format.js";
import { extent, ticks } from "../base/statistics.js";

function logTicks(low, high) {
  const list = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power) {
    for (const digit of high / low > 1000 ? [1] : [1, 2, 5]) list.push(digit * 10 ** power);
  }
  return list.filter((value) => value >= low * 0.999 && value <= high * 1.001);
}

const kMostValues = 8; // of an axis of the sweep; each of them is a tick then

// {at(number), ticks: [[number, text]]}: `at` is between 0 and 1.
export function makeScale(column, numbers, isLog) {
  const known = numbers.filter((value) => value !== null);
  let [low, high] = extent(known);
  if (!column.isNumber) {
    const room = Math.max(1, column.labels.length - 1);
    return { at: (value) => 0.06 + (0.88 * value) / room, ticks: column.labels.map((label, i) => [i, label]) };
  }
  if (known.length === 0) [low, high] = [0, 1];
  const own =
    column.kind === "axis" && column.labels.length <= kMostValues
      ? column.labels.map((label) => [Number(label), short(Number(label))])
      : null;
  if (low === high) [low, high] = low === 0 ? [-1, 1] : [low - Math.abs(low) / 10, high + Math.abs(high) / 10];
  if (isLog && low > 0) {
    const at = (value) => 0.03 + (0.94 * Math.log(value / low)) / Math.log(high / low);
    return { at, ticks: own ?? logTicks(low, high).map((value) => [value, short(value)]) };
  }
  const at = (value) => 0.03 + (0.94 * (value - low)) / (high - low);
  return { at, ticks: own ?? ticks(low, high, 6).map((value) => [value, short(value)]) };
}

// With its unit, unless the name ends in that.
export const titleOf = ({ name, unit }) => (unit && !name.endsWith(`_${unit}`) ? `${name} (${unit})` : name);
