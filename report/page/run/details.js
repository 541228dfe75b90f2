// SPDX-License-Identifier: Apache-2.0
// What is looked up now and then: decisions, checks, the Spec.
import { el } from "../base/dom.js";
import { count, number } from "../base/format.js";

export function decisions(summary) {
  const { invocations, decision_cycles: cycles, first_decision_cycles: first } = summary.policy;
  const line = (name, stats) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      ["min", "mean", "p99", "max"].map((key) =>
        el("td", { class: "number" }, number(stats[key], key === "mean" ? 1 : 0)),
      ),
    );
  return el(
    "div",
    { class: "table narrow scroll" },
    el(
      "table",
      {},
      el("caption", {}, `${count(invocations)} decisions, in GPU cycles`),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["from the invocation", "least", "mean", "99 %", "most"].map((text, i) =>
            el("th", { scope: "col", class: i && "number" }, text),
          ),
        ),
      ),
      el("tbody", {}, line("to the first move", first), line("to steady state", cycles)),
    ),
  );
}

export function checks(summary) {
  return el(
    "ul",
    { class: "checks" },
    Object.entries(summary.invariants).map(([name, state]) =>
      el("li", { class: state === "ok" ? "good" : "bad" }, state === "ok" ? `✓ ${name}` : `✗ ${name}: ${state}`),
    ),
  );
}

// Keys and values as a tree that folds.
export function tree(value, name, isOpen = false) {
  if (value === null || typeof value !== "object") {
    return el("div", { class: "leaf" }, el("span", { class: "key" }, `${name}: `), JSON.stringify(value));
  }
  const entries = Object.entries(value);
  const isShort =
    entries.length > 0 &&
    JSON.stringify(value).length < 90 &&
    entries.every(([, each]) => each === null || typeof each !== "object");
  if (isShort)
    return el(
      "div",
      { class: "leaf" },
      el("span", { class: "key" }, `${name}: `),
      entries.map(([key, each]) => (Array.isArray(value) ? each : `${key} ${each}`)).join(", "),
    );
  const node = el(
    "details",
    { open: isOpen },
    el("summary", {}, `${name}${Array.isArray(value) ? ` (${entries.length})` : ""}`),
  );
  const open = () => node.childElementCount === 1 && node.append(...entries.map(([key, each]) => tree(each, key)));
  if (isOpen) open();
  node.addEventListener("toggle", open);
  return node;
}
