// SPDX-License-Identifier: Apache-2.0
// Claims about the registers of a kept turn: what they say to the core, and when the IP's timers end slices and
// switches (docs/hardware/timing.md 3.12 and 7.6).
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "testbench/random.h"
#include "tests/ip/front_end_bench.h"

namespace tessera::ip::test {
namespace {

using testbench::Random;

constexpr std::uint64_t kTimerEnable = std::uint64_t{1} << 32;  // kSwitchTimer

class TurnRegisters : public ::testing::Test {
 protected:
  static std::uint64_t of(std::uint64_t table, std::uint64_t context) { return table + 8 * context; }

  FrontEndBench bench_{with_everything()};
};

// ---- waiting -------------------------------------------------------------------------------------------------

// A driver says it of contexts, launches stay in the port for a while, and all of it is random.
TEST_F(TurnRegisters, AContextWaitsWhileItsRegisterSaysSoAndFromItsDoorbellUntilTheCoreHasItsLaunch) {
  Random random(4);
  std::uint32_t written = 0;   // what the registers hold,
  std::uint32_t in_port = 0;   // the context of a launch that was answered and is not yet on the pins,
  std::uint32_t changing = 0;  // and of an access that is under way
  std::uint64_t num_answered = 0, num_taken = 0;
  bench_.watch = [&](const FrontEndOutputs& out) {
    for (std::uint32_t context = 0; context < bench_.sizes.num_contexts; ++context) {
      const bool is_due = (written >> context & 1) != 0 || (in_port >> context & 1) != 0;
      if ((changing >> context & 1) == 0) {
        EXPECT_EQ((out.waiting >> context & 1) != 0, is_due) << context << " in " << bench_.now;
      }
    }
    if (!out.command.valid) return;
    EXPECT_NE(out.waiting >> out.command.context & 1, 0U) << "a context still waits in the cycle of its command";
    ++num_taken;
    in_port = 0;  // from the next cycle on
  };
  bench_.describe(5, 2, 1);
  bench_.write(reg::kControl, 1);
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    const std::uint32_t context = random.in32(0, bench_.sizes.num_contexts - 1);
    if (random.one_in(3)) {
      const std::uint32_t is_waiting = random.in32(0, 1);
      changing = 1U << context;
      bench_.write(of(reg::kWaiting, context), is_waiting);
      changing = 0;
      written = (written & ~(1U << context)) | is_waiting << context;
    } else if (random.one_in(2)) {
      changing = 1U << context;
      num_answered += bench_.launch(context) ? 1 : 0;
      if (in_port == 0 && num_answered > num_taken) in_port = 1U << context;
      bench_.write(reg::kError, 0);
      changing = 0;
    } else if (random.one_in(2)) {
      bench_.in.buffer_free |= random.in32(0, (1U << bench_.sizes.num_command_buffers) - 1);
    } else if (!bench_.commands.empty()) {  // a kernel is done, and read as such
      bench_.in.kernel_done = {true, bench_.commands.back().descriptor};
      bench_.commands.pop_back();
      bench_.cycle();
      bench_.write(reg::kKernelDone, 0);
    }
    bench_.cycles(random.in32(0, 5));
  }
  EXPECT_GT(num_taken, 100U);
}

// ---- timers --------------------------------------------------------------------------------------------------

// When a slice ends, by the contract: absolute cycles, where the device counts down.
class Slices {
 public:
  explicit Slices(std::uint64_t ratio) : ratio_(ratio) {}

  bool is_over(std::uint64_t now) const { return due_ == now; }
  void cycle(std::uint64_t now, bool enable, bool switch_over, std::uint64_t slice, std::uint64_t in_slice) {
    const std::uint64_t sm_cycle = now / ratio_;
    const auto at = [&](std::uint64_t due_sm_cycle) { due_ = std::max(due_sm_cycle * ratio_, now + 1); };
    if (!enable || slice == 0) {
      due_.reset();
    } else if (!was_enabled_) {
      const std::uint64_t less = 1 + (was_over_ ? in_slice : 0);
      at(sm_cycle + (slice > less ? slice - less : 0));
    } else if (is_over(now)) {
      at(sm_cycle + slice);
    }
    was_enabled_ = enable;
    was_over_ = switch_over;
  }

