// SPDX-License-Identifier: Apache-2.0
// Keeps a waveform of the clocked half: all named pins and registers, for a stretch of the run. The file is the same
// whether every cycle is watched or only those the tracer and the engine ask for.
#pragma once

#include <functional>
#include <vector>

#include "rtl_model/observe/vcd_writer.h"
#include "rtl_model/observe/wave_window.h"

namespace tessera::rtl_model {

class VcdTracer final : public IWaveTracer {
 public:
  // `max_bytes`: the file ends with the cycle in which it gets that long. The engine is watched from its first cycle.
  VcdTracer(std::ostream& out, std::uint64_t clock_hz, const WaveWindow::Bounds& bounds, std::uint64_t max_bytes,
            const IWatchedEngine& engine);

  void watch(const ClockCount& clock) override;
  const WaveWindow& window() const override { return window_; }

 private:
  class Declarer;
  struct Signal {
    std::function<std::uint64_t()> value;
    VcdVariable variable;
  };

  void write_first(Picoseconds time);
  void write_changes(Picoseconds time);

  VcdWriter writer_;
  Clock core_clock_;
  WaveWindow window_;
  std::uint64_t max_bytes_;
  std::vector<Signal> signals_;
  bool has_first_values_ = false;
};

}  // namespace tessera::rtl_model
