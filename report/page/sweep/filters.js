// SPDX-License-Identifier: Apache-2.0
// Which points are looked at: words, and the values of each axis.
import { el } from "../base/dom.js";

const kMostChips = 24;

function chips(model, column) {
  const press = (label) => {
    const node = el("button", { type: "button", class: "chip", "aria-pressed": "false", onclick: () => {
      const chosen = model.choices.get(column.name) ?? new Set();
      if (!chosen.delete(label)) chosen.add(label);
      model.change(() => model.choices.set(column.name, chosen));
    } }, label);
    model.onchange(() => node.setAttribute("aria-pressed", String(model.choices.get(column.name)?.has(label) ?? false)));
    return node;
  };
  return el("div", { class: "chips", role: "group", "aria-label": column.name, "data-column": column.name }, el("span", { class: "note" }, column.name), column.labels.map(press));
}

export function filterBar(model) {
  const words = el("input", { type: "search", placeholder: "find in the table", "aria-label": "Find in the table", oninput: (event) => model.change(() => (model.text = event.target.value.trim().toLowerCase())) });
  const told = el("span", { class: "note", "aria-live": "polite" });
  const tell = () => {
    told.textContent = `${model.kept().length} of ${model.rows.length} points`;
    if (model.text === "" && document.activeElement !== words) words.value = "";
  };
  model.onchange(tell);
  tell();
  const columns = [...model.of("axis"), model.column("seed"), model.column("status")].filter((each) => each && !each.isConstant && each.labels.length <= kMostChips);
  return el("div", { class: "filters" }, el("div", { class: "tools" }, words, el("button", { type: "button", onclick: () => model.clear() }, "show all"), told), columns.map((column) => chips(model, column)));
}
