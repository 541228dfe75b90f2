// SPDX-License-Identifier: Apache-2.0
// A turn that is kept through the gaps between a context's kernels (docs/hardware/timing.md 3.12): whose the GPU is,
// who is next, when the turn passes. Rules alone, without time: an engine says when it looks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/ids.h"
#include "model/base/sm_set.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::policy {

using ContextSet = SmSet;  // a bit per context, of which there are no more than a set has room for

enum class TurnState : std::uint8_t {
  kNobody,
  kOwned,
  kLeaving,   // the SMs are being emptied
  kSwitching  // nothing of the last owner is on the GPU any more
};
enum class PassCause : std::uint8_t { kDry, kSliceOver, kUnlisted };

// What the rules look at, all of one instant.
struct TurnView {
  ContextSet queued;  // a launch is on its way, or in a command buffer
  ContextSet active;  // has active kernels
  ContextSet listed;  // on the run list
  bool is_any_sm_used = false;
  bool is_any_sm_changing_hands = false;  // only looked at while a tick waits

  ContextSet present() const { return listed & (queued | active); }
};

// What comes of a look.
struct TurnEvents {
  std::optional<PassCause> passed{};  // the turn leaves the context that had it
  bool switch_starts = false;         // the cost of a switch begins
  bool began = false;                 // the turn has an owner, whose commands may run
};

// What a policy sees of a kept turn.
struct SeenTurn {
  ContextId owner{};
  bool gives_sms = false;       // kernels of the owner may get SMs
  bool activates_owner = true;  // commands of the owner, which come first, may be activated
  bool takes_sms_away = false;  // SMs change hands one by one
};

// Two sets of registers: what is seen, and what will be. `look` and the inputs change only the latter, and `commit`
// makes it seen.
class KeptTurn {
 public:
  KeptTurn(const spec::SchedulerSpec& rules, std::uint32_t num_contexts);

  // ---- what is seen
  TurnState state() const { return now_.state; }
  ContextId owner() const { return now_.owner; }
  bool is_tick_waiting() const { return now_.state == TurnState::kOwned && (now_.has_tick || now_.is_over); }
  bool evicts() const { return now_.evicts; }
  bool runs() const { return now_.runs; }  // while switching: something was running when the turn passed
  // How the SMs are emptied by the eviction that is due.
  spec::SliceEnd eviction() const;
  SeenTurn seen(const ContextSet& listed) const;
  bool wants_slice_timer(const TurnView& view) const;

  // ---- what changes it
  TurnEvents look(const TurnView& view);
  void tick();               // of the slice timer
  TurnEvents switch_over();  // the cost of the switch is paid
  void evicted();            // all SMs were taken away, or there was none to take
  void set_slice_end(ContextId context, spec::SliceEnd slice_end);
  void restart(const spec::SchedulerSpec& rules);  // the OS has written the policy
  void commit() { now_ = then_; }
  bool has_more() const { return !(now_ == then_); }  // something that is not seen yet

 private:
  struct Registers {
    TurnState state = TurnState::kNobody;
    ContextId owner{};
    ContextId next{};
    bool has_next = false;
    bool has_tick = false;
    bool is_over = false;  // the slice is over, and nobody took the turn
    bool runs = false;
    bool evicts = false;
    bool is_loaded = false;    // a context has been the owner
    bool is_unlisted = false;  // the turn goes to nobody
    bool from_nobody = false;  // leaving: there was no owner
    bool switches = false;     // switching: there is something to switch
    bool has_started = false;  // switching: the switch has started

    bool operator==(const Registers& other) const;
  };

  TurnEvents look_for_somebody(const TurnView& view);
  TurnEvents look_at_owner(const TurnView& view);
  TurnEvents look_at_leaving(const TurnView& view);
  TurnEvents look_at_switch();
  void choose_next(const ContextSet& others, const ContextSet& present, bool is_queued);
  TurnEvents pass(PassCause cause, const TurnView& view);
  TurnEvents end_slice(const TurnView& view, bool others_wait, bool is_queued);
  void switch_to_next();
  void begin();
  ContextId first_behind_owner(const ContextSet& present) const;
  bool waits_for_kernels() const;
  bool is_spread_over_sms() const { return rules_.switch_scope == spec::SwitchScope::kSm; }

  spec::SchedulerSpec rules_;
  std::vector<spec::SliceEnd> slice_ends_;  // by context
  Registers now_;
  Registers then_;
};

}  // namespace tessera::policy
