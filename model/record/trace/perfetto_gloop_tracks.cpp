// SPDX-License-Identifier: Apache-2.0
// A slice is written whole when its state ends.
#include "model/record/trace/perfetto_gloop_tracks.h"

#include <fmt/format.h>

namespace tessera::record {

void PerfettoGloopTracks::consume(const Record& record) {
  switch (record.kind) {
    case Kind::kTokenRequested:
    case Kind::kTokenRevoked:
      return set_state(session_of(record.process), record.cycle, "waiting for the token");
    case Kind::kTokenGranted:
      return set_state(session_of(record.process), record.cycle, "token");
    case Kind::kYieldRequested:
      return set_state(session_of(record.process), record.cycle, "told to yield");
    case Kind::kKernelKilled:
      return set_state(session_of(record.process), record.cycle, "killed");
    case Kind::kTokenReleased:
      return set_state(session_of(record.process), record.cycle, "");
    case Kind::kIoRequested:
      return count_io(session_of(record.process), record.cycle, 1);
    case Kind::kIoDone:
      return count_io(session_of(record.process), record.cycle, -1);
    default:
      return;
  }
}

PerfettoGloopTracks::Session& PerfettoGloopTracks::session_of(std::uint16_t process) {
  const auto known = sessions_.find(process);
  if (known != sessions_.end()) return known->second;
  if (sessions_.empty()) parent_ = writer_.add_track(0, "GLoop");
  Session session;
  session.token = writer_.add_track(parent_, fmt::format("{} session", names_.processes.at(process)));
  session.io = writer_.add_counter_track(parent_, fmt::format("{} open I/O", names_.processes.at(process)));
  return sessions_.emplace(process, session).first->second;
}

void PerfettoGloopTracks::set_state(Session& session, Cycle now, const char* state) {
  session.state.set(writer_, session.token, clock_, now, state);
}

void PerfettoGloopTracks::count_io(Session& session, Cycle now, std::int64_t change) {
  session.open_requests += change;
  writer_.set_counter(session.io, nanoseconds(now), session.open_requests);
}

void PerfettoGloopTracks::finish(Cycle end) {
  for (auto& [process, session] : sessions_) set_state(session, end, "");
}

}  // namespace tessera::record
