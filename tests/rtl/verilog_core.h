// SPDX-License-Identifier: Apache-2.0
// The Verilated core as programs of this folder drive it, and the shape that it was built for: the sizes come as macros
// from its builder (verilated.py).
#pragma once

#include <verilated.h>

#include "Vtsr_scheduler.h"
#include "rtl_model/core_params.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/policy/policy_table.h"
#include "tests/scheduler/traffic.h"

namespace tessera::rtl_model::test {

// Only a core with faults in it has a pin for this.
template <typename Core>
auto choose_fault(Core* core, int fault) -> decltype(core->mutant_i, void()) {
  core->mutant_i = fault;
}
inline void choose_fault(const void*, int) {}

class VerilogCore {
 public:
  explicit VerilogCore(const CoreParams& params, int fault = 0) : params_(params) {
    choose_fault(&core_, fault);
    core_.strap_policy_i = static_cast<SData>(params.policy);
    core_.strap_activation_cycles_i = static_cast<CData>(params.activation_cycles);
    core_.strap_search_step_cycles_i = static_cast<CData>(params.search_step_cycles);
    core_.strap_breadth_first_i = params.is_breadth_first;
    core_.strap_rounds_i = params.issues_in_rounds;
    core_.strap_linger_i = params.lingers;
    reset();
  }

  void reset() {
    step({}, false);
    step({}, false);
  }

  void step(const SchedulerInputs& in, bool is_out_of_reset = true) {
    core_.rst_ni = is_out_of_reset;
    drive(in);
    core_.clk_i = 0;
    core_.eval();
    core_.clk_i = 1;
    core_.eval();
  }

  SchedulerOutputs outputs() {
    SchedulerOutputs out;
    for (std::uint32_t b = 0; b < params_.num_command_buffers; ++b) {
      if ((core_.buffer_free_o >> b & 1) != 0) out.buffer_free.set(b);
    }
    out.control_ready = core_.control_ready_o;
    out.slice_timer_enable = core_.slice_timer_enable_o;
    out.linger_start = core_.linger_start_o;
    out.turn = core_.turn_o;
    out.switch_start = core_.switch_start_o;
    out.switch_runs = core_.switch_runs_o;
    out.sm_event_ready = core_.sm_event_ready_o;
    out.sm_control.valid = core_.sm_control_valid_o;
    out.sm_control.sm = core_.sm_control_sm_o;
    out.sm_control.kind = static_cast<SmControlKind>(core_.sm_control_kind_o);
    out.sm_control.tag = core_.sm_control_tag_o;
    out.sm_control.context = core_.sm_control_context_o;
    out.sm_control.page_table = core_.sm_control_page_table_o;
    out.sm_control.descriptor = core_.sm_control_descriptor_o;
    out.dispatch.valid = core_.dispatch_valid_o;
    out.dispatch.sm = core_.dispatch_sm_o;
    out.dispatch.is_restore = core_.dispatch_is_restore_o;
    out.dispatch.last = core_.dispatch_last_o;
    out.dispatch.tb = core_.dispatch_tb_o;
    out.dispatch.stack_pointer = out.dispatch.is_restore ? core_.dispatch_stack_pointer_o : 0;
    out.kernel_done.valid = core_.kernel_done_valid_o;
    out.kernel_done.descriptor = core_.kernel_done_descriptor_o;
    const unsigned sign = 63 - params_.sm_count_width();
    out.usage.valid = core_.usage_valid_o;
    out.usage.context = core_.usage_context_o;
    out.usage.freed =
        static_cast<std::int32_t>(static_cast<std::int64_t>(std::uint64_t{core_.usage_freed_o} << sign) >> sign);
    out.events.policy_invoked = core_.events_policy_invoked_o;
    out.events.policy_decided = core_.events_policy_decided_o;
    out.events.withheld = core_.events_withheld_o;
    out.events.activated = core_.events_activated_o;
    out.events.moved = core_.events_moved_o;
    out.events.cancelled = core_.events_cancelled_o;
    out.events.preempted = core_.events_preempted_o;
    out.events.released = core_.events_released_o;
    out.events.evicted = core_.events_evicted_o;
    out.events.turn_passed = core_.events_turn_passed_o;
    out.events.turn_began = core_.events_turn_began_o;
    out.events.turn_cause = static_cast<TurnCause>(core_.events_turn_cause_o);
    out.events.buffer = core_.events_buffer_o;
    out.events.move = static_cast<MoveKind>(core_.events_move_o);
    out.events.sm = core_.events_sm_o;
    out.events.ksr = core_.events_ksr_o;
    out.idle = core_.idle_o;
    return out;
  }
  bool has_stopped() const { return core_.fault_o; }

 private:
  template <typename Port>
  static void put(Port& port, const SmSet& contexts) {
    port = static_cast<Port>(contexts.word(0));
  }
  void drive(const SchedulerInputs& in) {
    core_.command_valid_i = in.command.valid;
    core_.command_buffer_i = static_cast<CData>(in.command.buffer);
    core_.command_context_i = static_cast<CData>(in.command.context);
    core_.command_priority_i = static_cast<CData>(in.command.priority);
    core_.command_has_due_i = in.command.has_due;
    core_.command_due_i = in.command.due;
    core_.command_partition_i = static_cast<CData>(in.command.partition);
    core_.command_num_tbs_i = in.command.num_tbs;
    core_.command_tbs_per_sm_i = static_cast<CData>(in.command.tbs_per_sm);
    core_.command_descriptor_i = in.command.descriptor;
    core_.control_valid_i = in.control.valid;
    core_.control_reg_i = static_cast<CData>(in.control.reg);
    core_.control_context_i = static_cast<CData>(in.control.context);
    core_.control_data_i = in.control.data;
    core_.slice_tick_i = in.slice_tick;
    core_.sm_tick_i = in.sm_tick;
    core_.linger_over_i = in.linger_over;
    put(core_.waiting_i, in.waiting);
    put(core_.listed_i, in.listed);
    core_.switch_over_i = in.switch_over;
    core_.sm_event_valid_i = in.sm_event.valid;
    core_.sm_event_sm_i = static_cast<CData>(in.sm_event.sm);
    core_.sm_event_kind_i = static_cast<CData>(in.sm_event.kind);
    core_.sm_event_tag_i = static_cast<CData>(in.sm_event.tag);
    core_.handle_valid_i = in.handle.valid;
    core_.handle_sm_i = static_cast<CData>(in.handle.sm);
    core_.handle_tb_i = in.handle.tb;
    core_.handle_stack_pointer_i = in.handle.stack_pointer;
  }

  const CoreParams& params_;
  Vtsr_scheduler core_;
};

inline CoreParams params_of_build(Random& random) {
  CoreParams params = random_params(random);  // its straps
  params.num_sms = NUM_SMS;
  params.max_tbs_per_sm = MAX_TBS_PER_SM;
  params.num_ksrs = NUM_KSRS;
  params.num_command_buffers = NUM_COMMAND_BUFFERS;
  params.num_contexts = NUM_CONTEXTS;
  params.ptbq_depth = PTBQ_DEPTH;
  params.tb_width = TB_WIDTH;
  params.search_width = SEARCH_WIDTH;
  params.policies = POLICIES;
  params.policy = random_policy(random, params.policies);
  return params;
}

}  // namespace tessera::rtl_model::test
