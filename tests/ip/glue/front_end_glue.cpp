// SPDX-License-Identifier: Apache-2.0
// IFrontEnd on the Verilated tsr_axi_lite.
#include <memory>
#include <type_traits>

#include "Vdevice___024root.h"
#include "cosim/glue/packed.h"
#include "tests/ip/glue/axi_binding.h"

namespace tessera::ip {
namespace {

class FrontEnd final : public IFrontEnd {
 public:
  FrontEnd() {
    make_unknown(*context_);
    top_ = std::make_unique<Vdevice>(context_.get());
  }

  void reset(const FrontEndInputs& straps) override {
    drive(straps);
    top_->rst_ni = 0;
    edge(*top_);
    top_->rst_ni = 1;
    show();
  }
  void cycle(const FrontEndInputs& inputs) override {
    drive(inputs);
    edge(*top_);
    show();
  }
  void set_counter(std::uint32_t counter, bool is_upper, std::uint32_t value) override {
    top_->rootp->tsr_axi_lite__DOT__u_counters__DOT__u_words__DOT__mem_q[2 * counter + (is_upper ? 1 : 0)] = value;
  }

  void set_sm_time(std::uint64_t value) override { top_->rootp->tsr_axi_lite__DOT__u_usage__DOT__now_q = value; }

 private:
  void drive(const FrontEndInputs& in) {
    ip::drive(*top_, in.axi);
    top_->strap_policy_i = static_cast<SData>(in.strap_policy);
    top_->buffer_free_i = static_cast<std::decay_t<decltype(top_->buffer_free_i)>>(in.buffer_free);
    top_->control_ready_i = in.control_ready;
    top_->kernel_done_valid_i = in.kernel_done.valid;
    top_->kernel_done_descriptor_i = in.kernel_done.descriptor;
    top_->dispatch_valid_i = in.dispatch.valid;
    top_->dispatch_is_restore_i = in.dispatch.is_restore;
    top_->sm_tick_i = in.sm_tick;
    top_->usage_valid_i = in.usage.valid;
    top_->usage_context_i = static_cast<std::decay_t<decltype(top_->usage_context_i)>>(in.usage.context);
    top_->usage_freed_i = static_cast<std::decay_t<decltype(top_->usage_freed_i)>>(in.usage.freed);
    top_->events_policy_invoked_i = in.events.policy_invoked;
    top_->events_policy_decided_i = in.events.policy_decided;
    top_->events_activated_i = in.events.activated;
    top_->events_moved_i = in.events.moved;
    top_->events_move_i = static_cast<CData>(in.events.move);
    top_->events_cancelled_i = in.events.cancelled;
    top_->events_preempted_i = in.events.preempted;
    top_->events_released_i = in.events.released;
    top_->events_turn_passed_i = in.events.turn_passed;
    top_->events_turn_began_i = in.events.turn_began;
    top_->slice_timer_enable_i = in.slice_timer_enable;
    top_->turn_i = static_cast<std::decay_t<decltype(top_->turn_i)>>(in.turn);
    top_->switch_start_i = in.switch_start;
    top_->switch_runs_i = in.switch_runs;
    top_->switch_over_i = in.switch_over;
    top_->fault_i = in.fault;
  }
  void show() {
    ip::show(*top_, outputs_.axi);
    outputs_.command = {top_->command_valid_o != 0, top_->command_buffer_o,       top_->command_context_o,
                        top_->command_priority_o,   top_->command_num_tbs_o,      top_->command_tbs_per_sm_o,
                        top_->command_descriptor_o, top_->command_has_due_o != 0, top_->command_due_o,
                        top_->command_partition_o};
    outputs_.control = {top_->control_valid_o != 0, static_cast<rtl_model::ControlRegister>(top_->control_reg_o),
                        top_->control_context_o, top_->control_data_o};
    outputs_.waiting = static_cast<std::uint32_t>(cosim::bits(top_->waiting_o, 0, 32));
    outputs_.listed = static_cast<std::uint32_t>(cosim::bits(top_->listed_o, 0, 32));
    outputs_.slice_tick = top_->slice_tick_o != 0;
    outputs_.switch_over = top_->switch_over_o != 0;
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Vdevice> top_;
};

}  // namespace

extern "C" [[gnu::visibility("default")]] IFrontEnd* make_device() { return new FrontEnd; }

}  // namespace tessera::ip
