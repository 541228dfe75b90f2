// SPDX-License-Identifier: Apache-2.0
// Algorithm 1, line by line.
#include "model/preemption/victim_selection.h"

#include <algorithm>
#include <tuple>

namespace tessera::preemption {
namespace {

constexpr std::array kExits{Exit::kDrain, Exit::kFlush, Exit::kSwitch};  // at equal cost and latency the first

bool contains(std::uint64_t slots, std::uint32_t slot) { return (slots >> slot & 1) != 0; }
std::uint64_t bit(std::uint32_t slot) { return std::uint64_t{1} << slot; }
std::int64_t count(std::uint64_t slots) { return __builtin_popcountll(slots); }

template <typename Visit>
void for_each(std::uint64_t slots, Visit visit) {
  for (; slots != 0; slots &= slots - 1) visit(static_cast<std::uint32_t>(__builtin_ctzll(slots)));
}

// Instructions that a TB does not execute in so many cycles.
std::uint64_t not_executed(const TbStatus& tb, Cycle cycles) {
  return tb.run_for == 0 ? 0 : mul_div_floor(cycles, tb.executed, tb.run_for);
}

// Of what is within the limit the cheapest, else the fastest.
std::tuple<bool, std::uint64_t, std::uint64_t> rank(bool meets_limit, std::uint64_t cost, Cycle latency) {
  return {!meets_limit, meets_limit ? cost : latency, meets_limit ? latency : cost};
}

}  // namespace

Cycle SwitchPrice::stall(std::uint64_t num_tbs) const {
  if (num_tbs == 0) return 0;
  return mul_div_ceil(numerator, pricing == spec::SwitchPricing::kChannel ? num_tbs : 1, denominator);
}

Cycle SwitchPrice::latency(std::uint64_t num_tbs) const {
  return num_tbs == 0 ? 0 : (pricing == spec::SwitchPricing::kChannel ? waits_for : 0) + stop + stall(num_tbs);
}

bool is_better(const SetCost& a, const SetCost& b) {
  return rank(a.meets_limit, a.cost, a.latency) < rank(b.meets_limit, b.cost, b.latency);
}

VictimPlanner::VictimPlanner(std::vector<TbStatus> tbs, Cycle limit, const SwitchPrice& price, const Rules& rules)
    : tbs_(std::move(tbs)), limit_(limit), price_(price), rules_(rules) {
  for (std::size_t i = 0; i < tbs_.size(); ++i) {
    by_slot_[tbs_[i].slot] = static_cast<std::uint8_t>(i);
    leaving_ |= tbs_[i].is_leaving ? bit(tbs_[i].slot) : 0;
    flushable_ |= tbs_[i].is_flushable ? bit(tbs_[i].slot) : 0;
  }
}

// ---- lines 1 to 14: a way out for each TB --------------------------------------------------------------------------

// None where that way is closed. `num_saved`: of its set, it among them.
std::optional<ExitPlan> VictimPlanner::exit_plan(const TbStatus& tb, Exit exit, std::uint64_t num_saved) const {
  switch (exit) {
    case Exit::kDrain:
      return ExitPlan{tb.slot, exit, tb.drains_in, 0, tb.executed};
    case Exit::kFlush:
      if (!tb.is_flushable) return std::nullopt;
      return ExitPlan{tb.slot, exit, 0, tb.executed, tb.executed};
    case Exit::kSwitch:  // out and in again
      return ExitPlan{tb.slot, exit, price_.latency(num_saved), not_executed(tb, 2 * price_.stall(num_saved)),
                      tb.executed};
  }
  return std::nullopt;
}

ExitPlan VictimPlanner::best_exit(const TbStatus& tb, std::uint64_t num_saved) const {
  std::optional<ExitPlan> best;
  const auto rank_of = [&](const ExitPlan& plan) { return rank(plan.latency <= limit_, plan.wasted, plan.latency); };
  for (const Exit exit : kExits) {
    const std::optional<ExitPlan> plan = exit_plan(tb, exit, num_saved);
    if (plan && (!best || rank_of(*plan) < rank_of(*best))) best = plan;
  }
  return *best;
}

// On the channel each one that is saved makes the next wait longer: after as many as the limit leaves time for,
// flushing is what is left. TBs that cannot start again have the first claim.
VictimPlanner::Ways VictimPlanner::mixed_ways(std::uint64_t slots) const {
  Ways ways{};
  std::uint64_t saved = 0;
  for (const std::uint64_t group : {slots & ~flushable_, slots & flushable_}) {
    for_each(group & ~leaving_, [&](std::uint32_t slot) {
      ways[slot] = best_exit(tb(slot), saved + 1).exit;
      saved += ways[slot] == Exit::kSwitch ? 1 : 0;
    });
  }
  return ways;
}

// Under chimera_mix: sm, one for all: drain and switch are always open, flush only if every TB can start again.
VictimPlanner::Ways VictimPlanner::ways_out(std::uint64_t slots) const {
  if (rules_.mix == spec::ChimeraMix::kTb) return mixed_ways(slots);
  Ways best{};
  std::optional<SetCost> best_cost;
  for (const Exit way : kExits) {
    Ways ways;
    ways.fill(way);
    const std::optional<SetCost> cost = cost_of(slots, ways);
    if (!cost || (best_cost && !is_better(*cost, *best_cost))) continue;
    best = ways;
    best_cost = cost;
  }
  return best;
}

// ---- lines 15 to 20: what a set costs ------------------------------------------------------------------------------

std::uint64_t VictimPlanner::num_saved(std::uint64_t slots, const Ways& ways) const {
  std::uint64_t saved = 0;
  for_each(slots & ~leaving_, [&](std::uint32_t slot) { saved += ways[slot] == Exit::kSwitch ? 1 : 0; });
  return saved;
}

// None where a TB's way is closed.
std::optional<SetCost> VictimPlanner::cost_of(std::uint64_t slots, const Ways& ways) const {
  const std::uint64_t saved = num_saved(slots, ways);
  SetCost cost;
  bool is_open = true;
  for_each(slots & leaving_, [&](std::uint32_t slot) { cost.latency = std::max(cost.latency, tb(slot).leaves_in); });
  for_each(slots & ~leaving_, [&](std::uint32_t slot) {
    const std::optional<ExitPlan> exit = exit_plan(tb(slot), ways[slot], saved);
    is_open = is_open && exit.has_value();
    if (!exit) return;
    cost.latency = std::max(cost.latency, exit->latency);
    cost.wasted += exit->wasted;
  });
  if (!is_open) return std::nullopt;
  cost.cost = cost.wasted;
  cost.meets_limit = cost.latency <= limit_;
  if (!rules_.counts_idle_slots) return cost;
  for_each(slots & ~leaving_, [&](std::uint32_t slot) {
    const Cycle idle = cost.latency - exit_plan(tb(slot), ways[slot], saved)->latency;
    cost.cost += not_executed(tb(slot), idle);
  });
  return cost;
}

SetCost VictimPlanner::cost(std::uint64_t slots) const { return *cost_of(slots, ways_out(slots)); }

SetPlan VictimPlanner::plan(std::uint64_t slots) const {
  const Ways ways = ways_out(slots);
  SetPlan plan;
  static_cast<SetCost&>(plan) = *cost_of(slots, ways);
  plan.slots = slots;
  const std::uint64_t saved = num_saved(slots, ways);
  for_each(slots & ~leaving_,
           [&](std::uint32_t slot) { plan.exits.push_back(*exit_plan(tb(slot), ways[slot], saved)); });
  return plan;
}

// ---- threads and slots ---------------------------------------------------------------------------------------------

std::optional<std::uint64_t> VictimPlanner::extended(std::uint64_t slots, std::uint32_t threads_of_tb,
                                                     std::uint32_t threads_of_guest, const Spare& spare) const {
  const auto fits = [&](std::int64_t threads, std::int64_t free_slots, std::int64_t num_gone) {
    return threads + num_gone * threads_of_tb >= threads_of_guest && free_slots + num_gone >= 1;
  };
  // 1. More TBs must go, the cheapest first.
  while (!fits(spare.threads, spare.slots, count(slots & ~leaving_))) {
    std::optional<SetCost> least;
    std::uint64_t cheapest = 0;
    for (const TbStatus& tb : tbs_) {
      if (tb.is_leaving || contains(slots, tb.slot)) continue;
      const SetCost its = cost(bit(tb.slot));
      if (least && !is_better(its, *least)) continue;
      least = its;
      cheapest = bit(tb.slot);
    }
    if (!least) return std::nullopt;
    slots |= cheapest;
  }
  // 2. What it frees itself may not be enough: then it waits for some that are leaving.
  while (!fits(spare.threads_now, spare.slots_now, count(slots)) && (leaving_ & ~slots) != 0) {
    const TbStatus* first = nullptr;
    for_each(leaving_ & ~slots, [&](std::uint32_t slot) {
      if (first == nullptr || tb(slot).leaves_in < first->leaves_in) first = &tb(slot);
    });
    slots |= bit(first->slot);
  }
  return slots;
}

}  // namespace tessera::preemption
