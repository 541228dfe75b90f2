// SPDX-License-Identifier: Apache-2.0
// Orders of the scheduler, and timers of SMs.
#include "tlm/execution_engine/shared_sm/shared_sm_driver.h"

#include <algorithm>
#include <stdexcept>

namespace tessera::tlm_model {

SharedSmDriver::SharedSmDriver(SmParts& parts)
    : spec_(parts.spec),
      tables_(parts.tables),
      timers_(parts.timers),
      log_(parts.log),
      array_(parts.array),
      owners_(parts.owners),
      supply_(parts.supply),
      sms_(parts),
      moves_(parts, sms_),
      choice_(parts, sms_, moves_),
      rounds_(parts.spec) {}

// ---- orders of the scheduler ---------------------------------------------------------------------------------

void SharedSmDriver::evict(spec::TechniqueKind, Cycle) {
  throw std::logic_error("a technique that chooses victims itself knows no kept turn");
}

void SharedSmDriver::set_scheduler(const spec::SchedulerSpec& scheduler) {
  owners_.set_scheduler(scheduler);
  choice_.set_scheduler(scheduler);
}

void SharedSmDriver::assign(SmId id, KsrId ksr, Cycle now) {
  array_.set_now(now);
  tables_.assign(id, ksr);
  set_up(id, ksr, now);
}

void SharedSmDriver::reserve(SmId id, KsrId next, Cycle now) {
  array_.set_now(now);
  owners_.reserve(id, next, now);
  SharedSm& shared = sms_.at(id);
  shared.is_requested = true;
  shared.empties = false;
  shared.grants.clear();  // places that were still being set up when the SM passed to its guest
  shared.bytes_saved = 0;
  shared.wanted_from = choice_.wanted_from(next);
  if (owners_.sm(id).phase == SmPhase::kSettingUp) return;  // it gives way at the end of that
  plan_soon(id, now);
}

// The TBs that were chosen go on leaving; who else has to go is asked anew for the kernel that comes now.
void SharedSmDriver::retarget(SmId id, KsrId next, Cycle now) {
  array_.set_now(now);
  owners_.retarget(id, next, now);
  const SmOwner& sm = owners_.sm(id);
  SharedSm& shared = sms_.at(id);
  shared.wanted_from = choice_.wanted_from(next);
  if (sm.phase == SmPhase::kSettingUp) return;
  shared.grants.clear();
  shared.guest = kNoKsr;
  const bool is_for_owner = next == sm.ksr && array_.kernel(next).id == sm.launch;
  if (is_for_owner) return return_to_owner(id, now);
  if (!shared.empties && !shared.wants_plan) shared.plan_at = std::max(now, array_.sm(id).last_start) + 1;
  sms_.retime(id);
}

bool SharedSmDriver::is_any_sm_changing_hands() const {
  for (std::size_t i = 0; i < sms_.all().size(); ++i) {
    const SmPhase phase = owners_.sms()[i].phase;
    const bool is_settled = phase == SmPhase::kIdle || phase == SmPhase::kRunning;
    if (!is_settled || sms_.all()[i].is_requested || !sms_.all()[i].moves.empty()) return true;
  }
  return false;
}

// ---- time ----------------------------------------------------------------------------------------------------

// In one cycle: contexts that have been moved, then commands, then set-ups.
void SharedSmDriver::timer_fired(SmId id, Cycle now) {
  array_.set_now(now);
  SharedSm& shared = sms_.at(id);
  timers_.clear(static_cast<std::uint32_t>(index(id)));
  step_moves(id, now);
  if (shared.plan_at <= now) plan(id, now);
  if (shared.escalate_at <= now) escalate(id, now);
  if (shared.set_up_at <= now) set_up_is_over(id, now);
  for (Grant& grant : shared.grants) {
    if (grant.stage != Grant::Stage::kSettingUp || grant.set_up_at > now) continue;
    grant.stage = Grant::Stage::kReady;
    grant.set_up_at = kNever;
  }
  fill_all(id, now);
  sms_.retime(id);
}

}  // namespace tessera::tlm_model
