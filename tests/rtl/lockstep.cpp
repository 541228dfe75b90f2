// SPDX-License-Identifier: Apache-2.0
// The core's Verilog and its clocked model in lockstep: random legal traffic into both, and every output pin
// compared in every cycle. Built for one shape: the sizes come as macros from its builder (test_lockstep.py).
#include <verilated.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "Vtsr_scheduler.h"
#include "rtl_model/scheduler/tsr_scheduler.h"
#include "tests/scheduler/compare.h"
#include "tests/scheduler/tick_in_pick.h"
#include "tests/scheduler/traffic.h"

namespace {
bool has_failed_assertion = false;
}
// Verilator's hook: an assertion of testbench/checkers has failed, and has said so.
void vl_stop(const char*, int, const char*) { has_failed_assertion = true; }

namespace tessera::rtl_model::test {
namespace {

// Only a core with faults in it has a pin for this.
template <typename Core>
auto choose_fault(Core* core, int fault) -> decltype(core->mutant_i, void()) {
  core->mutant_i = fault;
}
void choose_fault(const void*, int) {}

class VerilogCore {
 public:
  VerilogCore(const CoreParams& params, int fault) : params_(params) {
    choose_fault(&core_, fault);
    core_.strap_policy_i = static_cast<CData>(params.policy);
    core_.strap_activation_cycles_i = static_cast<CData>(params.activation_cycles);
    core_.strap_search_step_cycles_i = static_cast<CData>(params.search_step_cycles);
    core_.strap_breadth_first_i = params.is_breadth_first;
    core_.strap_rounds_i = params.issues_in_rounds;
    core_.strap_linger_i = params.lingers;
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
    out.sm_event_ready = core_.sm_event_ready_o;
    out.sm_control.valid = core_.sm_control_valid_o;
    out.sm_control.sm = core_.sm_control_sm_o;
    out.sm_control.kind = core_.sm_control_kind_o != 0 ? SmControlKind::kTrap : SmControlKind::kSetup;
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
    out.events.activated = core_.events_activated_o;
    out.events.moved = core_.events_moved_o;
    out.events.cancelled = core_.events_cancelled_o;
    out.events.preempted = core_.events_preempted_o;
    out.events.released = core_.events_released_o;
    out.events.buffer = core_.events_buffer_o;
    out.events.move = static_cast<MoveKind>(core_.events_move_o);
    out.events.sm = core_.events_sm_o;
    out.events.ksr = core_.events_ksr_o;
    out.idle = core_.idle_o;
    return out;
  }

 private:
  void drive(const SchedulerInputs& in) {
    core_.command_valid_i = in.command.valid;
    core_.command_buffer_i = static_cast<CData>(in.command.buffer);
    core_.command_context_i = static_cast<CData>(in.command.context);
    core_.command_priority_i = static_cast<CData>(in.command.priority);
    core_.command_has_due_i = in.command.has_due;
    core_.command_due_i = in.command.due;
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
    core_.sm_event_valid_i = in.sm_event.valid;
    core_.sm_event_sm_i = static_cast<CData>(in.sm_event.sm);
    core_.sm_event_kind_i = static_cast<CData>(in.sm_event.kind);
    core_.handle_valid_i = in.handle.valid;
    core_.handle_sm_i = static_cast<CData>(in.handle.sm);
    core_.handle_tb_i = in.handle.tb;
    core_.handle_stack_pointer_i = in.handle.stack_pointer;
  }

  const CoreParams& params_;
  Vtsr_scheduler core_;
};

CoreParams params_of_build(Random& random) {
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
  while ((params.policies >> (params.policy & 7) & 1) == 0)
    params.policy = (params.policy & ~7U) | (params.policy + 1) % 6;
  return params;
}

// A core with a fault in it is alone: that it differs from the model is no news.
void run(std::uint64_t seed, std::uint64_t cycles, int fault) {
  Random random(seed);
  const CoreParams params = params_of_build(random);
  Traffic traffic(params, TrafficProfile::random(random, seed, params));
  TsrScheduler model(params);
  VerilogCore verilog(params, fault);
  for (std::uint64_t t = 0; t < cycles; ++t) {
    if (fault == 0) {
      const std::string differences = compare(model.outputs(), verilog.outputs(), params.num_command_buffers);
      if (!differences.empty()) {
        throw std::runtime_error("cycle " + std::to_string(t) + ": model, Verilog: " + differences);
      }
    }
    SchedulerInputs in;
    try {
      in = traffic.drive(verilog.outputs());
    } catch (...) {
      verilog.step({});  // the checkers look at a cycle when it ends
      throw;
    }
    if (fault == 0) model.step(in);
    verilog.step(in);
    if (has_failed_assertion) throw std::runtime_error("cycle " + std::to_string(t) + ": a checker is not content");
  }
  std::printf("seed %llu: %u kernels, %u saves\n", static_cast<unsigned long long>(seed),
              traffic.ledger().num_finished(), traffic.num_saves());
}

// Directed input, which random traffic rarely is. Whether the core does what the contract says.
bool does_as_said() {
  Random random(1);
  CoreParams params = params_of_build(random);
  params.policy = 0;  // fcfs: one kernel gets all SMs
  params.is_breadth_first = params.issues_in_rounds = true;
  VerilogCore core(params, 0);
  return TickInPick<VerilogCore>(core).run() == kDispatchesOfTickInPick && !has_failed_assertion;
}

}  // namespace
}  // namespace tessera::rtl_model::test

int main(int argc, char** argv) {
  if (argc == 1) return tessera::rtl_model::test::does_as_said() ? 0 : 1;
  if (argc != 4 && argc != 5) return 2;  // first seed, seeds, cycles; a fault
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 10), count = std::strtoull(argv[2], nullptr, 10);
  const int fault = argc == 5 ? std::atoi(argv[4]) : 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    try {
      tessera::rtl_model::test::run(seed, std::strtoull(argv[3], nullptr, 10), fault);
    } catch (const std::exception& error) {
      std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), error.what());
      if (fault == 0) return 1;
      has_failed_assertion = false;
    }
  }
  return 0;
}
