// SPDX-License-Identifier: Apache-2.0
// What hosts and scheduler do as slices.
#include "model/record/trace/perfetto_host_tracks.h"

#include <fmt/format.h>

#include "model/record/numbers.h"

namespace tessera::record {

PerfettoHostTracks::PerfettoHostTracks(PerfettoWriter& writer, const Names& names)
    : writer_(writer),
      names_(names),
      clock_(names.clock_hz),
      activity_(*this, names.processes.size()),
      processes_(names.processes.size()) {
  const PerfettoWriter::Track group = writer_.add_track(0, "Processes");
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    processes_[i].track = writer_.add_track(group, names_.processes[i]);
  }
  const PerfettoWriter::Track dma = writer_.add_track(0, "DMA");
  dma_[0] = writer_.add_track(dma, "to GPU");
  dma_[1] = writer_.add_track(dma, "to host");
  scheduler_ = writer_.add_track(0, "Scheduler");
}

void PerfettoHostTracks::consume(const Record& record) {
  mark_deadlines(record.cycle);
  if (record.kind == Kind::kRunReleased) mark_release(record);
  const bool is_due = record.kind == Kind::kRunReleased && number::deadline(record) != 0;
  if (is_due) processes_.at(record.process).due[record.run] = record.cycle + number::deadline(record);
  activity_.consume(record);
}

void PerfettoHostTracks::finish(Cycle end) {
  mark_deadlines(end);
  activity_.finish(end);
}

void PerfettoHostTracks::mark_release(const Record& released) {
  Process& process = processes_.at(released.process);
  if (process.marks == 0) process.marks = writer_.add_track(process.track, "releases and deadlines");
  writer_.mark(process.marks, nanoseconds(released.cycle), fmt::format("release {}", released.run));
  if (number::deadline(released) != 0)
    deadlines_.insert({released.cycle + number::deadline(released), {released.process, released.run}});
}

void PerfettoHostTracks::mark_deadlines(Cycle now) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    const auto [cycle, deadline] = *deadlines_.begin();
    writer_.mark(processes_[deadline.process].marks, nanoseconds(cycle), fmt::format("deadline {}", deadline.run));
    deadlines_.erase(deadlines_.begin());
  }
}

void PerfettoHostTracks::kernel_arrived(const KernelLane& lane, const Record& arrived) {
  Process& process = processes_[lane.process];
  if (lane.lane == process.lanes.size()) {
    process.lanes.push_back(writer_.add_track(process.track, fmt::format("kernels {}", lane.lane)));
  }
  const std::uint64_t now = nanoseconds(arrived.cycle);
  writer_.begin_slice(track_of(lane), now, names_.kernels.at(arrived.process).at(arrived.kernel));
  writer_.begin_slice(track_of(lane), now, "waiting");
}

void PerfettoHostTracks::kernel_activated(const KernelLane& lane, std::uint32_t /*launch*/, Cycle cycle) {
  writer_.end_slice(track_of(lane), nanoseconds(cycle));
  writer_.begin_slice(track_of(lane), nanoseconds(cycle), "active");
}

void PerfettoHostTracks::kernel_ended(const KernelLane& lane, std::uint32_t /*launch*/, Cycle cycle) {
  writer_.end_slice(track_of(lane), nanoseconds(cycle));  // waiting or active
  writer_.end_slice(track_of(lane), nanoseconds(cycle));  // the launch
}

void PerfettoHostTracks::run_ended(std::uint16_t process, std::uint32_t run, Cycle begin, Cycle end) {
  std::map<std::uint32_t, Cycle>& all_due = processes_[process].due;
  const auto due = all_due.find(run);
  const bool is_late = due != all_due.end() && end > due->second;
  all_due.erase(all_due.begin(), all_due.upper_bound(run));  // those ahead of it were skipped
  write_slice(processes_[process].track, begin, end, fmt::format("run {}{}", run, is_late ? ", late" : ""));
}

void PerfettoHostTracks::transfer_ended(std::size_t direction, std::uint16_t process, Cycle begin, Cycle end) {
  write_slice(dma_.at(direction), begin, end, names_.processes.at(process));
}

void PerfettoHostTracks::decided(Cycle begin, Cycle end) { write_slice(scheduler_, begin, end, "decision"); }

void PerfettoHostTracks::write_slice(PerfettoWriter::Track track, Cycle start, Cycle end, std::string_view name) {
  writer_.begin_slice(track, nanoseconds(start), name);
  writer_.end_slice(track, nanoseconds(end));
}

}  // namespace tessera::record
