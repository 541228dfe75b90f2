// SPDX-License-Identifier: Apache-2.0
// Claims about the core's registers as plain values: what lockstep compares and the invariants recount.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rtl_model/scheduler_bench.h"

namespace tessera::rtl_model::test {
namespace {

using spec::PolicyKind;
using testing::ElementsAre;
using testing::IsEmpty;

CoreSnapshot snapshot_of(SchedulerBench& bench) {
  CoreSnapshot snapshot;
  bench.core.read(snapshot);
  return snapshot;
}

TEST(Snapshot, AfterResetTablesAreEmptyAndNobodyOwnsAnSm) {
  SchedulerBench bench(machine(2, 3, PolicyKind::kDss));
  const CoreSnapshot core = snapshot_of(bench);
  EXPECT_EQ(core.command_buffers.size(), bench.params.num_command_buffers);
  EXPECT_EQ(core.last_buffer, bench.params.num_command_buffers - 1);
  EXPECT_THAT(core.command_ages, IsEmpty());
  EXPECT_THAT(core.active_queue, IsEmpty());
  ASSERT_EQ(core.smst.size(), 2U);
  EXPECT_EQ(core.smst[1].state, 0U);
  EXPECT_EQ(core.smst[1].ksr, kNone);
  EXPECT_EQ(core.smst[1].next, kNone);
  EXPECT_EQ(core.pool, 2U % 3);
  EXPECT_EQ(core.policy, policy_register(bench.params.scheduler));
  EXPECT_TRUE(core.is_policy_at_rest);
}

TEST(Snapshot, CommandsWaitInTheOrderOfTheirArrival) {
  SchedulerBench bench(machine(1));
  bench.launch(2, 1, 5, 7, 2);
  bench.tick();
  bench.launch(0, 0, 0, 1, 1);
  bench.tick();
  const CoreSnapshot core = snapshot_of(bench);
  EXPECT_THAT(core.command_ages, ElementsAre(2U, 0U));
  EXPECT_TRUE(core.command_buffers[2].valid);
  EXPECT_EQ(core.command_buffers[2].priority, 5U);
  EXPECT_EQ(core.command_buffers[2].num_tbs, 7U);
  EXPECT_EQ(core.command_buffers[2].descriptor, SchedulerBench::descriptor_of(2));
  EXPECT_FALSE(core.command_buffers[1].valid);
  EXPECT_FALSE(core.is_policy_at_rest);
}

TEST(Snapshot, HoldsTheHandlesOfASavedSm) {
  spec::Spec spec = machine(1, 2, PolicyKind::kPpq);
  spec.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  SchedulerBench bench(spec);
  bench.launch(0, 0, 0, 3, 2);
  bench.settle();
  bench.launch(1, 1, 1, 1, 1);
  bench.run(1);
  while (!bench.out().idle) bench.tick();
  EXPECT_EQ(snapshot_of(bench).smst[0].next, 1U);
  for (const std::uint32_t tb : {0U, 1U}) {
    bench.handle(0, tb);
    bench.tick();
    EXPECT_THAT(snapshot_of(bench).ptbq[0], IsEmpty());  // they do not count yet
  }
  const std::uint64_t first_stack_pointer = 700;  // SchedulerBench::handle
  bench.take(0, SmEventKind::kPreempted);
  const CoreSnapshot core = snapshot_of(bench);
  EXPECT_THAT(core.ptbq[0], ElementsAre(first_stack_pointer, std::uint64_t{1} << 32 | (first_stack_pointer + 1)));
  EXPECT_THAT(core.active_queue, ElementsAre(0U, 1U));
  EXPECT_EQ(core.ksrt[0].remaining, 1U);
  EXPECT_EQ(core.ksrt[0].outstanding, 2U);
  EXPECT_EQ(core.smst[0].ksr, 1U);
  EXPECT_EQ(core.smst[0].next, kNone);
}

TEST(Snapshot, ShowsThePolicyRegisterWithoutAReservedCode) {
  SchedulerBench bench(machine(1, 3, PolicyKind::kTimeSlice));
  bench.write(ControlRegister::kPolicy, 0, 0b1111'101);
  bench.run(1);
  EXPECT_EQ(snapshot_of(bench).policy, 0b1111'100U);
  bench.write(ControlRegister::kPolicy, 0, 0b0010'010);
  bench.run(1);
  EXPECT_EQ(snapshot_of(bench).policy, 0b0010'010U);
}

}  // namespace
}  // namespace tessera::rtl_model::test
