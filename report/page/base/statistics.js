// SPDX-License-Identifier: Apache-2.0
// Of a list of numbers; percentiles by nearest rank, as summary.json has them.

export function summarise(values) {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  if (n === 0) return { count: 0, min: null, mean: null, p50: null, p99: null, max: null };
  const rank = (share) => sorted[Math.max(0, Math.ceil(share * n) - 1)];
  return {
    count: n,
    min: sorted[0],
    mean: sorted.reduce((sum, value) => sum + value, 0) / n,
    p50: rank(0.5),
    p99: rank(0.99),
    max: sorted[n - 1],
  };
}

// [least, most], of lists that are too long for arguments of a call.
export function extent(values) {
  return values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
}

// Half the 95 % interval of a mean of so few values, by Student's t; none of a single one.
const kQuantiles = [NaN, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];

export function interval(values) {
  const n = values.length;
  if (n < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  const half = (kQuantiles[n - 1] ?? 1.96 + 2.8 / (n - 1)) * Math.sqrt(variance / n);
  return Number.isFinite(half) ? half : 0;
}

// Round numbers from `low` to `high`, about `wanted` of them.
export function ticks(low, high, wanted) {
  const step = niceStep((high - low) / Math.max(1, wanted));
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}

export function niceStep(rough) {
  const size = 10 ** Math.floor(Math.log10(rough || 1));
  return size * [1, 2, 5, 10].find((each) => each * size >= rough * 0.999);
}
