// SPDX-License-Identifier: Apache-2.0
// The SM driver ([T14] Figure 3). In every cycle it takes one thing that happened (an SM's event, or the policy's
// move) into the tables, tells one SM to set up or to save, and sends one thread block to an SM.
#pragma once

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/policy/search.h"
#include "rtl_model/tables/ptbq.h"

namespace tessera::rtl_model {

class SmDriver final : public ClockedModule {
 public:
  SmDriver(const sc_core::sc_module_name& name, const Params& params, Tables& tables, Ptbq& ptbq);

  // 1. Functions of registers alone: what is to be done, and the commands of this cycle.
  void settle();
  void drive_sms(SmControlPins& control, DispatchPins& dispatch);
  bool has_internal_event() const { return internal_sm_ != kNone; }
  // TBs for slots freed in earlier SM cycles come before what happens in this one (breadth first, a faster core).
  bool is_issuing_first() const { return is_issuing_first_; }
  bool is_idle() const { return is_idle_; }  // nothing is to be done until an input comes

  // 2. What happened, into the tables. `is_draining`: the technique of new preemptions.
  struct Inputs {
    SmEventPins sm_event;  // taken now
    HandlePins handle;
    Search::Move move;  // carried out now; never together with an SM's event
    bool is_draining = false;
    bool is_checking = false;  // the search relies on who owns what: an SM that would leave of itself waits
    bool sm_tick = true;
  };
  struct Outputs {
    bool invokes_policy = false;
    KernelDonePins kernel_done;  // now; the pin follows an edge later
    std::uint32_t finished_ksr = kNone;
  };
  Outputs comb(const Inputs& inputs, EventPins& events);

  void seq() override;

  bool is_changing_hands() const;  // an SM is reserved, in set-up, or restoring
  void list_signals(ISignalSink& signals) const override;

 private:
  struct Registers {
    std::uint32_t turn = 0;        // SM whose turn it is to be issued to
    std::uint32_t turn_count = 0;  // TBs it got in its turn
    bool in_batch = false;         // the SM of the turn is being sent preempted TBs
    bool read_valid = false;       // a handle is read from the PTBQ for the dispatch pins
    bool read_last = false;
    std::uint32_t read_sm = 0;
    SmControlPins control;  // was sent in the last cycle
    bool borrowed = false;  // a KSR did: how many TBs it has beyond what it counts is being looked up
  };

  // The event side.
  void take_event(const SmEventPins& event, EventPins& events, Outputs& outputs);
  void tb_done(std::uint32_t sm, EventPins& events, Outputs& outputs);
  void setup_done(std::uint32_t sm, EventPins& events, Outputs& outputs);
  void restore_done(std::uint32_t sm);
  void saved(std::uint32_t sm, EventPins& events, Outputs& outputs);
  void finish_kernel(std::uint32_t ksr, Outputs& outputs);
  void empty_sm_leaves(std::uint32_t sm, EventPins& events, Outputs& outputs);
  void hand_over(std::uint32_t sm, std::uint32_t num_saved, EventPins& events, Outputs& outputs);
  void release(std::uint32_t sm, EventPins& events, Outputs& outputs);
  void carry_out(const Search::Move& move, bool is_draining, EventPins& events);
  void reserve(std::uint32_t sm, std::uint32_t next, bool is_draining);
  void retarget(std::uint32_t sm, std::uint32_t next, EventPins& events);
  void forget(std::uint32_t sm);  // its flags, before it is set up again or idle
  // Tokens move here: SMs that a kernel, and its context, owns or has reserved.
  void step_held(std::uint32_t ksr, std::int32_t owned, std::int32_t reserved, std::int32_t covered);
  std::int32_t tbs_per_sm(std::uint32_t ksr) const;
  std::int32_t free_slots(std::uint32_t sm) const;  // of the SM's owner, after this cycle's issue
  bool is_being_filled_with_handles(std::uint32_t sm) const;

  // The command side.
  SmSet ready_to_trap() const;
  std::uint32_t choose_turn() const;
  void choose_control();
  void send_trap(std::uint32_t sm);
  void send_setup(std::uint32_t sm);
  void withdraw_setup();
  bool is_setup_on_pins(std::uint32_t sm) const;
  void drive_dispatch(DispatchPins& dispatch);
  void issue(std::uint32_t sm, DispatchPins& dispatch);
  void read_handle(std::uint32_t sm);
  void note_resident(std::uint32_t sm);

  void settle(std::uint32_t sm);
  void touch(std::uint32_t sm) { touched_.set(sm); }
  // Breadth first on a core faster than the SMs: in every SM cycle a round of one TB for each SM, before its events.
  bool issues_in_rounds() const { return params_.is_breadth_first && params_.clock_ratio > 1; }

  const Params& params_;
  Tables& tables_;
  Ptbq& ptbq_;

  // Registers.
  Registers d_, q_;
  SmFlags set_up_pending_;  // its set-up command is still to be sent
  SmFlags trap_pending_;    // it is to be trapped
  SmFlags active_;          // set up, and not yet trapped: it may hold TBs
  SmFlags trapped_;         // was sent the trap
  SmFlags restoring_;       // handles were sent, their contexts are not there yet
  SmFlags full_;            // no free slot
  SmFlags drains_;          // technique of the preemption under way
  SmFlags served_;          // breadth first on a faster core: gets no (more) TB in this SM cycle

  // Wires.
  SmSet wanting_;                      // SMs that take a TB now
  SmSet stuck_;                        // empty SMs that nobody fills: they leave without an event of their own
  std::uint32_t internal_sm_ = kNone;  // the first of these
  std::uint32_t issued_sm_ = kNone;    // gets a TB in this cycle
  bool is_issuing_first_ = false;
  bool is_idle_ = true;
  // What the wires have to be worked out again for.
  bool is_settled_ = false;
  bool all_touched_ = false;
  SmSet touched_;
};

}  // namespace tessera::rtl_model
