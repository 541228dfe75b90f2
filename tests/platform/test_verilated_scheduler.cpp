// SPDX-License-Identifier: Apache-2.0
// A core whose outputs are known only after its edge runs through quiet cycles by itself, and stops where the machine
// has something to see.
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "platform/clocked/verilated_scheduler.h"
#include "tests/rtl_model/machine.h"

namespace tessera::platform {
namespace {

using rtl_model::SchedulerInputs;
using rtl_model::SchedulerOutputs;

// Busy, and shows in each cycle what it is told to.
class ScriptedCore final : public cosim::IVerilatedCore {
 public:
  using Script = std::function<void(Cycle, SchedulerOutputs&)>;
  explicit ScriptedCore(Script script) : script_(std::move(script)) {}

  void reset(const cosim::Straps&) override { show(); }
  void cycle(const SchedulerInputs& inputs) override {
    ++num_edges;
    last_inputs = inputs;
    show();
  }
  const SchedulerOutputs& outputs() const override { return out_; }
  void read(rtl_model::CoreSnapshot&) override {}
  bool open_wave(const std::string&, std::vector<cosim::WaveSignal>) override { return false; }
  void sample(std::uint64_t) override {}
  void close_wave() override {}
  void write_coverage(const std::string&) override {}
  std::string take_assertion_failure() override { return {}; }

  Cycle num_edges = 0;
  SchedulerInputs last_inputs;

 private:
  void show() {
    out_ = {};
    out_.idle = false;
    script_(num_edges, out_);
  }
  Script script_;
  SchedulerOutputs out_;
};

class QuietVerilatedCycles : public testing::Test {
 protected:
  void make(ScriptedCore::Script script) {
    auto core = std::make_unique<ScriptedCore>(std::move(script));
    core_ = core.get();
    scheduler_ = std::make_unique<VerilatedScheduler>("scheduler", params_, in_, std::move(core));
    scheduler_->comb_outputs();
  }
  rtl_model::Params params_{rtl_model::test::machine(2)};
  SchedulerInputs in_;
  ScriptedCore* core_ = nullptr;
  std::unique_ptr<VerilatedScheduler> scheduler_;
};

TEST_F(QuietVerilatedCycles, EndAtTheLimit) {
  make([](Cycle, SchedulerOutputs&) {});
  EXPECT_EQ(scheduler_->run_quietly(7, false), 7U);
  EXPECT_EQ(core_->num_edges, 7U);
  EXPECT_FALSE(core_->last_inputs.sm_tick);
}

TEST_F(QuietVerilatedCycles, EndBeforeACycleWithAPin) {
  make([](Cycle now, SchedulerOutputs& out) { out.dispatch.valid = now == 4; });
  EXPECT_EQ(scheduler_->run_quietly(7, false), 4U);
  scheduler_->comb_outputs();
  EXPECT_TRUE(scheduler_->outputs().dispatch.valid);
  EXPECT_EQ(scheduler_->run_quietly(7, false), 0U);
}

// Which takes an edge more: the machine finds it taken, sees the pins before it, and after it the event.
TEST_F(QuietVerilatedCycles, EndBeforeTheCycleWhoseEdgeShowsAnEvent) {
  make([](Cycle now, SchedulerOutputs& out) { out.events.policy_decided = now == 4; });
  EXPECT_EQ(scheduler_->run_quietly(7, false), 3U);
  EXPECT_EQ(core_->num_edges, 4U);
  scheduler_->comb_outputs();
  EXPECT_FALSE(scheduler_->outputs().events.any());
  scheduler_->comb_inputs();
  EXPECT_EQ(core_->num_edges, 4U);
  EXPECT_TRUE(scheduler_->has_events_d());
  scheduler_->comb_outputs();
  EXPECT_TRUE(scheduler_->outputs().events.policy_decided);
  scheduler_->comb_inputs();
  EXPECT_EQ(core_->num_edges, 5U);
}

TEST_F(QuietVerilatedCycles, EndWhereAnEventThatWaitsWouldBeTaken) {
  const auto ready_in_5 = [](Cycle now, SchedulerOutputs& out) { out.sm_event_ready = now >= 5; };
  make(ready_in_5);
  EXPECT_EQ(scheduler_->run_quietly(7, true), 5U);
  make(ready_in_5);
  EXPECT_EQ(scheduler_->run_quietly(7, false), 7U);
}

TEST_F(QuietVerilatedCycles, EndWhereTheCoreIsIdle) {
  make([](Cycle now, SchedulerOutputs& out) { out.idle = now == 3; });
  EXPECT_EQ(scheduler_->run_quietly(7, false), 3U);
}

}  // namespace
}  // namespace tessera::platform
