// SPDX-License-Identifier: Apache-2.0
// Under a kept turn: what the engine is told of contexts whose launches are on their way (docs/hardware/timing.md 7.6).
#pragma once

#include <algorithm>
#include <ostream>
#include <vector>

#include "tests/tlm/gpu_bench.h"

namespace tessera::tlm_model::test {

inline spec::Spec kept_turns(std::uint32_t num_contexts = 2) {
  spec::Spec spec = small_gpu(2, num_contexts);
  spec.scheduler.policy = spec::PolicyKind::kTimeSlice;
  spec.scheduler.turn = spec::Turn::kKept;
  return spec;
}

// A change of `waiting` of a context.
struct Told {
  Cycle stamp;
  std::uint32_t context;
  bool is_waiting;
  bool operator==(const Told& other) const {
    return stamp == other.stamp && context == other.context && is_waiting == other.is_waiting;
  }
};
inline void PrintTo(const Told& told, std::ostream* out) {
  *out << told.stamp << ": context " << told.context << (told.is_waiting ? " waits" : " does not wait");
}

inline std::vector<Told> told(const GpuBench& bench) {
  std::vector<Told> all;
  for (const EngineMessage& message : bench.sent()) {
    const auto* const input = std::get_if<TurnInput>(&message.what);
    if (input == nullptr) continue;
    const auto& waiting = std::get<SetWaiting>(*input);
    all.push_back({message.stamp, static_cast<std::uint32_t>(waiting.context), waiting.is_waiting});
  }
  return all;
}

// Without those that another one of the same stamp takes back.
inline std::vector<Told> settled(std::vector<Told> all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto takes_back = [&](const Told& later) {
      return later.stamp == all[i].stamp && later.context == all[i].context && later.is_waiting != all[i].is_waiting;
    };
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(i);
    const auto later = std::find_if(from, all.end(), takes_back);
    if (later == all.end()) continue;
    all.erase(later);
    all.erase(from);
    --i;
  }
  return all;
}

// Stamps of launches, by order.
inline std::vector<Cycle> launched(const GpuBench& bench) {
  std::vector<Cycle> stamps;
  for (const EngineMessage& message : bench.sent()) {
    if (std::holds_alternative<KernelLaunch>(message.what)) stamps.push_back(message.stamp);
  }
  return stamps;
}

}  // namespace tessera::tlm_model::test
