// SPDX-License-Identifier: Apache-2.0
// The log of a driver that holds groups back: a budget that does not follow from what came before is named.
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

std::vector<std::string> pe_violations(const std::vector<Record>& log) {
  return violations(log, machine_with(one_reserve(false)));
}
std::vector<std::string> ae_violations(const std::vector<Record>& log) {
  return violations(log, machine_with(one_reserve(true)));
}

TEST(DriverBudgets, OfPosteriorEnforcementAreTheLeastOfCapacityAndRest) {
  EXPECT_THAT(pe_violations(with(pe_log(), replenished(301, 0, 40), replenished(301, 0, 41))),
              ElementsAre(HasSubstr("cycle 301: budget_replenished: reserve 0 has 41 cycles, it should be 40")));
  EXPECT_THAT(pe_violations(with(pe_log(), replenished(201, 0, 7), replenished(201, 0, 40))),
              Contains(HasSubstr("cycle 201: budget_replenished: reserve 0 has 40 cycles, it should be 7")));
}

TEST(DriverBudgets, OfAPrioriEnforcementGrowWithTheGroupThatWaits) {
  EXPECT_THAT(ae_violations(with(ae_log(), replenished(101, 0, 50), replenished(101, 0, 61))),
              Contains(HasSubstr("reserve 0 has 61 cycles, it should be 40 to 60")));
  EXPECT_THAT(ae_violations(with(ae_log(), replenished(101, 0, 50), replenished(101, 0, 39))),
              Contains(HasSubstr("reserve 0 has 39 cycles, it should be 40 to 60")));
  // Nobody waits: there is nothing to save for.
  const std::vector<Record> idle{arrived(1, 0, 0, 20), submitted(1, 0, 0, 20), done(21, 0, 0, 20)};
  EXPECT_THAT(ae_violations(and_also(idle, {replenished(101, 0, 40)})), IsEmpty());
  EXPECT_THAT(ae_violations(and_also(idle, {replenished(101, 0, 41)})), Contains(HasSubstr("it should be 40")));
}

TEST(DriverBudgets, MayBeInDebtAfterAReplenishment) {
  // PE, a group of 250: at 250 the budget is -210, then -170.
  EXPECT_THAT(pe_violations({arrived(1, 0, 0), submitted(1, 0, 0), replenished(101, 0, 40), replenished(201, 0, 40),
                             done(251, 0, 0, 250), replenished(301, 0, -170)}),
              IsEmpty());
}

TEST(DriverBudgets, AreReplenishedOnceAPeriodInTheCycleAfterItsEnd) {
  EXPECT_THAT(pe_violations(without(pe_log(), replenished(201, 0, 7))),
              Contains(HasSubstr("cycle 301: budget_replenished: reserve 0 was due at cycle 200")));
  EXPECT_THAT(
      pe_violations(without(pe_log(), replenished(101, 0, 10))),
      Contains(HasSubstr("cycle 101: group_submitted process 0: reserve 0 is not replenished, due at cycle 100")));
  EXPECT_THAT(pe_violations(and_also(pe_log(), {replenished(350, 0, 40)})),
              ElementsAre(HasSubstr("cycle 350: budget_replenished: reserve 0 is not due before cycle 400")));
  EXPECT_THAT(pe_violations(with(pe_log(), replenished(301, 0, 40), replenished(302, 0, 40))),
              ElementsAre(HasSubstr("cycle 302: budget_replenished: reserve 0 was due at cycle 300")));
  EXPECT_THAT(pe_violations(and_also(pe_log(), {replenished(310, 1, 40)})),
              ElementsAre(HasSubstr("there is no reserve 1")));
}

TEST(DriverBudgets, AreReplenishedAtTicksWhereThereAreTicks) {
  DriverFacts facts = one_reserve(false);
  facts.has_ticks = true;
  EXPECT_THAT(violations({arrived(31, 0, 0), submitted(31, 0, 0), done(181, 0, 0, 150), replenished(181, 0, -70)},
                         machine_with(facts)),
              IsEmpty());
  EXPECT_THAT(violations({arrived(31, 0, 0), submitted(31, 0, 0), done(281, 0, 0, 250), replenished(281, 0, -170),
                          replenished(281, 0, -130), replenished(331, 0, -90)},
                         machine_with(facts)),
              IsEmpty());
  EXPECT_THAT(violations({arrived(31, 0, 0), submitted(31, 0, 0), done(181, 0, 0, 150)}, machine_with(facts)),
              Contains(HasSubstr("cycle 181: group_done process 0: reserve 0 is not replenished, due at cycle 100")));
}

