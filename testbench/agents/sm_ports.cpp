// SPDX-License-Identifier: Apache-2.0
#include "testbench/agents/sm_ports.h"

#include <algorithm>

namespace tessera::testbench {

using rtl_model::kNone;
using rtl_model::SmSet;

namespace {

constexpr unsigned kHeldBackPermille = 970;

std::uint32_t highest(const SmSet& set) {
  std::uint32_t sm = SmSet::kMax - 1;
  while (!set.has(sm)) --sm;
  return sm;
}

}  // namespace

SmPorts::SmPorts(const Profile& profile, std::uint64_t seed) : profile_(profile.sms), random_(seed) {
  for (std::uint32_t sm = 0; sm < profile.params.num_sms; ++sm) sms_.emplace_back(profile, random_.next());
}

Cycle SmPorts::next_activity() const {
  Cycle next = kNever;
  for (const SmPort& sm : sms_) next = std::min(next, sm.next_activity());
  return next;
}

void SmPorts::drive(Cycle now, rtl_model::SchedulerInputs& in) {
  in.sm_event.valid = in.handle.valid = false;
  if (next_activity() > now) return;
  for (SmPort& sm : sms_) sm.begin(now);
  drive_event(now, in.sm_event);
  drive_handle(now, in.handle);
}

void SmPorts::drive_event(Cycle now, rtl_model::SmEventPins& event) {
  SmSet with_event;
  for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) {
    const std::optional<SmAgent::Event> reported = sms_[sm].event(now);
    if (reported && !is_held_back(reported->kind)) with_event.set(sm);
  }
  if (!with_event.any() || random_.chance(profile_.stall_permille)) return;
  const std::uint32_t sm = choose(with_event);
  const SmAgent::Event shown = *sms_[sm].event(now);
  event = {true, sm, shown.kind, shown.tag};
}

bool SmPorts::is_held_back(rtl_model::SmEventKind kind) {
  return (profile_.held_back >> static_cast<unsigned>(kind) & 1) != 0 && random_.chance(kHeldBackPermille);
}

std::uint32_t SmPorts::choose(const SmSet& with_event) {
  switch (profile_.arbitration) {
    case Arbitration::kLowestFirst:
      break;
    case Arbitration::kHighestFirst:
      return highest(with_event);
    case Arbitration::kBatches:
      batch_ = batch_ & with_event;
      if (!batch_.any()) batch_ = with_event;
      return batch_.lowest();
    case Arbitration::kSticky:
      if (stuck_to_ == kNone || !with_event.has(stuck_to_)) stuck_to_ = any_of(with_event);
      return stuck_to_;
    case Arbitration::kRandom:
      return any_of(with_event);
  }
  return with_event.lowest();
}

void SmPorts::drive_handle(Cycle now, rtl_model::HandlePins& handle) {
  std::uint32_t sm = handle_sm_;
  if (sm == kNone) {
    SmSet with_handle;
    for (std::uint32_t i = 0; i < sms_.size(); ++i) {
      if (sms_[i].handle(now)) with_handle.set(i);
    }
    if (!with_handle.any()) return;
    sm = random_.one_in(2) ? with_handle.lowest() : any_of(with_handle);
  }
  const std::optional<SmAgent::Handle> shown = sms_[sm].handle(now);
  if (!shown) return;
  handle = {true, sm, shown->tb, shown->stack_pointer};
  is_last_handle_ = shown->is_last;
}

void SmPorts::settle(Cycle now, const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out) {
  if (in.sm_event.valid && out.sm_event_ready) {
    const std::uint32_t sm = in.sm_event.sm;
    sms_[sm].event_taken(now, in.sm_event.kind);
    batch_.clear(sm);
    stuck_to_ = kNone;
    if (sm == handle_sm_ && in.sm_event.kind == rtl_model::SmEventKind::kPreempted) handle_sm_ = kNone;
  }
  if (in.handle.valid) {
    sms_[in.handle.sm].handle_taken(now);
    handle_sm_ = is_last_handle_ && !profile_.holds_handle_port ? kNone : in.handle.sm;
  }
  if (out.sm_control.valid) sms_[out.sm_control.sm].send(now, out.sm_control);
  if (out.dispatch.valid) sms_[out.dispatch.sm].send(now, out.dispatch);
  for (SmPort& sm : sms_) sm.end(now);
}

}  // namespace tessera::testbench
