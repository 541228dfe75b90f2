// SPDX-License-Identifier: Apache-2.0
// The whole GPU goes to another context: thread blocks leave, and come back to the slots that they left.
#include <algorithm>

#include "tlm/execution_engine/tb_dispatcher/tb_dispatcher.h"

namespace tessera::tlm_model {

void TbDispatcher::turn_seen(const policy::SeenTurn& turn, Cycle now) {
  array_.set_now(now);
  const bool had_it = turn_.gives_sms && turn_.owner == turn.owner;
  turn_ = turn;
  if (turn_.gives_sms && !had_it) bring_back(turn_.owner, now);
  wake(now);
}

void TbDispatcher::evict(spec::TechniqueKind how, Cycle now) {
  array_.set_now(now);
  eviction_ = how;
  for (std::uint32_t i = 0; i < gpu_.num_sms; ++i) {
    const auto id = SmId(i);
    if (is_empty(id)) continue;
    leaving_.set(i);
    SmOwner& sm = owners_.sm(id);
    sm.technique = how;
    sm.launch = array_.kernel_in(id, lowest(array_.sm(id).occupied)).id;  // as moves are recorded
    owners_.preemption_requested(id, kNoKsr, now);
    if (how != spec::TechniqueKind::kDrain && sm.phase == SmPhase::kRunning) exits_.preempt(id, now);
  }
}

void TbDispatcher::timer_fired(SmId id, Cycle now) {
  array_.set_now(now);
  switch (exits_.timer_fired(id, now)) {
    case SmAnswer::kRestored:
      return restored(id, now);
    case SmAnswer::kNothingToSave:
    case SmAnswer::kSaved:
      return have_left(id, now);
    case SmAnswer::kSetUp:
    case SmAnswer::kEmpty:
    case SmAnswer::kHandlesSent:
    case SmAnswer::kNone:
      return;
  }
}

// Its thread blocks have ended or are saved.
void TbDispatcher::have_left(SmId id, Cycle now) {
  const std::uint64_t saved = array_.sm(id).occupied;
  std::vector<Away> left;
  for_each_slot(saved, [&](std::uint32_t slot) { left.push_back({array_.slot(id, slot).kernel, slot, {}}); });
  std::size_t next = 0;
  array_.take_out(id, saved, now, [&](const TbHandle& handle) { left[next++].handle = handle; });
  if (!left.empty()) {
    const ContextId context = tables_.ksr(left.front().kernel).context;
    for (const Away& one : left) {
      room_.give_back(id, one.kernel);
      holdings_.change(id, array_.kernel(one.kernel).id, -1, room_.share_ppm(one.kernel));
    }
    holdings_.tell(now);
    away_[index(context)][index(id)] = std::move(left);
  }
  owners_.preemption_done(id, exits_.bytes_saved(id), now);
  SmOwner& sm = owners_.sm(id);
  sm.launch = LaunchId{record::kNoNumber};
  sm.phase = SmPhase::kRunning;
  exits_.clear_timer(id);
  leaving_.clear(bit(id));
  tables_.shared_sm_emptied();
}

void TbDispatcher::bring_back(ContextId context, Cycle now) {
  take_places_back(kNever - 1);  // a switch takes longer than a turnaround
  for (std::uint32_t i = 0; i < gpu_.num_sms; ++i) {
    std::vector<Away>& away = away_[index(context)][i];
    if (away.empty()) continue;
    const auto id = SmId(i);
    for (const Away& one : away) {
      room_.take(id, one.kernel);
      holdings_.change(id, array_.kernel(one.kernel).id, +1, room_.share_ppm(one.kernel));
      array_.await_context(id, {one.slot, one.slot}, one.kernel, one.handle);
    }
    away.clear();
    returning_.set(i);
    exits_.handles_were_sent(id, now);
  }
  holdings_.tell(now);
}

void TbDispatcher::restored(SmId id, Cycle now) {
  returning_.clear(bit(id));
  for (const KsrId kernel : line_.kernels()) may_fit_[index(kernel)].set(bit(id));
  if (leaving_.has(bit(id)) && eviction_ != spec::TechniqueKind::kDrain) return exits_.preempt(id, now);
  wake(now);
}

bool TbDispatcher::is_any_sm_used() const {
  if (is_any_sm_changing_hands()) return true;
  for (std::uint32_t i = 0; i < gpu_.num_sms; ++i) {
    if (!is_empty(SmId(i))) return true;
  }
  return false;
}

std::uint32_t TbDispatcher::num_contexts_away(KsrId ksr) const {
  std::uint32_t count = 0;
  for (const AwayFromSms& of_context : away_) {
    for (const std::vector<Away>& of_sm : of_context) {
      count += static_cast<std::uint32_t>(
          std::count_if(of_sm.begin(), of_sm.end(), [ksr](const Away& one) { return one.kernel == ksr; }));
    }
  }
  return count;
}

}  // namespace tessera::tlm_model
