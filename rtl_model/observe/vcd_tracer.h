// SPDX-License-Identifier: Apache-2.0
// Writes a waveform of the clocked part: all named pins and registers, for a part of the run. The file is the same
// whether every cycle is watched or only those that the tracer and the engine require.
#pragma once

#include <functional>
#include <vector>

#include "rtl_model/observe/vcd_writer.h"
#include "rtl_model/observe/wave_window.h"

namespace tessera::rtl_model {

class VcdTracer final : public IWaveTracer {
 public:
  // `max_bytes`: the file ends with the cycle in which it reaches this size. The tracer must watch the engine from its
  // first cycle.
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
