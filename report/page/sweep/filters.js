// SPDX-License-Identifier: Apache-2.0
// Which points are looked at: words, and the values of each axis.
import { el } from "../base/dom.js";
import { titleOf } from "./scale.js";

const kMostChips = 24;

function chips(model, column) {
  const press = (label) => {
    const node = el(
      "button",
      {
        type: "button",
        class: "chip",
        "aria-pressed": "false",
        onclick: () => {
          const chosen = model.choices.get(column.name) ?? new Set();
          if (!chosen.delete(label)) chosen.add(label);
          model.change(() => model.choices.set(column.name, chosen));
        },
      },
      label,
    );
    model.onchange(() =>
      node.setAttribute("aria-pressed", String(model.choices.get(column.name)?.has(label) ?? false)),
    );
    return node;
  };
  return el(
    "div",
    { class: "chips", role: "group", "aria-label": column.name, "data-column": column.name },
    el("span", { class: "note" }, column.name),
    column.labels.map(press),
  );
}

// A range in numbers: what a drag along a parallel axis does, for the keyboard.
function ranges(model, column) {
  const fields = ["at least", "at most"].map((bound, i) =>
    el("input", {
      type: "number",
      step: "any",
      placeholder: bound,
      "aria-label": `${column.name} ${bound}`,
      onchange: () => {
        const [low, high] = fields.map((field) => field.valueAsNumber);
        const isOpen = Number.isNaN(low) && Number.isNaN(high);
        model.setRange(
          column.name,
          isOpen ? null : [Number.isNaN(low) ? -Infinity : low, Number.isNaN(high) ? Infinity : high],
        );
      },
    }),
  );
  model.onchange(() => {
    const range = model.ranges.get(column.name) ?? [];
    fields.forEach((field, i) => {
      if (field !== document.activeElement)
        field.value = Number.isFinite(range[i]) ? String(Number(range[i].toPrecision(6))) : "";
    });
  });
  return el("div", { class: "chips" }, el("span", { class: "note" }, titleOf(column)), fields);
}

export function filterBar(model) {
  const words = el("input", {
    type: "search",
    placeholder: "find in the table",
    "aria-label": "Find in the table",
    oninput: (event) => model.change(() => (model.text = event.target.value.trim().toLowerCase())),
  });
  const told = el("span", { class: "note", "aria-live": "polite" });
  const tell = () => {
    told.textContent = `${model.kept().length} of ${model.rows.length} points`;
    if (model.text === "" && document.activeElement !== words) words.value = "";
  };
  model.onchange(tell);
  tell();
  const columns = [...model.of("axis"), model.column("seed"), model.column("status")].filter(
    (each) => each && !each.isConstant && each.labels.length <= kMostChips,
  );
  return el(
    "div",
    { class: "filters" },
    el(
      "div",
      { class: "tools" },
      words,
      el("button", { type: "button", onclick: () => model.clear() }, "show all"),
      told,
    ),
    columns.map((column) => chips(model, column)),
    el(
      "details",
      {},
      el("summary", {}, "Ranges of measures"),
      model.measures.filter((each) => !each.isConstant).map((column) => ranges(model, column)),
    ),
  );
}
