// SPDX-License-Identifier: Apache-2.0
// fcfs and npq on the tables alone: who enters the engine, and who gets an idle SM.
#include "tests/model/policy/support.h"

namespace tessera::policy {
namespace {

using spec::PolicyKind;
using test::DoesNothing;
using test::Tables;

std::unique_ptr<IPolicy> fcfs() { return make_policy(test::config(PolicyKind::kFcfs, 4, 4)); }
std::unique_ptr<IPolicy> npq() { return make_policy(test::config(PolicyKind::kNpq, 4, 4)); }

TEST(OneContextPolicy, FcfsTakesTheEarliestArrivalWhateverItsBufferAndPriority) {
  Tables tables(4);
  EXPECT_EQ(fcfs()->select_command(tables), kNoCommandBuffer);
  tables.wait(0, 0, 9, 12);
  tables.wait(2, 2, 0, 11);
  EXPECT_EQ(fcfs()->select_command(tables), CommandBufferId{2});
}

TEST(OneContextPolicy, NpqTakesTheHighestPriorityThenTheEarliest) {
  Tables tables(4);
  tables.wait(0, 0, 1, 10);
  tables.wait(1, 1, 3, 12);
  tables.wait(2, 2, 3, 11);
  EXPECT_EQ(npq()->select_command(tables), CommandBufferId{2});
}

TEST(OneContextPolicy, AKernelOfTheCurrentContextFollowsBackToBack) {
  Tables tables(4);
  tables.add({1});
  tables.wait(1, 1, 0, 10);
  EXPECT_EQ(fcfs()->select_command(tables), CommandBufferId{1});
  EXPECT_EQ(npq()->select_command(tables), CommandBufferId{1});
}

TEST(OneContextPolicy, TheFirstInOrderBlocksThoseBehindItWhileAnotherContextRuns) {
  Tables tables(4);
  const KsrId running = tables.add({1});
  tables.wait(1, 1, 0, 11);
  tables.wait(2, 2, 1, 10);
  EXPECT_EQ(fcfs()->select_command(tables), kNoCommandBuffer);
  EXPECT_EQ(npq()->select_command(tables), kNoCommandBuffer);
  tables.deactivate(running);
  EXPECT_EQ(fcfs()->select_command(tables), CommandBufferId{2});
  EXPECT_EQ(npq()->select_command(tables), CommandBufferId{2});
}

TEST(OneContextPolicy, TheLowestIdleSmGoesToTheEarliestKernelWithUncoveredTbs) {
  Tables tables(4);
  const KsrId covered = tables.add({0, 0, 4, 4, 0});
  const KsrId second = tables.add({0, 0, 8, 4, 0});
  tables.add({0, 7, 8, 4, 0});
  tables.assign(SmId{0}, covered);
  for (const auto& policy : {fcfs(), npq()}) EXPECT_EQ(policy->step(tables), test::assign(SmId{1}, second));
}

TEST(OneContextPolicy, NobodyIsPreempted) {
  Tables tables(2);
  const KsrId low = tables.add({0, 0});
  tables.add({0, 5});
  tables.give(low, {0, 1});
  for (const auto& policy : {fcfs(), npq()}) EXPECT_THAT(policy->step(tables), DoesNothing());
}

TEST(OneContextPolicy, IdleSmsStayIdleWhenEveryTbIsCovered) {
  Tables tables(2);
  const KsrId k = tables.add({0, 0, 4, 4, 0});
  tables.assign(SmId{0}, k);
  EXPECT_THAT(fcfs()->step(tables), DoesNothing());
}

}  // namespace
}  // namespace tessera::policy
