// SPDX-License-Identifier: Apache-2.0
// Records to slices. What a log does not tell whole (it may end anywhere) is drawn as far as it is known.
#include "report/timeline.h"

#include <algorithm>

#include "model/record/kind_info.h"
#include "model/record/numbers.h"

namespace tessera::report {

using record::KernelLane;
using record::Record;

std::string_view to_string(TrackGroup group) {
  constexpr std::array<std::string_view, 5> kNames{"sm", "runs", "kernels", "dma", "decisions"};
  return kNames[static_cast<std::size_t>(group)];
}

namespace {

void append(Track& track, const Slice& slice) {
  if (slice.begin < slice.end) track.slices.push_back(slice);
}

}  // namespace

TimelineBuilder::TimelineBuilder(const record::Names& names, const record::SetUp& set_up)
    : hosts_(*this, names.processes.size()),
      sm_slices_(names.num_sms, set_up, *this),
      sms_(names.num_sms),
      processes_(names.processes.size()),
      releases_(names.processes.size()) {
  for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) {
    sms_[sm].resize(record::kPartsOfSharedSm, {TrackGroup::kSm, sm, {}});
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
  if (record.kind == record::Kind::kRunReleased) {
    releases_.at(record.process).push_back({record.cycle, record::number::deadline(record), record.run});
  }
  const bool is_of_sms = kind_info(record.kind).has(record::kFieldSm) || record.kind == record::Kind::kSmsWithheld;
  if (is_of_sms) {
    sm_slices_.consume(record);
  } else {
    hosts_.consume(record);
  }
}

void TimelineBuilder::sm_slice(const record::SmSlice& slice) {
  sms_[slice.sm][slice.part].slices.push_back(
      {slice.begin, slice.end, static_cast<std::uint8_t>(slice.phase), slice.launch});
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
  sm_slices_.finish(end);
  hosts_.finish(end);
}

std::vector<Track> TimelineBuilder::tracks() const {
  std::vector<Track> tracks;
  for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) {
    tracks.insert(tracks.end(), sms_[sm].begin(), sms_[sm].begin() + sm_slices_.num_parts(sm));
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
