// SPDX-License-Identifier: Apache-2.0
// Names and widths of the pins.
#include "rtl_model/interfaces/pin_signals.h"

namespace tessera::rtl_model {
namespace {

void list_inputs(ISignalSink& signals, const Params& params, const SchedulerInputs& in) {
  const CommandPins& command = in.command;
  signals.signal("command_valid_i", 1, [&command] { return command.valid; });
  signals.signal("command_buffer_i", params.buffer_width(), [&command] { return command.buffer; });
  signals.signal("command_context_i", params.context_width(), [&command] { return command.context; });
  signals.signal("command_priority_i", Params::kPriorityWidth, [&command] { return command.priority; });
  signals.signal("command_num_tbs_i", params.tb_width, [&command] { return command.num_tbs; });
  signals.signal("command_tbs_per_sm_i", params.tb_count_width(), [&command] { return command.tbs_per_sm; });
  signals.signal("command_descriptor_i", Params::kDescriptorWidth, [&command] { return command.descriptor; });
  signals.signal("command_has_due_i", 1, [&command] { return command.has_due; });
  signals.signal("command_due_i", Params::kDueWidth, [&command] { return command.due; });
  signals.signal("command_partition_i", params.partition_width(), [&command] { return command.partition; });
  const ControlPins& write = in.control;
  signals.signal("control_valid_i", 1, [&write] { return write.valid; });
  signals.signal("control_reg_i", 3, [&write] { return static_cast<std::uint64_t>(write.reg); });
  signals.signal("control_context_i", params.context_width(), [&write] { return write.context; });
  signals.signal("control_data_i", Params::kPageTableWidth, [&write] { return write.data; });
  signals.signal("slice_tick_i", 1, [&in] { return in.slice_tick; });
  signals.signal("linger_over_i", 1, [&in] { return in.linger_over; });
  if (!params.has_kept_turn) return;
  for (std::uint32_t i = 0; i < params.num_contexts; ++i) {
    signals.signal(indexed("waiting_i", i), 1, [&in, i] { return in.waiting.has(i); });
    signals.signal(indexed("listed_i", i), 1, [&in, i] { return in.listed.has(i); });
  }
  signals.signal("switch_over_i", 1, [&in] { return in.switch_over; });
}

void list_outputs(ISignalSink& signals, const Params& params, const SchedulerOutputs& out) {
  signals.signal("idle_o", 1, [&out] { return out.idle; });
  signals.signal("control_ready_o", 1, [&out] { return out.control_ready; });
  signals.signal("slice_timer_enable_o", 1, [&out] { return out.slice_timer_enable; });
  signals.signal("linger_start_o", 1, [&out] { return out.linger_start; });
  signals.signal("sm_event_ready_o", 1, [&out] { return out.sm_event_ready; });
  const SmControlPins& control = out.sm_control;
  signals.signal("sm_control_valid_o", 1, [&control] { return control.valid; });
  signals.signal("sm_control_sm_o", params.sm_width(), [&control] { return control.sm; });
  signals.signal("sm_control_kind_o", 3, [&control] { return static_cast<std::uint64_t>(control.kind); });
  signals.signal("sm_control_tag_o", params.tag_pin_width(), [&control] { return control.tag; });
  signals.signal("sm_control_context_o", params.context_width(), [&control] { return control.context; });
  signals.signal("sm_control_page_table_o", Params::kPageTableWidth, [&control] { return control.page_table; });
  signals.signal("sm_control_descriptor_o", Params::kDescriptorWidth, [&control] { return control.descriptor; });
  const DispatchPins& dispatch = out.dispatch;
  signals.signal("dispatch_valid_o", 1, [&dispatch] { return dispatch.valid; });
  signals.signal("dispatch_sm_o", params.sm_width(), [&dispatch] { return dispatch.sm; });
  signals.signal("dispatch_is_restore_o", 1, [&dispatch] { return dispatch.is_restore; });
  signals.signal("dispatch_last_o", 1, [&dispatch] { return dispatch.last; });
  signals.signal("dispatch_tb_o", 32, [&dispatch] { return dispatch.tb; });
  signals.signal("dispatch_stack_pointer_o", 32, [&dispatch] { return dispatch.stack_pointer; });
  signals.signal("kernel_done_valid_o", 1, [&out] { return out.kernel_done.valid; });
  signals.signal("kernel_done_descriptor_o", Params::kDescriptorWidth, [&out] { return out.kernel_done.descriptor; });
  const UsagePins& usage = out.usage;
  const std::uint64_t freed_mask = (std::uint64_t{2} << params.sm_count_width()) - 1;
  signals.signal("usage_valid_o", 1, [&usage] { return usage.valid; });
  signals.signal("usage_context_o", params.context_width(), [&usage] { return usage.context; });
  signals.signal("usage_freed_o", params.sm_count_width() + 1,
                 [&usage, freed_mask] { return static_cast<std::uint64_t>(usage.freed) & freed_mask; });
  const EventPins& events = out.events;
  signals.signal("events_policy_invoked_o", 1, [&events] { return events.policy_invoked; });
  signals.signal("events_policy_decided_o", 1, [&events] { return events.policy_decided; });
  signals.signal("events_withheld_o", 1, [&events] { return events.withheld; });
  signals.signal("events_activated_o", 1, [&events] { return events.activated; });
  signals.signal("events_moved_o", 1, [&events] { return events.moved; });
  signals.signal("events_cancelled_o", 1, [&events] { return events.cancelled; });
  signals.signal("events_preempted_o", 1, [&events] { return events.preempted; });
  signals.signal("events_released_o", 1, [&events] { return events.released; });
  signals.signal("events_buffer_o", params.buffer_width(), [&events] { return events.buffer; });
  signals.signal("events_move_o", 2, [&events] { return static_cast<std::uint64_t>(events.move); });
  signals.signal("events_sm_o", params.sm_width(), [&events] { return events.sm; });
  signals.signal("events_ksr_o", params.ksr_width(), [&events] { return events.ksr; });
  if (!params.has_kept_turn) return;
  signals.signal("turn_o", params.context_width(), [&out] { return out.turn; });
  signals.signal("switch_start_o", 1, [&out] { return out.switch_start; });
  signals.signal("switch_runs_o", 1, [&out] { return out.switch_runs; });
  signals.signal("events_evicted_o", 1, [&events] { return events.evicted; });
  signals.signal("events_turn_passed_o", 1, [&events] { return events.turn_passed; });
  signals.signal("events_turn_cause_o", 2, [&events] { return static_cast<std::uint64_t>(events.turn_cause); });
  signals.signal("events_turn_began_o", 1, [&events] { return events.turn_began; });
}

}  // namespace

void list_pins(ISignalSink& signals, const Params& params, const SchedulerInputs& in, const SchedulerOutputs& out) {
  list_inputs(signals, params, in);
  list_outputs(signals, params, out);
}

}  // namespace tessera::rtl_model
