// SPDX-License-Identifier: Apache-2.0
// The last cycles with activity on the pins, for reporting a mismatch.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/base/time.h"
#include "rtl_model/interfaces/pins.h"

namespace tessera::cosim {

class History {
 public:
  void clear() { num_ = 0; }
  void note(Cycle cycle, const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out);
  // Oldest first, one line per cycle.
  std::vector<std::string> lines() const;

 private:
  struct Entry {
    Cycle cycle = 0;
    rtl_model::SchedulerInputs in;
    rtl_model::SchedulerOutputs out;
  };
  static constexpr std::size_t kDepth = 24;

  std::array<Entry, kDepth> entries_;
  std::size_t num_ = 0;
};

}  // namespace tessera::cosim
