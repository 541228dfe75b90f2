// SPDX-License-Identifier: Apache-2.0
// Two runs side by side: numbers with their differences, one time axis, and what differs in the Spec.
import { el, section } from "../base/dom.js";
import { count, difference, duration, percent, times } from "../base/format.js";
import { Table } from "../base/table.js";
import { metricsOf, titleOf, valueOf, warningsOf } from "../run/headline.js";
import { noTimeline } from "../run/page.js";
import { splitBar } from "../run/preemptions.js";
import { readTimeline } from "../timeline/data.js";
import { TimelinePanel } from "../timeline/panel.js";
import { preemptionRows } from "../timeline/preemption_rows.js";
import { View } from "../timeline/view.js";
import { specDifferences } from "./spec_diff.js";

const kNames = ["A", "B"];

function metricTable(runs) {
  const [a, b] = runs.map(({ summary }) => metricsOf(summary));
  const rows = a.map((metric, i) => {
    const [before, after] = runs.map(({ summary }) => valueOf(summary, metric.key));
    return { ...metric, before, after, texts: [metric.text, b[i].text], change: difference(before, after) };
  });
  const columns = [
    {
      name: "name",
      title: "metric",
      value: (row) => row.name,
      cell: (row) => el("span", { title: row.help }, row.name),
    },
    { name: "before", title: "A", isNumber: true, value: (row) => row.before, cell: (row) => row.texts[0] },
    { name: "after", title: "B", isNumber: true, value: (row) => row.after, cell: (row) => row.texts[1] },
    { name: "change", title: "B against A", isNumber: true, value: (row) => row.change },
  ];
  return new Table({ caption: "Of the whole runs", columns, rows }).node;
}

// Entries of the same name are the same: {name, a, b}, one of them missing where a run has none.
function paired(lists, key) {
  const [a, b] = lists.map((list) => new Map(list.map((entry) => [entry[key], entry])));
  return [...new Set([...a.keys(), ...b.keys()])].map((name) => ({ name, a: a.get(name), b: b.get(name) }));
}

const nameColumn = (title) => ({ name: "name", title, value: (row) => row.name });

const column = (side, key, title, text) => ({
  name: `${side}.${key}`,
  title,
  isNumber: true,
  value: (row) => row[side]?.[key],
  text,
});

const change = (key, title) => ({
  name: `change.${key}`,
  title,
  isNumber: true,
  value: (row) => difference(row.a?.[key], row.b?.[key]),
});

function processTable(runs) {
  const rows = paired(
    runs.map(({ summary }) => summary.processes),
    "name",
  );
  const columns = [
    nameColumn("process"),
    column("a", "turnaround_us", "shared, A", (v) => duration(v)),
    column("b", "turnaround_us", "shared, B", (v) => duration(v)),
    change("turnaround_us", "change"),
    column("a", "ntt", "NTT, A", times),
    column("b", "ntt", "NTT, B", times),
    change("ntt", "change"),
  ];
  return new Table({ caption: "Mean turnaround, and normalised by the process alone (NTT)", columns, rows }).node;
}

function taskTable(runs) {
  const rows = paired(
    runs.map(({ summary }) => summary.tasks ?? []),
    "process",
  );
  const columns = [
    nameColumn("task"),
    column("a", "missed", "missed, A", count),
    column("b", "missed", "missed, B", count),
    column("a", "worst_response_us", "worst response, A", (v) => duration(v)),
    column("b", "worst_response_us", "worst response, B", (v) => duration(v)),
    change("worst_response_us", "change"),
    column("a", "response_to_deadline", "of the deadline, A", (v) => percent(v)),
    column("b", "response_to_deadline", "of the deadline, B", (v) => percent(v)),
  ];
  return (
    rows.length > 0 &&
    section("Tasks", new Table({ caption: "Worst responses, and their deadlines", columns, rows }).node)
  );
}

function specTable(runs) {
  const rows = specDifferences(runs[0].summary.spec, runs[1].summary.spec);
  if (rows.length === 0) return el("p", {}, "The Specs are equal.");
  const columns = ["key", "A", "B"].map((name) => ({
    name,
    title: name,
    value: (row) => row[name],
    cell: (row) => el("code", {}, row[name] ?? "–"),
  }));
  return new Table({ caption: "Keys that differ", columns, rows, pageSize: 20 }).node;
}

function splits(runs, timelines) {
  const all = timelines.map((timeline) => (timeline ? preemptionRows(timeline) : []));
  if (all.every((rows) => rows.length === 0)) return el("p", {}, "No preemption in either log.");
  const mean = (rows) =>
    rows.reduce((sum, row) => sum + (row.decision ?? 0) + row.latency, 0) / Math.max(1, rows.length);
  const scale = Math.max(...all.map(mean));
  return all.map((rows, i) =>
    rows.length > 0
      ? splitBar(rows, `${kNames[i]}, ${count(rows.length)} preemptions`, scale)
      : el("p", {}, `${kNames[i]}: none in the log.`),
  );
}

function shareColours(timelines) {
  const names = [...new Set(timelines.flatMap(({ processes }) => processes))];
  for (const timeline of timelines) timeline.colours = timeline.processes.map((name) => names.indexOf(name));
}

export function comparisonPage({ runs }) {
  const timelines = runs.map(readTimeline);
  shareColours(timelines.filter(Boolean));
  const ends = timelines.filter(Boolean).map((timeline) => timeline.end / timeline.mhz);
  const view = new View(Math.max(0, ...ends));
  const panels = timelines.map(
    (timeline, i) => timeline && new TimelinePanel(timeline, { view, label: `Timeline of ${kNames[i]}` }),
  );
  return {
    title: "A against B",
    subtitle: runs.map((run, i) => `${kNames[i]}: ${run.label}, ${titleOf(run.summary)}`).join("\n"),
    version: runs[0].summary.tessera_version,
    nodes: [
      runs.map((run) => warningsOf(run.summary)),
      section("Metrics", metricTable(runs)),
      section("Processes", processTable(runs)),
      taskTable(runs),
      section("What differs", specTable(runs)),
      section(
        "Timelines",
        panels.map((panel, i) => [el("h3", {}, `${kNames[i]}: ${runs[i].label}`), panel ? panel.node : noTimeline()]),
      ),
      section("Preemptions", splits(runs, timelines)),
    ],
    probe: { panels: panels.filter(Boolean), timelines },
  };
}
