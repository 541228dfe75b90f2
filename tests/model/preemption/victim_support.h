// SPDX-License-Identifier: Apache-2.0
// Short words for the tests of victim selection.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "model/preemption/victim_selection.h"

namespace tessera::preemption::test {

inline std::uint64_t set_of(std::initializer_list<std::uint32_t> slots) {
  std::uint64_t set = 0;
  for (const std::uint32_t slot : slots) set |= std::uint64_t{1} << slot;
  return set;
}

inline SetPlan plan_set(const std::vector<TbStatus>& tbs, std::uint64_t slots, Cycle limit, const SwitchPrice& price,
                        const Rules& rules) {
  return VictimPlanner(tbs, limit, price, rules).plan(slots);
}
inline std::optional<std::uint64_t> extended(const std::vector<TbStatus>& tbs, std::uint64_t slots,
                                             std::uint32_t threads_of_tb, std::uint32_t threads_of_guest,
                                             const Spare& spare, Cycle limit, const SwitchPrice& price,
                                             const Rules& rules) {
  return VictimPlanner(tbs, limit, price, rules).extended(slots, threads_of_tb, threads_of_guest, spare);
}
inline std::size_t best_of(const std::vector<SetPlan>& plans) {
  return static_cast<std::size_t>(std::min_element(plans.begin(), plans.end(), is_better) - plans.begin());
}

inline std::vector<Exit> exits_of(const SetPlan& plan) {
  std::vector<Exit> exits;
  for (const ExitPlan& exit : plan.exits) exits.push_back(exit.exit);
  return exits;
}

}  // namespace tessera::preemption::test
