// SPDX-License-Identifier: Apache-2.0
// The search (docs/hardware/timing.md 5): when invoked, it looks for a command to activate, walks over the kernels, and
// offers the result to the engine as a job.
#pragma once

#include "rtl_model/interfaces/pins.h"
#include "rtl_model/job_engine/search_job.h"
#include "rtl_model/policy/command_scan.h"
#include "rtl_model/policy/trackers.h"
#include "rtl_model/policy/turn.h"
#include "rtl_model/policy/walk.h"
#include "rtl_model/tables/searched_sms.h"

namespace tessera::rtl_model {

class Search {
 public:
  enum class State : std::uint8_t { kIdle, kBegin, kScan, kActivate, kWalk, kDrain, kJudge, kMove, kDeal, kEvict };

  // External events of a cycle.
  struct Inputs {
    bool invoked = false;                // by a command, a tick, a kept turn, or the engine
    bool tick = false;                   // a tick that may pass a turn that is not kept
    bool job_ended = false;              // the engine has finished the search's job,
    bool job_found_no_sm = false;        // of which there was none to take from the victim
    const ControlPins* write = nullptr;  // a write that restarts the search
  };

  Search(const CoreParams& params, Tables& tables, const Turn& turn);

  // Functions of registers.
  bool is_idle() const { return state_ == State::kIdle; }
  bool takes_control_writes() const {
    return state_ != State::kActivate && state_ != State::kMove && state_ != State::kDeal && state_ != State::kEvict;
  }
  bool is_dealing() const { return state_ == State::kDeal; }
  const SearchJob* offered() const { return is_offered() ? &job_ : nullptr; }
  const PolicyRegister& policy() const { return trackers_.policy(); }
  bool passes_turns() const { return trackers_.row().has(kTurns) && !trackers_.row().has(kKeepsTurn); }

  // In this cycle, unless the OS writes.
  bool may_show_event(bool invoked) const { return state_ == State::kJudge || (state_ == State::kIdle && invoked); }

  // In this cycle, after look(): BEGIN has found nobody to evict.
  bool drops_eviction() const { return drops_eviction_; }

  // A cycle: look() reads the tables as they are; seq() is the edge, after the cycle's changes of the tables.
  void look(bool engine_is_in_pick);
  void seq(const Inputs& inputs, EventPins& events);

  // For comparing registers.
  State state() const { return state_; }
  bool is_pending() const { return is_pending_; }
  bool has_waiting_tick() const { return has_waiting_tick_; }
  const Trackers& trackers() const { return trackers_; }
  const SeenSms& seen() const { return seen_; }

 private:
  enum class DealState : std::uint8_t { kEntry, kContext, kBudget, kOffered };

  bool is_offered() const;
  // Each performs a cycle of a state and returns the next state.
  State step(const Inputs& inputs);
  State end_of_scan();
  State judge(const Inputs& inputs);
  State outcome(const Inputs& inputs);
  State ends(const Inputs& inputs) const;
  State move(const SearchJob& job);
  void look_at_deal(bool engine_is_in_pick);
  State step_deal(const Inputs& inputs);

  State restart(const ControlPins& write);
  void select_policy(PolicyRegister written);
  void enter(State state);

  const CoreParams& params_;
  Tables& tables_;  // modifies only `partitions`
  const Turn& turn_;
  Trackers trackers_;
  CommandScan scan_;
  Walk walk_;

  State state_ = State::kIdle;
  bool is_pending_ = false;
  bool has_waiting_tick_ = false;
  bool is_withheld_ = false;  // an idle SM is withheld by rule
  SeenSms seen_;              // of the cycle before
  std::uint32_t cycles_since_begin_ = 0;
  SearchJob job_;

  DealState deal_state_ = DealState::kEntry;
  std::uint32_t deal_entry_ = 0;
  std::uint32_t deal_context_ = 0;         // of the entry
  std::uint32_t written_context_ = kNone;  // redistributes tokens only to its kernels; kNone: to all

  // Results of look().
  bool begins_with_eviction_ = false, drops_eviction_ = false;
  std::uint32_t held_back_context_ = kNone;  // none of its commands is activated
  bool begins_with_scan_ = false;
  bool has_ended_phase_ = false;  // SCAN, DRAIN: in its last cycle
  bool deals_no_more_ = false;
  std::uint32_t linger_priority_ = 0;  // in JUDGE
};

}  // namespace tessera::rtl_model
