// SPDX-License-Identifier: Apache-2.0
// A kept turn (docs/hardware/timing.md 3.12): the GPU belongs to one context until that has run dry or its slice is
// over; SMs are then emptied, and a switch takes its time. Numbers in comments are those of the rules there.
#pragma once

#include <vector>

#include "rtl_model/interfaces/pins.h"
#include "rtl_model/policy/policy_register.h"
#include "rtl_model/tables/tables.h"

namespace tessera::rtl_model {

class Turn {
 public:
  enum class State : std::uint8_t { kNobody, kOwned, kLeaving, kSwitching };

  struct Registers {
    State state = State::kNobody;
    std::uint32_t turn = 0;  // the owner, or who is to be it
    std::uint32_t next = 0;
    bool has_next = false;
    bool tick = false;      // a tick waits
    bool over = false;      // the slice is over, and nobody took the turn
    bool runs = false;      // an SM was not idle when the turn passed
    bool evicts = false;    // the search shall take all SMs away
    bool loaded = false;    // a context has been the owner since the last policy write
    bool unlisted = false;  // the turn goes to nobody
    bool passed = false;    // LEAVING: an owner leaves; else SMs that it found are emptied
    bool is_first = false;  // SWITCHING: its first cycle
    bool switches = false;  // SWITCHING: it takes a switch

    bool operator==(const Registers& other) const;
  };

  // What else happens in a cycle.
  struct Inputs {
    bool writes_policy = false;
    bool ends_eviction = false;              // the job is in its last WRITE
    bool drops_eviction = false;             // BEGIN has found nobody to evict
    const ControlPins* slice_end = nullptr;  // a write
  };

  Turn(const CoreParams& params, const Tables& tables);

  // ---- functions of registers ---------------------------------------------------------------------------------
  bool is_kept() const { return is_kept_; }
  std::uint32_t turn() const { return q_.turn; }
  bool evicts() const { return q_.evicts; }
  bool evicts_by_draining(const PolicyRegister& policy) const;
  // 7.: kernels of `turn` get SMs; no command of `turn` is activated.
  bool gives_sms() const { return (q_.state == State::kOwned && listed_q_.has(q_.turn)) || waits_for_kernels(); }
  bool holds_commands_back() const { return waits_for_kernels(); }
  bool enables_timer() const { return q_.state == State::kOwned && present_.has(q_.turn) && !q_.over; }
  bool starts_switch() const { return q_.is_first && q_.switches; }
  bool runs() const { return q_.runs; }
  bool rests() const { return !is_kept_ || (d_ == q_ && !has_waiting_changed_q_); }

  // ---- a cycle ------------------------------------------------------------------------------------------------
  // Whether it passes or begins, which invokes the policy; the pulses of the next cycle.
  bool invokes(bool switch_over) const { return passes_ || begins(switch_over); }
  void show(bool switch_over, EventPins& events) const;
  // The edge; then, when all tables have settled, what follows from the new registers.
  void seq(const SchedulerInputs& pins, const Inputs& inputs);
  void settle(const PolicyRegister& policy);

  // For comparing registers.
  const Registers& registers() const { return q_; }
  const RowSet& waiting() const { return waiting_q_; }
  const RowSet& listed() const { return listed_q_; }
  const RowSet& present() const { return present_; }
  bool is_queued() const { return queued_.has(q_.turn); }  // the owner
  spec::SliceEnd slice_end(std::uint32_t context) const { return slice_ends_q_[context]; }

 private:
  bool waits_for_kernels() const;
  bool begins(bool switch_over) const;
  bool has_kernels(std::uint32_t context) const { return tables_.contexts.active().has(context); }
  void settle_nobody();
  void settle_owned();
  void settle_leaving();
  void pass(TurnCause cause, bool do_others_wait);
  void find_next(bool do_others_wait);
  std::uint32_t first_behind_turn() const { return present_.next_in_turn(q_.turn + 1); }
  void switch_to(std::uint32_t context);

  bool is_there_;
  const Tables& tables_;
  Registers q_;
  RowSet waiting_q_, listed_q_;
  bool has_waiting_changed_q_ = false;
  std::vector<spec::SliceEnd> slice_ends_q_;  // by context

  // Of this cycle, by registers alone.
  bool is_kept_ = false;
  bool takes_all_ = false;   // scope GPU
  RowSet queued_, present_;  // contexts
  Registers d_;              // if nothing comes in
  bool passes_ = false;
  TurnCause cause_ = TurnCause::kDry;
};

}  // namespace tessera::rtl_model
