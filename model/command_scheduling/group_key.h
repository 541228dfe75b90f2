// SPDX-License-Identifier: Apache-2.0
// What a driver sees of a group of commands before it runs: methods and data sizes, but not its duration ([K11] 5.3).
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::command_scheduling {

// Two words per command, in order: an application's kernel and its thread blocks, or a copy's direction and its bytes.
using GroupKey = std::vector<std::uint64_t>;

}  // namespace tessera::command_scheduling
