// SPDX-License-Identifier: Apache-2.0
// Are the outputs of two cores the same? Fields that belong to no pulse of the cycle are not looked at.
#pragma once

#include <sstream>
#include <string>

#include "rtl_model/interfaces/pins.h"

namespace tessera::rtl_model::test {

// Every pin that differs, with both values; empty: none.
inline std::string compare(const SchedulerOutputs &a, const SchedulerOutputs &b, std::uint32_t num_buffers) {
  std::ostringstream differences;
  const auto same = [&](const char *pin, auto of_a, auto of_b, bool is_looked_at = true) {
    if (is_looked_at && of_a != of_b) {
      differences << pin << ": " << static_cast<std::uint64_t>(of_a) << ", " << static_cast<std::uint64_t>(of_b)
                  << "; ";
    }
  };
  for (std::uint32_t i = 0; i < num_buffers; ++i) same("buffer_free", a.buffer_free.has(i), b.buffer_free.has(i));
  same("control_ready", a.control_ready, b.control_ready);
  same("slice_timer_enable", a.slice_timer_enable, b.slice_timer_enable);
  same("linger_start", a.linger_start, b.linger_start);
  same("sm_event_ready", a.sm_event_ready, b.sm_event_ready);
  same("idle", a.idle, b.idle);
  same("turn", a.turn, b.turn);
  same("switch_start", a.switch_start, b.switch_start);
  same("switch_runs", a.switch_runs, b.switch_runs, a.switch_start);

  const SmControlPins &ac = a.sm_control, &bc = b.sm_control;
  const bool is_set_up = ac.valid && ac.kind == SmControlKind::kSetup;
  same("sm_control.valid", ac.valid, bc.valid);
  same("sm_control.sm", ac.sm, bc.sm, ac.valid);
  same("sm_control.kind", ac.kind, bc.kind, ac.valid);
  same("sm_control.tag", ac.tag, bc.tag, is_set_up);
  same("sm_control.context", ac.context, bc.context, is_set_up);
  same("sm_control.page_table", ac.page_table, bc.page_table, is_set_up);
  same("sm_control.descriptor", ac.descriptor, bc.descriptor, is_set_up);

  const DispatchPins &ad = a.dispatch, &bd = b.dispatch;
  same("dispatch.valid", ad.valid, bd.valid);
  same("dispatch.sm", ad.sm, bd.sm, ad.valid);
  same("dispatch.is_restore", ad.is_restore, bd.is_restore, ad.valid);
  same("dispatch.last", ad.last, bd.last, ad.valid);
  same("dispatch.tb", ad.tb, bd.tb, ad.valid);
  same("dispatch.stack_pointer", ad.stack_pointer, bd.stack_pointer, ad.valid && ad.is_restore);

  same("kernel_done.valid", a.kernel_done.valid, b.kernel_done.valid);
  same("kernel_done.descriptor", a.kernel_done.descriptor, b.kernel_done.descriptor, a.kernel_done.valid);

  const UsagePins &au = a.usage, &bu = b.usage;
  same("usage.valid", au.valid, bu.valid);
  same("usage.context", au.context, bu.context, au.valid);
  same("usage.freed", au.freed, bu.freed, au.valid);

  const EventPins &ae = a.events, &be = b.events;
  same("events.policy_invoked", ae.policy_invoked, be.policy_invoked);
  same("events.policy_decided", ae.policy_decided, be.policy_decided);
  same("events.withheld", ae.withheld, be.withheld);
  same("events.activated", ae.activated, be.activated);
  same("events.moved", ae.moved, be.moved);
  same("events.cancelled", ae.cancelled, be.cancelled);
  same("events.preempted", ae.preempted, be.preempted);
  same("events.released", ae.released, be.released);
  same("events.evicted", ae.evicted, be.evicted);
  same("events.turn_passed", ae.turn_passed, be.turn_passed);
  same("events.turn_cause", ae.turn_cause, be.turn_cause, ae.turn_passed);
  same("events.turn_began", ae.turn_began, be.turn_began);
  same("events.buffer", ae.buffer, be.buffer, ae.activated);
  same("events.move", ae.move, be.move, ae.moved);
  same("events.sm", ae.sm, be.sm, ae.moved || ae.preempted || ae.released);
  same("events.ksr", ae.ksr, be.ksr, ae.activated || ae.moved || (ae.preempted && !ae.released));
  return differences.str();
}

}  // namespace tessera::rtl_model::test
