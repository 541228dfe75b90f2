// SPDX-License-Identifier: Apache-2.0
// The networks from the SMs to the scheduler: one event and one handle per cycle. Events are served in batches, lowest
// SM first within a batch, so that none waits for more than two rounds. The handles of a save are contiguous: no other
// SM's follow until it is complete.
#pragma once

#include <vector>

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/core_params.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/sm/sm_outputs.h"

namespace tessera::rtl_model {

class SmNetworks final : public ClockedModule {
 public:
  // `event_ready` comes from the scheduler; what is taken goes to its inputs, and to all SMs as a grant.
  // `ends_move`: the end of a save may still change after its handles have been sent.
  SmNetworks(const sc_core::sc_module_name& name, bool ends_move, const bool& event_ready, SmEventPins& event,
             HandlePins& handle, SmGrants& grants)
      : ClockedModule(name),
        ends_move_(ends_move),
        event_ready_(event_ready),
        event_(event),
        handle_(handle),
        grants_(grants) {
    at_level(kLevel, [this] {
      look_at_all();
      comb();
    });
  }
  // Of an SM, or of its link.
  void connect(const SmOutputs& sm) { sms_.push_back(&sm); }

  // Tracks SMs with valid outputs: note() is called when one process drives the modules; else look_at_all() reads them.
  void note(std::uint32_t sm) {
    has_event_.set(sm, sms_[sm]->event_valid);
    has_handle_.set(sm, sms_[sm]->handle_valid);
  }
  void look_at_all() {
    for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) note(sm);
  }
  bool has_request() const { return has_event_.any() || has_handle_.any(); }
  bool has_event() const { return has_event_.any(); }
  bool has_handle() const { return has_handle_.any(); }
  bool was_busy() const { return was_busy_; }  // a pin was valid in the last cycle

  void comb() {
    event_.valid = handle_.valid = false;
    grants_ = {};
    was_busy_ = false;
    if (!has_request() && lock_q_ == kNone) return;
    pick_event();
    pick_handle();
    was_busy_ = event_.valid || handle_.valid;
  }
  // Stands for any number of cycles in which events wait and none is taken.
  void wait() {
    if (has_event_.any()) batch_d_ = batch_q_ = candidates();
  }
  void seq() override {
    batch_q_ = batch_d_;
    lock_q_ = lock_d_;
  }
  void list_signals(ISignalSink& signals) const override {
    signals.enter("u_sm_networks");
    signals.signal("sm_event_valid_o", 1, [this] { return event_.valid; });
    signals.signal("sm_event_sm_o", 9, [this] { return event_.sm; });
    signals.signal("sm_event_kind_o", 3, [this] { return static_cast<std::uint64_t>(event_.kind); });
    signals.signal("sm_event_tag_o", CoreShape::kMaxTagWidth, [this] { return event_.tag; });
    signals.signal("handle_valid_o", 1, [this] { return handle_.valid; });
    signals.signal("handle_sm_o", 9, [this] { return handle_.sm; });
    signals.signal("lock_q", 9, [this] { return lock_q_ & 0x1FF; });
    signals.leave();
  }

  static constexpr unsigned kLevel = 2;

 private:
  SmSet candidates() const {
    const SmSet of_batch = batch_q_ & has_event_;
    return of_batch.any() ? of_batch : has_event_;
  }
  void pick_event() {
    batch_d_ = candidates();
    const std::uint32_t sm = batch_d_.lowest();
    if (sm == kNone) return;
    event_ = {true, sm, sms_[sm]->event, sms_[sm]->event_tag};
    if (!event_ready_) return;
    batch_d_.clear(sm);
    grants_.event_sm = sm;
    if (sm == lock_q_ && event_.kind == SmEventKind::kPreempted) lock_d_ = kNone;
  }
  void pick_handle() {
    const std::uint32_t sm = lock_q_ != kNone ? lock_q_ : has_handle_.lowest();
    if (sm == kNone || !has_handle_.has(sm)) return;
    const SmOutputs& out = *sms_[sm];
    handle_ = {true, sm, out.handle_tb, out.handle_stack_pointer};
    grants_.handle_sm = sm;
    lock_d_ = out.handle_last && !ends_move_ ? kNone : sm;
  }

  bool ends_move_;
  const bool& event_ready_;
  SmEventPins& event_;
  HandlePins& handle_;
  SmGrants& grants_;
  std::vector<const SmOutputs*> sms_;
  SmSet has_event_, has_handle_;
  SmSet batch_d_, batch_q_;  // SMs to be served before a new batch is formed
  std::uint32_t lock_d_ = kNone, lock_q_ = kNone;
  bool was_busy_ = false;
};

}  // namespace tessera::rtl_model
