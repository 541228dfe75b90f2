// SPDX-License-Identifier: Apache-2.0
// SMs behind links (docs/hardware/timing.md 3.11, 7.5): what the core does to them happens when it arrives, and what
// they report counts when it is at the networks.
#include <algorithm>

#include "model/spec/core_cycles.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/one_job/one_job_driver.h"

namespace tessera::tlm_model {

void OneJobDriver::schedule_links() {
  const Cycle core = links_.next();
  const Cycle due = core == kNever ? kNever : std::max(sm_cycle(core), array_.now());
  if (timers_.time(link_leaf_) != due) timers_.set(link_leaf_, due);
}

void OneJobDriver::send(SmId id, const SmCommand& command, Cycle on_pins) {
  links_.send(id, command, on_pins);
  schedule_links();
}

// Within an SM cycle links come before the engine, like all that SMs do.
void OneJobDriver::links_due(Cycle now) {
  array_.set_now(now);
  const Cycle core = links_.next();
  const SmLinks::Place place = links_.next_place();
  if (place.is_at_networks) {
    raise(place.sm, links_.come(place.sm), core);
  } else {
    act_at_sm(place.sm, core);
  }
  schedule_links();
}

// First what the link takes, which a set-up that arrives does not make stale, and whose slot is free for a TB.
void OneJobDriver::act_at_sm(SmId id, Cycle core) {
  const std::optional<SmLinks::Taken> taken = links_.take(id, core);
  if (taken && taken->event == kTbDone) tb_is_taken(id, taken->slot, core);
  if (const std::optional<SmCommand> command = links_.arrived(id, core)) arrive(id, *command, core);
}

void OneJobDriver::arrive(SmId id, const SmCommand& command, Cycle core) {
  const auto lowest_free = [&] {
    const std::uint32_t slot = lowest(~array_.sm(id).occupied);
    return Place{slot, slot};
  };
  switch (command.kind) {
    case SmCommand::Kind::kSetUp:
      links_.begin_set_up(id, command.tag);
      owners_.sm(id).phase = SmPhase::kSettingUp;
      return exits_.set_timer(id, sm_cycle(core) + std::max(spec_.gpu.framework.sm_setup_cycles, 1U));
    case SmCommand::Kind::kTrap:
      if (array_.sm(id).occupied != 0) return exits_.preempt(id, sm_cycle(core));
      return links_.show(id, kPreempted, core + 1);
    case SmCommand::Kind::kFresh:
      return array_.start_sent(id, lowest_free(), command.ksr, command.handle.tb, command.start, command.duration);
    case SmCommand::Kind::kHandle:
      if (command.handle.is_flushed()) {
        array_.start_again(id, lowest_free(), command.ksr, command.handle, command.start);
      } else {
        array_.await_context(id, lowest_free(), command.ksr, command.handle);
      }
      if (command.is_last) handles_were_sent(id, core);
      return;
  }
}

void OneJobDriver::tb_is_taken(SmId id, std::uint32_t slot, Cycle core) {
  array_.vacate(id, slot_bit(slot), array_.now());
  if (owners_.sm(id).is_stopping() && exits_.have_all_left(id)) give_back(id, core);
}

// Its handles left in the last cycles of the save, so that all of them are out when it ends.
void OneJobDriver::show_saved(SmId id, Cycle now) {
  const std::uint32_t count = num_slots(array_.sm(id).moving | array_.sm(id).flushed);
  const Cycle end = core_cycle(now);
  const Cycle shadow = std::min<Cycle>(end, count);
  links_.show_handles(id, count, std::max(core_cycle(exits_.save_began(id)), end - shadow));
  show(id, kPreempted, now);
}

SmLinks::Report OneJobDriver::take_from_link(SmId id, Cycle core) {
  const SmLinks::Report report = links_.take_at_networks(id, core);
  withdraw(id, report.event);
  if (const std::optional<SmEvent> next = links_.first(id)) {
    jobs_[index(id)].events = *next;
    has_event_.set(index_of(id));
  }
  schedule_links();
  return report;
}

}  // namespace tessera::tlm_model
