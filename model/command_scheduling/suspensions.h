// SPDX-License-Identifier: Apache-2.0
// When somebody suspends a task again and again, as who measures suspensions does (XSched's artifact, figure 11): how
// long it runs until the next suspension, and how long it then stays suspended. Drawn from the seed.
#pragma once

#include <cstdint>

#include "model/base/time.h"

namespace tessera::command_scheduling {

struct SuspensionParameters {  // in cycles
  Cycle min_run = 0;
  Cycle max_run = 0;
  Cycle min_pause = 0;
  Cycle max_pause = 0;
  Cycle slack = 0;  // that each of them takes longer
};

class Suspensions {
 public:
  Suspensions(const SuspensionParameters& parameters, std::uint64_t key) : parameters_(parameters), key_(key) {}

  Cycle next_run() { return draw(parameters_.min_run, parameters_.max_run); }
  Cycle next_pause() { return draw(parameters_.min_pause, parameters_.max_pause); }

 private:
  Cycle draw(Cycle least, Cycle most);

  SuspensionParameters parameters_;
  std::uint64_t key_;
  std::uint64_t drawn_ = 0;
};

}  // namespace tessera::command_scheduling
