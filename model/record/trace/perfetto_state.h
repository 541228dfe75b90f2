// SPDX-License-Identifier: Apache-2.0
// What something is doing, over time: a slice on its track for each stretch in which it has a state.
#pragma once

#include <string>
#include <utility>

#include "model/base/time.h"
#include "model/record/trace/perfetto_writer.h"

namespace tessera::record {

class PerfettoState {
 public:
  // From cycle `now` on; empty: none. The stretch before gets its slice, unless it has no length.
  void set(PerfettoWriter& writer, PerfettoWriter::Track track, const Clock& clock, Cycle now, std::string state) {
    if (!state_.empty() && since_ < now) {
      writer.begin_slice(track, clock.time_of(since_) / 1000, state_);  // in ns
      writer.end_slice(track, clock.time_of(now) / 1000);
    }
    state_ = std::move(state);
    since_ = now;
  }

 private:
  std::string state_;
  Cycle since_ = 0;
};

}  // namespace tessera::record
