// SPDX-License-Identifier: Apache-2.0
// Perfetto tracks of event-driven kernels' sessions: which wait for the token and which has it, since when the holder
// has been told to yield, and the number of open I/O requests.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "model/base/time.h"
#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/perfetto_state.h"
#include "model/record/trace/perfetto_writer.h"

namespace tessera::record {

class PerfettoGloopTracks {
 public:
  // `writer` and `names` must outlive this object. No tracks without such kernels.
  PerfettoGloopTracks(PerfettoWriter& writer, const Names& names)
      : writer_(writer), names_(names), clock_(names.clock_hz) {}
  PerfettoGloopTracks(const PerfettoGloopTracks&) = delete;
  PerfettoGloopTracks& operator=(const PerfettoGloopTracks&) = delete;

  void consume(const Record& record);
  void finish(Cycle end);

 private:
  struct Session {
    PerfettoWriter::Track token = 0;
    PerfettoWriter::Track io = 0;
    PerfettoState state;
    std::int64_t open_requests = 0;
  };
  Session& session_of(std::uint16_t process);
  void set_state(Session& session, Cycle now, const char* state);
  void count_io(Session& session, Cycle now, std::int64_t change);
  std::uint64_t nanoseconds(Cycle cycle) const { return clock_.time_of(cycle) / 1000; }

  PerfettoWriter& writer_;
  const Names& names_;
  Clock clock_;
  PerfettoWriter::Track parent_ = 0;
  std::map<std::uint16_t, Session> sessions_;  // by process
};

}  // namespace tessera::record
