// SPDX-License-Identifier: Apache-2.0
// Perfetto tracks of a driver that stops tasks (XSched, GCAPS): when each one is suspended, until when something of it
// was still on the GPU, and how many of its launches are there.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/time.h"
#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/perfetto_state.h"
#include "model/record/trace/perfetto_writer.h"

namespace tessera::record {

class PerfettoTaskTracks {
 public:
  // `writer` and `names` must outlive this object. No tracks if the driver stops no tasks.
  PerfettoTaskTracks(PerfettoWriter& writer, const Names& names);
  PerfettoTaskTracks(const PerfettoTaskTracks&) = delete;
  PerfettoTaskTracks& operator=(const PerfettoTaskTracks&) = delete;

  void consume(const Record& record);
  void finish(Cycle end);

 private:
  struct Task {
    PerfettoWriter::Track suspended = 0;
    PerfettoWriter::Track launches = 0;  // not with a run list
    PerfettoState state;
    std::int64_t in_flight = 0;
  };
  void set_state(Task& task, Cycle now, const char* state);
  void count(Task& task, Cycle now, std::int64_t change);
  std::uint64_t nanoseconds(Cycle cycle) const { return clock_.time_of(cycle) / 1000; }

  PerfettoWriter& writer_;
  bool has_run_list_;
  Clock clock_;
  std::vector<Task> tasks_;  // by process
};

}  // namespace tessera::record
