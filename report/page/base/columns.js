// SPDX-License-Identifier: Apache-2.0
// Columns of a Table that are words or numbers.
import { el } from "./dom.js";
import { count } from "./format.js";

export const number = (name, title, value, text) => ({
  name,
  title,
  value,
  text: (each) => text(each),
  isNumber: true,
});

export const word = (name, title, value) => ({ name, title, value, text: (each) => each ?? "–" });

// A name behind the colour that it has on the page.
export const named = (name, title, value, color) => ({
  name,
  title,
  value,
  cell: (row) => [el("span", { class: "sample", style: `--sample: ${color(row)}`, "aria-hidden": "true" }), value(row)],
});

// What had better be 0.
export const failures = (name, title, value) => ({
  name,
  title,
  value,
  isNumber: true,
  cell: (row) => (value(row) > 0 ? el("strong", { class: "bad" }, `✗ ${count(value(row))}`) : count(value(row))),
});
