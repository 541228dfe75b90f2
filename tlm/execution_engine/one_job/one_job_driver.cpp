// SPDX-License-Identifier: Apache-2.0
// What SMs report. What the engine picks stands in one_job_picks.cpp, what its jobs do in one_job_writes.cpp, those of
// the search in one_job_moves.cpp, the TBs
// that it sends in one_job_issue.cpp, what goes beside it in one_job_lane.cpp, what is on its way in one_job_links.cpp.
#include "tlm/execution_engine/one_job/one_job_driver.h"

#include <algorithm>

#include "model/spec/core_cycles.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/sm_array/ends_loop.h"

namespace tessera::tlm_model {

OneJobDriver::OneJobDriver(SmParts& parts, std::uint32_t engine_leaf, std::uint32_t link_leaf)
    : spec_(parts.spec),
      tables_(parts.tables),
      timers_(parts.timers),
      array_(parts.array),
      owners_(parts.owners),
      supply_(parts.supply),
      exits_(parts),
      links_(parts.spec),
      tags_(spec_.gpu.framework.setup_tag_bits, spec_.gpu.num_sms),
      engine_leaf_(engine_leaf),
      link_leaf_(link_leaf),
      ratio_(spec_.scheduler.tbs_per_cycle),
      is_breadth_first_(spec_.scheduler.fill == spec::Fill::kBreadthFirst),
      issues_in_rounds_(is_breadth_first_ && ratio_ > 1),
      has_carries_(spec_.gpu.framework.tb_id_bits > 8),
      has_links_(spec_.gpu.framework.link_cycles.any()),
      jobs_(spec_.gpu.num_sms),
      taken_tbs_(spec_.gpu.framework.num_ksrs),
      saved_per_sm_(spec_.gpu.framework.num_ksrs),
      served_at_(spec_.gpu.num_sms, kNever),
      last_issue_sm_(spec_.gpu.num_sms - 1) {
  if (spec_.gpu.framework.refill_lane) lane_.emplace(spec_);
}

// ---- what SMs report -----------------------------------------------------------------------------------------

// The engine, or the lane, if it is at rest, fills the slot with the kernel's next TB; all else is an event.
template <bool kContended, bool kHasLane>
struct OneJobDriver::RefillAtRest {
  static constexpr bool kPaces = false;
  static constexpr bool kStretches = kContended;
  OneJobDriver& driver;

