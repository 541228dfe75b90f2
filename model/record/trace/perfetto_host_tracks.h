// SPDX-License-Identifier: Apache-2.0
// The rest of a Perfetto trace: each process's runs and kernel launches, the DMA transfers, the policy's decisions.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "model/base/time.h"
#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/perfetto_writer.h"

namespace tessera::record {

class PerfettoHostTracks {
 public:
  // `writer` and `names` must outlive this object.
  PerfettoHostTracks(PerfettoWriter& writer, const Names& names);

  // Kernel, run, DMA and policy records; others are ignored.
  void consume(const Record& record);
  void finish(Cycle end);

 private:
  // Kernels of one process overlap, slices of one track must nest: each launch takes the lowest free lane.
  struct Lane {
    PerfettoWriter::Track track = 0;
    bool is_busy = false;
  };
  struct Process {
    PerfettoWriter::Track track = 0;
    std::vector<Lane> lanes;
    std::map<std::uint32_t, Cycle> runs;  // those that go on, and since when
  };
  struct Launch {
    std::uint16_t process = 0;
    std::size_t lane = 0;
  };
  struct Transfer {
    Cycle start = 0;
    std::uint16_t process = 0;
  };
  // Transfers of one direction follow one another.
  struct Direction {
    PerfettoWriter::Track track = 0;
    std::deque<Transfer> transfers;
  };

  void kernel_arrived(const Record& record);
  void kernel_activated(const Record& record);
  void kernel_finished(const Record& record);
  void policy_decided(const Record& record);
  void run_ended(Process& process, std::uint32_t run, Cycle end);
  void transfer_ended(Direction& direction, Cycle end);
  // The records of a cycle put "started" before "ended", a track wants the reverse: slices that may follow
  // one another without a gap are written whole when they end.
  void write_slice(PerfettoWriter::Track track, Cycle start, Cycle end, std::string_view name);
  std::uint64_t nanoseconds(Cycle cycle) const { return clock_.time_of(cycle) / 1000; }

  PerfettoWriter& writer_;
  const Names& names_;
  Clock clock_;
  std::vector<Process> processes_;
  std::map<std::uint32_t, Launch> launches_;  // waiting or active ones
  std::array<Direction, 2> dma_;              // [Record::value]
  PerfettoWriter::Track scheduler_ = 0;
  Cycle last_decision_ = 0;
};

}  // namespace tessera::record
