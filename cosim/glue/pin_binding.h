// SPDX-License-Identifier: Apache-2.0
// Pins of rtl_model/interfaces/pins.h on the ports of the Verilated model. Every cycle comes by here: no calls, no
// loops.
#pragma once

#include "Vtsr_core.h"
#include "core_config.h"
#include "cosim/glue/packed.h"
#include "cosim/i_verilated_core.h"

namespace tessera::cosim {

// An index port: "none", all ones, has the width of the field here and 32 bits there.
template <unsigned kWidth>
std::uint32_t to_index(std::uint64_t field) {
  return field == mask(kWidth) ? rtl_model::kNone : static_cast<std::uint32_t>(field);
}

template <unsigned kWidth, typename Port>
void put(Port& port, std::uint64_t value) {
  port = static_cast<Port>(value & mask(kWidth));
}

// Straps, and the reset values of the context table.
inline void tie_off(Vtsr_core& top, const Straps& straps) {
  put<7>(top.strap_policy_i, straps.policy);
  put<kWaitWidth>(top.strap_activation_cycles_i, straps.activation_cycles);
  put<kWaitWidth>(top.strap_search_step_cycles_i, straps.search_step_cycles);
  top.strap_breadth_first_i = straps.is_breadth_first;
  top.strap_rounds_i = straps.issues_in_rounds;
  clear(top.strap_has_budget_i);
  clear(top.strap_budget_i);
  for (unsigned context = 0; context < straps.has_budget.size(); ++context) {
    set_bits(top.strap_has_budget_i, context, 1, straps.has_budget[context] ? 1 : 0);
    set_bits(top.strap_budget_i, context * kTokenWidth, kTokenWidth, straps.budgets[context]);
  }
#if TESSERA_HAS_MUTANT_SELECT
  top.mutsel = straps.mutant;
#endif
}

inline void drive(Vtsr_core& top, const rtl_model::SchedulerInputs& in) {
  top.command_valid_i = in.command.valid;
  put<kBufferWidth>(top.command_buffer_i, in.command.buffer);
  put<kContextWidth>(top.command_context_i, in.command.context);
  put<kPriorityWidth>(top.command_priority_i, in.command.priority);
  put<kTbWidth>(top.command_num_tbs_i, in.command.num_tbs);
  put<kTbCountWidth>(top.command_tbs_per_sm_i, in.command.tbs_per_sm);
  put<kDescriptorWidth>(top.command_descriptor_i, in.command.descriptor);
  top.control_valid_i = in.control.valid;
  put<2>(top.control_reg_i, static_cast<std::uint64_t>(in.control.reg));
  put<kContextWidth>(top.control_context_i, in.control.context);
  put<64>(top.control_data_i, in.control.data);
  top.slice_tick_i = in.slice_tick;
  top.sm_tick_i = in.sm_tick;
  top.sm_event_valid_i = in.sm_event.valid;
  put<kSmWidth>(top.sm_event_sm_i, in.sm_event.sm);
  put<2>(top.sm_event_kind_i, static_cast<std::uint64_t>(in.sm_event.kind));
  top.handle_valid_i = in.handle.valid;
  put<kSmWidth>(top.handle_sm_i, in.handle.sm);
  put<kTbWidth>(top.handle_tb_i, in.handle.tb);
  put<32>(top.handle_stack_pointer_i, in.handle.stack_pointer);
}

// Buffers are taken and freed once a kernel: most cycles leave them as they were.
inline void show_buffers(const Vtsr_core& top, rtl_model::SmSet& buffer_free) {
  for (unsigned lsb = 0; lsb < kNumCommandBuffers; lsb += 64) {
    const unsigned width = kNumCommandBuffers - lsb < 64 ? kNumCommandBuffers - lsb : 64;
    buffer_free.set_word(lsb / 64, bits(top.buffer_free_o, lsb, width));
  }
}

inline void show(const Vtsr_core& top, rtl_model::SchedulerOutputs& out) {
  show_buffers(top, out.buffer_free);
  out.slice_timer_enable = top.slice_timer_enable_o != 0;
  out.sm_event_ready = top.sm_event_ready_o != 0;
  out.idle = top.idle_o != 0;
  out.sm_control = {top.sm_control_valid_o != 0,
                    to_index<kSmWidth>(top.sm_control_sm_o),
                    static_cast<rtl_model::SmControlKind>(top.sm_control_kind_o),
                    top.sm_control_context_o,
                    top.sm_control_page_table_o,
                    top.sm_control_descriptor_o};
  out.dispatch = {top.dispatch_valid_o != 0,
                  to_index<kSmWidth>(top.dispatch_sm_o),
                  top.dispatch_is_restore_o != 0,
                  top.dispatch_last_o != 0,
                  top.dispatch_tb_o,
                  top.dispatch_stack_pointer_o};
  out.kernel_done = {top.kernel_done_valid_o != 0, top.kernel_done_descriptor_o};
  rtl_model::EventPins& events = out.events;
  events.policy_invoked = top.events_policy_invoked_o != 0;
  events.policy_decided = top.events_policy_decided_o != 0;
  events.activated = top.events_activated_o != 0;
  events.activated_buffer = to_index<kBufferWidth>(top.events_activated_buffer_o);
  events.activated_ksr = to_index<kKsrWidth>(top.events_activated_ksr_o);
  events.moved = top.events_moved_o != 0;
  events.move = static_cast<rtl_model::MoveKind>(top.events_move_o);
  events.moved_sm = to_index<kSmWidth>(top.events_moved_sm_o);
  events.moved_ksr = to_index<kKsrWidth>(top.events_moved_ksr_o);
  events.preempted = top.events_preempted_o != 0;
  events.preempted_sm = to_index<kSmWidth>(top.events_preempted_sm_o);
  events.next_ksr = to_index<kKsrWidth>(top.events_next_ksr_o);
  events.released = top.events_released_o != 0;
  events.released_sm = to_index<kSmWidth>(top.events_released_sm_o);
  events.cancelled = top.events_cancelled_o != 0;
}

}  // namespace tessera::cosim
