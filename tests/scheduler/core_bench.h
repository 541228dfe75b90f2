// SPDX-License-Identifier: Apache-2.0
// The core alone: a test drives its input pins cycle by cycle and looks at its output pins, of which every cycle is
// kept. In every cycle the bench checks that a core that says it is idle is at rest.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/scheduler/tsr_scheduler.h"
#include "tests/scheduler/compare.h"
#include "tests/scheduler/table_checks.h"

namespace tessera::rtl_model::test {

// Of the policy register: codes, and bits that are set.
inline constexpr std::uint32_t kFcfs = 0, kNpq = 1, kPpq = 2, kDss = 3, kSliced = 4, kEdf = 5;
inline constexpr std::uint32_t kPartitioned = 6, kNpEdf = 7;
inline constexpr std::uint32_t kDrain = 1U << 4, kShared = 1U << 7, kAll = 1U << 8, kByProcess = 1U << 9;

// All registers by name.
class Signals final : public rtl_model::ISignalSink {
 public:
  void enter(const std::string&) override {}
  void leave() override {}
  void signal(const std::string& name, unsigned, std::function<std::uint64_t()> value) override {
    signals_.emplace_back(name, std::move(value));
  }
  std::vector<std::uint64_t> values() const {
    std::vector<std::uint64_t> all;
    for (const auto& [name, value] : signals_) all.push_back(value());
    return all;
  }
  const std::string& name(std::size_t i) const { return signals_[i].first; }

 private:
  std::vector<std::pair<std::string, std::function<std::uint64_t()>>> signals_;
};

using Cycle = std::uint64_t;
using At = std::pair<Cycle, std::uint32_t>;  // a cycle and an SM, a TB or a KSR

class CoreBench {
 public:
  using Pin = std::function<bool(const SchedulerOutputs&)>;

  explicit CoreBench(const CoreParams& params) : core(params) {
    core.list_signals(signals_);
    trace.push_back(core.outputs());
  }

  // ---- inputs of this cycle

  SchedulerInputs in;
  void launch(std::uint32_t buffer, std::uint32_t context, std::uint32_t priority, std::uint32_t num_tbs,
              std::uint32_t tbs_per_sm) {
    CommandPins& command = in.command;
    command.valid = true;
    command.buffer = buffer;
    command.context = context;
    command.priority = priority;
    command.num_tbs = num_tbs;
    command.tbs_per_sm = tbs_per_sm;
    command.descriptor = descriptor_of(buffer);
  }
  void launch_due(std::uint32_t buffer, std::uint32_t due, std::uint32_t num_tbs, std::uint32_t tbs_per_sm) {
    launch(buffer, 0, 0, num_tbs, tbs_per_sm);
    in.command.has_due = true;
    in.command.due = due;
  }
  static std::uint64_t descriptor_of(std::uint32_t buffer) { return 1000 + buffer; }
  // A set-up done answers the last set-up.
  void event(std::uint32_t sm, SmEventKind kind) {
    in.sm_event = {true, sm, kind, kind == SmEventKind::kSetupDone ? core.tables().set_up_tags.tag(sm) : 0};
  }
  void handle(std::uint32_t sm, std::uint32_t tb) { in.handle = {true, sm, tb, 700 + tb}; }
  void write(ControlRegister reg, std::uint32_t context, std::uint64_t data) {
    in.control = {true, reg, context, data};
  }

  // ---- cycles

