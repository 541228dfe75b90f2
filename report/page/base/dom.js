// SPDX-License-Identifier: Apache-2.0
// Elements in one expression.

const kSvg = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(kSvg, tag), attributes, children);

// A part of the page with a heading that links and screen readers find.
export function section(title, ...children) {
  const id = title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), children);
}

// A labelled choice. `options`: [value, text] pairs.
export function choice(label, options, value, onchange) {
  const list = options.map(([key, text]) => el("option", { value: key, selected: key === value }, text));
  return el("label", { class: "choice" }, label, el("select", { onchange: (e) => onchange(e.target.value) }, list));
}

export function toggle(label, checked, onchange) {
  const box = el("input", { type: "checkbox", checked, onchange: (e) => onchange(e.target.checked) });
  return el("label", { class: "toggle" }, box, label);
}

export function button(text, label, onclick) {
  return el("button", { type: "button", "aria-label": label, title: label, onclick }, text);
}
