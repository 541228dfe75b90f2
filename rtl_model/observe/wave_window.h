// SPDX-License-Identifier: Apache-2.0
// The cycles that a waveform of the clocked part records, independent of the file format.
#pragma once

#include <optional>

#include "rtl_model/interfaces/i_watcher.h"

namespace tessera::rtl_model {

class WaveWindow {
 public:
  // In SM cycles.
  struct Bounds {
    Cycle from = kNever;  // kNever: the first cycle with a command to the scheduler
    Cycle length = kNever;
  };
  WaveWindow(const Bounds& bounds, const IWatchedEngine& engine) : bounds_(bounds), engine_(engine) {}

  // Whether to record this cycle, whose inputs are known.
  bool takes(const ClockCount& clock);
  // The cycle was recorded. `is_full`: the file ends with it.
  void kept(const ClockCount& clock, bool is_full);
  // Nothing will be recorded from this cycle on.
  bool is_over(const ClockCount& clock) const;

  // The next core cycle that must be evaluated for the waveform although the engine has nothing to do: the first of the
  // window, or the one in which registers show the last edge. kNever: none.
  Cycle next_sample() const;
  // The SM cycle in which the file reached its size limit.
  std::optional<Cycle> cut() const { return cut_; }

 private:
  Bounds bounds_;
  const IWatchedEngine& engine_;
  bool has_begun_ = false;
  Cycle settles_at_ = kNever;  // the cycle after one that may have changed registers
  std::optional<Cycle> cut_;
};

// Writer of a waveform.
class IWaveTracer : public IWatcher {
 public:
  bool wants_every_cycle() const override { return true; }
  virtual const WaveWindow& window() const = 0;
};

}  // namespace tessera::rtl_model
