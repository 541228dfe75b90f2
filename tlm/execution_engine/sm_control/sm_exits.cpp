// SPDX-License-Identifier: Apache-2.0
// The phases of an SM that is preempted, and of one that takes contexts in.
#include "tlm/execution_engine/sm_control/sm_exits.h"

#include <algorithm>

#include "model/spec/spec.h"
#include "tlm/execution_engine/sm_control/flushing.h"

namespace tessera::tlm_model {

SmExits::SmExits(SmParts& parts)
    : spec_(parts.spec),
      array_(parts.array),
      owners_(parts.owners),
      timers_(parts.timers),
      exits_(parts.spec.gpu.num_sms) {
  array_.set_move_timer(this);
}

SmAnswer SmExits::timer_fired(SmId id, Cycle now) {
  clear_timer(id);
  SmPhase& phase = owners_.sm(id).phase;
  switch (phase) {
    case SmPhase::kIdle:  // its kernel has finished since it was set up
    case SmPhase::kSettingUp:
      return SmAnswer::kSetUp;
    case SmPhase::kIssuingRestores:
      if (array_.sm(id).coming() != 0) return start_move(id, SmPhase::kRestoring, array_.sm(id).coming(), now);
      phase = SmPhase::kRunning;
      return SmAnswer::kRestored;
    case SmPhase::kRestoring:
      if (const Cycle code = array_.microcode_cycles(id, false, array_.sm(id).coming()); code > 0) {
        array_.end_transfer(id, array_.sm(id).coming(), now);
        phase = SmPhase::kEndingRestore;
        set_timer(id, now + code);
        return SmAnswer::kNone;
      }
      [[fallthrough]];
    case SmPhase::kEndingRestore:
      array_.end_move(id, array_.sm(id).coming(), now);
      phase = SmPhase::kRunning;
      return SmAnswer::kRestored;
    case SmPhase::kFlushing:
      return flush(id, now);
    case SmPhase::kDrainingPipeline:
      return freeze(id, now);
    case SmPhase::kEnteringTrap:
      exits_[index(id)].save_began = now;
      return start_move(id, SmPhase::kSaving, exits_[index(id)].slots, now);
    case SmPhase::kSaving:
      exits_[index(id)].bytes_saved = array_.end_move(id, exits_[index(id)].slots, now).bytes;
      return SmAnswer::kSaved;
    case SmPhase::kSendingHandles:
      return SmAnswer::kHandlesSent;
    case SmPhase::kRunning:
      return SmAnswer::kEmpty;
    case SmPhase::kDrainingRest:
      break;  // waits for no timer
  }
  return SmAnswer::kNone;
}

void SmExits::preempt(SmId id, Cycle now) {
  SmOwner& sm = owners_.sm(id);
  Exit& exit = exits_[index(id)];
  exit.trapped_at = std::max(now, array_.sm(id).last_start);
  exit.bytes_saved = 0;
  if (sm.technique != spec::TechniqueKind::kFlush) return trap(id, now);
  sm.phase = SmPhase::kFlushing;
  set_timer(id, exit.trapped_at + 1);
}

// The trap is precise: the pipeline drains first, and TBs sent to the SM before the trap have started. The cycle of
// the decision itself is over before that.
void SmExits::trap(SmId id, Cycle now) {
  SmPhase& phase = owners_.sm(id).phase;
  const Cycle earliest = phase == SmPhase::kFlushing ? now : now + 1;
  phase = SmPhase::kDrainingPipeline;
  set_timer(id, std::max(exits_[index(id)].trapped_at + spec_.gpu.framework.pipeline_drain_cycles, earliest));
}

SmAnswer SmExits::flush(SmId id, Cycle now) {
  // 1. What can start again from nothing is dropped.
  const std::uint64_t running = array_.sm(id).running();
  std::uint64_t droppable = 0;
  for_each_slot(running, [&](std::uint32_t slot) {
    if (may_be_flushed(spec_.scheduler, array_, id, slot, now)) droppable |= slot_bit(slot);
  });
  array_.drop(id, droppable, now);
  // 2. The rest is saved, or runs to its end.
  if (running != droppable) {
    if (spec_.scheduler.flush_fallback == spec::FlushFallback::kContextSwitch) {
      trap(id, now);
    } else {
      owners_.sm(id).phase = SmPhase::kDrainingRest;
    }
  }
  return have_all_left(id) ? SmAnswer::kNothingToSave : SmAnswer::kNone;
}

// TBs that have not finished stand still.
SmAnswer SmExits::freeze(SmId id, Cycle now) {
  const std::uint64_t running = array_.sm(id).running();
  if (running == 0) return have_all_left(id) ? SmAnswer::kNothingToSave : SmAnswer::kNone;
  array_.stop(id, running, now);
  exits_[index(id)].slots = running;
  owners_.sm(id).phase = SmPhase::kEnteringTrap;
  set_timer(id, now + spec_.gpu.framework.trap_entry_cycles + array_.microcode_cycles(id, true, running));
  return SmAnswer::kNone;
}

SmAnswer SmExits::start_move(SmId id, SmPhase phase, std::uint64_t slots, Cycle now) {
  owners_.sm(id).phase = phase;
  array_.start_move(id, phase == SmPhase::kSaving, slots, now);
  return SmAnswer::kNone;
}

void SmExits::send_handles(SmId id, Cycle until) {
  owners_.sm(id).phase = SmPhase::kSendingHandles;
  set_timer(id, until);
}

void SmExits::handles_were_sent(SmId id, Cycle at) {
  array_.set_refill(id, 0);
  owners_.sm(id).phase = SmPhase::kIssuingRestores;
  set_timer(id, at);
}

}  // namespace tessera::tlm_model
