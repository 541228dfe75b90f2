// SPDX-License-Identifier: Apache-2.0
// The clock of all that depends on memory: it runs slower the longer memory takes to answer
// (docs/concepts/loaded_memory.md).
#pragma once

#include <cstdint>

#include "model/base/time.h"

namespace tessera::tlm_model {

// Virtual time is counted in 2^-16 cycles, and so is the rate, per cycle: exact integers, however far one goes at once.
class VirtualClock {
 public:
  static constexpr unsigned kBits = 16;
  static constexpr std::uint64_t kFullRate = std::uint64_t{1} << kBits;

  // `now`: not before the rate was last set.
  std::uint64_t at(Cycle now) const { return base_ + (now - since_) * rate_; }
  // The first cycle in which it is `time` or later, from when the rate was last set on.
  Cycle first_from(std::uint64_t time) const {
    return time <= base_ ? since_ : since_ + (time - base_ + rate_ - 1) / rate_;
  }
  void set_rate(Cycle now, std::uint64_t rate) {
    base_ = at(now);
    since_ = now;
    rate_ = rate;
  }

 private:
  std::uint64_t base_ = 0;
  Cycle since_ = 0;
  std::uint64_t rate_ = kFullRate;
};

}  // namespace tessera::tlm_model
