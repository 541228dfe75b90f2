// SPDX-License-Identifier: Apache-2.0
// What a driver sees of a group of commands before it runs: methods and data sizes, never how long it will take
// ([K11] 5.3).
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::command_scheduling {

// Two words a command, in order: an application's kernel and its thread blocks, or a copy's direction and its bytes.
using GroupKey = std::vector<std::uint64_t>;

}  // namespace tessera::command_scheduling
