// SPDX-License-Identifier: Apache-2.0
// What the pins alone say of a kept turn (docs/hardware/timing.md 3.12): who is there, whose turn it is, and which
// kernels may get SMs. The scoreboard has the kernels and the SMs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rtl_model/interfaces/pins.h"
#include "rtl_model/params.h"

namespace tessera::testbench {

class TurnRules {
 public:
  explicit TurnRules(const rtl_model::Params& params);
  bool is_there() const { return is_there_; }

  // Contexts at the end of a cycle: those with commands that wait, and with active kernels.
  struct Contexts {
    rtl_model::SmSet with_command, with_kernel;
  };

  // What the last edge did, by what was so before it: returns the rule that is broken, or nothing.
  const char* see(const rtl_model::SchedulerOutputs& out, bool are_all_idle);
  // A kernel of this context gets an SM, or is to get it; another one, by the job of the move before it.
  const char* see_move(std::uint32_t context, bool is_another);
  // An eviction: whether one may be.
  const char* see_eviction() const;
  // The inputs of this cycle, and what is there before its edge.
  void take(const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out, const Contexts& contexts);

 private:
  enum class State { kNotKept, kNobody, kOwned, kPassed };

  void write_policy(std::uint64_t data);
  const char* see_pass(const rtl_model::SchedulerOutputs& out);
  const char* see_begin() const;
  bool is_present(std::uint32_t context) const { return present_.has(context); }
  bool do_others_wait() const { return present_.without(rtl_model::SmSet::of(turn_)).any(); }
  bool waits_for_kernels() const;

  bool is_there_;
  std::uint32_t policies_;
  rtl_model::PolicyRegister policy_;
  State state_ = State::kNotKept;
  std::uint32_t turn_ = 0;  // the owner, or the last one
  bool has_ticked_ = false;
  bool has_switched_ = false;       // since the turn passed
  unsigned num_moves_ = 1;          // since then
  bool is_policy_written_ = false;  // in the cycle before
  std::vector<spec::SliceEnd> slice_ends_;
  // In the cycle before.
  rtl_model::SmSet waiting_, listed_;
  rtl_model::SmSet present_, with_kernel_;
};

}  // namespace tessera::testbench
