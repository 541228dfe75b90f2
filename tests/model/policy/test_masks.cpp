// SPDX-License-Identifier: Apache-2.0
// Static partitions whose masks overlap, on the tables alone (docs/concepts/partitions.md, Overlapping masks): who gets
// an SM of several masks, and that nothing else changes.
#include <random>

#include "tests/model/policy/support.h"

namespace tessera::policy {
namespace {

using spec::Access;
using spec::ExclusiveScope;
using test::moves_of;
using testing::ElementsAre;

constexpr std::uint32_t kMaskedSms = 6;

SmSet sms_of(const std::vector<std::uint32_t>& sms) {
  SmSet set;
  for (const std::uint32_t sm : sms) set.set(sm);
  return set;
}

// Partition 0 has SMs 0 to 2, partition 1 has SMs 2 and 3, partition 2 has SM 4; SM 5 is in none.
class MaskedTables : public test::Tables {
 public:
  MaskedTables() : Tables(kMaskedSms) {
    set_partitioned(true);
    set_partition(SmId{3}, PartitionId{1});
    set_partition(SmId{4}, PartitionId{2});
    set_partition(SmId{5}, PartitionId{3});
    set_mask(PartitionId{0}, sms_of({0, 1, 2}));
    set_mask(PartitionId{1}, sms_of({2, 3}));
    set_mask(PartitionId{2}, sms_of({4}));
  }
  KsrId add_to(std::uint8_t partition, std::uint64_t deadline_unit, std::uint32_t num_tbs = 1000) {
    test::KernelSays says;
    says.num_tbs = num_tbs;
    says.deadline_unit = deadline_unit;
    says.partition = partition;
    return add(says);
  }
};

std::unique_ptr<IPolicy> masks(Access access = Access::kExclusive, ExclusiveScope scope = ExclusiveScope::kNeeded,
                               std::uint32_t num_sms = kMaskedSms) {
  PolicyConfig config = test::config(spec::PolicyKind::kStaticPartition, num_sms, 4, access);
  config.scheduler.exclusive_scope = scope;
  return make_policy(config);
}

TEST(PartitionMasks, PartitionsThatShareAnSmAreOneGroupUnderTheLowestNumber) {
  const MaskedTables tables;
  EXPECT_EQ(tables.group(PartitionId{1}), PartitionId{0});
  EXPECT_EQ(tables.group(PartitionId{2}), PartitionId{2});
  EXPECT_EQ(tables.num_partitions_of(SmId{2}), 2U);
  EXPECT_EQ(tables.num_partitions_of(SmId{3}), 1U);
}

TEST(PartitionMasks, AGroupIsOneThroughOthersAndFallsApartWithItsMasks) {
  MaskedTables tables;
  tables.set_mask(PartitionId{2}, sms_of({4, 3}));
  EXPECT_EQ(tables.group(PartitionId{2}), PartitionId{0}) << "through 1";
  tables.set_mask(PartitionId{1}, sms_of({3}));
  EXPECT_EQ(tables.group(PartitionId{1}), PartitionId{1});
  EXPECT_EQ(tables.group(PartitionId{2}), PartitionId{1});
}

TEST(PartitionMasks, AKernelTakesIdleSmsThatOthersCannotUseFirst) {
  MaskedTables tables;
  const KsrId kernel = tables.add_to(1, 9);
  const auto policy = masks();
  EXPECT_THAT(moves_of(*policy, tables), ElementsAre(test::assign(SmId{3}, kernel), test::assign(SmId{2}, kernel)));
}

TEST(PartitionMasks, AnIdleSmOfTwoMasksGoesToTheMoreUrgentKernel) {
  MaskedTables tables;
  const KsrId late = tables.add_to(0, 90);
  const KsrId urgent = tables.add_to(1, 10);
  const auto policy = masks();
  EXPECT_THAT(moves_of(*policy, tables), ElementsAre(test::assign(SmId{3}, urgent), test::assign(SmId{2}, urgent),
                                                     test::assign(SmId{0}, late), test::assign(SmId{1}, late)));
}

TEST(PartitionMasks, AnUrgentKernelTakesASharedSmFromALessUrgentOneOfAnotherPartition) {
  MaskedTables tables;
  tables.give(tables.add_to(0, 90), {0, 1, 2});
  const KsrId urgent = tables.add_to(1, 10);
  const auto policy = masks();
  EXPECT_THAT(moves_of(*policy, tables), ElementsAre(test::assign(SmId{3}, urgent), test::reserve(SmId{2}, urgent)));
}

TEST(PartitionMasks, ALessUrgentKernelTakesNoSharedSm) {
  MaskedTables tables;
  tables.give(tables.add_to(0, 10), {0, 1, 2});
  const KsrId late = tables.add_to(1, 90);
  const auto policy = masks();
  EXPECT_THAT(moves_of(*policy, tables), ElementsAre(test::assign(SmId{3}, late)));
}

TEST(PartitionMasks, OfSeveralVictimsTheLeastUrgentGivesItsSm) {
  MaskedTables tables;
  tables.give(tables.add_to(1, 50, 1), {2});
  tables.give(tables.add_to(0, 90), {0, 1});
  tables.give(tables.add_to(1, 51, 1), {3});
  const KsrId urgent = tables.add_to(0, 10, 1);
  const auto policy = masks(Access::kShared);
  EXPECT_THAT(moves_of(*policy, tables), ElementsAre(test::reserve(SmId{0}, urgent)));
}

// Who keeps SMs from whom is a matter of each partition.
TEST(PartitionMasks, ExclusiveAccessKeepsASharedSmFromTheOwnPartitionOnly) {
  MaskedTables tables;
  tables.give(tables.add_to(0, 1, 1), {0});
  const KsrId behind = tables.add_to(0, 90);
  const KsrId other = tables.add_to(1, 99);
  const auto policy = masks();
  EXPECT_FALSE(policy->may_use_idle_sm(tables, behind));
  EXPECT_TRUE(policy->may_use_idle_sm(tables, other));
  EXPECT_THAT(moves_of(*policy, tables), ElementsAre(test::assign(SmId{3}, other), test::assign(SmId{2}, other)));
}

TEST(PartitionMasks, ExclusiveAccessToAllEmptiesThePartitionAndNoOther) {
  MaskedTables tables;
  tables.give(tables.add_to(0, 90, 2), {0, 1});
  tables.give(tables.add_to(1, 99, 1), {2});
  const KsrId urgent = tables.add_to(0, 1, 0);
  const auto policy = masks(Access::kExclusive, ExclusiveScope::kAll);
  EXPECT_THAT(moves_of(*policy, tables), ElementsAre(test::reserve(SmId{0}, urgent), test::reserve(SmId{1}, urgent)));
}

TEST(PartitionMasks, ASharedSmThatLeavesAMaskIsTakenFromItsKernelFirst) {
  MaskedTables tables;
  const KsrId foreign = tables.add_to(0, 1);
  tables.give(foreign, {0, 1, 2});
  tables.set_partition(SmId{2}, PartitionId{1});
  tables.set_mask(PartitionId{0}, sms_of({0, 1}));
  const KsrId late = tables.add_to(1, 90);
  tables.give(late, {3});
  const auto policy = masks();
  EXPECT_THAT(moves_of(*policy, tables), ElementsAre(test::reserve(SmId{2}, late)));
}

TEST(PartitionMasks, GroupsTakeTurns) {
  MaskedTables tables;
  const KsrId one = tables.add_to(1, 9);
  const KsrId alone = tables.add_to(2, 9);
  const auto policy = masks();
  EXPECT_THAT(moves_of(*policy, tables),
              ElementsAre(test::assign(SmId{3}, one), test::assign(SmId{4}, alone), test::assign(SmId{2}, one)));
}

TEST(PartitionMasks, ADisjointMaskDoesAsAPartitionDoes) {
  MaskedTables tables;
  const KsrId kernel = tables.add_to(2, 9);
  const auto policy = masks();
  EXPECT_THAT(moves_of(*policy, tables), ElementsAre(test::assign(SmId{4}, kernel)));
}

// At rest, whatever the masks: nobody needs an SM that is idle in its mask, or that a less urgent kernel has.
TEST(PartitionMasks, AtRestNoUrgentKernelLacksWhatALessUrgentOneHas) {
  std::mt19937_64 random(7);
  const auto below = [&random](std::uint64_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  for (int round = 0; round < 3000; ++round) {
    constexpr std::uint32_t kSms = 8;
    constexpr std::uint32_t kPartitions = 4;
    test::Tables tables(kSms);
    tables.set_partitioned(true);
    for (std::uint8_t id = 0; id < kPartitions; ++id) {
      SmSet mask = SmSet::of(below(kSms));
      for (std::uint32_t sm = 0; sm < kSms; ++sm) mask.set(sm, mask.has(sm) || below(3) == 0);
      tables.set_mask(PartitionId{id}, mask);
    }
    for (std::uint16_t sm = 0; sm < kSms; ++sm) tables.set_partition(SmId{sm}, PartitionId(kPartitions + below(2)));
    const auto policy = masks(below(2) == 0 ? Access::kExclusive : Access::kShared, ExclusiveScope::kNeeded, kSms);
    for (std::uint32_t kernel = 0; kernel < 6; ++kernel) {
      test::KernelSays says;
      says.num_tbs = 1 + below(6);
      says.deadline_unit = below(5);
      says.partition = static_cast<std::uint8_t>(below(kPartitions));
      tables.add(says);
      ASSERT_LT(moves_of(*policy, tables).size(), 100U);
    }
    for (const KsrId id : tables.active_queue()) {
      const KsrEntry& ksr = tables.ksr(id);
      if (ksr.uncovered_tbs() <= 0 || !policy->may_use_idle_sm(tables, id)) continue;
      for (std::uint16_t sm = 0; sm < kSms; ++sm) {
        if (!tables.is_in_partition(id, SmId{sm})) continue;
        const KsrId claimant = tables.claimant(SmId{sm});
        ASSERT_NE(claimant, kNoKsr) << "round " << round << ": SM " << sm << " is idle";
        EXPECT_TRUE(tables.is_in_partition(claimant, SmId{sm}));
        EXPECT_LE(tables.ksr(claimant).deadline_unit, ksr.deadline_unit) << "round " << round << ", SM " << sm;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::policy
