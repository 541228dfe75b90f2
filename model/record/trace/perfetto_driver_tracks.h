// SPDX-License-Identifier: Apache-2.0
// Perfetto tracks of a driver that holds groups back: what each process's groups wait for and when they have the GPU,
// the budget of each reserve, and the GPU time charged to it in each period.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "model/base/time.h"
#include "model/record/driver/budget_replay.h"
#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/perfetto_state.h"
#include "model/record/trace/perfetto_writer.h"

namespace tessera::record {

class PerfettoDriverTracks {
 public:
  // `writer` and `names` must outlive this object. No tracks if the driver does not hold groups back.
  PerfettoDriverTracks(PerfettoWriter& writer, const Names& names);
  PerfettoDriverTracks(const PerfettoDriverTracks&) = delete;
  PerfettoDriverTracks& operator=(const PerfettoDriverTracks&) = delete;

  void consume(const Record& record);
  void finish(Cycle end);

 private:
  struct Process {
    PerfettoWriter::Track waits = 0;
    PerfettoWriter::Track online = 0;
    PerfettoState state;                       // of its waiting group; none: none waits
    std::map<std::uint64_t, Cycle> submitted;  // groups that are online
    Cycle drawn_until = 0;                     // on track `online`
  };
  struct Reserve {
    PerfettoWriter::Track budget = 0;
    PerfettoWriter::Track charged = 0;
    BudgetReplay replay;
    Cycle period_start = 0;
    Cycle charged_in_period = 0;
  };

  void group_done(const Record& record);
  void budget_replenished(const Record& record);
  void end_period(Reserve& reserve, Cycle end);
  void set_state(Process& process, Cycle now, const char* state);
  void end_online(Process& process, Cycle submitted, Cycle end);
  void write_budget(const Reserve& reserve, Cycle now);
  void write_slice(PerfettoWriter::Track track, Cycle start, Cycle end, std::string_view name);
  std::int64_t microseconds(std::int64_t cycles) const;
  std::uint64_t nanoseconds(Cycle cycle) const { return clock_.time_of(cycle) / 1000; }

  PerfettoWriter& writer_;
  const DriverFacts& facts_;
  Clock clock_;
  std::vector<Process> processes_;
  std::vector<Reserve> reserves_;
};

}  // namespace tessera::record
