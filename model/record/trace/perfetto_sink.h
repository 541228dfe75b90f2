// SPDX-License-Identifier: Apache-2.0
// Streams the log as a Perfetto trace (open in ui.perfetto.dev): SMs, processes, DMA, scheduler,
// driver; times in ns.
#pragma once

#include <ostream>

#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/perfetto_cpu_tracks.h"
#include "model/record/trace/perfetto_driver_tracks.h"
#include "model/record/trace/perfetto_gloop_tracks.h"
#include "model/record/trace/perfetto_host_tracks.h"
#include "model/record/trace/perfetto_sm_tracks.h"
#include "model/record/trace/perfetto_task_tracks.h"
#include "model/record/trace/perfetto_turn_track.h"
#include "model/record/trace/perfetto_writer.h"

namespace tessera::record {

class PerfettoSink : public ISink {
 public:
  // `out`, opened in binary mode, must outlive the sink.
  PerfettoSink(std::ostream& out, const Names& names);
  PerfettoSink(const PerfettoSink&) = delete;  // its parts refer to each other
  PerfettoSink& operator=(const PerfettoSink&) = delete;

  bool wants_per_tb() const override { return true; }
  bool wants_held() const override { return true; }
  void consume(const Record& record) override;
  void finish(Cycle end) override;  // closes open slices; throws std::runtime_error if the stream failed

 private:
  Names names_;
  LaunchTable launches_;
  PerfettoWriter writer_;
  PerfettoSmTracks sms_;
  PerfettoHostTracks host_;
  PerfettoCpuTracks cpu_;
  PerfettoDriverTracks driver_;
  PerfettoGloopTracks gloop_;
  PerfettoTaskTracks tasks_;
  PerfettoTurnTrack turn_;
};

}  // namespace tessera::record
