// SPDX-License-Identifier: Apache-2.0
// A partition: a number of SMs, and the tasks that share them.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::realtime {

struct Partition {
  std::vector<std::uint32_t> tasks;  // indices into the set, ascending
  std::uint32_t num_sms = 0;
  std::uint32_t fewest_sms = 0;  // sufficient number, from the search; a preset may require more
};

}  // namespace tessera::realtime
