// SPDX-License-Identifier: Apache-2.0
// Which cycles a waveform of the clocked half keeps, whatever the format of its file.
#pragma once

#include <optional>

#include "rtl_model/interfaces/i_watcher.h"

namespace tessera::rtl_model {

class WaveWindow {
 public:
  // In SM cycles.
  struct Bounds {
    Cycle from = kNever;  // kNever: the first cycle that brings the scheduler a command
    Cycle length = kNever;
  };
  WaveWindow(const Bounds& bounds, const IWatchedEngine& engine) : bounds_(bounds), engine_(engine) {}

  // Is this cycle, whose inputs are known, to be kept?
  bool takes(const ClockCount& clock);
  // It was kept. `is_full`: the file ends with it.
  void kept(const ClockCount& clock, bool is_full);
  // Nothing will be kept in this cycle or later.
  bool is_over(const ClockCount& clock) const;

  // The core cycle that must be evaluated for the waveform's sake, though the engine has nothing to do in it: the
  // first of the window, and the one in which the registers show the last edge. kNever: none.
  Cycle next_sample() const;
  // The SM cycle in which the file got too long.
  std::optional<Cycle> cut() const { return cut_; }

 private:
  Bounds bounds_;
  const IWatchedEngine& engine_;
  bool has_begun_ = false;
  Cycle settles_at_ = kNever;  // the cycle after one that may have changed registers
  std::optional<Cycle> cut_;
};

// Who writes a waveform.
class IWaveTracer : public IWatcher {
 public:
  bool wants_every_cycle() const override { return true; }
  virtual const WaveWindow& window() const = 0;
};

}  // namespace tessera::rtl_model
