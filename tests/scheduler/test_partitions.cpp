// SPDX-License-Identifier: Apache-2.0
// static_partition (docs/hardware/timing.md 5.8): partitions one after the other, what their kernels get, and when.
#include <gtest/gtest.h>

#include "tests/scheduler/core_bench.h"

namespace tessera::rtl_model::test {
namespace {

constexpr std::uint32_t kByPriority = 1U << 13;

using Moves = std::vector<At>;

class PartitionBench : public CoreBench {
 public:
  // SMs in these partitions.
  PartitionBench(const CoreParams& params, const std::vector<std::uint32_t>& partitions) : CoreBench(params) {
    for (std::uint32_t sm = 0; sm < partitions.size(); ++sm) move_sm(sm, partitions[sm]);
  }
  void move_sm(std::uint32_t sm, std::uint32_t partition) {
    write(ControlRegister::kPartition, 0, sm_partition_data(sm, partition));
    settle();
  }
  // A thread block an SM.
  void launch_in(std::uint32_t partition, std::uint32_t buffer, std::uint32_t num_tbs, std::uint32_t priority = 0) {
    launch(buffer, buffer, priority, num_tbs, 1);
    in.command.partition = partition;
  }
  // SMs that KSR runs or waits for.
  std::vector<std::uint32_t> sms_of(std::uint32_t ksr) const {
    std::vector<std::uint32_t> sms;
    for (std::uint32_t i = 0; i < core.params().num_sms; ++i) {
      if (core.tables().smst.claimant(i) == ksr) sms.push_back(i);
    }
    return sms;
  }
};

using Sms = std::vector<std::uint32_t>;

// Cycles count from the first command, whose kernel is of partition 1 and needs two SMs; the one of partition 0 needs
// one. They enter in 10 and 20. BEGIN 21: a step of partition 0, two entries, JUDGE 27, PICK 28, BURST 32 and 33, WRITE
// 34. BEGIN 35: partition 1, JUDGE 41; the engine is busy with a set-up up to 41; PICK 42, BURST 46 and 47, WRITE 48.
// BEGIN 49: partition 0 once more, JUDGE 55, and BEGIN 56: partition 1, JUDGE 62.
TEST(StaticPartition, StepsAreAboutOnePartitionEachInTurn) {
  CoreParams params = machine(2, kPartitioned);
  PartitionBench bench(params, {0, 1});
  const Cycle start = bench.now();
  bench.launch_in(1, 0, 2);
  bench.tick();
  bench.launch_in(0, 1, 1);
  bench.run(70);
  const auto at = [&](const CoreBench::Pin& pin) {
    std::vector<Cycle> cycles = bench.when(pin, start);
    for (Cycle& cycle : cycles) cycle -= start;
    return cycles;
  };
  EXPECT_EQ(at(is_invoked), (std::vector<Cycle>{1}));
  EXPECT_EQ(at(is_activated), (std::vector<Cycle>{11, 21}));
  EXPECT_EQ(bench.moves(MoveKind::kAssign, start), (Moves{{start + 33, 0}, {start + 47, 1}}));
  EXPECT_EQ(at(is_decided), (std::vector<Cycle>{63}));
}

TEST(StaticPartition, AKernelGetsIdleSmsOfItsPartitionAlone) {
  PartitionBench bench(machine(3, kPartitioned), {0, 1, 0});
  bench.launch_in(0, 0, 3);
  bench.settle();
  EXPECT_EQ(bench.sms_of(0), (Sms{0, 2}));
}

TEST(StaticPartition, SmsInNoPartitionAreNeverUsed) {
  PartitionBench bench(machine(3, kPartitioned), {0, 3, 3});  // three SMs have partitions 0 to 2
  bench.launch_in(0, 0, 3);
  bench.settle();
  bench.launch_in(3, 1, 3);
  bench.settle();
  EXPECT_EQ(bench.sms_of(0), (Sms{0}));
  EXPECT_EQ(bench.sms_of(1), (Sms{}));
}

TEST(StaticPartition, AnUrgentKernelTakesSmsOfItsPartitionAlone) {
  for (const std::uint32_t order : {0U, kByPriority}) {
    PartitionBench bench(machine(2, kPartitioned | kShared | order), {0, 1});
    bench.launch_in(0, 0, 1, 1);
    bench.settle();
    bench.launch_in(1, 1, 1, 1);
    bench.settle();
    bench.launch_in(1, 0, 1, 5);
    bench.in.command.has_due = true;
    bench.in.command.due = 9;
    const Cycle start = bench.now();
    bench.settle();
    EXPECT_TRUE(bench.moves(MoveKind::kAssign, start).empty()) << order;
    ASSERT_EQ(bench.activations(start).size(), 0U) << "two KSRs, and both are taken";
  }
}

TEST(StaticPartition, ByPriorityOrByDues) {
  CoreParams params = machine(2, kPartitioned | kShared);
  params.num_ksrs = 3;
  for (const bool is_by_priority : {false, true}) {
    params.policy = kPartitioned | kShared | (is_by_priority ? kByPriority : 0);
    PartitionBench bench(params, {0, 1});
    bench.launch_in(1, 0, 1, 3);  // runs on SM 1
    bench.settle();
    bench.launch_in(1, 1, 1, 2);  // due, of lower priority
    bench.in.command.has_due = true;
    const Cycle start = bench.now();
    bench.settle();
    const Moves moves = bench.moves(MoveKind::kReserve, start);
    EXPECT_EQ(moves.size(), is_by_priority ? 0U : 1U);
    EXPECT_TRUE(is_by_priority || moves.front().second == 1U);
  }
}

// Under exclusive access the most urgent kernel keeps SMs from others of its partition, not from those of others.
TEST(StaticPartition, AccessIsExclusiveInsideAPartition) {
  CoreParams params = machine(4, kPartitioned | kByPriority);
  PartitionBench bench(params, {0, 0, 1, 1});
  bench.launch_in(0, 0, 1, 5);
  bench.settle();
  bench.launch_in(0, 1, 1, 2);
  bench.settle();
  bench.launch_in(1, 0, 1, 1);
  bench.settle();
  EXPECT_EQ(bench.sms_of(0), (Sms{0}));
  EXPECT_EQ(bench.sms_of(1), (Sms{}));  // SM 1 stays idle
  EXPECT_EQ(bench.sms_of(2), (Sms{2}));
}

// Whoever it is: the SM was given to another partition while it ran.
TEST(StaticPartition, AForeignKernelLosesItsSmFirst) {
  CoreParams params = machine(3, kPartitioned | kByPriority | kShared);
  PartitionBench bench(params, {0, 1, 1});
  bench.launch_in(0, 0, 1, 9);
  bench.settle();
  bench.launch_in(1, 1, 2, 1);
  bench.settle();
  ASSERT_EQ(bench.sms_of(0), (Sms{0}));
  ASSERT_EQ(bench.sms_of(1), (Sms{1, 2}));
  bench.move_sm(0, 1);
  EXPECT_TRUE(bench.moves(MoveKind::kReserve).empty());  // nobody needs it
  bench.launch_in(1, 0, 1, 2);
  bench.settle();
  ASSERT_EQ(bench.moves(MoveKind::kReserve).size(), 1U);
  EXPECT_EQ(bench.moves(MoveKind::kReserve).front().second, 0U);
}

// The bit says that the SM may be foreign: a write sets it, though the SM stays in the partition of its kernel. The
// search takes it for foreign (BEGIN c + 11, JUDGE c + 17, PICK c + 18), LOAD finds that it is not, and CALC, in c +
// 23, clears the bit. BEGIN c + 24, JUDGE c + 30: it is the victim's. PICK c + 31, visit B's WRITE c + 41.
TEST(StaticPartition, AnSmThatMayBeForeignAndIsNotIsTakenFromTheVictim) {
  PartitionBench bench(machine(2, kPartitioned | kByPriority | kShared), {0, 0});
  bench.launch_in(0, 0, 2, 1);
  bench.settle();
  ASSERT_EQ(bench.sms_of(0), (Sms{0, 1}));
  EXPECT_FALSE(bench.core.tables().smst.maybe_foreign().any());  // it was assigned
  bench.move_sm(0, 0);
  EXPECT_TRUE(bench.core.tables().smst.maybe_foreign().has(0));
  const Cycle c = bench.now();
  bench.launch_in(0, 1, 1, 9);
  bench.run_to(c + 23);
  EXPECT_TRUE(bench.core.tables().smst.maybe_foreign().has(0));
  bench.tick();
  EXPECT_FALSE(bench.core.tables().smst.maybe_foreign().has(0));
  bench.run(60);
  EXPECT_EQ(bench.moves(MoveKind::kReserve), (Moves{{c + 42, 0}}));
}

TEST(StaticPartition, APolicyWriteMakesEverySmSuspect) {
  PartitionBench bench(machine(2, kPartitioned | kByPriority | kShared), {0, 1});
  bench.launch_in(0, 0, 1);
  bench.settle();
  EXPECT_FALSE(bench.core.tables().smst.maybe_foreign().has(0));
  bench.write(ControlRegister::kPolicy, 0, kPartitioned | kShared);
  bench.settle();
  EXPECT_TRUE(bench.core.tables().smst.maybe_foreign().has(0));
  EXPECT_TRUE(bench.core.tables().smst.maybe_foreign().has(1));
}

// All SMs of the victim are in another partition now, where nobody needs them: FIND finds none. The partition waits for
// its next change. BEGIN c + 11, JUDGE c + 17, PICK c + 18, CALC c + 23, BEGIN c + 24, JUDGE c + 30.
TEST(StaticPartition, ATakeThatFindsNoSmOfThePartitionIsNotTriedAgain) {
  PartitionBench bench(machine(2, kPartitioned | kByPriority | kShared), {0, 1});
  bench.launch_in(0, 0, 1, 1);
  bench.settle();
  bench.move_sm(0, 1);
  const Cycle c = bench.now();
  bench.launch_in(0, 1, 1, 9);
  bench.run(80);
  EXPECT_EQ(bench.when(is_decided, c), (std::vector<Cycle>{c + 31}));
  EXPECT_TRUE(bench.moves(MoveKind::kReserve).empty());
  EXPECT_TRUE(bench.out().idle);
}

// M + 5 cycles a step: a survey, and the only partition that has a kernel.
TEST(StaticPartition, AWriteIsFollowedByASurveyAndAStepForEachPartitionWithKernels) {
  PartitionBench bench(machine(4, kPartitioned), {0, 1, 2, 3});
  bench.launch_in(2, 0, 1);
  bench.settle();
  const Cycle written = bench.now();
  bench.write(ControlRegister::kPriority, 0, 7);
  bench.settle();
  const Cycle step = 1 + 5;
  EXPECT_EQ(bench.when(is_invoked, written), (std::vector<Cycle>{written + 1}));
  EXPECT_EQ(bench.when(is_decided, written), (std::vector<Cycle>{written + 1 + 2 * step}));
}

// Of the SMs that go idle as it finishes, one has changed its partition meanwhile.
TEST(StaticPartition, SmsOfAnotherPartitionThatAFinishedKernelLeavesAreFound) {
  CoreParams params = machine(2, kPartitioned);
  PartitionBench bench(params, {0, 0});
  bench.launch_in(0, 0, 2);
  bench.settle();
  bench.move_sm(1, 1);
  bench.launch_in(1, 1, 1);  // it takes SM 1 away, by a save
  bench.settle();
  ASSERT_EQ(bench.traps(), (Moves{{bench.traps().front().first, 1}}));
  bench.take(1, SmEventKind::kTbDone);  // which comes too late
  bench.settle();
  bench.take(1, SmEventKind::kPreempted);
  bench.take(0, SmEventKind::kTbDone);
  bench.settle();
  EXPECT_EQ(bench.sms_of(1), (Sms{1}));
  EXPECT_EQ(bench.core.tables().active_queue.size(), 1U);
}

// The queue closes up when a kernel ends: the next entry has moved to a row that the walk has passed already.
TEST(StaticPartition, AKernelThatMovesUpUnderAWalkIsNotMissed) {
  for (Cycle late = 0; late < 60; ++late) {
    CoreParams params = machine(2, kPartitioned);
    params.search_step_cycles = 10;
    PartitionBench bench(params, {0, 1});
    bench.launch_in(0, 0, 1);
    bench.settle();
    bench.launch_in(1, 1, 1);
    bench.run(1 + late);
    bench.take(0, SmEventKind::kTbDone);
    bench.settle();
    EXPECT_EQ(bench.core.tables().smst.claimant(1), 1U) << "the other kernel ended " << late << " cycles later";
  }
}

// Two of partition 0 end, so that both of partition 1 may slip past the survey after the write.
TEST(StaticPartition, KernelsThatMoveUpUnderASurveyAreNotMissed) {
  for (Cycle late = 0; late < 120; late += 3) {
    CoreParams params = machine(4, kPartitioned | kByPriority);
    params.search_step_cycles = 20;
    PartitionBench bench(params, {0, 1, 1, 0});
    const auto launch = [&bench](std::uint32_t context, std::uint32_t partition, std::uint32_t priority) {
      bench.launch(0, context, priority, 1, 1);
      bench.in.command.partition = partition;
      bench.settle();
    };
    launch(0, 0, 0);
    launch(0, 0, 0);
    launch(1, 1, 5);
    launch(2, 1, 2);
    ASSERT_EQ(bench.sms_of(3), (Sms{})) << "a more urgent kernel has the partition for itself";
    bench.write(ControlRegister::kPriority, 2, 5);
    bench.run(1 + late);
    bench.take(0, SmEventKind::kTbDone);
    bench.take(3, SmEventKind::kTbDone);
    bench.settle();
    EXPECT_EQ(bench.sms_of(3), (Sms{2})) << "the two ended from " << late << " cycles after the write on";
  }
}

// Without the policy there are no partitions, and the write is as if it had not been.
TEST(StaticPartition, WithoutItAPartitionWriteChangesNothing) {
  CoreParams params = machine(2, kPpq);
  params.policies = 0x3F;
  CoreBench bench(params);
  bench.settle();
  bench.write(ControlRegister::kPartition, 0, sm_partition_data(1, 1));
  bench.run(40);
  EXPECT_TRUE(bench.when(is_invoked).empty());
  EXPECT_EQ(bench.sm(1).partition, 0U);
}

}  // namespace
}  // namespace tessera::rtl_model::test
