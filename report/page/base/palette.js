// SPDX-License-Identifier: Apache-2.0
// Ten colours that are told apart on light and on dark, also by those who see no red or no green (tests/report measures
// that). Then the same again.
const kColors = [
  "#4269d0",
  "#efb118",
  "#8c2d19",
  "#6cc5b0",
  "#ff725c",
  "#97bbf5",
  "#0f6e4f",
  "#5b3a8c",
  "#d9f0a3",
  "#c77cff",
];

export const kNumColors = kColors.length;
export const kNeutral = "#7d8796"; // of what belongs to none of those that have colours
export const colorOf = (index) => kColors[index % kNumColors];

// "#rrggbb" to [r, g, b].
export const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

// `share` of `a` over `b`.
export const mixed = (a, b, share) => a.map((value, i) => Math.round(value * share + b[i] * (1 - share)));

// Black or white, whichever is read better on a colour.
export function inkOn(hex) {
  const [r, g, b] = rgb(hex);
  return 0.299 * r + 0.587 * g + 0.114 * b > 125 ? "#10131a" : "#ffffff";
}

// For an ImageData as a Uint32Array, on the little-endian machines that browsers run on.
export const pixel = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

// From blue through grey to orange: a number between 0 and 1.
export function ramp(share) {
  const stops = ["#2f5fd0", "#8f8fa8", "#f0851b"].map(rgb);
  const at = Math.min(1, Math.max(0, share)) * 2;
  const low = Math.min(1, Math.floor(at));
  return `rgb(${mixed(stops[low + 1], stops[low], at - low).join(" ")})`;
}
