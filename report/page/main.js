// SPDX-License-Identifier: Apache-2.0
// The page: reads its data, and shows the view that fits.
import { el } from "./base/dom.js";
import { startTheme, themeSwitch } from "./base/theme.js";
import { comparisonPage } from "./compare/page.js";
import { reproductionPage } from "./reproduction/page.js";
import { runPage } from "./run/page.js";
import { sweepPage } from "./sweep/page.js";

const kPages = { run: runPage, sweep: sweepPage, comparison: comparisonPage, reproduction: reproductionPage };

function links(main) {
  return el(
    "nav",
    { "aria-label": "Sections" },
    [...main.querySelectorAll(":scope > section")].map((each) =>
      el("a", { href: `#${each.id}` }, each.querySelector("h2").textContent.split(":")[0]),
    ),
  );
}

startTheme();
const data = JSON.parse(document.getElementById("data").textContent);
const { title, subtitle, version, nodes, probe } = kPages[data.kind](data);
const main = el("main", {}, nodes.flat(Infinity).filter(Boolean));
document.body.prepend(
  el(
    "header",
    {},
    el("div", { class: "title" }, el("h1", {}, title), el("p", { class: "subtitle" }, subtitle)),
    links(main),
    themeSwitch(),
  ),
  main,
  el("footer", {}, `Tessera ${version ?? ""} · ${data.kind}`),
);
// For tests, and for whoever opens the console.
window.tessera = { data, ...probe };
