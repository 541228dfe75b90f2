// SPDX-License-Identifier: Apache-2.0
// Light or dark: as the system says, until the switch says otherwise; paper is light. Canvases hear of each change.
import { el } from "./dom.js";

const kChange = "tessera-theme";
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");

export const isDark = () => root.dataset.theme === "dark";

function apply(theme) {
  root.dataset.theme = theme;
  document.dispatchEvent(new Event(kChange));
}

export function onTheme(listener) {
  document.addEventListener(kChange, listener);
}

export function color(name) {
  return getComputedStyle(root).getPropertyValue(`--${name}`).trim();
}

export function themeSwitch() {
  const node = el("button", { type: "button", class: "theme", onclick: () => apply(isDark() ? "light" : "dark") });
  const tell = () => {
    node.textContent = isDark() ? "\u2600" : "\u263e";
    node.title = `Switch to ${isDark() ? "light" : "dark"}`;
    node.setAttribute("aria-label", node.title);
  };
  onTheme(tell);
  tell();
  return node;
}

export function startTheme() {
  apply(system.matches ? "dark" : "light");
  system.addEventListener("change", () => apply(system.matches ? "dark" : "light"));
  let screen = root.dataset.theme;
  addEventListener("beforeprint", () => {
    screen = root.dataset.theme;
    apply("light");
  });
  addEventListener("afterprint", () => apply(screen));
}
