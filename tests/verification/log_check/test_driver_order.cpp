// SPDX-License-Identifier: Apache-2.0
// The log of a driver that holds groups back: a submission out of turn is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/record/driver/support.h"
#include "tests/verification/log_check/support.h"

namespace tessera::verification {
namespace {

using namespace record;
using namespace test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(DriverOrder, LetsOneGroupOfPrtBeOnline) {
  const LogFacts facts = machine_with(three_tasks(cs::Dispatch::kPrt));
  EXPECT_THAT(violations({arrived(1, 1, 0), submitted(1, 1, 0), arrived(2, 1, 1), submitted(2, 1, 1)}, facts),
              ElementsAre(HasSubstr("cycle 2: group_submitted process 1: 2 groups are online, 1 may be")));
  EXPECT_THAT(violations({arrived(1, 1, 0), submitted(1, 1, 0), arrived(3, 0, 1), submitted(3, 0, 1)}, facts),
              ElementsAre(HasSubstr("cycle 3: group_submitted process 0: a group of process 1 is online")));
}

TEST(DriverOrder, LetsGroupsOfOneHtTaskBeOnline) {
  DriverFacts facts = three_tasks(cs::Dispatch::kHt);
  std::vector<Record> chain;
  for (std::uint64_t group = 0; group < 3; ++group)
    chain = and_also(chain, {arrived(1 + group, 1, group), submitted(1 + group, 1, group)});
  EXPECT_THAT(violations(chain, machine_with(facts)), IsEmpty());
  facts.max_online = 2;
  EXPECT_THAT(violations(chain, machine_with(facts)),
              ElementsAre(HasSubstr("cycle 3: group_submitted process 1: 3 groups are online, 2 may be")));
  EXPECT_THAT(
      violations({arrived(1, 1, 0), submitted(1, 1, 0), arrived(3, 0, 1), submitted(3, 0, 1)}, machine_with(facts)),
      ElementsAre(HasSubstr("a group of process 1 is online")));
}

TEST(DriverOrder, LetsNobodyPassWhoIsMoreUrgentAndReady) {
  // MP goes on though HP waits.
  const std::vector<Record> chain{arrived(1, 1, 0), submitted(1, 1, 0), arrived(3, 0, 1), arrived(4, 1, 2),
                                  submitted(4, 1, 2)};
  EXPECT_THAT(violations(chain, machine_with(three_tasks(cs::Dispatch::kHt))),
              ElementsAre(HasSubstr("cycle 4: group_submitted process 1: process 0 is more urgent, and ready")));
  DriverFacts equal = three_tasks(cs::Dispatch::kHt);
  equal.plan.tasks[0].parameters.priority = 2;
  EXPECT_THAT(violations(chain, machine_with(equal)), IsEmpty());
}

// HP has a reserve with C = 10, T = 1000, which its first group of 20 exhausts.
TEST(DriverOrder, LetsAGroupPassWhoHasNoBudget) {
  DriverFacts facts = three_tasks(cs::Dispatch::kPrt);
  facts.plan.reserves = {{"HP", {10, 1000, 0, false}}};
  facts.plan.tasks[0].parameters.reserve = cs::ReserveId(0);
  std::vector<Record> log{arrived(1, 0, 0),   submitted(1, 0, 0),  arrived(2, 0, 1),   arrived(2, 2, 2),
                          done(21, 0, 0, 20), suspended(21, 0, 1), submitted(21, 2, 2)};
  EXPECT_THAT(violations(log, machine_with(facts)), IsEmpty());
  facts.plan.reserves[0].parameters.capacity = 21;  // enough, so that nobody would be suspended
  log = without(log, suspended(21, 0, 1));
  EXPECT_THAT(violations(log, machine_with(facts)), ElementsAre(HasSubstr("process 0 is more urgent, and ready")));
}

TEST(DriverOrder, KeepsTheQueueOfAReserve) {
  DriverFacts facts = three_tasks(cs::Dispatch::kPrt);
  facts.plan.reserves = {{"@shared", {10, 1000, 0, false}}};
  facts.plan.tasks = {task(cs::Dispatch::kPrt, 1), task(cs::Dispatch::kPrt, 1, 0), task(cs::Dispatch::kPrt, 1, 0)};
  const std::vector<Record> before{arrived(1, 0, 0), submitted(1, 0, 0), arrived(2, 2, 1), arrived(3, 1, 2),
                                   done(5, 0, 0, 4)};
  EXPECT_THAT(violations(and_also(before, {submitted(5, 2, 1)}), machine_with(facts)), IsEmpty());
  EXPECT_THAT(violations(and_also(before, {submitted(5, 1, 2)}), machine_with(facts)),
              ElementsAre(HasSubstr("cycle 5: group_submitted process 1: process 2 stands before it")));
  facts.plan.tasks[1].parameters.priority = 2;
  EXPECT_THAT(violations(and_also(before, {submitted(5, 1, 2)}), machine_with(facts)), IsEmpty());
}

TEST(DriverOrder, LeavesNobodyWhoIsReadyToAnIdleGpu) {
  const LogFacts facts = machine_with(three_tasks(cs::Dispatch::kPrt));
  EXPECT_THAT(violations({arrived(1, 1, 0)}, facts),
              ElementsAre(HasSubstr("cycle 1: group_arrived process 1: nothing is online, and process 1 is ready")));
  // With a reserve: from the replenishment on.
  const LogFacts reserved = machine_with(one_reserve(false));
  std::vector<Record> log = pe_log();
  log.resize(8);  // until the third waits
  EXPECT_THAT(violations(log, reserved), IsEmpty());
  EXPECT_THAT(violations(and_also(log, {replenished(101, 0, 10)}), reserved),
              ElementsAre(HasSubstr("cycle 101: budget_replenished: nothing is online, and process 0 is ready")));
}

TEST(DriverOrder, IsNotSureOfAPredictionThatWasTooHighOnce) {
  const std::vector<Record> log{arrived(1, 0, 0, 20),  submitted(1, 0, 0, 20), done(21, 0, 0, 20),
                                arrived(31, 0, 1, 50), suspended(31, 0, 1),    replenished(101, 0, 55)};
  EXPECT_THAT(violations(log, machine_with(one_reserve(true))), IsEmpty());
}

TEST(DriverOrder, LetsWhoIsMoreUrgentJoinOnPreemptiveHardware) {
  DriverFacts facts = three_tasks(cs::Dispatch::kPrt);
  facts.lets_higher_join = true;
  const std::vector<Record> log{arrived(1, 1, 0), submitted(1, 1, 0), arrived(3, 0, 1), submitted(3, 0, 1)};
  EXPECT_THAT(violations(log, machine_with(facts)), IsEmpty());
  facts.plan.tasks[0].parameters.priority = 2;
  EXPECT_THAT(violations(log, machine_with(facts)), ElementsAre(HasSubstr("a group of process 1 is online")));
}

TEST(DriverOrder, IsNotJudgedWhereEachEngineHasAList) {
  DriverFacts facts = three_tasks(cs::Dispatch::kPrt);
  facts.has_online_list_per_engine = true;
  EXPECT_THAT(
      violations({arrived(1, 1, 0), submitted(1, 1, 0), arrived(3, 2, 1), submitted(3, 2, 1)}, machine_with(facts)),
      IsEmpty());
}

}  // namespace
}  // namespace tessera::verification
