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

// Round numbers from `low` to `high`, about `wanted` of them.
export function ticks(low, high, wanted) {
  const step = niceStep((high - low) / Math.max(1, wanted));
  const list = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) list.push(i * step);
  return list;
}

export function niceStep(rough) {
  const size = 10 ** Math.floor(Math.log10(rough || 1));
  return size * [1, 2, 5, 10].find((each) => each * size >= rough * 0.999);
}
