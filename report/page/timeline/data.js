// SPDX-License-Identifier: Apache-2.0
// A run's log as typed arrays: tracks of slices, launches, preemptions. Times are GPU cycles.
import { partitionsOf } from "../base/partitions.js";
import { blockOf, Reader } from "../base/unpack.js";

export const kIdleByRule = "idle by rule";
export const kPhases = [
  "idle",
  "set-up",
  "running",
  "restoring",
  "reserved",
  "draining",
  "saving",
  kIdleByRule,
  "shared",
];
export const kTechniques = ["none", "context_switch", "drain", "flush", "chimera", "dual_kernel"];
const kStates = 16;

function readLaunches(reader, count) {
  const launches = { process: new Int32Array(count), kernel: new Int32Array(count), run: new Uint32Array(count) };
  for (let i = 0; i < count; ++i) {
    launches.process[i] = reader.number() - 1;
    if (launches.process[i] < 0) continue;
    launches.kernel[i] = reader.number();
    launches.run[i] = reader.number();
  }
  return launches;
}

function readTrack(reader, { group, index, count }) {
  const track = {
    group,
    index,
    count,
    begin: new Float64Array(count),
    end: new Float64Array(count),
    state: new Uint8Array(count),
    reference: new Uint32Array(count),
  };
  let time = 0;
  let reference = 0;
  for (let i = 0; i < count; ++i) {
    track.begin[i] = time += reader.number();
    track.end[i] = time += reader.number();
    const code = reader.signed();
    const state = ((code % kStates) + kStates) % kStates;
    track.state[i] = state;
    track.reference[i] = reference += (code - state) / kStates;
  }
  return track;
}

const kPreemptionFields = [
  "sm",
  "technique",
  "victim",
  "beneficiary",
  "decision",
  "wait",
  "movement",
  "channel",
  "bytes",
];

function readPreemptions(reader, count) {
  const list = { count, requested: new Float64Array(count) };
  for (const field of kPreemptionFields) list[field] = new Float64Array(count);
  let time = 0;
  for (let i = 0; i < count; ++i) {
    list.requested[i] = time += reader.number();
    for (const field of kPreemptionFields) list[field][i] = reader.number();
    list.decision[i] -= 1; // -1: the log does not tell
  }
  return list;
}

// Of a process: when its runs are released and due, and whether that was missed. Of a run that never began, or was cut
// off, the log says so too: it did not end by then.
function readReleases(reader, count, runs, end) {
  const list = { count, at: new Float64Array(count), due: new Float64Array(count).fill(Infinity) };
  list.run = new Uint32Array(count);
  list.missed = new Uint8Array(count);
  const ends = new Map();
  for (let i = 0; i < (runs?.count ?? 0); ++i) ends.set(runs.reference[i], runs.end[i]);
  let time = 0;
  for (let i = 0; i < count; ++i) {
    list.at[i] = time += reader.number();
    const deadline = reader.number();
    list.run[i] = reader.number();
    if (deadline === 0) continue;
    list.due[i] = time + deadline;
    list.missed[i] = list.due[i] < (ends.get(list.run[i]) ?? end) ? 1 : 0;
  }
  return list;
}

// The timeline of a run's content, or null where the folder had no log of one.
export function readTimeline(run) {
  const packed = run.timeline;
  if (!packed) return null;
  const reader = new Reader(blockOf(packed.block));
  const launches = readLaunches(reader, packed.launches);
  const tracks = packed.tracks.map((track) => readTrack(reader, track));
  const preemptions = readPreemptions(reader, packed.preemptions);
  const releases = packed.releases.map((count, process) =>
    readReleases(
      reader,
      count,
      tracks.find(({ group, index }) => group === "runs" && index === process),
      packed.end,
    ),
  );
  const spec = run.summary.spec;
  const kernelsOf = new Map(spec.applications.map((app) => [app.name, app.kernels.map((kernel) => kernel.name)]));
  return {
    launches,
    tracks,
    preemptions,
    releases,
    partitions: partitionsOf(run.summary),
    end: packed.end,
    file: packed.file,
    isWhole: packed.whole,
    mhz: spec.gpu.clock_mhz,
    processes: spec.workload.processes.map((process) => process.name),
    colours: spec.workload.processes.map((_, i) => i), // of the processes; runs that are compared share them
    kernels: spec.workload.processes.map((process) => kernelsOf.get(process.application) ?? []),
    numSlices: tracks.reduce((sum, track) => sum + track.count, 0),
  };
}

// The launch beside whose thread blocks those of a shared SM's slice run: that of the slice before it; -1: not known.
export function ownerOfShared(track, i) {
  if (track.group !== "sm" || kPhases[track.state[i]] !== "shared") return -1;
  for (let before = i - 1; before >= 0 && track.end[before] === track.begin[before + 1]; --before) {
    if (kPhases[track.state[before]] !== "shared") return track.reference[before];
  }
  return -1;
}

// "batch/StreamCollide" of a launch; the process alone where the kernel is not known.
// An SM that is idle by rule is nobody's.
export function isOfLaunch(track, i) {
  return track.group !== "sm" || kPhases[track.state[i]] !== kIdleByRule;
}

const kNoLaunch = 0xffffffff; // an SM that its context loses with its turn is for no launch

export function nameOfLaunch(timeline, launch) {
  if (launch === kNoLaunch) return "the next turn";
  const process = timeline.launches.process[launch] ?? -1;
  if (process < 0) return `launch ${launch}`;
  const kernel = timeline.kernels[process][timeline.launches.kernel[launch]];
  return kernel ? `${timeline.processes[process]}/${kernel}` : timeline.processes[process];
}

// The first slice that ends after `time`, from `low` on.
export function firstEndingAfter(track, time, low = 0) {
  let high = track.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (track.end[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
