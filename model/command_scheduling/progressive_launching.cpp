// SPDX-License-Identifier: Apache-2.0
#include "model/command_scheduling/progressive_launching.h"

#include <algorithm>

namespace tessera::command_scheduling {

void ProgressiveLaunching::hand_over() {
  --held_;
  if (++in_flight_ == threshold_) awaited_ = batch_;
}

void ProgressiveLaunching::complete(std::uint32_t launches) {
  in_flight_ -= launches;
  awaited_ -= std::min(awaited_, launches);
}

}  // namespace tessera::command_scheduling
