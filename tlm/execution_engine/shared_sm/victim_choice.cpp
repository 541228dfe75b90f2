// SPDX-License-Identifier: Apache-2.0
// Offers, and what they are made of.
#include "tlm/execution_engine/shared_sm/victim_choice.h"

#include <algorithm>

#include "model/spec/policy_keys.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/sm_control/flushing.h"

namespace tessera::tlm_model {

using preemption::SetPlan;
using preemption::TbStatus;

VictimChoice::VictimChoice(SmParts& parts, const SharedSms& sms, const MoveQueue& moves)
    : spec_(parts.spec),
      tables_(parts.tables),
      array_(parts.array),
      owners_(parts.owners),
      sms_(sms),
      moves_(moves),
      limit_(Clock(spec_.gpu.clock_hz).cycles_in(spec_.scheduler.latency_limit)),
      is_breadth_first_(spec_.scheduler.fill == spec::Fill::kBreadthFirst) {
  set_scheduler(spec_.scheduler);
}

void VictimChoice::set_scheduler(const spec::SchedulerSpec& scheduler) {
  takes_all_ = spec::policy_keys::has_scope(scheduler) && scheduler.exclusive_scope == spec::ExclusiveScope::kAll;
}

SmId VictimChoice::choose(const SmSet& candidates, KsrId next) const {
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
bool VictimChoice::takes_more(KsrId next) const {
  return owners_.technique() == spec::TechniqueKind::kChimera || tables_.ksr(next).issuable_tbs() > 0;
}

preemption::SetCost VictimChoice::offer(SmId id, KsrId next) const {
  if (owners_.technique() == spec::TechniqueKind::kChimera || !fits_configuration(id, next))
    return plan_all(id, wanted_from(next), array_.now());
  const std::optional<PositionPlan> position = plan_position(id, next, wanted_from(next), array_.now());
  return position ? position->plan : plan_all(id, wanted_from(next), array_.now());
}

// ---- the state of its TBs --------------------------------------------------------------------------------------

std::vector<TbStatus> VictimChoice::status_of(SmId id, Cycle now) const {
  const KsrId owner = owners_.sm(id).ksr;
  const std::uint64_t owners = sms_.owners_slots(id);
  const KernelLaunch& launch = array_.kernel(owner).launch;
  preemption::CpiStatistics cpi_here;
  for_each_slot(owners & array_.sm(id).running(), [&](std::uint32_t slot) {
    cpi_here.add(array_.ran_for(id, slot, now),
                 launch.progress.executed(launch.durations, array_.slot(id, slot).tb, array_.executed(id, slot, now)));
  });
  const auto cpi = preemption::expected_cpi(spec_.scheduler.estimator, cpi_here, sms_.finished_tbs(owner));
  std::vector<TbStatus> tbs;
  for_each_slot(owners, [&](std::uint32_t slot) { tbs.push_back(status_of_tb(id, slot, cpi, now)); });
  return tbs;
}

TbStatus VictimChoice::status_of_tb(SmId id, std::uint32_t slot, std::optional<std::uint64_t> cpi, Cycle now) const {
  const KsrId owner = owners_.sm(id).ksr;
  const KernelLaunch& launch = array_.kernel(owner).launch;
  const Cycle end = array_.end_of(id, slot);
  TbStatus tb;
  tb.slot = slot;
  if (has_slot(array_.sm(id).running(), slot) && end != kNever) {
    tb.run_for = array_.ran_for(id, slot, now);
    tb.executed = launch.progress.executed(launch.durations, array_.slot(id, slot).tb, array_.executed(id, slot, now));
    tb.is_flushable = may_be_flushed(spec_.scheduler, array_, id, slot, now);
    if (spec_.scheduler.estimator == spec::Estimator::kOracle) {
      tb.drains_in = end - now;
    } else if (cpi) {
      tb.drains_in = preemption::remaining_cycles(tb.executed, sms_.finished_tbs(owner), *cpi);
    }
  }
  tb.is_leaving = has_slot(sms_.at(id).leaving, slot);
  if (tb.is_leaving) {
    const bool drains = sms_.choice(id, slot).exit == preemption::Exit::kDrain;
    tb.leaves_in = drains ? tb.drains_in : leaves_in(id, slot, now);
  }
  return tb;
}

// Of one that is to be saved: when the contexts that it goes with are out.
Cycle VictimChoice::leaves_in(SmId id, std::uint32_t slot, Cycle now) const {
  Cycle in = 0;
  for (const QueuedMove& move : sms_.at(id).moves) {
    in = (sms_.has_per_tb_price() ? 0 : in) + moves_.remaining(move, now);
    if (has_slot(move.slots, slot)) return in;
  }
  return in;
}

preemption::SwitchPrice VictimChoice::price_of(SmId id, Cycle now) const {
  preemption::SwitchPrice price;
  price.pricing = spec_.scheduler.switch_pricing;
  price.stop = Cycle{spec_.gpu.framework.pipeline_drain_cycles} + spec_.gpu.framework.trap_entry_cycles;
  for (const QueuedMove& move : sms_.at(id).moves) price.waits_for += moves_.remaining(move, now);
  price.numerator = array_.kernel(owners_.sm(id).ksr).context_bytes_per_tb * spec_.gpu.num_sms * spec_.gpu.clock_hz;
  price.denominator = spec_.gpu.memory_bandwidth_bytes_per_s;
  return price;
}

// ---- sets of victims -------------------------------------------------------------------------------------------

// [S16] 4.2: the clock of the limit starts when the kernel arrives; where a kernel that runs wants more, with the
// decision that finds so.
Cycle VictimChoice::wanted_from(KsrId next) const {
  return std::max(array_.kernel(next).launch.arrived, decision_began_);
}

Cycle VictimChoice::limit_left(Cycle wanted_from, Cycle now) const {
  const Cycle until = wanted_from + limit_;
  return until > now ? until - now : 0;
}

// With the one set "all TBs" it is Chimera.
SetPlan VictimChoice::plan_all(SmId id, Cycle wanted_from, Cycle now) const {
  const bool is_chimera = owners_.technique() == spec::TechniqueKind::kChimera;
  const preemption::Rules rules{is_chimera ? spec_.scheduler.chimera_mix : spec::ChimeraMix::kTb, is_chimera};
  return preemption::VictimPlanner(status_of(id, now), limit_left(wanted_from, now), price_of(id, now), rules)
      .plan(sms_.owners_slots(id));
}

std::optional<VictimChoice::PositionPlan> VictimChoice::plan_position(SmId id, KsrId guest, Cycle wanted_from,
                                                                      Cycle now) const {
  const KsrId owner = owners_.sm(id).ksr;
  const preemption::TbSize size = sms_.size_of(guest);
  const std::uint32_t num_positions = preemption::num_positions(sms_.room_of(id), size);
  // 1. Its own TBs and grants keep their places; the TBs of the owner overlap the others.
  std::uint64_t taken = 0;
  for (const Grant& grant : sms_.at(id).grants) taken |= std::uint64_t{1} << grant.position;
  std::vector<preemption::Placed> placed(spec_.gpu.max_tbs_per_sm);
  const std::uint64_t owners = sms_.owners_slots(id);
  for_each_slot(owners, [&](std::uint32_t slot) {
    placed[slot] = {array_.slot(id, slot).position, sms_.size_of(owner)};
  });
  const std::vector<std::uint64_t> sets = preemption::victim_sets(placed, owners, size, num_positions);
  // 2. Each set grows until threads and slots suffice, and is priced.
  const preemption::VictimPlanner planner(status_of(id, now), limit_left(wanted_from, now), price_of(id, now), {});
  const preemption::Spare spare = spare_of(id, guest);
  const std::uint32_t threads = array_.kernel(owner).launch.threads_per_tb;
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

preemption::Spare VictimChoice::spare_of(SmId id, KsrId guest) const {
  const Resources& free = array_.sm(id).free;
  const std::int64_t coming = sms_.num_coming(id);
  const std::int64_t leaving = num_slots(sms_.at(id).leaving);
  preemption::Spare spare;
  spare.threads_now = free.threads - coming * array_.kernel(guest).launch.threads_per_tb;
  spare.slots_now = free.slots - coming;
  spare.threads = spare.threads_now + leaving * array_.kernel(owners_.sm(id).ksr).launch.threads_per_tb;
  spare.slots = spare.slots_now + leaving;
  // What was promised beyond what is free comes from those who leave for it.
  spare.threads_now = std::max<std::int64_t>(0, spare.threads_now);
  spare.slots_now = std::max<std::int64_t>(0, spare.slots_now);
  return spare;
}

// ---- those that drain too long -----------------------------------------------------------------------------------

// What is still expected to end in time goes on; of those beyond all expectation nothing is known.
std::uint64_t VictimChoice::late(SmId id, std::uint64_t draining, Cycle wanted_from, Cycle now) const {
  const Cycle limit = limit_left(wanted_from, now);
  std::uint64_t late = 0;
  for (const TbStatus& tb : status_of(id, now)) {
    const bool is_in_time = tb.drains_in > 0 && tb.drains_in <= limit;
    if (has_slot(draining, tb.slot) && !is_in_time) late |= slot_bit(tb.slot);
  }
  return late;
}

SetPlan VictimChoice::plan_late(SmId id, std::uint64_t late, Cycle wanted_from, Cycle now) const {
  std::vector<TbStatus> tbs = status_of(id, now);
  for (TbStatus& tb : tbs) {
    if (!has_slot(late, tb.slot)) continue;
    tb.is_leaving = false;
    tb.drains_in = kNever;
  }
  return preemption::VictimPlanner(std::move(tbs), limit_left(wanted_from, now), price_of(id, now), {}).plan(late);
}

Cycle VictimChoice::last_call(SmId id, std::uint32_t num_tbs, Cycle wanted_from, Cycle now) const {
  const Cycle left = limit_left(wanted_from, now);
  const Cycle needed = price_of(id, now).latency(num_tbs);
  return left > needed ? now + left - needed : kNever;
}

// ---- how much the guest needs ------------------------------------------------------------------------------------

// [S16]: a guest that needs more shared memory than the owner's configuration has cannot come beside it.
bool VictimChoice::fits_configuration(SmId id, KsrId guest) const {
  return preemption::num_positions(sms_.room_of(id), sms_.size_of(guest)) > 0;
}

// Where it takes all SMs, each is asked for as many
// places as if it were the only one: those that come first are used.
std::int64_t VictimChoice::uncovered_need(KsrId guest, SmId without) const {
  const policy::KsrEntry& ksr = tables_.ksr(guest);
  if (takes_all_) return ksr.issuable_tbs() - sms_.num_coming(without);
  std::int64_t need = ksr.issuable_tbs() - (std::int64_t{ksr.owned_sms} * ksr.tbs_per_sm - ksr.owned_resident_tbs);
  for (std::size_t i = 0; i < sms_.all().size(); ++i) {
    const policy::SmEntry& entry = tables_.smst()[i];
    const bool waits = entry.status == policy::SmStatus::kReserved && entry.next == guest;
    if (waits && SmId(i) != without) need -= places_promised(SmId(i), guest);
  }
  return need - sms_.num_coming(without);
}

std::int64_t VictimChoice::places_promised(SmId id, KsrId guest) const {
  const SharedSm& shared = sms_.at(id);
  // Breadth first, one that is still to choose has one more.
  if (is_breadth_first_) return sms_.num_coming(id) + (shared.awaits_plan() ? 1 : 0);
  const std::int64_t all = tables_.ksr(guest).tbs_per_sm;
  return shared.guest == guest ? std::min<std::int64_t>(all, sms_.num_coming(id)) : all;
}

}  // namespace tessera::tlm_model
