// SPDX-License-Identifier: Apache-2.0
// Host-side and scheduler records to slices.
#include "model/record/trace/perfetto_host_tracks.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::record {

PerfettoHostTracks::PerfettoHostTracks(PerfettoWriter& writer, const Names& names)
    : writer_(writer), names_(names), clock_(names.clock_hz), processes_(names.processes.size()) {
  const PerfettoWriter::Track group = writer_.add_track(0, "Processes");
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    processes_[i].track = writer_.add_track(group, names_.processes[i]);
  }
  const PerfettoWriter::Track dma = writer_.add_track(0, "DMA");
  dma_[0].track = writer_.add_track(dma, "to GPU");
  dma_[1].track = writer_.add_track(dma, "to host");
  scheduler_ = writer_.add_track(0, "Scheduler");
}

void PerfettoHostTracks::consume(const Record& record) {
  switch (record.kind) {
    case Kind::kKernelArrived:
      return kernel_arrived(record);
    case Kind::kKernelActivated:
      return kernel_activated(record);
    case Kind::kKernelFinished:
      return kernel_finished(record);
    case Kind::kPolicyDecided:
      return policy_decided(record);
    case Kind::kDmaStarted:
      dma_.at(record.value).transfers.push_back({record.cycle, record.process});
      return;
    case Kind::kDmaEnded:
      return transfer_ended(dma_.at(record.value), record.cycle);
    case Kind::kRunStarted:
      processes_.at(record.process).runs.emplace(record.run, record.cycle);
      return;
    case Kind::kRunEnded:
      return run_ended(processes_.at(record.process), record.run, record.cycle);
    default:
      return;
  }
}

void PerfettoHostTracks::kernel_arrived(const Record& record) {
  Process& process = processes_.at(record.process);
  const auto free = std::find_if(process.lanes.begin(), process.lanes.end(), [](const Lane& l) { return !l.is_busy; });
  const auto lane = static_cast<std::size_t>(free - process.lanes.begin());
  if (lane == process.lanes.size()) {
    process.lanes.push_back({writer_.add_track(process.track, fmt::format("kernels {}", lane)), false});
  }
  process.lanes[lane].is_busy = true;
  launches_[record.launch] = {record.process, lane};
  const PerfettoWriter::Track track = process.lanes[lane].track;
  const std::uint64_t now = nanoseconds(record.cycle);
  writer_.begin_slice(track, now, names_.kernels.at(record.process).at(record.kernel));
  writer_.begin_slice(track, now, "waiting");
}

void PerfettoHostTracks::kernel_activated(const Record& record) {
  const auto launch = launches_.find(record.launch);
  if (launch == launches_.end()) return;
  const PerfettoWriter::Track track = processes_[launch->second.process].lanes[launch->second.lane].track;
  writer_.end_slice(track, nanoseconds(record.cycle));
  writer_.begin_slice(track, nanoseconds(record.cycle), "active");
}

void PerfettoHostTracks::kernel_finished(const Record& record) {
  const auto launch = launches_.find(record.launch);
  if (launch == launches_.end()) return;
  Lane& lane = processes_[launch->second.process].lanes[launch->second.lane];
  writer_.end_slice(lane.track, nanoseconds(record.cycle));  // waiting or active
  writer_.end_slice(lane.track, nanoseconds(record.cycle));  // the launch
  lane.is_busy = false;
  launches_.erase(launch);
}

void PerfettoHostTracks::policy_decided(const Record& record) {
  // One that was invoked during the decision before it starts, for the eye, where that one ended.
  const Cycle start = std::max(record.cycle - std::min(record.cycle, record.cycles), last_decision_);
  write_slice(scheduler_, start, record.cycle, "decision");
  last_decision_ = record.cycle;
}

void PerfettoHostTracks::run_ended(Process& process, std::uint32_t run, Cycle end) {
  const auto started = process.runs.find(run);
  if (started == process.runs.end()) return;
  write_slice(process.track, started->second, end, fmt::format("run {}", run));
  process.runs.erase(started);
}

void PerfettoHostTracks::transfer_ended(Direction& direction, Cycle end) {
  if (direction.transfers.empty()) return;
  const Transfer transfer = direction.transfers.front();
  direction.transfers.pop_front();
  write_slice(direction.track, transfer.start, end, names_.processes.at(transfer.process));
}

void PerfettoHostTracks::write_slice(PerfettoWriter::Track track, Cycle start, Cycle end, std::string_view name) {
  writer_.begin_slice(track, nanoseconds(start), name);
  writer_.end_slice(track, nanoseconds(end));
}

void PerfettoHostTracks::finish(Cycle end) {
  while (!launches_.empty()) {
    Record left;
    left.cycle = end;
    left.launch = launches_.begin()->first;
    kernel_finished(left);
  }
  for (Process& process : processes_) {
    while (!process.runs.empty()) run_ended(process, process.runs.begin()->first, end);
  }
  for (Direction& direction : dma_) {
    while (!direction.transfers.empty()) transfer_ended(direction, end);
  }
}

}  // namespace tessera::record