 private:
  std::uint64_t ratio_;
  std::optional<std::uint64_t> due_;  // core cycle
  bool was_enabled_ = false, was_over_ = false;
};

class Timers : public TurnRegisters, public ::testing::WithParamInterface<std::uint32_t> {
 protected:
  Timers() {
    bench_.watch = [this](const FrontEndOutputs&) { bench_.in.sm_tick = (bench_.now + 1) % ratio_ == 0; };
  }
  void keep_turns() {
    const std::uint32_t time_slice = spec::info(spec::PolicyKind::kTimeSlice).code;
    EXPECT_TRUE(bench_.write(reg::kPolicy, time_slice | 1U << reg::PolicyFields::kTurnShift));
  }

  const std::uint32_t ratio_ = GetParam();  // core cycles in an SM cycle
  Random random_{8};
};
INSTANTIATE_TEST_SUITE_P(CoreCyclesInAnSmCycle, Timers, ::testing::Values(1, 2, 5));

TEST_P(Timers, SlicesEndAfterTheirContextsPeriodsWithWhatASwitchTakesOfTheFirst) {
  const std::uint32_t num_contexts = bench_.sizes.num_contexts;
  std::uint64_t num_ticks = 0;
  for (int turns = 0; turns < 150 && !HasFailure(); ++turns) {
    const bool is_kept = random_.one_in(2);
    if (is_kept) {
      keep_turns();
    } else {
      EXPECT_TRUE(bench_.write(reg::kPolicy, spec::info(spec::PolicyKind::kTimeSlice).code));
    }
    const std::uint32_t context = is_kept ? random_.in32(0, num_contexts - 1) : 0;
    const std::uint32_t common = random_.one_in(5) ? 0 : random_.in32(1, 40);
    const std::uint32_t own = random_.one_in(3) ? 0 : random_.in32(1, 40);
    const std::uint32_t in_slice = random_.in32(0, random_.one_in(5) ? 60 : 10);
    bench_.write(reg::kTimeSlice, common);
    bench_.write(of(reg::kOwnSlice, context), own);
    bench_.write(reg::kSwitchTimer, in_slice);
    bench_.in.turn = context;
    bench_.cycles(random_.in32(1, 4));
    Slices slices(ratio_);
    const bool has_switched = random_.one_in(2);
    const std::uint64_t begin = bench_.now + 1;
    const std::uint64_t end = begin + random_.in32(0, 100) * ratio_;
    for (std::uint64_t last = end + random_.in32(1, 3); bench_.now < last;) {
      bench_.in.switch_over = has_switched && bench_.now + 1 == begin;
      bench_.in.slice_timer_enable = bench_.now >= begin && bench_.now < end;
      EXPECT_EQ(bench_.device->outputs().slice_tick, slices.is_over(bench_.now))
          << "common " << common << ", own " << own << ", of the switch " << (has_switched ? in_slice : 0) << ", "
          << bench_.now - begin << " cycles into the turn";
      num_ticks += slices.is_over(bench_.now) ? 1 : 0;
      slices.cycle(bench_.now, bench_.in.slice_timer_enable, bench_.in.switch_over, is_kept && own != 0 ? own : common,
                   in_slice);
      bench_.cycle();
    }
    bench_.in.slice_timer_enable = false;
  }
  EXPECT_GT(num_ticks, 300U);
}

TEST_P(Timers, ASwitchTakesWhatItsRegisterSays) {
  for (int i = 0; i < 200 && !HasFailure(); ++i) {
    const std::uint32_t preempted = random_.in32(0, 30);
    const std::uint32_t dry = random_.in32(0, 30);
    bench_.write_register(reg::kSwitchCost, preempted | std::uint64_t{dry} << 32);
    bench_.write_register(reg::kSwitchTimer, kTimerEnable);
    bench_.cycles(random_.in32(0, 4));
    const bool runs = random_.one_in(2);
    const std::uint64_t begin = bench_.now;
    const std::uint64_t due = std::max((begin / ratio_ + (runs ? preempted : dry)) * ratio_, begin + 1);
    while (bench_.now < due + 50) {
      bench_.in.switch_start = bench_.now == begin;
      bench_.in.switch_runs = bench_.in.switch_start && runs;
      EXPECT_EQ(bench_.device->outputs().switch_over, bench_.now == due)
          << (runs ? preempted : dry) << " SM cycles, " << bench_.now - begin << " core cycles after the start";
      bench_.cycle();
    }
  }
}

TEST_P(Timers, ATimerThatIsOffSaysNothing) {
  bench_.write_register(reg::kSwitchCost, 3 | std::uint64_t{3} << 32);
  bench_.in.slice_timer_enable = true;
  bench_.in.switch_start = true;
  for (int i = 0; i < 100; ++i) {
    bench_.cycle();
    bench_.in.switch_start = false;
    EXPECT_FALSE(bench_.device->outputs().slice_tick);
    EXPECT_FALSE(bench_.device->outputs().switch_over);
  }
}

TEST_P(Timers, ANewSliceDoesNotMoveATickThatIsDue) {
  constexpr std::uint32_t kOld = 200, kNew = 90;
  bench_.write(reg::kTimeSlice, kOld);
  bench_.in.slice_timer_enable = true;
  const std::uint64_t begin = bench_.now;
  std::vector<std::uint64_t> ticks;
  bench_.watch = [&](const FrontEndOutputs& out) {
    bench_.in.sm_tick = (bench_.now + 1) % ratio_ == 0;
    if (out.slice_tick) ticks.push_back(bench_.now);
  };
  bench_.write(reg::kTimeSlice, kNew);
  while (bench_.now < begin + (kOld + 2 * kNew) * ratio_) bench_.cycle();
  const std::uint64_t first = (begin / ratio_ - 1 + kOld) * ratio_;
  EXPECT_EQ(ticks, (std::vector<std::uint64_t>{first, first + kNew * ratio_, first + 2 * kNew * ratio_}));
}

// ---- what a driver sees --------------------------------------------------------------------------------------

TEST_F(TurnRegisters, TheTurnCanBeReadFromItsBeginningToThePolicyThatEndsIt) {
  const auto pulse = [&](bool& pin) {
    pin = true;
    bench_.cycle();
    pin = false;
  };
  constexpr std::uint64_t kOwned = 1U << 16, kSwitching = 1U << 17;
  bench_.in.turn = 2;
  bench_.in.switch_start = true;
  bench_.cycle();
  bench_.in.switch_start = false;
  EXPECT_EQ(bench_.read(reg::kTurn), 2 | kSwitching);
  pulse(bench_.in.switch_over);
  pulse(bench_.in.events.turn_began);
  EXPECT_EQ(bench_.read(reg::kTurn), 2 | kOwned);
  pulse(bench_.in.events.turn_passed);
  EXPECT_EQ(bench_.read(reg::kTurn), 2U);
  pulse(bench_.in.events.turn_began);
  bench_.write(reg::kPolicy, 0);
  bench_.cycles(2);
  bench_.in.turn = 0;
  EXPECT_EQ(bench_.read(reg::kTurn), 0U);
}

TEST(WithoutAKeptTurn, ItsRegistersAreReservedAndEveryContextIsListed) {
  FrontEndBench bench{Sizes{}};
  std::vector<std::uint64_t> reserved = {reg::kTimeSlice, reg::kSwitchCost, reg::kSwitchTimer, reg::kTurn};
  for (const std::uint64_t table : {reg::kOwnSlice, reg::kWaiting, reg::kSliceEnd, reg::kListed})
    for (std::uint64_t context = 0; context < bench.sizes.num_contexts; ++context)
      reserved.push_back(table + 8 * context);
  for (const reg::Counter counter : {reg::Counter::kTurnsPassed, reg::Counter::kTurnsBegan})
    reserved.push_back(reg::kCounters + 8 * static_cast<std::uint64_t>(counter));
  for (const std::uint64_t address : reserved) {
    EXPECT_TRUE(bench.write_register(address, ~std::uint64_t{0}));
    EXPECT_EQ(bench.read(address), 0U) << std::hex << address;
  }
  bench.cycles(5);
  EXPECT_TRUE(bench.control_writes.empty());
  EXPECT_EQ(bench.device->outputs().waiting, 0U);
  EXPECT_EQ(bench.device->outputs().listed, (1U << bench.sizes.num_contexts) - 1);
  EXPECT_TRUE(bench.write(reg::kPolicy, 4 | 3U << reg::PolicyFields::kTurnShift));
  EXPECT_EQ(bench.read(reg::kPolicy), 4U);
}

}  // namespace
}  // namespace tessera::ip::test
