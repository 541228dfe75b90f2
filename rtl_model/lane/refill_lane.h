// SPDX-License-Identifier: Apache-2.0
// The refill lane (docs/hardware/timing.md 6.7): events of SMs, and SMs that are to get a TB, go through a pipeline
// beside the engine, one a cycle. What is simple is done on the way; the rest waits in stage R for the engine.
//
//   event, issue -> A -> S -> (B) -> R -> X -> Y -> W
//
// In R the SM's row steps, in W the kernel's, whose TB is then on the pins.
#pragma once

#include "rtl_model/interfaces/pins.h"
#include "rtl_model/job_engine/job_engine.h"
#include "rtl_model/lane/lane_entry.h"
#include "rtl_model/tables/tables.h"

namespace tessera::rtl_model {

class RefillLane {
 public:
  // What goes on to the kernel's row.
  struct Counted {
    bool valid = false;
    std::uint32_t sm = kNone;
    std::uint32_t ksr = kNone;
    TbCount step;
  };

  RefillLane(const CoreParams& params, Tables& tables);

  // Functions of registers.
  bool is_event_ready() const;
  const LaneEntry* offered() const { return is_offered_q_ ? &r_q_ : nullptr; }  // to the engine
  bool counts_for(std::uint32_t ksr) const;  // the kernel's row is not what it will be
  bool is_counting() const { return x_q_.valid || y_q_.valid || w_q_.valid; }
  // It holds nothing, and nothing enters by itself.
  bool rests() const { return !is_any_held() && !is_counting() && !asking_.any(); }
  const DispatchPins& dispatch() const { return dispatch_; }

  // In a cycle: what becomes of the entries, by the registers of the cycle; then its edge. `taken`: the event that is
  // taken, if valid. `is_picked`: the engine has picked R's entry.
  void look(const JobEngine& engine);
  void seq(const SmEventPins& taken, bool is_picked);
  // After the edge, when all tables have settled.
  void settle() { asking_ = tables_.smst.wants_tb().without(asked_q_); }

  // Registers, for who looks on.
  const LaneEntry& in_a() const { return a_q_; }
  const LaneEntry& in_s() const { return s_q_; }
  const LaneEntry& in_b() const { return b_q_; }
  const LaneEntry& in_r() const { return r_q_; }
  const Counted& in_x() const { return x_q_; }
  const Counted& in_y() const { return y_q_; }
  const Counted& in_w() const { return w_q_; }

  void list_signals(ISignalSink& signals) const;

 private:
  // What an entry that goes does to its SM's row at the end of R.
  struct SmStep {
    bool activates = false;  // it has answered its set-up
    bool counts = false;
    std::uint32_t running = 0;
    bool is_full = false;
  };

  // The entry.
  LaneEntry enter(const SmEventPins& taken);
  bool is_any_held() const { return a_q_.valid || s_q_.valid || b_q_.valid || r_q_.valid; }
  void shift(const SmEventPins& taken, bool frees_r);
  // R: simple.cpp.
  bool is_simple(const LaneEntry& entry) const;
  bool is_refill(const LaneEntry& entry) const;
  bool is_counted(const LaneEntry& entry) const;
  bool is_answer(const LaneEntry& entry) const;
  bool may_get_tb(std::uint32_t sm) const;  // whatever it got in this SM cycle
  bool is_filled_by(const LaneEntry& issue) const;
  static bool is_stalled(const LaneEntry& entry, const JobEngine& engine);
  Counted counted(const LaneEntry& entry) const;
  SmStep sm_step(const LaneEntry& entry) const;
  void step_sm();
  // X, Y, W.
  void step_counters();

  const CoreParams& params_;
  Tables& tables_;

  // Registers.
  LaneEntry a_q_, s_q_, b_q_, r_q_;
  bool is_offered_q_ = false;
  Counted x_q_, y_q_, w_q_;
  DispatchPins dispatch_;  // with W
  SmSet asked_q_;          // an issue for the SM is in the lane
  std::uint32_t last_issue_sm_q_;
  bool issues_first_q_ = false;

  // Wires. SMs that ask for a TB; the owner of S's SM; of R's entry: it is simple and not stalled, and what it then
  // does; it leaves R unless it is picked; the engine may pick it in the next cycle.
  SmSet asking_;
  std::uint32_t ksr_of_s_ = kNone;
  bool goes_ = false;
  SmStep sm_step_;
  Counted counted_;
  bool leaves_ = false;
  bool is_for_engine_ = false;
};

}  // namespace tessera::rtl_model
