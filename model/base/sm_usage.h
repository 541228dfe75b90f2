// SPDX-License-Identifier: Apache-2.0
// SM cycles used by each GPU context: the number of its SMs, summed over cycles (docs/hardware/timing.md 3.9).
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/ids.h"
#include "model/base/time.h"

namespace tessera {

// Exact at any time without counting every cycle: an SM freed in cycle t adds t, one taken in t subtracts t, and one
// held now adds the current cycle. So a change does not affect a reading in its own cycle.
class SmUsage {
 public:
  explicit SmUsage(std::size_t num_contexts) : rows_(num_contexts) {}

  // `sms` is negative for SMs that the context takes.
  void freed(ContextId context, std::int64_t sms, Cycle now) {
    Row& row = rows_[index(context)];
    row.held -= static_cast<std::uint64_t>(sms);
    row.sum += static_cast<std::uint64_t>(sms) * now;
  }
  std::int64_t held(ContextId context) const { return static_cast<std::int64_t>(rows_[index(context)].held); }
  // SM cycles in all cycles before `now`.
  std::uint64_t sm_cycles(ContextId context, Cycle now) const {
    const Row& row = rows_[index(context)];
    return row.sum + row.held * now;
  }

 private:
  struct Row {
    std::uint64_t held = 0;
    std::uint64_t sum = 0;  // without the SMs held now; modulo 2^64
  };
  std::vector<Row> rows_;
};

}  // namespace tessera
