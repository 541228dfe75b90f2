// SPDX-License-Identifier: Apache-2.0
// Claims about the performance counters of the register front end.
#include <gtest/gtest.h>

#include <array>

#include "tests/ip/front_end_bench.h"

namespace tessera::ip::test {
namespace {

using reg::Counter;

using Counts = std::array<std::uint64_t, reg::kNumCounters>;

// What the pins of one cycle add.
class Model {
 public:
  void cycle(const FrontEndInputs& in) {
    const auto add = [this](Counter counter, bool happened) { counts[static_cast<std::size_t>(counter)] += happened; };
    if (in.events.policy_decided) is_deciding_ = false;
    if (in.events.policy_invoked) is_deciding_ = true;
    add(Counter::kCycles, true);
    add(Counter::kPolicyInvoked, in.events.policy_invoked);
    add(Counter::kPolicyDecided, in.events.policy_decided);
    add(Counter::kDecisionCycles, is_deciding_);
    add(Counter::kActivated, in.events.activated);
    add(Counter::kAssigned, in.events.moved && in.events.move == rtl_model::MoveKind::kAssign);
    add(Counter::kReserved, in.events.moved && in.events.move == rtl_model::MoveKind::kReserve);
    add(Counter::kRetargeted, in.events.moved && in.events.move == rtl_model::MoveKind::kRetarget);
    add(Counter::kCancelled, in.events.cancelled);
    add(Counter::kPreempted, in.events.preempted);
    add(Counter::kReleased, in.events.released);
    add(Counter::kKernelsDone, in.kernel_done.valid);
    add(Counter::kFreshTbs, in.dispatch.valid && !in.dispatch.is_restore);
    add(Counter::kRestoredTbs, in.dispatch.valid && in.dispatch.is_restore);
    add(Counter::kTurnsPassed, in.events.turn_passed);
    add(Counter::kTurnsBegan, in.events.turn_began);
  }
  bool is_deciding() const { return is_deciding_; }
  Counts counts{};

 private:
  bool is_deciding_ = false;
};

class Counters : public ::testing::Test {
 protected:
  static std::uint64_t address(std::size_t counter) { return reg::kCounters + 8 * counter; }

  // Cycles with random events, `permille` of each.
  void happen(unsigned cycles, unsigned permille) {
    for (unsigned i = 0; i < cycles; ++i) {
      FrontEndInputs& in = bench_.in;
      in.events.policy_decided = model_.is_deciding() && random_.chance(permille);
      in.events.policy_invoked = (!model_.is_deciding() || in.events.policy_decided) && random_.chance(permille);
      in.events.activated = random_.chance(permille);
      in.events.moved = random_.chance(permille);
      in.events.move = static_cast<rtl_model::MoveKind>(random_.in(0, 2));
      in.events.cancelled = random_.chance(permille);
      in.events.preempted = random_.chance(permille);
      in.events.released = random_.chance(permille);
      in.events.turn_passed = random_.chance(permille);
      in.events.turn_began = random_.chance(permille);
      in.dispatch.valid = random_.chance(permille);
      in.dispatch.is_restore = random_.one_in(2);
      cycle();
    }
  }
  void cycle() {
    model_.cycle(bench_.in);
    bench_.cycle();
  }
  // As the bench does, every cycle counted.
  std::uint32_t read_half(std::uint64_t at) {
    bench_.master.read(static_cast<std::uint32_t>(at));
    while (!bench_.master.is_idle() && bench_.master.violation().empty()) cycle();
    return take(bench_.master.was_read).data;
  }
  std::uint64_t read(std::uint64_t at) {
    const std::uint64_t lower = read_half(at);
    return lower | std::uint64_t{read_half(at + 4)} << 32;
  }

  FrontEndBench bench_{with_everything()};
  Model model_;
  testbench::Random random_{9};
};

TEST_F(Counters, CountWhatThePinsShow) {
  for (const unsigned permille : {1000U, 300U, 20U, 0U}) {
    happen(2000, permille);
    for (int i = 0; i < 8; ++i) cycle();  // what has just happened is on its way
    const Counts expected = model_.counts;
    for (std::size_t counter = 1; counter < expected.size(); ++counter) {
      if (counter == static_cast<std::size_t>(Counter::kDecisionCycles)) continue;
      EXPECT_EQ(read(address(counter)), expected[counter]) << counter;
    }
  }
}

TEST_F(Counters, DecisionCyclesAreTheDistanceFromInvokedToDecided) {
  happen(3000, 100);
  if (model_.is_deciding()) {
    bench_.in.events.policy_decided = true;
    cycle();
  }
  for (int i = 0; i < 8; ++i) cycle();
  const std::size_t counter = static_cast<std::size_t>(Counter::kDecisionCycles);
  EXPECT_GT(model_.counts[counter], 0U);
  EXPECT_EQ(read(address(counter)), model_.counts[counter]);
}

TEST_F(Counters, AReadOfTheCyclesIsLateByNoMoreThanARound) {
  const std::uint64_t first = read(address(0));
  const std::uint64_t at_first = bench_.now;
  happen(12345, 0);
  const std::uint64_t second = read(address(0));
  // A read waits for its counter's turn: it is late by no more than a round.
  EXPECT_NEAR(static_cast<double>(second - first), static_cast<double>(bench_.now - at_first),
              2.0 * reg::kNumCounters + 10);
  EXPECT_LE(second, bench_.now);
}

// The upper half belongs to the lower one that was read before it, whatever has happened since.
TEST_F(Counters, BothHalvesAreOfOneMomentAlsoAcrossACarry) {
  happen(100, 0);
  const auto set = [&](std::uint32_t counter, std::uint32_t upper, std::uint32_t lower) {
    bench_.device->set_counter(counter, true, upper);
    bench_.device->set_counter(counter, false, lower);
  };
  set(0, 6, 0xFFFF'FF00);
  std::uint64_t last = 0;
  bool has_carried = false;
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t lower = read_half(address(0));
    happen(static_cast<unsigned>(random_.in(0, 60)), 0);
    const std::uint64_t value = lower | std::uint64_t{read_half(address(0) + 4)} << 32;
    EXPECT_GT(value, last);
    EXPECT_GE(value, 0x6'FFFF'FF00U);
    EXPECT_LT(value, 0x7'0000'4000U);
    has_carried = has_carried || value >> 32 == 7;
    last = value;
  }
  EXPECT_TRUE(has_carried);
}

TEST_F(Counters, AreZeroAfterResetWhateverTheMemoryHeld) {
  for (std::size_t counter = 1; counter < reg::kNumCounters; ++counter)
    EXPECT_EQ(read(address(counter)), 0U) << counter;
  EXPECT_LE(read(address(0)), bench_.now);
}

TEST_F(Counters, IgnoreWrites) {
  happen(500, 500);
  for (int i = 0; i < 8; ++i) cycle();
  const std::uint64_t before = read(address(4));
  EXPECT_TRUE(bench_.write(address(4), 0));
  EXPECT_TRUE(bench_.write(address(4) + 4, ~0U));
  EXPECT_EQ(read(address(4)), before);
}

}  // namespace
}  // namespace tessera::ip::test
