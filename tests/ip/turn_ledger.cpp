// SPDX-License-Identifier: Apache-2.0
#include "tests/ip/turn_ledger.h"

#include <algorithm>
#include <utility>

namespace tessera::ip {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): the pins' types

void TurnLedger::expect(bool holds, const char* rule) {
  if (!holds && violation_.empty()) violation_ = rule;
}

void TurnLedger::begin(bool of_gpu, std::optional<Timers> timers) {
  is_kept_ = true;
  is_of_gpu_ = of_gpu;
  timers_ = std::move(timers);
}

void TurnLedger::launch(std::uint64_t descriptor, std::uint32_t context) {
  if (done_.count(descriptor) == 0) launches_[descriptor] = {context, soon()};
}

void TurnLedger::cycle(const SchedulerOutputs& out) {
  if (is_kept_) {
    if (out.kernel_done.valid) {
      launches_.erase(out.kernel_done.descriptor);
      done_.insert(out.kernel_done.descriptor);
    }
    if (out.events.turn_passed) pass(out.events.turn_cause);
    if (out.switch_start) {
      began_switch_at_ = now_;
      switch_runs_ = out.switch_runs;
    }
    if (out.events.turn_began) start_turn(out.turn);
    const bool is_set_up = out.sm_control.valid && out.sm_control.kind == SmControlKind::kSetup;
    if (is_set_up && is_of_gpu_) {
      expect(out.sm_control.context == out.turn, "a GPU that changes hands as a whole runs the context in turn alone");
      expect(!began_switch_at_, "no SM is set up within a switch of the GPU");
    }
  } else {
    expect(!out.events.turn_passed && !out.events.turn_began && !out.switch_start, "no turn is kept yet");
  }
  ++now_;
}

bool TurnLedger::has_work(std::uint32_t context) const {
  const auto is_at_work = [&](const auto& launch) {
    return launch.second.context == context && launch.second.from <= now_;
  };
  return contexts_[context].waits_from <= now_ || std::any_of(launches_.begin(), launches_.end(), is_at_work);
}

void TurnLedger::pass(TurnCause cause) {
  ++num_passed_[static_cast<std::size_t>(cause)];
  const std::uint32_t owner = owner_.value_or(0);
  const bool is_listed = contexts_[owner].listed_from <= now_;
  if (cause == TurnCause::kDry) expect(!is_listed || !has_work(owner), "a turn passes as dry without work");
  if (cause == TurnCause::kSliceOver && timers_) {
    expect(now_ - began_at_ + timers_->in_slice >= timers_->slices[owner],
           "a slice lasts as long as its register says");
  }
}

void TurnLedger::start_turn(std::uint32_t turn) {
  ++num_began_;
  if (began_switch_at_) {
    ++num_switches_;
    expect(turn != owner_, "a switch is to another context");
    const std::uint64_t took = now_ - *began_switch_at_;
    const auto cost = [&] { return std::max<std::uint64_t>(1, switch_runs_ ? timers_->preempted : timers_->dry); };
    expect(!timers_ || took == cost() + 1, "a switch takes what its register says");
  } else {
    expect(!owner_ || turn == *owner_, "a turn of another context begins with a switch");
  }
  owner_ = turn;
  began_at_ = now_;
  began_switch_at_.reset();
}

}  // namespace tessera::ip