TEST(DriverBudgets, OfNothingLetNobodyRun) {
  const std::vector<Record> log =
      without(with(pe_log(), submitted(101, 0, 2), submitted(91, 0, 2)), suspended(91, 0, 2));
  EXPECT_THAT(pe_violations(log),
              Contains(HasSubstr("cycle 91: group_submitted process 0: group 2 may cost 0, its budget is -30")));
}

TEST(DriverBudgets, LetAPredictedGroupRunThatTheyCover) {
  std::vector<Record> log = without(ae_log(), suspended(206, 0, 3));
  log = with(log, submitted(301, 0, 3, 38), submitted(206, 0, 3, 38));
  EXPECT_THAT(ae_violations(log),
              Contains(HasSubstr("cycle 206: group_submitted process 0: group 3 may cost 38, its budget is 35")));
  log = with(log, submitted(206, 0, 3, 38), submitted(206, 0, 3, 35));
  EXPECT_THAT(ae_violations(log), Not(Contains(HasSubstr("group_submitted"))));
}

TEST(DriverBudgets, SuspendNobodyThatTheyCover) {
  EXPECT_THAT(pe_violations(and_also(pe_log(), {suspended(104, 0, 3)})),
              ElementsAre(HasSubstr("cycle 104: group_suspended process 0: its budget is 10")));
  EXPECT_THAT(pe_violations({arrived(1, 1, 0), suspended(1, 1, 0)}),
              Contains(HasSubstr("cycle 1: group_suspended process 1: its process has no reserve")));
}

TEST(DriverBudgets, ChargeTheTimeFromSubmissionOrTheLastCompletion) {
  EXPECT_THAT(
      pe_violations(with(pe_log(), done(81, 0, 1, 50), done(81, 0, 1, 49))),
      Contains(HasSubstr("cycle 81: group_done process 0: charges 49 cycles for group 1, it had the GPU for 50")));
  EXPECT_THAT(
      violations(with(ht_log(), done(10, 1, 1, 4), done(10, 1, 1, 8)), machine_with(three_tasks(cs::Dispatch::kHt))),
      ElementsAre(HasSubstr("charges 8 cycles for group 1, it had the GPU for 4")));
}

TEST(DriverBudgets, ChargeWhatTheHardwareSaysWhereItIsAsked) {
  DriverFacts facts = one_reserve(false);
  facts.accounting = cs::Accounting::kMeasured;
  EXPECT_THAT(violations({arrived(1, 0, 0), submitted(1, 0, 0), done(81, 0, 0, 50), replenished(101, 0, 30)},
                         machine_with(facts)),
              IsEmpty());
}

TEST(DriverBudgets, MayBeChargedWhileAGroupRuns) {
  // Of 250 cycles 100 are charged at 100 and at 200: 40 - 100 + 40 = -20, -80, and -130 at the end.
  DriverFacts facts = one_reserve(false);
  facts.accounting = cs::Accounting::kContinuous;
  std::vector<Record> log{arrived(1, 0, 0),         submitted(1, 0, 0),   replenished(101, 0, -20),
                          replenished(201, 0, -80), done(251, 0, 0, 250), replenished(301, 0, -90)};
  EXPECT_THAT(violations(log, machine_with(facts)), IsEmpty());
  EXPECT_THAT(violations(with(log, replenished(201, 0, -80), replenished(201, 0, 20)), machine_with(facts)),
              Contains(HasSubstr("reserve 0 has 20 cycles, it should be -80")));
}

TEST(DriverBudgets, BoundWhatIsSubmittedWithinAPeriod) {
  // Below 2 C + the longest of 30: 109 at most. Four of 30 are submitted in 100 cycles.
  std::vector<Record> log;
  for (std::uint64_t group = 0; group < 4; ++group) {
    const Cycle start = 1 + 25 * group;
    log = and_also(log, {arrived(start, 0, group), submitted(start, 0, group), done(start + 24, 0, group, 30)});
  }
  DriverFacts facts = one_reserve(false);
  facts.accounting = cs::Accounting::kMeasured;
  EXPECT_THAT(violations(log, machine_with(facts)),
              Contains(HasSubstr("groups submitted within a period of reserve 0 are charged 120 cycles, at most 109")));
  log.resize(9);
  EXPECT_THAT(violations(log, machine_with(facts)), Not(Contains(HasSubstr("within a period"))));
}

}  // namespace
}  // namespace tessera::verification
