// SPDX-License-Identifier: Apache-2.0
// What an SM offers: the state of its thread blocks, the price of a switch, and the cheapest set of victims ([S16]
// 3.3). Nothing here changes anything.
#include <algorithm>

#include "model/workload/kernel_model.h"
#include "tlm/execution_engine/shared_sm/shared_sm_driver.h"

namespace tessera::tlm_model {

using preemption::SetPlan;
using preemption::TbStatus;

// The SM whose offer costs least; the lowest of those that cost the same.
SmId SharedSmDriver::choose(const SmSet& candidates, KsrId next) const {
  SmId best = kNoSm;
  preemption::SetCost best_offer;
  candidates.for_each([&](std::uint32_t sm) {
    const preemption::SetCost its = offer(SmId(sm), next);
    if (best != kNoSm && !preemption::is_better(its, best_offer)) return;
    best = SmId(sm);
    best_offer = its;
  });
  return best;
}

// Chimera empties it; two kernels share it, and one of them has nothing to put there.
bool SharedSmDriver::takes_more(KsrId next) const {
  return technique_ == spec::TechniqueKind::kChimera || tables_.ksr(next).issuable_tbs() > 0;
}

preemption::SetCost SharedSmDriver::offer(SmId id, KsrId next) const {
  if (technique_ == spec::TechniqueKind::kChimera || !fits_configuration(id, next))
    return plan_all(id, wanted_from(next), now_);
  const std::optional<PositionPlan> position = plan_position(id, next, wanted_from(next), now_);
  return position ? position->plan : plan_all(id, wanted_from(next), now_);
}

// ---- the state of its TBs --------------------------------------------------------------------------------------

std::vector<TbStatus> SharedSmDriver::status_of(SmId id, Cycle now) const {
  const Sm& sm = sms_[index(id)];
  const std::uint64_t owners = sm.occupied_slots & ~shared_[index(id)].guest_slots;
  const std::uint64_t running = owners & ~(sm.restoring_slots | sm.frozen_slots);
  const KernelLaunch& launch = kernels_[index(sm.ksr)].launch;
  preemption::CpiStatistics cpi_here;
  for_each_slot(running, [&](std::uint32_t slot) {
    const std::uint32_t tb = slot_tb_[leaf_of(id, slot)];
    cpi_here.add(ran_for(id, slot, now),
                 launch.progress.executed(launch.durations, tb, executed_cycles(id, slot, now)));
  });
  const auto cpi = preemption::expected_cpi(spec_.scheduler.estimator, cpi_here, finished_tbs_[index(sm.ksr)]);
  std::vector<TbStatus> tbs;
  for_each_slot(owners, [&](std::uint32_t slot) { tbs.push_back(status_of_tb(id, slot, cpi, now)); });
  return tbs;
}

TbStatus SharedSmDriver::status_of_tb(SmId id, std::uint32_t slot, std::optional<std::uint64_t> cpi, Cycle now) const {
  const Sm& sm = sms_[index(id)];
  const KernelLaunch& launch = kernels_[index(sm.ksr)].launch;
  const std::uint32_t leaf = leaf_of(id, slot);
  const Cycle end = completions_.time(leaf);
  TbStatus tb;
  tb.slot = slot;
  const bool stands_still = ((sm.restoring_slots | sm.frozen_slots) >> slot & 1) != 0;
  if (!stands_still && end != kNever) {
    tb.run_for = ran_for(id, slot, now);
    tb.executed = launch.progress.executed(launch.durations, slot_tb_[leaf], executed_cycles(id, slot, now));
    tb.is_flushable = may_be_flushed(id, slot, now);
    if (spec_.scheduler.estimator == spec::Estimator::kOracle) {
      tb.drains_in = end - now;
    } else if (cpi) {
      tb.drains_in = preemption::remaining_cycles(tb.executed, finished_tbs_[index(sm.ksr)], *cpi);
    }
  }
  tb.is_leaving = (shared_[index(id)].leaving >> slot & 1) != 0;
  if (tb.is_leaving) {
    const bool drains = slot_choice_[leaf].exit == preemption::Exit::kDrain;
    tb.leaves_in = drains ? tb.drains_in : leaves_in(id, slot, now);
  }
  return tb;
}

// Of one that is to be saved: when the contexts that it goes with are out.
Cycle SharedSmDriver::leaves_in(SmId id, std::uint32_t slot, Cycle now) const {
  Cycle in = 0;
  for (const ContextMove& move : shared_[index(id)].moves) {
    in = (has_per_tb_price() ? 0 : in) + remaining_of(move, now);
    if ((move.slots >> slot & 1) != 0) return in;
  }
  return in;
}

// If nothing else comes in between.
Cycle SharedSmDriver::remaining_of(const ContextMove& move, Cycle now) const {
  const spec::FrameworkSpec& framework = spec_.gpu.framework;
  const Cycle this_stage = move.stage_ends == kNever ? 0 : move.stage_ends - std::min(now, move.stage_ends);
  switch (move.stage) {
    case ContextMove::Stage::kWaiting:
      return (move.is_save ? framework.pipeline_drain_cycles + framework.trap_entry_cycles : 0) + moving_cycles(move);
    case ContextMove::Stage::kDrainingPipeline:
      return this_stage + framework.trap_entry_cycles + moving_cycles(move);
    case ContextMove::Stage::kEnteringTrap:
      return this_stage + moving_cycles(move);
    case ContextMove::Stage::kMoving:
      break;
  }
  return this_stage;
}

// At the SM's share of the bandwidth.
Cycle SharedSmDriver::moving_cycles(const ContextMove& move) const {
  const auto num_tbs = static_cast<std::uint64_t>(__builtin_popcountll(move.slots));
  const std::uint64_t num_contexts = has_per_tb_price() ? std::min<std::uint64_t>(1, num_tbs) : num_tbs;
  return mul_div_ceil(kernels_[index(move.ksr)].context_bytes_per_tb * num_contexts * spec_.gpu.num_sms,
                      spec_.gpu.clock_hz, spec_.gpu.memory_bandwidth_bytes_per_s);
}

preemption::SwitchPrice SharedSmDriver::price_of(SmId id, Cycle now) const {
  preemption::SwitchPrice price;
  price.pricing = spec_.scheduler.switch_pricing;
  price.stop = Cycle{spec_.gpu.framework.pipeline_drain_cycles} + spec_.gpu.framework.trap_entry_cycles;
  for (const ContextMove& move : shared_[index(id)].moves) price.waits_for += remaining_of(move, now);
  price.numerator = kernels_[index(sms_[index(id)].ksr)].context_bytes_per_tb * spec_.gpu.num_sms * spec_.gpu.clock_hz;
  price.denominator = spec_.gpu.memory_bandwidth_bytes_per_s;
  return price;
}

// ---- sets of victims -------------------------------------------------------------------------------------------

// [S16] 4.2: the clock of the limit starts when the kernel arrives; where a kernel that runs wants more, with the
// decision that finds so.
Cycle SharedSmDriver::wanted_from(KsrId next) const {
  return std::max(kernels_[index(next)].launch.arrived, decision_began_);
}

Cycle SharedSmDriver::limit_left(Cycle wanted_from, Cycle now) const {
  const Cycle until = wanted_from + limit_;
  return until > now ? until - now : 0;
}

// With the one set "all TBs" it is Chimera.
SetPlan SharedSmDriver::plan_all(SmId id, Cycle wanted_from, Cycle now) const {
  const bool is_chimera = technique_ == spec::TechniqueKind::kChimera;
  const preemption::Rules rules{is_chimera ? spec_.scheduler.chimera_mix : spec::ChimeraMix::kTb, is_chimera};
  const std::uint64_t owners = sms_[index(id)].occupied_slots & ~shared_[index(id)].guest_slots;
  return preemption::VictimPlanner(status_of(id, now), limit_left(wanted_from, now), price_of(id, now), rules)
      .plan(owners);
}

// The position of the guest whose victims cost least; none is left: nothing.
std::optional<SharedSmDriver::PositionPlan> SharedSmDriver::plan_position(SmId id, KsrId guest, Cycle wanted_from,
                                                                          Cycle now) const {
  const SharedSm& shared = shared_[index(id)];
  const preemption::TbSize size = size_of(guest);
  const std::uint32_t num_positions = preemption::num_positions(room_of(id), size);
  // 1. Its own TBs and grants keep their places; the TBs of the owner overlap the others.
  std::uint64_t taken = 0;
  for (const Grant& grant : shared.grants) taken |= std::uint64_t{1} << grant.position;
  std::vector<preemption::Placed> placed(spec_.gpu.max_tbs_per_sm);
  const std::uint64_t owners = sms_[index(id)].occupied_slots & ~shared.guest_slots;
  for_each_slot(owners, [&](std::uint32_t slot) {
    placed[slot] = {slot_position_[leaf_of(id, slot)], size_of(sms_[index(id)].ksr)};
  });
  const std::vector<std::uint64_t> sets = preemption::victim_sets(placed, owners, size, num_positions);
  // 2. Each set grows until threads and slots suffice, and is priced.
  const preemption::VictimPlanner planner(status_of(id, now), limit_left(wanted_from, now), price_of(id, now), {});
  const preemption::Spare spare = spare_of(id, guest);
  const std::uint32_t threads = kernels_[index(sms_[index(id)].ksr)].launch.threads_per_tb;
  std::optional<preemption::SetCost> least;
  std::uint32_t best = 0;
  std::uint64_t best_victims = 0;
  for (std::uint32_t position = 0; position < num_positions; ++position) {
    if ((taken >> position & 1) != 0) continue;
    const std::optional<std::uint64_t> victims = planner.extended(sets[position], threads, size.threads, spare);
    if (!victims) continue;
    const preemption::SetCost cost = planner.cost(*victims);
    if (least && !preemption::is_better(cost, *least)) continue;
    least = cost;
    best = position;
    best_victims = *victims;
  }
  if (!least) return std::nullopt;
  return PositionPlan{best, planner.plan(best_victims)};
}

preemption::Spare SharedSmDriver::spare_of(SmId id, KsrId guest) const {
  const SharedSm& shared = shared_[index(id)];
  const Sm& sm = sms_[index(id)];
  const auto count = [](std::uint64_t slots) { return std::int64_t{__builtin_popcountll(slots)}; };
  const std::int64_t coming = num_coming(id);
  const std::int64_t leaving = count(shared.leaving);
  preemption::Spare spare;
  spare.threads_now = std::int64_t{spec_.gpu.max_threads_per_sm} - threads_in_use(id) -
                      coming * kernels_[index(guest)].launch.threads_per_tb;
  spare.slots_now = std::int64_t{spec_.gpu.max_tbs_per_sm} - count(sm.occupied_slots) - coming;
  spare.threads = spare.threads_now + leaving * kernels_[index(sm.ksr)].launch.threads_per_tb;
  spare.slots = spare.slots_now + leaving;
  // What was promised beyond what is free comes from those who leave for it.
  spare.threads_now = std::max<std::int64_t>(0, spare.threads_now);
  spare.slots_now = std::max<std::int64_t>(0, spare.slots_now);
  return spare;
}

// ---- how much the guest needs ------------------------------------------------------------------------------------

// [S16]: a guest that needs more shared memory than the owner's configuration has cannot come beside it.
bool SharedSmDriver::fits_configuration(SmId id, KsrId guest) const {
  return preemption::num_positions(room_of(id), size_of(guest)) > 0;
}

// TBs that no free slot of its own SMs and no other SM waits for. Where it takes all SMs, each is asked for as many
// places as if it were the only one: those that come first are used.
std::int64_t SharedSmDriver::uncovered_need(KsrId guest, SmId without) const {
  const policy::KsrEntry& ksr = tables_.ksr(guest);
  if (takes_all_) return ksr.issuable_tbs() - num_coming(without);
  std::int64_t need = ksr.issuable_tbs() - (std::int64_t{ksr.owned_sms} * ksr.tbs_per_sm - ksr.owned_resident_tbs);
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const policy::SmEntry& entry = tables_.smst()[i];
    const bool waits = entry.status == policy::SmStatus::kReserved && entry.next == guest;
    if (waits && SmId(i) != without) need -= places_promised(SmId(i), guest);
  }
  return need - num_coming(without);
}

std::int64_t SharedSmDriver::places_promised(SmId id, KsrId guest) const {
  const SharedSm& shared = shared_[index(id)];
  // Breadth first, one that is still to choose has one more.
  if (is_breadth_first_) return num_coming(id) + (awaits_plan(shared) ? 1 : 0);
  const std::int64_t all = tables_.ksr(guest).tbs_per_sm;
  return shared.guest == guest ? std::min<std::int64_t>(all, num_coming(id)) : all;
}

}  // namespace tessera::tlm_model
