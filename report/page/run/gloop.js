// SPDX-License-Identifier: Apache-2.0
// Sessions of event-driven kernels: how they yielded, waited for the token, and did I/O meanwhile.
import { failures, named, number } from "../base/columns.js";
import { bytes, count, duration, percent } from "../base/format.js";
import { colorOf } from "../base/palette.js";
import { Table } from "../base/table.js";

export const hasSessions = (summary) => summary.processes.some(({ gloop }) => gloop);

export function sessionTable(summary) {
  const rows = summary.processes.flatMap(({ name, gloop }, i) => (gloop ? [{ name, i, ...gloop }] : []));
  const columns = [
    named(
      "name",
      "session",
      (row) => row.name,
      (row) => colorOf(row.i),
    ),
    number("launches", "launches", (row) => row.launches, count),
    number("suspensions", "yields", (row) => row.suspensions, count),
    number("delay", "mean delay", (row) => row.yield_delay_us.mean, duration),
    number("delay_max", "longest", (row) => row.yield_delay_us.max, duration),
    number("grants", "tokens", (row) => row.token.grants, count),
    number("held", "held", (row) => row.token.held_us, duration),
    number("wait", "mean wait", (row) => row.token.wait_us.mean, duration),
    number("wait_max", "longest", (row) => row.token.wait_us.max, duration),
    failures("revoked", "revoked", (row) => row.revoked),
    failures("killed", "killed", (row) => row.killed),
    number("state", "state", (row) => row.state_bytes, bytes),
    number("requests", "I/O", (row) => row.io.requests, count),
    number("bytes", "bytes", (row) => row.io.bytes, bytes),
    number("io", "mean time", (row) => row.io.time_us.mean, duration),
    number("overlap", "overlap", (row) => row.io.while_suspended, percent),
  ];
  const caption =
    "Yields: launches that left with loops that were not done, and how long after they were told; state: what loops wrote " +
    "when they left; overlap: share of the I/O's time in which the session had no token";
  return new Table({ caption, columns, rows }).node;
}
