// SPDX-License-Identifier: Apache-2.0
// SMs, and the tasks that share them.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::realtime {

struct Partition {
  std::vector<std::uint32_t> tasks;  // indices into the set, ascending
  std::uint32_t num_sms = 0;
  std::uint32_t fewest_sms = 0;  // that are enough, of a partition that was sought: a preset may ask for more
};

}  // namespace tessera::realtime
