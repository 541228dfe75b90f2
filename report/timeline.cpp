// SPDX-License-Identifier: Apache-2.0
// Records to slices. What a log does not tell whole (it may end anywhere) is drawn as far as it is known.
#include "report/timeline.h"

#include <algorithm>

#include "model/record/kind_info.h"
#include "model/record/numbers.h"

namespace tessera::report {

using record::KernelLane;
using record::Record;
using record::SmPhase;

std::string_view to_string(TrackGroup group) {
  constexpr std::array<std::string_view, 5> kNames{"sm", "runs", "kernels", "dma", "decisions"};
  return kNames[static_cast<std::size_t>(group)];
}

namespace {

void append(Track& track, const Slice& slice) {
  if (slice.begin < slice.end) track.slices.push_back(slice);
}

}  // namespace

TimelineBuilder::TimelineBuilder(const record::Names& names, const SetUp& set_up)
    : set_up_(set_up),
      hosts_(*this, names.processes.size()),
      sms_(names.num_sms),
      processes_(names.processes.size()),
      releases_(names.processes.size()) {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    sms_[i].track.index = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    processes_[i].run_track.group = TrackGroup::kRuns;
    processes_[i].run_track.index = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = 0; i < transfers_.size(); ++i) {
    transfers_[i].group = TrackGroup::kDma;
    transfers_[i].index = static_cast<std::uint32_t>(i);
  }
  decisions_.group = TrackGroup::kDecisions;
}

void TimelineBuilder::consume(const Record& record) {
  has_thread_blocks_ = has_thread_blocks_ || is_per_tb(record.kind);
  if (record.kind == record::Kind::kSmsWithheld) {
    for (Sm& sm : sms_) follow(sm, record);
    return;
  }
  if (record.kind == record::Kind::kRunReleased) {
    releases_.at(record.process).push_back({record.cycle, record::number::deadline(record), record.run});
  }
  if (!kind_info(record.kind).has(record::kFieldSm)) return hosts_.consume(record);
  follow(sms_.at(record.sm), record);
}

void TimelineBuilder::follow(Sm& sm, const Record& record) {
  sm.held.apply(record);
  if (sm.held.is_used()) return show_parts(sm, record.cycle);
  sm.state.apply(record);
  // A shared SM is drawn as its guest's: the owner is the one of the slice before.
  const SmPhase phase = sm.state.phase();
  show(sm, phase, phase == SmPhase::kShared ? sm.state.guest() : sm.state.launch(), record.cycle);
}

// A part shows the kernel in its middle, where kernels lie side by side in the order of their launches.
void TimelineBuilder::show_parts(Sm& sm, Cycle cycle) {
  constexpr std::uint64_t kWhole = 1'000'000;
  sm.parts.resize(kPartsOfSharedSm,
                  SmTrack{SmPhase::kIdle, record::kNoNumber, 0, {TrackGroup::kSm, sm.track.index, {}}});
  auto kernel = sm.held.held().begin();
  std::uint64_t below = 0;  // what the kernels up to this one hold
  for (std::uint32_t i = 0; i < kPartsOfSharedSm; ++i) {
    const std::uint64_t middle = kWhole * (2 * i + 1) / (2 * kPartsOfSharedSm);
    while (kernel != sm.held.held().end() && below + kernel->share_ppm <= middle) below += (kernel++)->share_ppm;
    const bool is_free = kernel == sm.held.held().end();
    show(sm.parts[i], is_free ? SmPhase::kIdle : sm.held.phase(), is_free ? record::kNoNumber : kernel->launch, cycle);
  }
}

void TimelineBuilder::show(SmTrack& sm, SmPhase phase, std::uint32_t launch, Cycle cycle) {
  if (phase == sm.shown && launch == sm.shown_launch) return;
  Cycle begin = sm.since;
  const Cycle idle = phase == SmPhase::kRestoring ? set_up_.latest_restore : set_up_.first_tb;
  if (sm.shown == SmPhase::kSetUp && !has_thread_blocks_ && begin + idle < cycle) {
    const Cycle end = begin + set_up_.first_tb;
    sm.track.slices.push_back({begin, end, static_cast<std::uint8_t>(sm.shown), sm.shown_launch});
    begin = end;
    sm.shown = SmPhase::kRunning;
  }
  if (sm.shown != SmPhase::kIdle) {
    append(sm.track, {begin, cycle, static_cast<std::uint8_t>(sm.shown), sm.shown_launch});
  }
  sm.shown = phase;
  sm.shown_launch = launch;
  sm.since = cycle;
}

void TimelineBuilder::kernel_arrived(const KernelLane& lane, const Record& arrived) {
  if (arrived.launch >= launches_.size()) launches_.resize(arrived.launch + std::size_t{1});
  launches_[arrived.launch] = {arrived.process, arrived.kernel, arrived.run};
  std::vector<Lane>& lanes = processes_[lane.process].lanes;
  if (lane.lane == lanes.size()) {
    lanes.emplace_back();
    lanes.back().track.group = TrackGroup::kKernels;
    lanes.back().track.index = lane.process;
  }
  lanes[lane.lane].since = arrived.cycle;
  lanes[lane.lane].state = 0;
}

void TimelineBuilder::kernel_changed(const KernelLane& place, std::uint32_t launch, Cycle cycle) {
  Lane& lane = processes_[place.process].lanes[place.lane];
  append(lane.track, {lane.since, cycle, lane.state, launch});
  lane.since = cycle;
  lane.state = 1;
}

void TimelineBuilder::kernel_activated(const KernelLane& lane, std::uint32_t launch, Cycle cycle) {
  kernel_changed(lane, launch, cycle);
}

void TimelineBuilder::kernel_ended(const KernelLane& lane, std::uint32_t launch, Cycle cycle) {
  kernel_changed(lane, launch, cycle);
}

void TimelineBuilder::run_ended(std::uint16_t process, std::uint32_t run, Cycle begin, Cycle end) {
  append(processes_[process].run_track, {begin, end, 0, run});
}

// Transfers of one direction that overlap are drawn one after the other.
void TimelineBuilder::transfer_ended(std::size_t direction, std::uint16_t process, Cycle begin, Cycle end) {
  Track& track = transfers_.at(direction);
  const Cycle last = track.slices.empty() ? 0 : track.slices.back().end;
  append(track, {std::max(begin, last), end, 0, process});
}

void TimelineBuilder::decided(Cycle begin, Cycle end) { append(decisions_, {begin, end, 0, 0}); }

void TimelineBuilder::finish(Cycle end) {
  for (Sm& sm : sms_) {
    show(sm, SmPhase::kIdle, record::kNoNumber, end);
    for (SmTrack& part : sm.parts) show(part, SmPhase::kIdle, record::kNoNumber, end);
  }
  hosts_.finish(end);
}

std::vector<Track> TimelineBuilder::tracks() const {
  std::vector<Track> tracks;
  for (const Sm& sm : sms_) {
    if (sm.parts.empty()) tracks.push_back(sm.track);
    for (const SmTrack& part : sm.parts) tracks.push_back(part.track);
  }
  for (const Process& process : processes_) {
    tracks.push_back(process.run_track);
    for (const Lane& lane : process.lanes) tracks.push_back(lane.track);
  }
  tracks.insert(tracks.end(), transfers_.begin(), transfers_.end());
  tracks.push_back(decisions_);
  return tracks;
}

}  // namespace tessera::report
