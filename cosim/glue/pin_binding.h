// SPDX-License-Identifier: Apache-2.0
// Connects the pins of rtl_model/interfaces/pins.h to the ports of the Verilated model. This runs in every cycle, so
// the data of a bundle are copied only while it is valid; otherwise they are a don't-care.
#pragma once

#include <stdexcept>

#include "Vtsr_core.h"
#include "core_config.h"
#include "cosim/glue/packed.h"
#include "cosim/i_verilated_core.h"

namespace tessera::cosim {

// Converts an index port: "none" is all ones, in the width of the port here and in 32 bits in rtl_model.
template <unsigned kWidth>
std::uint32_t to_index(std::uint64_t field) {
  return field == mask(kWidth) ? rtl_model::kNone : static_cast<std::uint32_t>(field);
}

// Two's complement.
template <unsigned kWidth>
std::int32_t to_signed(std::uint64_t field) {
  return static_cast<std::int32_t>(static_cast<std::int64_t>(field << (64 - kWidth)) >> (64 - kWidth));
}

template <unsigned kWidth, typename Port>
void put(Port& port, std::uint64_t value) {
  port = static_cast<Port>(value & mask(kWidth));
}

inline void tie_off(Vtsr_core& top, const Straps& straps) {
  put<16>(top.strap_policy_i, straps.policy);
  put<kWaitWidth>(top.strap_activation_cycles_i, straps.activation_cycles);
  put<kWaitWidth>(top.strap_search_step_cycles_i, straps.search_step_cycles);
  top.strap_breadth_first_i = straps.is_breadth_first;
  top.strap_rounds_i = straps.issues_in_rounds;
  top.strap_linger_i = straps.lingers;
#if TESSERA_HAS_MUTANT_SELECT
  top.mutsel = straps.mutant;
#endif
}

// A set of contexts, or of command buffers, a bit each.
template <typename Port>
void put_set(Port& port, const rtl_model::SmSet& set, unsigned count) {
  clear(port);
  for (unsigned lsb = 0; lsb < count; lsb += 64) {
    const unsigned width = count - lsb < 64 ? count - lsb : 64;
    set_bits(port, lsb, width, set.word(lsb / 64));
  }
}

inline void drive_turn(Vtsr_core& top, const rtl_model::SchedulerInputs& in) {
  if constexpr (kKeptTurn == 0) return;
  top.switch_over_i = in.switch_over;
  if (!in.lists_change) return;
  put_set(top.waiting_i, in.waiting, kNumContexts);
  put_set(top.listed_i, in.listed, kNumContexts);
}

inline void drive(Vtsr_core& top, const rtl_model::SchedulerInputs& in) {
  top.slice_tick_i = in.slice_tick;
  top.sm_tick_i = in.sm_tick;
  top.linger_over_i = in.linger_over;
  drive_turn(top, in);
  top.command_valid_i = in.command.valid;
  if (in.command.valid) {
    put<kBufferWidth>(top.command_buffer_i, in.command.buffer);
    put<kContextWidth>(top.command_context_i, in.command.context);
    put<kPriorityWidth>(top.command_priority_i, in.command.priority);
    top.command_has_due_i = in.command.has_due;
    put<32>(top.command_due_i, in.command.due);
    put<kPartitionWidth>(top.command_partition_i, in.command.partition);
    put<kTbWidth>(top.command_num_tbs_i, in.command.num_tbs);
    put<kTbCountWidth>(top.command_tbs_per_sm_i, in.command.tbs_per_sm);
    put<kDescriptorWidth>(top.command_descriptor_i, in.command.descriptor);
  }
  top.control_valid_i = in.control.valid;
  if (in.control.valid) {
    put<3>(top.control_reg_i, static_cast<std::uint64_t>(in.control.reg));
    put<kContextWidth>(top.control_context_i, in.control.context);
    put<64>(top.control_data_i, in.control.data);
  }
  top.sm_event_valid_i = in.sm_event.valid;
  if (in.sm_event.valid) {
    put<kSmWidth>(top.sm_event_sm_i, in.sm_event.sm);
    put<3>(top.sm_event_kind_i, static_cast<std::uint64_t>(in.sm_event.kind));
    put<kTagPortWidth>(top.sm_event_tag_i, in.sm_event.tag);
  }
  top.handle_valid_i = in.handle.valid;
  if (in.handle.valid) {
    put<kSmWidth>(top.handle_sm_i, in.handle.sm);
    put<kTbWidth>(top.handle_tb_i, in.handle.tb);
    put<32>(top.handle_stack_pointer_i, in.handle.stack_pointer);
  }
}

inline void show_buffers(const Vtsr_core& top, rtl_model::SmSet& buffer_free) {
  for (unsigned lsb = 0; lsb < kNumCommandBuffers; lsb += 64) {
    const unsigned width = kNumCommandBuffers - lsb < 64 ? kNumCommandBuffers - lsb : 64;
    buffer_free.set_word(lsb / 64, bits(top.buffer_free_o, lsb, width));
  }
}

inline void show_events(const Vtsr_core& top, rtl_model::EventPins& events) {
  const unsigned pulses = top.events_policy_invoked_o | top.events_policy_decided_o | top.events_activated_o |
                          top.events_moved_o | top.events_cancelled_o | top.events_preempted_o | top.events_released_o |
                          top.events_evicted_o | top.events_turn_passed_o | top.events_turn_began_o;
  if (events.any()) events = {};
  if (pulses == 0) return;
  events.policy_invoked = top.events_policy_invoked_o != 0;
  events.policy_decided = top.events_policy_decided_o != 0;
  events.withheld = top.events_withheld_o != 0;
  events.activated = top.events_activated_o != 0;
  events.moved = top.events_moved_o != 0;
  events.cancelled = top.events_cancelled_o != 0;
  events.preempted = top.events_preempted_o != 0;
  events.released = top.events_released_o != 0;
  events.evicted = top.events_evicted_o != 0;
  events.turn_passed = top.events_turn_passed_o != 0;
  events.turn_began = top.events_turn_began_o != 0;
  events.turn_cause = static_cast<rtl_model::TurnCause>(top.events_turn_cause_o);
  events.buffer = to_index<kBufferWidth>(top.events_buffer_o);
  events.move = static_cast<rtl_model::MoveKind>(top.events_move_o);
  events.sm = to_index<kSmWidth>(top.events_sm_o);
  events.ksr = to_index<kKsrWidth>(top.events_ksr_o);
}

inline void show(const Vtsr_core& top, rtl_model::SchedulerOutputs& out) {
  // A simulation has no RAM bit errors, so a fault cannot be handled.
  if (top.fault_o != 0) throw std::runtime_error("the Verilog core has stopped for a parity fault");
  show_buffers(top, out.buffer_free);
  out.control_ready = top.control_ready_o != 0;
  out.slice_timer_enable = top.slice_timer_enable_o != 0;
  out.linger_start = top.linger_start_o != 0;
  out.turn = top.turn_o;
  out.switch_start = top.switch_start_o != 0;
  out.switch_runs = top.switch_runs_o != 0;
  out.sm_event_ready = top.sm_event_ready_o != 0;
  out.idle = top.idle_o != 0;
  if ((out.sm_control.valid = top.sm_control_valid_o != 0)) {
    out.sm_control.sm = to_index<kSmWidth>(top.sm_control_sm_o);
    out.sm_control.kind = static_cast<rtl_model::SmControlKind>(top.sm_control_kind_o);
    out.sm_control.context = top.sm_control_context_o;
    out.sm_control.page_table = top.sm_control_page_table_o;
    out.sm_control.descriptor = top.sm_control_descriptor_o;
    out.sm_control.tag = top.sm_control_tag_o;
  }
  if ((out.dispatch.valid = top.dispatch_valid_o != 0)) {
    out.dispatch.sm = to_index<kSmWidth>(top.dispatch_sm_o);
    out.dispatch.is_restore = top.dispatch_is_restore_o != 0;
    out.dispatch.last = top.dispatch_last_o != 0;
    out.dispatch.tb = top.dispatch_tb_o;
    out.dispatch.stack_pointer = out.dispatch.is_restore ? top.dispatch_stack_pointer_o : 0;  // only valid for a handle
  }
  if ((out.kernel_done.valid = top.kernel_done_valid_o != 0)) {
    out.kernel_done.descriptor = top.kernel_done_descriptor_o;
  }
  if ((out.usage.valid = top.usage_valid_o != 0)) {
    out.usage.context = top.usage_context_o;
    out.usage.freed = to_signed<kSmWidth + 1>(top.usage_freed_o);
  }
  show_events(top, out.events);
}

}  // namespace tessera::cosim