  void over(const TbEnd&) const {}
  bool is_at_rest(const TbEnd& end) const {
    if constexpr (kHasLane) return driver.lane_is_at_rest(end.sm, end.kernel, end.cycle);
    return driver.is_at_rest(end.cycle);
  }
  Cycle start_of_next(const TbEnd& end, const Sm&, const KernelRun& kernel) const {
    const bool may_refill =
        !driver.is_linked(end.sm) && is_at_rest(end) && driver.free_slots(end.sm) == 0 && driver.may_refill(end.sm);
    if (!may_refill) return kNever;
    ++driver.taken_tbs_[index(end.kernel)];
    if constexpr (kHasLane) return driver.refill_by_lane(kernel, end.kernel, end.cycle);
    return driver.refill_at_rest(kernel, end.cycle);
  }
  Cycle duration_of_next(const TbEnd& end, const KernelRun& kernel) const {
    return kContended ? driver.supply_.duration_of_next(kernel, end.sm) : kernel.next_duration;
  }
};

void OneJobDriver::run_ends(Cycle before) { lane_ ? run_ends_by_rule<true>(before) : run_ends_by_rule<false>(before); }

template <bool kHasLane>
void OneJobDriver::run_ends_by_rule(Cycle before) {
  const auto run = [&](auto rule) {
    const std::optional<TbEnd> end = array_.run_ends(before, rule);
    if (!end) return;
    if (is_linked(end->sm)) {
      links_.show_tb_done(end->sm, end->slot, core_cycle(end->cycle));
      return schedule_links();
    }
    jobs_[index(end->sm)].done_slots |= slot_bit(end->slot);
    raise(end->sm, kTbDone, core_cycle(end->cycle));
  };
  supply_.has_contention() ? run(RefillAtRest<true, kHasLane>{*this}) : run(RefillAtRest<false, kHasLane>{*this});
}

Cycle OneJobDriver::refill_at_rest(const KernelRun& kernel, Cycle now) {
  const Cycle core = core_cycle(now);
  free_at_ = core + spec::kToWrite + 2 + (carries(kernel.tbs) ? 1 : 0);
  if (!batch_.any()) batch_formed_at_ = core;
  issues_first_ = true;
  return supply_.claim(start_of(core + spec::kToBurst));
}

// Nothing but this TB waits, and nothing else of this cycle can come before it.
bool OneJobDriver::is_at_rest(Cycle now) const {
  return free_at_ <= core_cycle(now) && !job_ && !offered_ && !has_event_.any() && !hungry_.any() && !empty_.any() &&
         !traps_.any() && !set_ups_.any() && control_at_ != core_cycle(now) && deals_until_ <= core_cycle(now) &&
         timers_.min_time() > now && !issues_in_rounds_;
}

bool OneJobDriver::is_refilled(SmId id) const {
  return is_running(id) && !restoring_.has(index_of(id)) && !issues_in_rounds_ &&
         array_.kernel(owners_.sm(id).ksr).has_fresh();
}

bool OneJobDriver::may_refill(SmId id) const {
  return is_refilled(id) && array_.kernel(owners_.sm(id).ksr).launch.loops == nullptr;
}

std::uint64_t OneJobDriver::free_slots(SmId id) const {
  return first_slots(array_.kernel(owners_.sm(id).ksr).tbs_per_sm) & ~array_.sm(id).occupied;
}

Place OneJobDriver::next_place(SmId id) const { return {lowest(free_slots(id)), lowest(free_slots(id))}; }

void OneJobDriver::timer_fired(SmId id, Cycle now) {
  array_.set_now(now);
  switch (exits_.timer_fired(id, now)) {
    case SmAnswer::kSetUp:
      return show(id, kSetUpDone, now);
    case SmAnswer::kRestored:
      return show(id, kRestoreDone, now);
    case SmAnswer::kNothingToSave:
      return give_back(id, core_cycle(now));
    case SmAnswer::kSaved:
      return is_linked(id) ? show_saved(id, now) : show(id, kPreempted, now);
    case SmAnswer::kHandlesSent:
      return show(id, kPreempted, now);
    case SmAnswer::kEmpty:
    case SmAnswer::kNone:
      return;
  }
}

void OneJobDriver::show(SmId id, SmEvent event, Cycle now) {
  if (!is_linked(id)) return raise(id, event, core_cycle(now));
  if (event == kSetUpDone) owners_.sm(id).phase = SmPhase::kRunning;
  links_.show(id, event, core_cycle(now));
  schedule_links();
}

// Nothing to save. Handles of what was dropped leave one per core cycle.
void OneJobDriver::give_back(SmId id, Cycle core) {
  const std::uint64_t flushed = array_.sm(id).flushed;
  if (is_linked(id)) {
    exits_.clear_timer(id);
    owners_.sm(id).phase = SmPhase::kRunning;
    links_.show_handles(id, num_slots(flushed), core + 1);
    links_.show(id, kPreempted, core + 1);
    return schedule_links();
  }
  if (flushed == 0) return raise(id, kPreempted, core_cycle(array_.now()));
  exits_.send_handles(id, sm_cycle(core + num_slots(flushed) + 1));
}

// ---- the network of events: batches, lowest SM first ---------------------------------------------------------

void OneJobDriver::raise(SmId id, SmEvent event, Cycle core) {
  const std::uint32_t sm = index_of(id);
  if (lane_) drop_stale(core);
  jobs_[sm].events |= event;
  has_event_.set(sm);
  event_since_ = std::min(event_since_, core);
  if (!batch_.any() && batch_formed_at_ < core) batch_formed_at_ = core;
  if (batch_formed_at_ == kNever) batch_formed_at_ = core;
  if (batch_formed_at_ == core) batch_.set(sm);
  schedule();
}

void OneJobDriver::withdraw(SmId id, std::uint8_t events) {
  const std::uint32_t sm = index_of(id);
  jobs_[sm].events &= static_cast<std::uint8_t>(~events);
  if (jobs_[sm].events != 0) return;
  has_event_.clear(sm);
  batch_.clear(sm);
  if (!has_event_.any()) event_since_ = kNever;
}

SmId OneJobDriver::take_event() {
  if (!(batch_ & has_event_).any()) batch_ = has_event_;
  const std::uint32_t sm = batch_.lowest();
  batch_.clear(sm);
  return SmId(sm);
}

}  // namespace tessera::tlm_model
