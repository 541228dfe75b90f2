// SPDX-License-Identifier: Apache-2.0
// Timers of slices and of switches (docs/hardware/timing.md 3.6, 7.6).
#include <gmock/gmock.h>

#include <vector>

#include "rtl_model/engine/slice_timer.h"
#include "rtl_model/engine/switch_timer.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The pins that the timers look at, and those that they drive; a cycle is an SM cycle unless there is a ratio.
class TimerBench {
 public:
  explicit TimerBench(const SwitchCycles& costs = {}, std::uint32_t ratio = 1) : costs_(costs), ratio_(ratio) {}

  void tick() {
    clock_.core = now_;
    clock_.sm = now_ / ratio_;
    slice_.comb();
    switch_.comb();
    if (is_tick) ticks.push_back(now_);
    if (is_over) overs.push_back(now_);
    slice_.seq();
    switch_.seq();
    starts = false;
    ++now_;
  }
  void run_to(Cycle cycle) {
    while (now_ < cycle) tick();
  }

  Cycle period = 20;
  bool enable = false, starts = false, runs = false;
  bool is_tick = false, is_over = false;
  std::vector<Cycle> ticks, overs;

 private:
  SwitchCycles costs_;
  std::uint32_t ratio_;
  Cycle now_ = 0;
  ClockCount clock_;
  SliceTimer slice_{"slice", clock_, {[this] { return period; }, costs_.in_slice, is_over, enable, is_tick}};
  SwitchTimer switch_{"switch", costs_, clock_, starts, runs, is_over};
};

TEST(SliceTimer, TicksAPeriodAfterTheCycleBeforeItsEnable) {
  TimerBench bench;
  bench.run_to(10);
  bench.enable = true;
  bench.run_to(75);
  EXPECT_THAT(bench.ticks, ElementsAre(29, 49, 69));
}

TEST(SliceTimer, HasThePeriodOfWhoseTurnItIsWhenItStartsAndAtEachTick) {
  TimerBench bench;
  bench.run_to(10);
  bench.enable = true;
  bench.run_to(15);
  bench.period = 30;
  bench.run_to(60);
  EXPECT_THAT(bench.ticks, ElementsAre(29, 59));
}

TEST(SwitchTimer, TakesWhatASwitchCostsByWhetherSomethingRan) {
  TimerBench bench({50, 30, 0});
  bench.run_to(10);
  bench.starts = bench.runs = true;
  bench.run_to(100);
  bench.starts = true;
  bench.runs = false;
  bench.run_to(200);
  EXPECT_THAT(bench.overs, ElementsAre(60, 130));
}

TEST(SwitchTimer, IsNotOverInTheCycleOfItsStart) {
  TimerBench bench({0, 0, 0});
  bench.run_to(10);
  bench.starts = true;
  bench.run_to(20);
  EXPECT_THAT(bench.overs, ElementsAre(11));
}

TEST(SwitchTimer, IsOverInTheFirstCoreCycleOfAnSmCycle) {
  TimerBench bench({3, 3, 0}, 4);
  bench.run_to(10);  // SM cycle 2
  bench.starts = true;
  bench.run_to(40);
  EXPECT_THAT(bench.overs, ElementsAre(20));
}

// The turn is owned, and the timer enabled, in the cycle after the end of the switch.
TEST(SliceTimer, CountsWhatOfASwitchLiesInTheSlice) {
  TimerBench bench({50, 50, 7});
  bench.run_to(10);
  bench.starts = true;
  bench.run_to(61);
  ASSERT_THAT(bench.overs, ElementsAre(60));
  bench.enable = true;
  bench.run_to(110);
  EXPECT_THAT(bench.ticks, ElementsAre(61 - 1 + 20 - 7, 93));
}

TEST(SliceTimer, CountsNothingOfASwitchForASliceThatBeginsLater) {
  TimerBench bench({50, 50, 7});
  bench.run_to(10);
  bench.starts = true;
  bench.run_to(62);
  bench.enable = true;
  bench.run_to(90);
  EXPECT_THAT(bench.ticks, ElementsAre(62 - 1 + 20));
}

TEST(SliceTimer, StopsWhereItIsNotEnabledAndStartsAfresh) {
  TimerBench bench;
  bench.enable = true;
  bench.run_to(10);
  bench.enable = false;
  bench.run_to(15);
  EXPECT_THAT(bench.ticks, IsEmpty());
  bench.enable = true;
  bench.run_to(40);
  EXPECT_THAT(bench.ticks, ElementsAre(34));
}

}  // namespace
}  // namespace tessera::rtl_model::test
