// SPDX-License-Identifier: Apache-2.0
// Run-ahead and stepwise driving of the core.
#include "tlm/execution_engine/execution_engine.h"

#include <algorithm>
#include <utility>

#include "tlm/execution_engine/engine_message.h"

namespace tessera::tlm_model {
namespace {

// A stretch without interaction is cut here to look at interrupts: a tenth of a second of GPU time, or so.
constexpr Cycle kStretch = Cycle{1} << 26;

}  // namespace

ExecutionEngine::ExecutionEngine(const sc_core::sc_module_name& name, std::uint64_t clock_hz,
                                 std::unique_ptr<IExecutionCore> core, Pace pace, IEngineListener& listener,
                                 std::function<bool()> is_interrupted)
    : sc_module(name),
      time_(clock_hz),
      core_(std::move(core)),
      pace_(pace),
      listener_(listener),
      is_interrupted_(std::move(is_interrupted)) {
  SC_HAS_PROCESS(ExecutionEngine);
  SC_METHOD(advance);
  sensitive << advance_event_;
  dont_initialize();
  SC_METHOD(report_done);
  sensitive << done_event_;
  dont_initialize();
}

void ExecutionEngine::send(const EngineMessage& message) {
  core_->send(message);
  if (pace_ == Pace::kStepwise || message.stamp > time_.now()) return schedule();
  // Awake in this cycle, the engine sees whether anybody else is, and goes on if not: a time step less.
  wake_at_ = time_.now();
  advance_event_.notify(sc_core::SC_ZERO_TIME);
}

void ExecutionEngine::set_end(Cycle end) {
  end_ = end;
  schedule();  // a later end lets the engine go on
}

void ExecutionEngine::advance() {
  wake_at_ = kNever;
  const Cycle limit = bound();
  const auto is_quiet = [this] { return core_->done().empty() && core_->loop_requests().empty(); };
  for (Cycle at = core_->next_event(); at < limit && is_quiet(); at = core_->next_event()) {
    core_->run_until(std::min(limit, at + kStretch));
    if (is_interrupted_ && is_interrupted_()) return sc_core::sc_stop();
  }
  if (!is_quiet()) collect();
  schedule();
}

// Whoever waits for a kernel learns of its end when SystemC gets there.
void ExecutionEngine::collect() {
  const auto append = [](const auto& from, auto& to) { to.insert(to.end(), from.begin(), from.end()); };
  append(core_->take_done(), to_report_);
  append(core_->take_loop_requests(), requests_to_report_);
  plan_report();
}

void ExecutionEngine::plan_report() {
  Cycle first = kNever;
  if (!to_report_.empty()) first = to_report_.front().cycle;
  if (!requests_to_report_.empty()) first = std::min(first, requests_to_report_.front().cycle);
  if (first != kNever) done_event_.notify(time_.until(first));
}

// Events before this cycle cannot be disturbed by anybody.
Cycle ExecutionEngine::bound() const {
  const Cycle next = time_.now() + 1;
  if (pace_ == Pace::kStepwise) return std::min(next, end_);
  // Nothing of our own is pending here, except reports of kernels, which others answer. A pending time of 0
  // means that another process is runnable now: one ordinary step.
  const sc_core::sc_time pending = sc_core::sc_time_to_pending_activity(sc_core::sc_get_curr_simcontext());
  if (pending == sc_core::SC_ZERO_TIME) return std::min(next, end_);
  const sc_core::sc_time until_max = sc_core::sc_max_time() - sc_core::sc_time_stamp();
  if (pending >= until_max) return std::min(kNever, end_);
  return std::min(std::max(next, time_.first_from(sc_core::sc_time_stamp() + pending)), end_);
}

void ExecutionEngine::schedule() {
  const Cycle next = core_->next_event();
  const Cycle wake = next < end_ ? next : kNever;
  if (wake == wake_at_) return;  // a notification costs more than the question
  wake_at_ = wake;
  advance_event_.cancel();
  if (wake != kNever) advance_event_.notify(time_.until(wake));
}

void ExecutionEngine::report_done() {
  std::size_t requested = 0;
  while (requested < requests_to_report_.size() && requests_to_report_[requested].cycle <= time_.now()) {
    listener_.loop_requested(requests_to_report_[requested++]);
  }
  requests_to_report_.erase(requests_to_report_.begin(),
                            requests_to_report_.begin() + static_cast<std::ptrdiff_t>(requested));
  std::size_t reported = 0;
  while (reported < to_report_.size() && to_report_[reported].cycle <= time_.now()) {
    listener_.kernel_done(to_report_[reported++]);
  }
  to_report_.erase(to_report_.begin(), to_report_.begin() + static_cast<std::ptrdiff_t>(reported));
  plan_report();
}

void ExecutionEngine::finish(Cycle end) {
  while (core_->next_event() < end) core_->run_until(end);
  core_->finish(end);
}

}  // namespace tessera::tlm_model
