// SPDX-License-Identifier: Apache-2.0
// The scheduler alone: a test drives its input pins cycle by cycle and looks at its output pins, of which every cycle
// is kept. In every cycle the bench checks that a core that says it is idle is at rest.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/scheduler/tsr_scheduler.h"
#include "tests/rtl_model/machine.h"

namespace tessera::rtl_model::test {

// All pins and registers of a module by name.
class Signals final : public ISignalSink {
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

class SchedulerBench {
 public:
  using At = std::pair<Cycle, std::uint32_t>;  // a cycle and an SM, or a TB

  explicit SchedulerBench(const spec::Spec& spec) : SchedulerBench(Params(spec)) {}
  explicit SchedulerBench(const Params& p) : params(p), core("core", params, in) {
    core.list_signals(signals_);
    begin_cycle();
  }

  // ---- inputs of this cycle

  SchedulerInputs in;
  void launch(std::uint32_t buffer, std::uint32_t context, std::uint32_t priority, std::uint32_t num_tbs,
              std::uint32_t tbs_per_sm) {
    in.command = {true, buffer, context, priority, num_tbs, tbs_per_sm, descriptor_of(buffer)};
  }
  static std::uint64_t descriptor_of(std::uint32_t buffer) { return 1000 + buffer; }
  void event(std::uint32_t sm, SmEventKind kind) { in.sm_event = {true, sm, kind}; }
  void handle(std::uint32_t sm, std::uint32_t tb) { in.handle = {true, sm, tb, 700 + tb}; }
  void write(ControlRegister reg, std::uint32_t context, std::uint64_t data) {
    in.control = {true, reg, context, data};
  }

  // ---- cycles

  void tick() {
    const bool is_quiet = out().idle && !in.command.valid && !in.control.valid && !in.slice_tick &&
                          !in.sm_event.valid && !in.handle.valid;
    const std::vector<std::uint64_t> before = is_quiet ? signals_.values() : std::vector<std::uint64_t>{};
    core.comb_inputs();
    core.seq_all();
    in = {};
    begin_cycle();
    if (is_quiet) expect_unchanged(before);
  }
  void run(Cycle cycles) {
    while (cycles-- > 0) tick();
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

  std::vector<Cycle> when(const std::function<bool(const SchedulerOutputs&)>& pin, Cycle from = 0) const {
    std::vector<Cycle> cycles;
    for (Cycle t = from; t < trace.size(); ++t) {
      if (pin(trace[t])) cycles.push_back(t);
    }
    return cycles;
  }
  std::vector<At> set_ups(Cycle from = 0) const { return controls(SmControlKind::kSetup, from); }
  std::vector<At> traps(Cycle from = 0) const { return controls(SmControlKind::kTrap, from); }
  // Cycle and SM, and cycle and TB, of what is dispatched.
  std::vector<At> dispatched_sms(Cycle from = 0) const {
    std::vector<At> list;
    for (const Cycle t : dispatches(from)) list.emplace_back(t, trace[t].dispatch.sm);
    return list;
  }
  std::vector<At> dispatched_tbs(Cycle from = 0) const {
    std::vector<At> list;
    for (const Cycle t : dispatches(from)) list.emplace_back(t, trace[t].dispatch.tb);
    return list;
  }

  Params params;
  TsrScheduler core;
  std::vector<SchedulerOutputs> trace;

 private:
  void begin_cycle() {
    core.comb_outputs();
    trace.push_back(core.outputs());
    in.sm_tick = (now() + 1) % params.clock_ratio == 0;
  }
  std::vector<Cycle> dispatches(Cycle from) const {
    return when([](const SchedulerOutputs& out) { return out.dispatch.valid; }, from);
  }
  std::vector<At> controls(SmControlKind kind, Cycle from) const {
    std::vector<At> list;
    for (Cycle t = from; t < trace.size(); ++t) {
      const SmControlPins& pins = trace[t].sm_control;
      if (pins.valid && pins.kind == kind) list.emplace_back(t, pins.sm);
    }
    return list;
  }
  void expect_unchanged(const std::vector<std::uint64_t>& before) const {
    const std::vector<std::uint64_t> after = signals_.values();
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(before[i], after[i]) << signals_.name(i) << " after idle cycle " << now() - 1;
    }
  }

  Signals signals_;
};

}  // namespace tessera::rtl_model::test
