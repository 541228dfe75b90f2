// SPDX-License-Identifier: Apache-2.0
// Static partitions on the tables alone. What a partition shares with edf and ppq is tested there: here, that a step is
// about one partition, which one that is, and that no SM goes elsewhere.
#include "tests/model/policy/support.h"

namespace tessera::policy {
namespace {

using spec::Access;
using spec::ExclusiveScope;
using spec::PartitionOrder;
using test::DoesNothing;
using test::moves_of;
using test::next_step;

MATCHER(Passes, "") { return arg.action == Action::kPass; }

constexpr std::uint32_t kPartitionedSms = 6;

// SMs 0 to 2 are partition 0, 3 and 4 are partition 1, and 5 is in none.
class PartitionedTables : public test::Tables {
 public:
  PartitionedTables() : Tables(kPartitionedSms) {
    set_partitioned(true);
    for (const std::uint16_t sm : {3, 4}) set_partition(SmId(sm), PartitionId{1});
    set_partition(SmId{5}, PartitionId{2});
  }
  KsrId add_to(std::uint8_t partition, std::uint64_t deadline_unit, std::uint32_t num_tbs = 1000) {
    test::KernelSays says;
    says.num_tbs = num_tbs;
    says.deadline_unit = deadline_unit;
    says.priority = static_cast<std::uint32_t>(100 - deadline_unit);
    says.partition = partition;
    return add(says);
  }
};

std::unique_ptr<IPolicy> partitions(Access access = Access::kExclusive, ExclusiveScope scope = ExclusiveScope::kNeeded,
                                    PartitionOrder order = PartitionOrder::kEdf) {
  PolicyConfig config = test::config(spec::PolicyKind::kStaticPartition, kPartitionedSms, 4, access);
  config.scheduler.exclusive_scope = scope;
  config.scheduler.order = order;
  return make_policy(config);
}

// ---- a partition keeps to itself ---------------------------------------------------------------------------------

TEST(StaticPartition, AKernelGetsTheSmsOfItsPartitionAndNoOthers) {
  PartitionedTables tables;
  const KsrId kernel = tables.add_to(1, 9);
  const auto policy = partitions();
  EXPECT_THAT(moves_of(*policy, tables),
              testing::ElementsAre(test::assign(SmId{3}, kernel), test::assign(SmId{4}, kernel)));
}

TEST(StaticPartition, TheMostUrgentKernelTakesSmsOfItsOwnPartitionOnly) {
  for (const PartitionOrder order : {PartitionOrder::kEdf, PartitionOrder::kPriority}) {
    PartitionedTables tables;
    const KsrId late = tables.add_to(0, 90);
    const KsrId other = tables.add_to(1, 99);
    tables.give(late, {0, 1, 2});
    tables.give(other, {3, 4});
    const KsrId urgent = tables.add_to(0, 1);
    const auto policy = partitions(Access::kExclusive, ExclusiveScope::kNeeded, order);
    EXPECT_THAT(moves_of(*policy, tables),
                testing::ElementsAre(test::reserve(SmId{0}, urgent), test::reserve(SmId{1}, urgent),
                                     test::reserve(SmId{2}, urgent)));
  }
}

// Exclusive access is that of the partition: a more urgent kernel elsewhere keeps nothing from anybody.
TEST(StaticPartition, ExclusiveAccessEndsAtThePartition) {
  PartitionedTables tables;
  tables.give(tables.add_to(0, 1, 1), {0});
  const KsrId late = tables.add_to(0, 90);
  const KsrId other = tables.add_to(1, 99);
  EXPECT_FALSE(partitions()->may_use_idle_sm(tables, late));
  EXPECT_TRUE(partitions(Access::kShared)->may_use_idle_sm(tables, late));
  EXPECT_TRUE(partitions()->may_use_idle_sm(tables, other));
  EXPECT_THAT(moves_of(*partitions(), tables),
              testing::ElementsAre(test::assign(SmId{3}, other), test::assign(SmId{4}, other)));
}

TEST(StaticPartition, ExclusiveAccessToAllEmptiesThePartition) {
  PartitionedTables tables;
  tables.give(tables.add_to(0, 90), {0, 1});
  tables.give(tables.add_to(1, 99), {3, 4});
  const KsrId urgent = tables.add_to(0, 1, 1);
  tables.give(urgent, {2});
  EXPECT_THAT(moves_of(*partitions(), tables), testing::IsEmpty());
  EXPECT_THAT(moves_of(*partitions(Access::kExclusive, ExclusiveScope::kAll), tables),
              testing::ElementsAre(test::reserve(SmId{0}, urgent), test::reserve(SmId{1}, urgent)));
}

// ---- which partition a step is about -----------------------------------------------------------------------------

TEST(StaticPartition, PartitionsThatNeedSmsGetOneEachInTurn) {
  PartitionedTables tables;
  const KsrId a = tables.add_to(0, 90);
  const KsrId b = tables.add_to(1, 1);
  const auto policy = partitions();
  EXPECT_THAT(moves_of(*policy, tables),
              testing::ElementsAre(test::assign(SmId{0}, a), test::assign(SmId{3}, b), test::assign(SmId{1}, a),
                                   test::assign(SmId{4}, b), test::assign(SmId{2}, a)));
}

TEST(StaticPartition, OnlyPartitionsInWhichSomethingHasChangedAreLookedAt) {
  PartitionedTables tables;
  const auto policy = partitions();
  moves_of(*policy, tables);  // from now on all are at rest
  EXPECT_THAT(next_step(*policy, tables), DoesNothing());
  const KsrId kernel = tables.add_to(1, 9);
  EXPECT_EQ(next_step(*policy, tables), test::assign(SmId{3}, kernel)) << "in the first step";
}

TEST(StaticPartition, AStepThatFindsNothingPassesToTheNextPartition) {
  PartitionedTables tables;
  const auto policy = partitions();
  moves_of(*policy, tables);
  tables.give(tables.add_to(0, 9, 1), {0});
  const KsrId needy = tables.add_to(1, 9);
  EXPECT_THAT(next_step(*policy, tables), Passes());
  EXPECT_EQ(next_step(*policy, tables), test::assign(SmId{3}, needy));
}

TEST(StaticPartition, WhatHappensDuringAStepIsLookedAtByAnother) {
  PartitionedTables tables;
  const auto policy = partitions();
  moves_of(*policy, tables);
  const KsrId kernel = tables.add_to(0, 9, 1);
  tables.give(kernel, {0});
  policy->begin_step(tables);
  EXPECT_THAT(policy->step(tables), DoesNothing());
  tables.touch(PartitionId{1});
  EXPECT_THAT(policy->step(tables), Passes()) << "in another partition";
  tables.touch(PartitionId{0});
  EXPECT_THAT(policy->step(tables), Passes()) << "in its own, too";
}

TEST(StaticPartition, AStepIsAboutOnePartitionHoweverOftenItIsAsked) {
  PartitionedTables tables;
  tables.give(tables.add_to(0, 90), {0, 1, 2});
  const KsrId urgent = tables.add_to(0, 1);
  const auto policy = partitions();
  policy->begin_step(tables);
  EXPECT_EQ(policy->step(tables), test::reserve(SmId{0}, urgent));
  tables.add_to(1, 1);
  EXPECT_EQ(policy->step(tables), test::reserve(SmId{0}, urgent));
}

TEST(StaticPartition, AStepThatWasBrokenOffIsMadeUpFor) {
  PartitionedTables tables;
  const auto policy = partitions();
  moves_of(*policy, tables);
  const KsrId kernel = tables.add_to(1, 9);
  policy->begin_step(tables);  // nobody asks what it has found
  EXPECT_EQ(next_step(*policy, tables), test::assign(SmId{3}, kernel));
}

// ---- commands ----------------------------------------------------------------------------------------------------

// All of partition 1 is the kernel's by right, so that a victim is looked for in vain; partition 0 has no kernel.
TEST(StaticPartition, TheLastStepMayBeAboutAPartitionWithoutKernels) {
  PartitionedTables tables;
  const KsrId kernel = tables.add_to(1, 9, 1);
  tables.give(kernel, {3});
  const auto policy = partitions(Access::kExclusive, ExclusiveScope::kAll);
  const std::vector<Decision> steps = policy->possible_steps(tables);
  EXPECT_THAT(steps, testing::ElementsAre(DoesNothing(), DoesNothing()));
}

TEST(StaticPartition, CommandsOfAllPartitionsEnterInOneOrder) {
  for (const PartitionOrder order : {PartitionOrder::kEdf, PartitionOrder::kPriority}) {
    PartitionedTables tables;
    tables.wait(0, 0, 1, 0, 8);
    tables.wait(1, 1, 2, 1, 7);
    tables.command(CommandBufferId{1}).partition = PartitionId{1};
    EXPECT_EQ(partitions(Access::kExclusive, ExclusiveScope::kNeeded, order)->select_command(tables),
              CommandBufferId{1});
  }
}

// ---- registers written while kernels run -------------------------------------------------------------------------

TEST(StaticPartition, AnSmThatWasMovedIsTakenFromItsKernelFirst) {
  PartitionedTables tables;
  const KsrId foreign = tables.add_to(1, 0);  // the most urgent of all
  const KsrId late = tables.add_to(0, 90);
  tables.give(foreign, {3, 4});
  tables.give(late, {0, 1, 2});
  tables.set_partition(SmId{4}, PartitionId{0});
  const KsrId urgent = tables.add_to(0, 1, 2);
  EXPECT_THAT(moves_of(*partitions(), tables),
              testing::ElementsAre(test::reserve(SmId{4}, urgent), test::reserve(SmId{0}, urgent)));
}

// A policy write makes all SMs suspects, a move clears its own.
TEST(StaticPartition, ABitSaysWhichSmsMayBeForeign) {
  PartitionedTables tables;
  tables.give(tables.add_to(0, 90), {0, 1, 2});
  EXPECT_FALSE(tables.is_foreign(SmId{0})) << "it was assigned since";
  EXPECT_FALSE(tables.is_foreign(SmId{3})) << "it is idle";
  tables.set_partitioned(true);
  EXPECT_TRUE(tables.is_foreign(SmId{0})) << "it may be";
  tables.clear_false_foreign();
  EXPECT_FALSE(tables.is_foreign(SmId{0})) << "it is not";
  tables.set_partition(SmId{1}, PartitionId{1});
  tables.clear_false_foreign();
  EXPECT_TRUE(tables.is_foreign(SmId{1}));
}

// The least urgent kernel of the partition holds SMs of another one alone: none of its is to be had.
TEST(StaticPartition, AVictimWithoutAnSmInThePartitionLosesNone) {
  PartitionedTables tables;
  const KsrId least = tables.add_to(0, 90);
  const KsrId less = tables.add_to(0, 50);
  tables.give(least, {0});
  tables.give(less, {1, 2});
  tables.add_to(0, 1);
  tables.set_partition(SmId{0}, PartitionId{1});
  EXPECT_THAT(next_step(*partitions(), tables), Passes());
}

TEST(StaticPartition, AnSmThatNobodyNeedsThereStaysWithItsKernel) {
  PartitionedTables tables;
  tables.give(tables.add_to(1, 0), {3, 4});
  tables.set_partition(SmId{4}, PartitionId{0});
  EXPECT_THAT(moves_of(*partitions(), tables), testing::IsEmpty());
}

// A machine whose registers nobody has written is one partition.
TEST(StaticPartition, WithoutPartitionsItDoesWhatEdfDoes) {
  test::Tables tables(3);
  tables.set_partitioned(true);
  test::KernelSays late;
  late.deadline_unit = 9;
  tables.give(tables.add(late), {0, 1, 2});
  test::KernelSays urgent;
  urgent.deadline_unit = 3;
  tables.add(urgent);
  const auto edf = make_policy(test::config(spec::PolicyKind::kEdf, 3, 4));
  const auto policy = make_policy(test::config(spec::PolicyKind::kStaticPartition, 3, 4));
  EXPECT_EQ(next_step(*policy, tables), next_step(*edf, tables));
}

}  // namespace
}  // namespace tessera::policy
