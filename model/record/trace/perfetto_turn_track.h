// SPDX-License-Identifier: Apache-2.0
// Perfetto track of a turn that contexts keep: whose it is, and the switches between them by their cause.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/base/time.h"
#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/perfetto_state.h"
#include "model/record/trace/perfetto_writer.h"

namespace tessera::record {

class PerfettoTurnTrack {
 public:
  // `writer` and `names` must outlive this object. No track unless a turn is kept.
  PerfettoTurnTrack(PerfettoWriter& writer, const Names& names)
      : writer_(writer), names_(names), clock_(names.clock_hz) {}
  PerfettoTurnTrack(const PerfettoTurnTrack&) = delete;
  PerfettoTurnTrack& operator=(const PerfettoTurnTrack&) = delete;

  void consume(const Record& record);
  void finish(Cycle end);

 private:
  void show(Cycle now, std::string state);

  PerfettoWriter& writer_;
  const Names& names_;
  Clock clock_;
  std::optional<PerfettoWriter::Track> track_;
  PerfettoState state_;
};

}  // namespace tessera::record
