// SPDX-License-Identifier: Apache-2.0
// Breadth first where victims are chosen: a guest gets one place on each SM before a second one, and an owner's thread
// blocks go round its SMs (docs/concepts/readings.md, Chimera and dual-kernel).
#include <algorithm>

#include "tlm/execution_engine/shared_sm/shared_sm_driver.h"

namespace tessera::tlm_model {

// ---- a guest's places ----------------------------------------------------------------------------------------------

void SharedSmDriver::decision_began(Cycle at) {
  choice_.decision_began(at);
  is_deciding_ = true;
}

// The guests have as many SMs as they get. What those SMs' first places do not cover is spread over them.
void SharedSmDriver::decision_over(Cycle now) {
  array_.set_now(now);
  is_deciding_ = false;
  if (!rounds_.is_on()) return;
  for (const KsrId guest : tables_.active_queue()) spread(guest, now);
}

// A round: the SMs with the fewest places of the guest are asked for one more each, until its need is covered. The next
// one follows when they have chosen.
void SharedSmDriver::spread(KsrId guest, Cycle now) {
  if (is_deciding_ || !is_planned(guest)) return;
  for (SmId id = next_in_round(guest, now); id != kNoSm; id = next_in_round(guest, now)) {
    request_more(id, now);
    plan_soon(id, now);
  }
}

// Has every SM that is reserved for the guest chosen what it was asked for?
bool SharedSmDriver::is_planned(KsrId guest) const {
  for (std::size_t i = 0; i < sms_.all().size(); ++i) {
    const policy::SmEntry& entry = tables_.smst()[i];
    const bool is_for_guest = entry.status == policy::SmStatus::kReserved && entry.next == guest;
    if (is_for_guest && sms_.all()[i].awaits_plan()) return false;
  }
  return true;
}

// Of the SMs with the fewest places of the guest, one whose next set costs least; none: all have what they can, or have
// been asked in this round, or the need is covered.
SmId SharedSmDriver::next_in_round(KsrId guest, Cycle now) const {
  SmId best = kNoSm;
  std::size_t fewest = 0;
  preemption::SetCost least;
  for (std::size_t i = 0; i < sms_.all().size(); ++i) {
    const SharedSm& shared = sms_.all()[i];
    const SmId id{static_cast<std::uint16_t>(i)};
    const bool has_guest = shared.guest == guest && !shared.awaits_plan();
    if (!has_guest || shared.grants.size() >= tables_.ksr(guest).tbs_per_sm) continue;
    if ((best != kNoSm && shared.num_places() > fewest) || choice_.uncovered_need(guest, id) <= 0) continue;
    const auto next = choice_.plan_position(id, guest, shared.wanted_from, now);
    if (!next) continue;
    const bool is_first = best == kNoSm || shared.num_places() < fewest;
    if (!is_first && !preemption::is_better(next->plan, least)) continue;
    best = id;
    fewest = shared.num_places();
    least = next->plan;
  }
  return best == kNoSm || is_any_behind(guest, fewest) ? kNoSm : best;
}

// Does an SM that has been asked have fewer places even so?
bool SharedSmDriver::is_any_behind(KsrId guest, std::size_t places) const {
  return std::any_of(sms_.all().begin(), sms_.all().end(), [&](const SharedSm& sm) {
    return sm.guest == guest && sm.awaits_plan() && sm.num_places() < places;
  });
}

// ---- an owner's thread blocks --------------------------------------------------------------------------------------

void SharedSmDriver::issue_due(Cycle now) {
  array_.set_now(now);
  rounds_.due(now, *this);
}

bool SharedSmDriver::wants_issue(SmId id) const {
  const SmOwner& sm = owners_.sm(id);
  return sm.phase == SmPhase::kRunning && may_owner_issue(id) && tables_.ksr(sm.ksr).issuable_tbs() > 0 &&
         free_place(id).has_value();
}

// All handles that wait and fit, or one fresh TB.
void SharedSmDriver::issue_in_round(SmId id, Cycle now) {
  fill_owner(id, now);
  note_refill(id);
  sms_.retime(id);
}

bool SharedSmDriver::is_unused(SmId id) const {
  return owners_.sm(id).phase == SmPhase::kRunning && !owners_.is_reserved(id) && array_.sm(id).occupied == 0 &&
         sms_.at(id).grants.empty();
}

}  // namespace tessera::tlm_model
