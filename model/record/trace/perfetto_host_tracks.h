// SPDX-License-Identifier: Apache-2.0
// Perfetto tracks outside the SMs: each process's runs and kernel launches, the DMA transfers, the policy's decisions.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "model/base/time.h"
#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/host_activity.h"
#include "model/record/trace/perfetto_writer.h"

namespace tessera::record {

class PerfettoHostTracks : private IHostActivityListener {
 public:
  // `writer` and `names` must outlive this object.
  PerfettoHostTracks(PerfettoWriter& writer, const Names& names);
  PerfettoHostTracks(const PerfettoHostTracks&) = delete;
  PerfettoHostTracks& operator=(const PerfettoHostTracks&) = delete;

  // Kernel, run, DMA and policy records; others are ignored.
  void consume(const Record& record);
  void finish(Cycle end);

 private:
  struct Process {
    PerfettoWriter::Track track = 0;
    std::vector<PerfettoWriter::Track> lanes;
    std::map<std::uint32_t, Cycle> due;  // by run: deadlines of runs that have not ended
    PerfettoWriter::Track marks = 0;     // track of releases and deadlines; 0: none yet
  };

  void kernel_arrived(const KernelLane& lane, const Record& arrived) override;
  void kernel_activated(const KernelLane& lane, std::uint32_t launch, Cycle cycle) override;
  void kernel_ended(const KernelLane& lane, std::uint32_t launch, Cycle cycle) override;
  void run_ended(std::uint16_t process, std::uint32_t run, Cycle begin, Cycle end) override;
  void transfer_ended(std::size_t direction, std::uint16_t process, Cycle begin, Cycle end) override;
  void decided(Cycle begin, Cycle end) override;

  // Mark releases, and deadlines that have passed by `now`.
  void mark_release(const Record& released);
  void mark_deadlines(Cycle now);

  PerfettoWriter::Track track_of(const KernelLane& lane) const { return processes_[lane.process].lanes[lane.lane]; }
  // Within a cycle, records have "started" before "ended", but a track needs the reverse; so slices that may follow one
  // another without a gap are written as a whole when they end.
  void write_slice(PerfettoWriter::Track track, Cycle start, Cycle end, std::string_view name);
  std::uint64_t nanoseconds(Cycle cycle) const { return clock_.time_of(cycle) / 1000; }

  PerfettoWriter& writer_;
  const Names& names_;
  Clock clock_;
  HostActivity activity_;
  std::vector<Process> processes_;
  struct Deadline {
    std::uint16_t process;
    std::uint32_t run;
  };
  std::multimap<Cycle, Deadline> deadlines_;    // to come
  std::array<PerfettoWriter::Track, 2> dma_{};  // by direction
  PerfettoWriter::Track scheduler_ = 0;
};

}  // namespace tessera::record
