// SPDX-License-Identifier: Apache-2.0
// Two queues an SM.
#include "tlm/execution_engine/one_job/sm_links.h"

#include <algorithm>

#include "model/spec/spec.h"
#include "tlm/execution_engine/sm_array/slot.h"

namespace tessera::tlm_model {

SmLinks::SmLinks(const spec::Spec& spec)
    : num_sms_(spec.gpu.num_sms), due_(2 * spec.gpu.num_sms), sms_(spec.gpu.num_sms) {
  const spec::LinkSpec& links = spec.gpu.framework.link_cycles;
  if (!links.any()) return;
  for (std::uint32_t sm = 0; sm < num_sms_; ++sm) {
    sms_[sm].up = Cycle{links.up[sm]} * spec.scheduler.tbs_per_cycle;
    sms_[sm].down = Cycle{links.down[sm]} * spec.scheduler.tbs_per_cycle;
    linked_.set(sm, links.up[sm] != 0 || links.down[sm] != 0);
  }
}

// In one cycle what SMs show is taken before the networks look: a link up may take no time.
SmLinks::Place SmLinks::next_place() const {
  const std::uint32_t leaf = EventTree::leaf_of(due_.min());
  return {SmId(leaf % num_sms_), leaf >= num_sms_};
}

void SmLinks::schedule_sm(SmId id) {
  const Sm& sm = sms_[index(id)];
  due_.set(number_of(id), std::min(next_take(sm), sm.coming.empty() ? kNever : sm.coming.front().at));
}

// ---- down ----------------------------------------------------------------------------------------------------

void SmLinks::send(SmId id, const SmCommand& command, Cycle on_pins) {
  sms_[index(id)].coming.push_back({command, arrival(id, on_pins)});
  schedule_sm(id);
}

std::optional<SmCommand> SmLinks::arrived(SmId id, Cycle now) {
  std::deque<Coming>& coming = sms_[index(id)].coming;
  if (coming.empty() || coming.front().at > now) return std::nullopt;
  const SmCommand command = coming.front().command;
  coming.pop_front();
  schedule_sm(id);
  return command;
}

std::uint32_t SmLinks::num_contexts_coming(KsrId ksr) const {
  std::uint32_t count = 0;
  for (const Sm& sm : sms_) {
    for (const Coming& coming : sm.coming) {
      const SmCommand& command = coming.command;
      const bool is_context = command.kind == SmCommand::Kind::kHandle && !command.handle.is_flushed();
      count += is_context && command.ksr == ksr ? 1 : 0;
    }
  }
  return count;
}

// ---- up: at the SM -------------------------------------------------------------------------------------------

void SmLinks::show_tb_done(SmId id, std::uint32_t slot, Cycle from) {
  sms_[index(id)].done_slots |= slot_bit(slot);
  show(id, kTbDone, from);
}

void SmLinks::show(SmId id, SmEvent event, Cycle from) {
  Sm& sm = sms_[index(id)];
  sm.events |= event;
  if (event == kPreempted) {
    sm.preempted_from = from;
  } else {
    sm.shown_from = from;
  }
  schedule_sm(id);
}

void SmLinks::show_handles(SmId id, std::uint32_t count, Cycle from) {
  sms_[index(id)].num_handles = count;
  sms_[index(id)].handles_from = from;
}

void SmLinks::begin_set_up(SmId id, std::uint32_t tag) {
  Sm& sm = sms_[index(id)];
  sm.tag = tag;
  sm.events &= static_cast<std::uint8_t>(~(kSetUpDone | kPreempted));
  schedule_sm(id);
}

// Of TBs that have been shown for a while none is left behind a cycle that is over: the link takes one a cycle.
Cycle SmLinks::next_take(const Sm& sm) {
  if (sm.events == 0) return kNever;
  if (sm.events != kPreempted) return std::max(sm.shown_from, sm.link_free_at);
  if (sm.num_handles > 0) return std::max({sm.handles_from, sm.link_free_at, sm.preempted_from});
  return std::max(sm.preempted_from, sm.link_free_at);
}

std::optional<SmLinks::Taken> SmLinks::take(SmId id, Cycle now) {
  Sm& sm = sms_[index(id)];
  // 1. Handles, which nobody waits for: they have gone since they were there, one a cycle, and *preempted* follows.
  if (sm.events == kPreempted && sm.num_handles > 0) {
    Message handles;
    handles.num_handles = sm.num_handles;
    const Cycle first = std::max(sm.handles_from, sm.link_free_at);
    handles.at = first + sm.up;
    sm.link_free_at = first + sm.num_handles;
    sm.num_handles = 0;
    sm.going.push_back(handles);
    schedule_networks(id, now);
  }
  // 2. An event.
  if (next_take(sm) > now) {
    schedule_sm(id);
    return std::nullopt;
  }
  Taken taken;
  taken.event = static_cast<SmEvent>(sm.events & -sm.events);
  bool is_last = true;
  if (taken.event == kTbDone) {
    taken.slot = lowest(sm.done_slots);
    sm.done_slots &= sm.done_slots - 1;
    is_last = sm.done_slots == 0;
  }
  if (is_last) sm.events &= static_cast<std::uint8_t>(~taken.event);
  sm.link_free_at = now + 1;
  Message message;
  message.report = {taken.event, taken.event == kSetUpDone ? sm.tag : 0};
  message.at = now + sm.up;
  sm.going.push_back(message);
  schedule_sm(id);
  schedule_networks(id, now);
  return taken;
}

// ---- up: at the networks -------------------------------------------------------------------------------------

// Handles wait for no port here (docs/hardware/timing.md 8): each is taken in the cycle in which it is first.
void SmLinks::schedule_networks(SmId id, Cycle now) {
  Sm& sm = sms_[index(id)];
  if (sm.is_first_there) return;
  for (; !sm.going.empty() && sm.going.front().num_handles > 0; sm.going.pop_front()) {
    const Message& handles = sm.going.front();
    sm.networks_free_at = std::max(sm.networks_free_at, handles.at) + handles.num_handles;
  }
  const std::uint32_t leaf = num_sms_ + number_of(id);
  if (sm.going.empty()) return due_.clear(leaf);
  due_.set(leaf, std::max({sm.going.front().at, sm.networks_free_at, now}));
}

SmEvent SmLinks::come(SmId id) {
  Sm& sm = sms_[index(id)];
  sm.is_first_there = true;
  due_.clear(num_sms_ + number_of(id));
  return sm.going.front().report.event;
}

SmLinks::Report SmLinks::take_at_networks(SmId id, Cycle now) {
  Sm& sm = sms_[index(id)];
  const Report report = sm.going.front().report;
  sm.going.pop_front();
  sm.networks_free_at = now + 1;
  sm.is_first_there = false;
  schedule_networks(id, now);
  if (due_.time(num_sms_ + number_of(id)) <= now + 1) come(id);
  return report;
}

std::optional<SmEvent> SmLinks::first(SmId id) const {
  const Sm& sm = sms_[index(id)];
  if (!sm.is_first_there) return std::nullopt;
  return sm.going.front().report.event;
}

}  // namespace tessera::tlm_model