  void tick() {
    const bool is_quiet = out().idle && !in.any();
    const std::vector<std::uint64_t> before = is_quiet ? signals_.values() : std::vector<std::uint64_t>{};
    if (can_be_recounted(core)) check_tables(core);
    core.step(in);
    SchedulerInputs next;
    next.waiting = in.waiting;
    next.listed = in.listed;
    in = next;
    trace.push_back(core.outputs());
    if (is_quiet) expect_unchanged(before);
  }
  void run(Cycle cycles) {
    while (cycles-- > 0) tick();
  }
  void run_to(Cycle cycle) {
    while (now() < cycle) tick();
  }
  // Shows the event until it is taken. Returns the cycle in which it is.
  Cycle take(std::uint32_t sm, SmEventKind kind) {
    while (!out().sm_event_ready) {
      event(sm, kind);
      tick();
    }
    event(sm, kind);
    tick();
    return now() - 1;
  }
  // Until the core is idle; set-ups are done at once.
  void settle() {
    std::deque<std::uint32_t> set_up;
    do {
      const SmControlPins control = out().sm_control;
      if (!set_up.empty()) {
        event(set_up.front(), SmEventKind::kSetupDone);
        if (out().sm_event_ready) set_up.pop_front();
      }
      tick();
      if (control.valid && control.kind == SmControlKind::kSetup) set_up.push_back(control.sm);
      ASSERT_LT(now(), 10'000U) << "the core does not come to rest";
    } while (!out().idle || !set_up.empty());
  }

  // ---- what the pins showed

  Cycle now() const { return trace.size() - 1; }
  const SchedulerOutputs& out() const { return trace.back(); }
  const KsrRow& kernel(std::uint32_t ksr) const { return core.tables().ksrt.row(ksr); }
  const SmRow& sm(std::uint32_t sm) const { return core.tables().smst.row(sm); }
  std::int32_t tokens_left(std::uint32_t row) const { return core.tables().tokens.left(row); }
  bool is_active(std::uint32_t sm) const { return core.tables().smst.flags.active.has(sm); }

  std::vector<Cycle> when(const Pin& pin, Cycle from = 0) const {
    std::vector<Cycle> cycles;
    for (Cycle t = from; t < trace.size(); ++t) {
      if (pin(trace[t])) cycles.push_back(t);
    }
    return cycles;
  }
  std::vector<At> set_ups(Cycle from = 0) const { return controls(SmControlKind::kSetup, from); }
  std::vector<At> traps(Cycle from = 0) const { return controls(SmControlKind::kTrap, from); }
  // Cycle and SM of moves of a kind.
  std::vector<At> moves(MoveKind kind, Cycle from = 0) const {
    return list([kind](const Out& out) { return out.events.moved && out.events.move == kind; },
                [](const Out& out) { return out.events.sm; }, from);
  }
  // Cycle and KSR.
  std::vector<At> hand_overs(Cycle from = 0) const {
    return list([](const Out& out) { return out.events.preempted && !out.events.released; },
                [](const Out& out) { return out.events.ksr; }, from);
  }
  // Cycle and buffer.
  std::vector<At> activations(Cycle from = 0) const {
    return list([](const Out& out) { return out.events.activated; }, [](const Out& out) { return out.events.buffer; },
                from);
  }
  // Cycle and TB of what is dispatched.
  std::vector<At> dispatches(Cycle from = 0) const {
    return list([](const Out& out) { return out.dispatch.valid; }, [](const Out& out) { return out.dispatch.tb; },
                from);
  }

  TsrScheduler core;
  std::vector<SchedulerOutputs> trace;

 private:
  using Out = SchedulerOutputs;
  std::vector<At> list(const Pin& pin, const std::function<std::uint32_t(const Out&)>& value, Cycle from) const {
    std::vector<At> list;
    for (const Cycle t : when(pin, from)) list.emplace_back(t, value(trace[t]));
    return list;
  }
  std::vector<At> controls(SmControlKind kind, Cycle from) const {
    return list([kind](const Out& out) { return out.sm_control.valid && out.sm_control.kind == kind; },
                [](const Out& out) { return out.sm_control.sm; }, from);
  }
  void expect_unchanged(const std::vector<std::uint64_t>& before) const {
    const std::vector<std::uint64_t> after = signals_.values();
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(before[i], after[i]) << signals_.name(i) << " after idle cycle " << now() - 1;
    }
    EXPECT_EQ(compare(trace[now() - 1], out(), core.params().num_command_buffers), "") << "after an idle cycle";
  }

  Signals signals_;
};

// Three SMs of four slots, without anything that costs cycles by itself.
inline CoreParams machine(std::uint32_t num_sms = 3, std::uint32_t policy = 3) {
  CoreParams params;
  params.num_sms = num_sms;
  params.max_tbs_per_sm = 4;
  params.num_ksrs = num_sms;
  params.num_command_buffers = 2;
  params.num_contexts = 3;
  params.ptbq_depth = num_sms * 4;
  params.policy = policy;
  return params;
}

// Pins.
inline bool is_invoked(const SchedulerOutputs& out) { return out.events.policy_invoked; }
inline bool is_decided(const SchedulerOutputs& out) { return out.events.policy_decided; }
inline bool is_activated(const SchedulerOutputs& out) { return out.events.activated; }
inline bool is_released(const SchedulerOutputs& out) { return out.events.released; }
inline bool is_cancelled(const SchedulerOutputs& out) { return out.events.cancelled; }
inline bool is_kernel_done(const SchedulerOutputs& out) { return out.kernel_done.valid; }
inline bool takes_events(const SchedulerOutputs& out) { return out.sm_event_ready; }
inline bool takes_no_writes(const SchedulerOutputs& out) { return !out.control_ready; }
inline bool is_idle(const SchedulerOutputs& out) { return out.idle; }

// One SM, two KSRs; the SM runs four TBs of a kernel of priority 1.
inline CoreBench& with_low_kernel(CoreBench& bench, std::uint32_t num_tbs = 8) {
  bench.launch(0, 0, 1, num_tbs, 4);
  bench.settle();
  return bench;
}
// Of one SM under ppq. The only TB of a kernel is saved for another kernel, which ends: its handle is sent back.
inline void restore_the_only_tb(CoreBench& bench) {
  with_low_kernel(bench, 1);
  bench.launch(1, 1, 5, 1, 1);
  bench.run(60);
  bench.handle(0, 0);
  bench.tick();
  bench.take(0, SmEventKind::kPreempted);
  bench.settle();
  bench.take(0, SmEventKind::kTbDone);
  bench.settle();  // the handle is sent
}
inline CoreParams one_sm(std::uint32_t policy) {
  CoreParams params = machine(1, policy);
  params.num_ksrs = 2;
  return params;
}

}  // namespace tessera::rtl_model::test
