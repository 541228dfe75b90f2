// SPDX-License-Identifier: Apache-2.0
// Keeps a waveform of the clocked half: all named pins and registers, for a stretch of the run. The file is the same
// whether every cycle is watched or only those the tracer and the engine ask for.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rtl_model/engine/clocked_engine.h"
#include "rtl_model/observe/vcd_writer.h"

namespace tessera::rtl_model {

class VcdTracer final : public IWatcher {
 public:
  // In SM cycles.
  struct Window {
    Cycle from = kNever;  // kNever: the first cycle that brings the scheduler a command
    Cycle length = kNever;
  };
  // `max_bytes`: the file ends with the cycle in which it gets that long. The engine is watched from its first cycle.
  VcdTracer(std::ostream& out, std::uint64_t clock_hz, std::uint32_t clock_ratio, const Window& window,
            std::uint64_t max_bytes, const ClockedEngine& engine);

  bool wants_every_cycle() const override { return true; }
  void watch(const ClockCount& clock) override;

  // The core cycle that must be evaluated for the waveform's sake, though the engine has nothing to do in it: the
  // first of the window, and the one in which the registers show the last edge. kNever: none.
  Cycle next_sample() const;
  // Nothing will be written in this cycle or later.
  bool is_over(const ClockCount& clock) const;
  // The SM cycle in which the file got too long.
  std::optional<Cycle> cut() const { return cut_; }

 private:
  class Declarer;
  struct Signal {
    std::function<std::uint64_t()> value;
    VcdVariable variable;
  };

  bool has_begun(const ClockCount& clock);
  void write_first(Picoseconds time);
  void write_changes(Picoseconds time);

  VcdWriter writer_;
  Clock core_clock_;
  std::uint32_t clock_ratio_;
  Window window_;
  std::uint64_t max_bytes_;
  const ClockedEngine& engine_;
  std::vector<Signal> signals_;
  bool has_first_values_ = false;
  Cycle settles_at_ = kNever;  // the cycle after one that may have changed registers
  std::optional<Cycle> cut_;
};

}  // namespace tessera::rtl_model
