// SPDX-License-Identifier: Apache-2.0
// IIp on the Verilated tsr_ip, for up to 7 contexts.
#include <memory>

#include "cosim/glue/messages.h"
#include "tests/ip/glue/axi_binding.h"

namespace tessera::ip {
namespace {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): the pins' types

class Ip final : public IIp {
 public:
  Ip() {
    make_unknown(*context_);
    top_ = std::make_unique<Vdevice>(context_.get());
  }

  void reset(const IpInputs& straps) override {
    drive(straps);
    top_->strap_policy_i = static_cast<SData>(straps.strap_policy);
    top_->strap_breadth_first_i = straps.strap_breadth_first;
    top_->strap_rounds_i = 0;
    top_->strap_linger_i = 1;
    top_->strap_activation_cycles_i = 4;
    top_->strap_search_step_cycles_i = 1;
    top_->rst_ni = 0;
    edge(*top_);
    top_->rst_ni = 1;
    show();
  }
  void cycle(const IpInputs& inputs) override {
    drive(inputs);
    edge(*top_);
    show();
  }

 private:
  void drive(const IpInputs& in) {
    ip::drive(*top_, in.axi);
    top_->slice_tick_i = in.core.slice_tick;
    top_->sm_tick_i = in.core.sm_tick;
    top_->linger_over_i = in.core.linger_over;
    top_->waiting_i = 0;
    top_->listed_i = 0x7F;
    top_->switch_over_i = in.core.switch_over;
    top_->sm_event_valid_i = in.core.sm_event.valid;
    top_->sm_event_sm_i = static_cast<CData>(in.core.sm_event.sm);
    top_->sm_event_kind_i = static_cast<CData>(in.core.sm_event.kind);
    top_->sm_event_tag_i = static_cast<CData>(in.core.sm_event.tag);
    top_->handle_valid_i = in.core.handle.valid;
    top_->handle_sm_i = static_cast<CData>(in.core.handle.sm);
    top_->handle_tb_i = in.core.handle.tb;
    top_->handle_stack_pointer_i = in.core.handle.stack_pointer;
  }
  void show() {
    ip::show(*top_, outputs_.axi);
    outputs_.messages = cosim::verilator_messages();
    SchedulerOutputs& core = outputs_.core;
    core.slice_timer_enable = top_->slice_timer_enable_o != 0;
    core.linger_start = top_->linger_start_o != 0;
    core.turn = top_->turn_o;
    core.switch_start = top_->switch_start_o != 0;
    core.switch_runs = top_->switch_runs_o != 0;
    core.sm_event_ready = top_->sm_event_ready_o != 0;
    core.idle = top_->idle_o != 0;
    core.sm_control = {top_->sm_control_valid_o != 0,
                       top_->sm_control_sm_o,
                       static_cast<SmControlKind>(top_->sm_control_kind_o),
                       top_->sm_control_context_o,
                       top_->sm_control_page_table_o,
                       top_->sm_control_descriptor_o,
                       top_->sm_control_tag_o};
    core.dispatch = {top_->dispatch_valid_o != 0, top_->dispatch_sm_o, top_->dispatch_is_restore_o != 0,
                     top_->dispatch_last_o != 0,  top_->dispatch_tb_o, top_->dispatch_stack_pointer_o};
    core.kernel_done = {top_->kernel_done_valid_o != 0, top_->kernel_done_descriptor_o};
    core.usage = {top_->usage_valid_o != 0, top_->usage_context_o, top_->usage_freed_o};
    EventPins& events = core.events;
    events.policy_invoked = top_->events_policy_invoked_o != 0;
    events.policy_decided = top_->events_policy_decided_o != 0;
    events.withheld = top_->events_withheld_o != 0;
    events.activated = top_->events_activated_o != 0;
    events.moved = top_->events_moved_o != 0;
    events.move = static_cast<MoveKind>(top_->events_move_o);
    events.cancelled = top_->events_cancelled_o != 0;
    events.preempted = top_->events_preempted_o != 0;
    events.released = top_->events_released_o != 0;
    events.turn_passed = top_->events_turn_passed_o != 0;
    events.turn_began = top_->events_turn_began_o != 0;
    events.turn_cause = static_cast<TurnCause>(top_->events_turn_cause_o);
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Vdevice> top_;
};

}  // namespace

extern "C" [[gnu::visibility("default")]] IIp* make_device() { return new Ip; }

}  // namespace tessera::ip
