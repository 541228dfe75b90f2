// SPDX-License-Identifier: Apache-2.0
// A run as slices on tracks: what SMs, kernels, transfers and the scheduler did, for the page to draw.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/host_activity.h"
#include "model/record/trace/sm_slices.h"

namespace tessera::report {

enum class TrackGroup : std::uint8_t { kSm, kRuns, kKernels, kDma, kDecisions };

std::string_view to_string(TrackGroup group);  // "sm", "runs", ...

// Times are GPU cycles.
struct Slice {
  Cycle begin = 0;
  Cycle end = 0;
  std::uint8_t state = 0;       // an SM: its SmPhase; a kernel: 0 waiting, 1 active; else 0
  std::uint32_t reference = 0;  // an SM, a kernel: the launch; a run: its number; a transfer: the process
};

// An SM that kernels share has record::kPartsOfSharedSm tracks, a part of it each.
struct Track {
  TrackGroup group = TrackGroup::kSm;
  std::uint32_t index = 0;    // the SM, the process, or the direction of the transfer (0 to the GPU, 1 to the host)
  std::vector<Slice> slices;  // one after the other
};

struct Launch {
  std::uint16_t process = record::kNoIndex;  // kNoIndex: never arrived
  std::uint16_t kernel = record::kNoIndex;
  std::uint32_t run = 0;
};

// A run that a process's period or arrivals release.
struct Release {
  Cycle at = 0;
  Cycle deadline = 0;  // from then on; 0: none
  std::uint32_t run = 0;
};

// Fed with the records of a log in their order, then finished.
class TimelineBuilder : private record::IHostActivityListener, private record::ISmSliceListener {
 public:
  // `set_up` is used where the log has no records of thread blocks.
  TimelineBuilder(const record::Names& names, const record::SetUp& set_up);
  TimelineBuilder(const TimelineBuilder&) = delete;
  TimelineBuilder& operator=(const TimelineBuilder&) = delete;

  void consume(const record::Record& record);
  void finish(Cycle end);  // what is open ends there

  // Valid after finish(): by group, then index.
  std::vector<Track> tracks() const;
  const std::vector<Launch>& launches() const { return launches_; }                // by launch id
  const std::vector<std::vector<Release>>& releases() const { return releases_; }  // by process, in order

 private:
  struct Lane {  // of kernels that do not overlap
    Cycle since = 0;
    std::uint8_t state = 0;
    Track track;
  };
  struct Process {
    std::vector<Lane> lanes;
    Track run_track;
  };

  void sm_slice(const record::SmSlice& slice) override;
  void kernel_arrived(const record::KernelLane& lane, const record::Record& arrived) override;
  void kernel_activated(const record::KernelLane& lane, std::uint32_t launch, Cycle cycle) override;
  void kernel_ended(const record::KernelLane& lane, std::uint32_t launch, Cycle cycle) override;
  void run_ended(std::uint16_t process, std::uint32_t run, Cycle begin, Cycle end) override;
  void transfer_ended(std::size_t direction, std::uint16_t process, Cycle begin, Cycle end) override;
  void decided(Cycle begin, Cycle end) override;
  void kernel_changed(const record::KernelLane& lane, std::uint32_t launch, Cycle cycle);

  record::HostActivity hosts_;
  record::SmSlices sm_slices_;
  std::vector<std::vector<Track>> sms_;  // of each its parts
  std::vector<Process> processes_;
  std::array<Track, 2> transfers_;  // by direction
  Track decisions_;
  std::vector<Launch> launches_;
  std::vector<std::vector<Release>> releases_;
};

}  // namespace tessera::report
