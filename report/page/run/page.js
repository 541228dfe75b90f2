// SPDX-License-Identifier: Apache-2.0
// A run: metrics, processes, timeline, preemptions.
import { el, section } from "../base/dom.js";
import { readTimeline } from "../timeline/data.js";
import { TimelinePanel } from "../timeline/panel.js";
import { checks, decisions, tree } from "./details.js";
import { groupTable, reserveTable } from "./driver.js";
import { hasSessions, sessionTable } from "./gloop.js";
import { cards, titleOf, warningsOf } from "./headline.js";
import { partitionSection } from "./partitions.js";
import { preemptionSection } from "./preemptions.js";
import { processTable } from "./processes.js";
import { taskTable } from "./tasks.js";

export const noTimeline = () =>
  el(
    "p",
    { class: "note" },
    "The folder has no log of records, so there is no timeline. ",
    el("code", {}, "tessera run EXPERIMENT --trace timeline"),
    " keeps one (",
    el("code", {}, "--trace csv"),
    " does as well).",
  );

// Timeline and preemptions, which belong together. `prefix` tells runs apart that stand on one page.
export function timelineSections(run, title = "Timeline") {
  const timeline = readTimeline(run);
  const panel = timeline && timeline.numSlices > 0 ? new TimelinePanel(timeline) : null;
  const jump = (i) => {
    panel.showPreemption(i);
    panel.node.scrollIntoView({ block: "nearest" });
  };
  const nodes = [
    section(
      title,
      panel ? panel.node : timeline ? el("p", {}, "Nothing ran while the log was written.") : noTimeline(),
    ),
    section("Preemptions", preemptionSection(run.summary, timeline, jump)),
  ];
  return { timeline, panel, nodes };
}

export function runPage({ runs: [run] }) {
  const { summary } = run;
  const { panel, timeline, nodes } = timelineSections(run);
  return {
    title: summary.spec.name,
    subtitle: titleOf(summary),
    version: summary.tessera_version,
    nodes: [
      warningsOf(summary),
      cards(summary),
      section("Processes", processTable(summary)),
      summary.tasks?.length > 0 && section("Tasks", taskTable(summary)),
      summary.partitions && section("Partitions", partitionSection(summary)),
      hasSessions(summary) && section("Sessions", sessionTable(summary)),
      summary.driver && section("Driver", groupTable(summary)),
      summary.driver?.reserves.length > 0 && section("Reserves", reserveTable(summary)),
      nodes,
      section("Scheduler and checks", el("div", { class: "columns" }, decisions(summary), checks(summary))),
      section("Specification", tree(summary.spec, "spec", true)),
    ],
    probe: { panels: panel ? [panel] : [], timelines: [timeline] },
  };
}
