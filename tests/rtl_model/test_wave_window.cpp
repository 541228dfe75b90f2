// SPDX-License-Identifier: Apache-2.0
// Which cycles a waveform asks for.
#include <gtest/gtest.h>

#include <stdexcept>

#include "rtl_model/observe/wave_window.h"
#include "tests/rtl_model/machine.h"

namespace tessera::rtl_model::test {
namespace {

// An engine that has something to do in every cycle.
class BusyEngine final : public IWatchedEngine {
 public:
  explicit BusyEngine(const spec::Spec& spec) : params_(spec) {}
  ClockCount clock_count;

  const Params& params() const override { return params_; }
  const ClockCount& clock() const override { return clock_count; }
  const SchedulerInputs& inputs() const override { return inputs_; }
  bool is_core_active() const override { return true; }
  Cycle next_cycle() const override { return clock_count.core; }
  void list_signals(ISignalSink&) const override {}
  void list_surroundings(ISignalSink&) const override {}
  ISchedulerCore& scheduler() const override { throw std::logic_error("there is none"); }
  const LaunchTable& launches() const override { throw std::logic_error("there are none"); }
  const LoopMemory& loop_memory() const override { throw std::logic_error("there is none"); }

 private:
  Params params_;
  SchedulerInputs inputs_;
};

TEST(WaveWindow, AsksForNoCycleOnceItIsOver) {
  constexpr Cycle kFrom = 5, kLength = 3;
  BusyEngine engine(machine(2));
  WaveWindow window({kFrom, kLength}, engine);
  EXPECT_EQ(window.next_sample(), kFrom);
  for (Cycle cycle = kFrom; cycle < kFrom + kLength; ++cycle) {
    engine.clock_count.core = engine.clock_count.sm = cycle;
    ASSERT_TRUE(window.takes(engine.clock_count));
    window.kept(engine.clock_count, false);
    EXPECT_EQ(window.next_sample(), cycle + 1);
  }
  engine.clock_count.core = engine.clock_count.sm = kFrom + kLength;
  EXPECT_FALSE(window.takes(engine.clock_count));
  EXPECT_EQ(window.next_sample(), kNever);
}

}  // namespace
}  // namespace tessera::rtl_model::test
