// SPDX-License-Identifier: Apache-2.0
// From a kernel's end to its process's next arrival: host and dispatcher are the same in both models, so that what
// comes soonest comes as soon in both, if it does so again and again.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "verification/agreement/log_summary.h"

namespace tessera::verification {

// A line if it does not, else empty. Launches are paired by their position; of the processes in `unpaired` they are
// not. Where channels take turns, a kernel with which its process gets one has waited for that.
std::string compare_gaps(const LogSummary& tlm, const LogSummary& clocked, const std::set<std::uint16_t>& unpaired,
                         bool channels_take_turns);

}  // namespace tessera::verification
