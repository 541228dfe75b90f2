// SPDX-License-Identifier: Apache-2.0
// Records to slices. What a log does not tell whole (it may end anywhere) is drawn as far as it is known.
#include "report/timeline.h"

#include <algorithm>

#include "model/record/kind_info.h"

namespace tessera::report {

using record::Kind;
using record::Record;
using record::SmPhase;

std::string_view to_string(TrackGroup group) {
  constexpr std::array<std::string_view, 5> kNames{"sm", "runs", "kernels", "dma", "decisions"};
  return kNames[static_cast<std::size_t>(group)];
}

TimelineBuilder::TimelineBuilder(const record::Names& names, const SetUp& set_up)
    : set_up_(set_up), sms_(names.num_sms), processes_(names.processes.size()) {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    sms_[i].track.index = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    processes_[i].run_track.group = TrackGroup::kRuns;
    processes_[i].run_track.index = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = 0; i < directions_.size(); ++i) {
    directions_[i].track.group = TrackGroup::kDma;
    directions_[i].track.index = static_cast<std::uint32_t>(i);
  }
  decisions_.group = TrackGroup::kDecisions;
}

void TimelineBuilder::consume(const Record& record) {
  has_thread_blocks_ = has_thread_blocks_ || is_per_tb(record.kind);
  if (!kind_info(record.kind).has(record::kFieldSm)) return consume_host(record);
  Sm& sm = sms_.at(record.sm);
  sm.state.apply(record);
  show(sm, sm.state.phase(), sm.state.launch(), record.cycle);
}

void TimelineBuilder::consume_host(const Record& record) {
  switch (record.kind) {
    case Kind::kKernelArrived:
      return kernel_arrived(record);
    case Kind::kKernelActivated:
      return kernel_changed(record.launch, record.cycle, false);
    case Kind::kKernelFinished:
      return kernel_changed(record.launch, record.cycle, true);
    case Kind::kPolicyDecided:
      return policy_decided(record);
    case Kind::kDmaStarted:
      directions_[record.value == 0 ? 0 : 1].open.push_back({record.cycle, record.process});
      return;
    case Kind::kDmaEnded:
      return transfer_ended(directions_[record.value == 0 ? 0 : 1], record.cycle);
    case Kind::kRunStarted:
      processes_.at(record.process).runs.emplace(record.run, record.cycle);
      return;
    case Kind::kRunEnded:
      return run_ended(processes_.at(record.process), record.run, record.cycle);
    default:
      return;
  }
}

void TimelineBuilder::show(Sm& sm, SmPhase phase, std::uint32_t launch, Cycle cycle) {
  if (phase == sm.shown && launch == sm.shown_launch) return;
  Cycle begin = sm.since;
  const Cycle idle = phase == SmPhase::kRestoring ? set_up_.latest_restore : set_up_.first_tb;
  if (sm.shown == SmPhase::kSetUp && !has_thread_blocks_ && begin + idle < cycle) {
    const Cycle end = begin + set_up_.first_tb;
    sm.track.slices.push_back({begin, end, static_cast<std::uint8_t>(sm.shown), sm.shown_launch});
    begin = end;
    sm.shown = SmPhase::kRunning;
  }
  if (sm.shown != SmPhase::kIdle && begin < cycle) {
    sm.track.slices.push_back({begin, cycle, static_cast<std::uint8_t>(sm.shown), sm.shown_launch});
  }
  sm.shown = phase;
  sm.shown_launch = launch;
  sm.since = cycle;
}

void TimelineBuilder::kernel_arrived(const Record& record) {
  if (record.launch >= launches_.size()) launches_.resize(record.launch + std::size_t{1});
  launches_[record.launch] = {record.process, record.kernel, record.run};
  std::vector<Lane>& lanes = processes_.at(record.process).lanes;
  auto free = std::find_if(lanes.begin(), lanes.end(), [](const Lane& lane) { return !lane.is_busy; });
  if (free == lanes.end()) {
    free = lanes.insert(lanes.end(), Lane{});
    free->track.group = TrackGroup::kKernels;
    free->track.index = record.process;
  }
  free->is_busy = true;
  free->since = record.cycle;
  free->state = 0;
  free->launch = record.launch;
  open_launches_[record.launch] = {record.process, static_cast<std::size_t>(free - lanes.begin())};
}

void TimelineBuilder::kernel_changed(std::uint32_t launch, Cycle cycle, bool is_over) {
  const auto place = open_launches_.find(launch);
  if (place == open_launches_.end()) return;
  Lane& lane = processes_[place->second.process].lanes[place->second.lane];
  if (lane.since < cycle) lane.track.slices.push_back({lane.since, cycle, lane.state, launch});
  lane.since = cycle;
  lane.state = 1;
  if (!is_over) return;
  lane.is_busy = false;
  open_launches_.erase(place);
}

void TimelineBuilder::run_ended(Process& process, std::uint32_t run, Cycle cycle) {
  const auto started = process.runs.find(run);
  if (started == process.runs.end()) return;
  if (started->second < cycle) process.run_track.slices.push_back({started->second, cycle, 0, run});
  process.runs.erase(started);
}

// Transfers of one direction that overlap (an engine may start the next before this one's end is told) are drawn one
// after the other.
void TimelineBuilder::transfer_ended(Direction& direction, Cycle cycle) {
  if (direction.open.empty()) return;
  const Transfer transfer = direction.open.front();
  direction.open.pop_front();
  std::vector<Slice>& slices = direction.track.slices;
  const Cycle begin = slices.empty() ? transfer.since : std::max(transfer.since, slices.back().end);
  if (begin < cycle) slices.push_back({begin, cycle, 0, transfer.process});
}

// One that was invoked during the decision before it starts, for the eye, where that one ended.
void TimelineBuilder::policy_decided(const Record& record) {
  std::vector<Slice>& slices = decisions_.slices;
  const Cycle last = slices.empty() ? 0 : slices.back().end;
  const Cycle begin = std::max(record.cycle - std::min(record.cycle, record.cycles), last);
  if (begin < record.cycle) slices.push_back({begin, record.cycle, 0, 0});
}

void TimelineBuilder::finish(Cycle end) {
  for (Sm& sm : sms_) show(sm, SmPhase::kIdle, record::kNoNumber, end);
  while (!open_launches_.empty()) kernel_changed(open_launches_.begin()->first, end, true);
  for (Process& process : processes_) {
    while (!process.runs.empty()) run_ended(process, process.runs.begin()->first, end);
  }
  for (Direction& direction : directions_) {
    while (!direction.open.empty()) transfer_ended(direction, end);
  }
}

std::vector<Track> TimelineBuilder::tracks() const {
  std::vector<Track> tracks;
  for (const Sm& sm : sms_) tracks.push_back(sm.track);
  for (const Process& process : processes_) {
    tracks.push_back(process.run_track);
    for (const Lane& lane : process.lanes) tracks.push_back(lane.track);
  }
  for (const Direction& direction : directions_) tracks.push_back(direction.track);
  tracks.push_back(decisions_);
  return tracks;
}

}  // namespace tessera::report
