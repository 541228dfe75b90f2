// SPDX-License-Identifier: Apache-2.0
// SM cycles that each GPU context has used: the SMs that count for it, summed up over cycles
// (docs/hardware/timing.md 3.9).
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/ids.h"
#include "model/base/time.h"

namespace tessera {

// Exact at any time without counting along: an SM freed in cycle t is t cycles more, one that is taken t fewer, and one
// that is held now is as many as have passed. So a step changes nothing for who reads in its own cycle.
class SmUsage {
 public:
  explicit SmUsage(std::size_t num_contexts) : rows_(num_contexts) {}

  // Negative: SMs that the context holds from now on.
  void freed(ContextId context, std::int64_t sms, Cycle now) {
    Row& row = rows_[index(context)];
    row.held -= static_cast<std::uint64_t>(sms);
    row.sum += static_cast<std::uint64_t>(sms) * now;
  }
  std::int64_t held(ContextId context) const { return static_cast<std::int64_t>(rows_[index(context)].held); }
  // In all cycles before `now`.
  std::uint64_t sm_cycles(ContextId context, Cycle now) const {
    const Row& row = rows_[index(context)];
    return row.sum + row.held * now;
  }

 private:
  struct Row {
    std::uint64_t held = 0;
    std::uint64_t sum = 0;  // but for those held; modulo 2^64
  };
  std::vector<Row> rows_;
};

}  // namespace tessera
