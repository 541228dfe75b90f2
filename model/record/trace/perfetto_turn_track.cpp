// SPDX-License-Identifier: Apache-2.0
// A slice is written whole when its state ends.
#include "model/record/trace/perfetto_turn_track.h"

#include <utility>

#include "model/record/numbers.h"

namespace tessera::record {
namespace {

const char* switch_of(TurnCause cause) {
  switch (cause) {
    case TurnCause::kDry:
      return "switch: dry";
    case TurnCause::kSliceOver:
      return "switch: slice over";
    case TurnCause::kUnlisted:
      return "switch: off the run list";
  }
  return "switch";
}

}  // namespace

void PerfettoTurnTrack::consume(const Record& record) {
  if (record.kind == Kind::kTurnBegan) show(record.cycle, names_.processes.at(record.process));
  if (record.kind == Kind::kTurnPassed) {
    show(record.cycle, switch_of(static_cast<TurnCause>(number::turn_cause(record))));
  }
}

void PerfettoTurnTrack::show(Cycle now, std::string state) {
  if (!track_) track_ = writer_.add_track(0, "GPU turn");
  state_.set(writer_, *track_, clock_, now, std::move(state));
}

void PerfettoTurnTrack::finish(Cycle end) {
  if (track_) show(end, "");
}

}  // namespace tessera::record
