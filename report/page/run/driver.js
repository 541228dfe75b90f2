// SPDX-License-Identifier: Apache-2.0
// A driver that holds groups of commands back: what each process's groups got, and what the reserves gave.
import { number, word } from "../base/columns.js";
import { count, duration, percent } from "../base/format.js";
import { Table } from "../base/table.js";

const CAUSES = { arrival: "arrivals", completion: "completions", replenishment: "replenishments", tick: "ticks" };

function invocations({ invocations: by, cpu_us: cpu }) {
  const told = Object.entries(CAUSES).filter(([cause]) => by[cause] > 0);
  return `${told.map(([cause, name]) => `${count(by[cause])} ${name}`).join(", ")}: ${duration(cpu)} of the CPU`;
}

export function groupTable(summary) {
  const rows = summary.processes.map(({ name, gpu }) => ({ name, ...gpu }));
  const columns = [
    word("name", "process", (row) => row.name),
    word("sched", "dispatch", (row) => row.sched),
    number("priority", "priority", (row) => row.priority, String),
    word("reserve", "reserve", (row) => (row.refused ? `${row.reserve} (refused)` : row.reserve)),
    number("groups", "groups", (row) => row.groups, count),
    number("gpu_time", "GPU time", (row) => row.gpu_time_us, duration),
    number("wait", "mean wait", (row) => row.wait_us.mean, duration),
    number("wait_p99", "99 %", (row) => row.wait_us.p99, duration),
    number("wait_max", "longest", (row) => row.wait_us.max, duration),
    number("suspensions", "suspended", (row) => row.suspensions, count),
  ];
  if (rows.some((row) => row.prediction)) {
    columns.push(number("error", "prediction error", (row) => row.prediction?.error_share ?? null, percent));
  }
  const caption = `Groups of commands, from arrival to submission; ${invocations(summary.driver)}`;
  return new Table({ caption, columns, rows }).node;
}

export function reserveTable(summary) {
  const rows = summary.driver.reserves;
  const columns = [
    word("name", "reserve", (row) => row.name),
    word("members", "processes", (row) => row.members.join(", ")),
    word("apriori", "enforced", (row) => (row.apriori ? "a priori" : "a posteriori")),
    number("capacity", "C", (row) => row.capacity_us, duration),
    number("period", "T", (row) => row.period_us, duration),
    number("used", "used", (row) => row.used_us, duration),
    number("share", "of the time", (row) => row.used_share, percent),
    number("overruns", "overruns", (row) => row.overruns, count),
    number("debt", "worst debt", (row) => row.worst_debt_us, duration),
    number("window", "most in any T", (row) => row.worst_window_us, duration),
  ];
  const caption = "C every T; most in any T: what was charged for the groups submitted within a period";
  return new Table({ caption, columns, rows }).node;
}
