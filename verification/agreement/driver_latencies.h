// SPDX-License-Identifier: Apache-2.0
// The machine's way from a driver to a kernel and back: what comes soonest comes as soon in both logs, if it does so
// again and again, as for gaps of kernels (gaps.h).
#pragma once

#include <string>
#include <vector>

#include "verification/agreement/driver_story.h"
#include "verification/agreement/log_summary.h"

namespace tessera::verification {

// What one log says.
struct DriverSide {
  const DriverStory& story;
  const LogSummary& summary;
};

// A line for each that differs: from a doorbell to the group's first kernel, and from its last kernel to its
// completion, which ticks would tell late.
std::vector<std::string> compare_driver_latencies(const DriverSide& tlm_side, const DriverSide& clocked_side,
                                                  bool has_ticks);

}  // namespace tessera::verification
