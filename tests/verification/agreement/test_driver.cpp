// SPDX-License-Identifier: Apache-2.0
// Drivers that hold groups back, in two logs: what they may decide otherwise, and what they may not.
#include "tests/model/record/driver/support.h"
#include "tests/verification/agreement/support.h"

namespace tessera::verification::agreement_test {
namespace {

using namespace record::test;

// ---- two logs ----------------------------------------------------------------------------------------------------

// Process 0 has the GPU first, 1 and 2 wait.
Log three_wait() {
  return {at(0, Kind::kRunStarted).process(0).run(0),
          at(0, Kind::kRunStarted).process(1).run(0),
          at(0, Kind::kRunStarted).process(2).run(0),
          arrived(11, 0, 0),
          submitted(11, 0, 0),
          arrived(12, 1, 1),
          arrived(13, 2, 2)};
}

TEST(DriverDecisions, LogsThatSayTheSameAgree) {
  const Log log = sorted(and_also(three_wait(), {done(1012, 0, 0, 1000), submitted(1012, 1, 1)}));
  const Agreement agreement = compare_logs(log, log);
  EXPECT_EQ(agreement.verdict, Verdict::kExact);
  EXPECT_EQ(agreement.driver.decisions, 2U);
  EXPECT_FALSE(agreement.driver.differs);
}

// Nothing tells the two drivers apart until one of them submits another group.
TEST(DriverDecisions, AnotherGroupOnEqualInputsIsUnexplained) {
  const Log before = and_also(three_wait(), {done(1012, 0, 0, 1000)});
  const Agreement agreement = compare_logs(sorted(and_also(before, {submitted(1012, 1, 1)})),
                                           sorted(and_also(before, {submitted(1012, 2, 2)})));
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_TRUE(agreement.driver.differs);
  EXPECT_FALSE(agreement.driver.is_explained);
  EXPECT_EQ(agreement.driver.first_difference,
            "process 1 group 0 is submitted in tlm at cycle 1012, where process 2 group 0 is submitted in clocked at "
            "1012");
}

TEST(DriverDecisions, ASuspensionOnEqualInputsIsUnexplained) {
  const Log before = and_also(three_wait(), {done(1012, 0, 0, 1000)});
  const Agreement agreement = compare_logs(sorted(and_also(before, {submitted(1012, 1, 1)})),
                                           sorted(and_also(before, {suspended(1012, 1, 1), submitted(1012, 2, 2)})));
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
}

// The group ends five cycles later in the clocked log, which is within the tolerance, and so behind a replenishment.
TEST(DriverDecisions, AReplenishmentThatComesFirstInOneLogExplainsWhatFollows) {
  const Log tlm = and_also(three_wait(), {done(1012, 0, 0, 1000), submitted(1012, 1, 1), replenished(1014, 0, 40)});
  const Log clocked = and_also(three_wait(), {replenished(1014, 0, 40), done(1017, 0, 0, 1005), submitted(1017, 2, 2)});
  const Agreement agreement = compare_logs(sorted(tlm), sorted(clocked));
  EXPECT_EQ(agreement.verdict, Verdict::kExplained);
  EXPECT_THAT(agreement.what_is_wrong, IsEmpty());
  EXPECT_EQ(agreement.driver.explanation, "process 0 group 0 is done +5 cycles later in clocked");
  EXPECT_EQ(agreement.explanation, agreement.driver.explanation);
}

// The same, but what the driver was told is itself beyond the tolerance, and nothing says why.
TEST(DriverDecisions, AreNotExplainedByWhatIsItselfUnexplained) {
  const Log tlm = and_also(three_wait(), {done(1012, 0, 0, 1000), submitted(1012, 1, 1), replenished(1014, 0, 40)});
  const Log clocked = and_also(three_wait(), {replenished(1014, 0, 40), done(1512, 0, 0, 1500), submitted(1512, 2, 2)});
  const Agreement agreement = compare_logs(sorted(tlm), sorted(clocked));
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_THAT(agreement.what_is_wrong,
              ElementsAre("process 0 group 0 is on the GPU for 1000 cycles in tlm, 1500 in clocked"));
}

// ---- what a driver was told --------------------------------------------------------------------------------------

Agreement with_group_of(Cycle tlm, Cycle clocked, const Log& more_in_clocked = {}) {
  return compare_logs(sorted(and_also(three_wait(), {done(12 + tlm, 0, 0, tlm)})),
                      sorted(and_also(and_also(three_wait(), {done(12 + clocked, 0, 0, clocked)}), more_in_clocked)));
}

TEST(DriverInputs, AGroupsTimeOnTheGpuMayDifferByTheToleranceOfATurnaround) {
  EXPECT_THAT(with_group_of(kShort, kShort + turnaround_tolerance(kShort)).what_is_wrong, IsEmpty());
  EXPECT_EQ(with_group_of(kShort, kShort + turnaround_tolerance(kShort) + 1).verdict, Verdict::kUnexplained);
  EXPECT_EQ(with_group_of(kShort + turnaround_tolerance(kShort) + 1, kShort).verdict, Verdict::kUnexplained);
}

TEST(DriverInputs, AnEventInsideADecisionExplainsAGroupsTime) {
  EXPECT_THAT(with_group_of(kShort, 2 * kShort, decision(490, 510) + tb_finishes_at(500)).what_is_wrong, IsEmpty());
  EXPECT_FALSE(with_group_of(kShort, 2 * kShort, decision(2490, 2510) + tb_finishes_at(2500)).what_is_wrong.empty());
}

// Process 1 joins it, in the clocked log seven cycles later.
TEST(DriverInputs, AGroupBesideItThatComesAtAnotherDistanceExplainsAGroupsTime) {
  const auto log = [](Cycle joins, Cycle takes) {
    return sorted(and_also(three_wait(), {submitted(joins, 1, 1), done(12 + takes, 0, 0, takes)}));
  };
  EXPECT_THAT(compare_logs(log(500, kShort), log(507, 2 * kShort)).what_is_wrong, IsEmpty());
  EXPECT_FALSE(compare_logs(log(500, kShort), log(500, 2 * kShort)).what_is_wrong.empty());
}

TEST(DriverInputs, AChargeThatDiffersByMoreThanTheTimesIsWrong) {
  const auto charged = [](Cycle cycles) { return sorted(and_also(three_wait(), {done(1012, 0, 0, cycles)})); };
  const Agreement agreement = compare_logs(charged(1000), charged(800));
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_THAT(agreement.what_is_wrong, ElementsAre("process 0 group 0 is charged 1000 cycles in tlm, 800 in clocked"));
}

// A process goes on when its group is done, or when its doorbell rings: no cycle earlier or later.
TEST(DriverInputs, AGroupArrivesAsLateAsWhatItFollows) {
  const auto log = [](Cycle ends, Cycle next) {
    return sorted(and_also(three_wait(), {done(ends, 0, 0, ends - 12), arrived(next, 0, 3)}));
  };
  EXPECT_THAT(compare_logs(log(1000, 1200), log(1030, 1230)).what_is_wrong, IsEmpty());
  EXPECT_THAT(compare_logs(log(1000, 1200), log(1030, 1200)).what_is_wrong, IsEmpty());  // it did not wait for that
  EXPECT_THAT(
      compare_logs(log(1000, 1200), log(1030, 1231)).what_is_wrong,
      ElementsAre("process 0 group 1 arrives at cycle 1200 in tlm, 1231 in clocked, what it follows +0 to +30"));
  EXPECT_FALSE(compare_logs(log(1000, 1200), log(1030, 1199)).what_is_wrong.empty());
}

TEST(DriverInputs, AGroupThatNeverArrivesIsWrongWhereWhatItFollowsHasCome) {
  const Log before = and_also(three_wait(), {done(1000, 0, 0, 988)});
  const Log tlm = and_also(before, {arrived(1200, 0, 3)});
  EXPECT_FALSE(compare_logs(sorted(tlm), sorted(before) + ends_at(9000)).what_is_wrong.empty());
  EXPECT_THAT(compare_logs(sorted(tlm), sorted(before) + ends_at(1250)).what_is_wrong, IsEmpty());
}

TEST(DriverInputs, AGroupThatIsNeverDoneIsWrong) {
  const Log tlm = and_also(three_wait(), {done(1000, 0, 0, 988)});
  EXPECT_FALSE(compare_logs(sorted(tlm), sorted(three_wait()) + ends_at(9000)).what_is_wrong.empty());
  EXPECT_THAT(compare_logs(sorted(tlm), sorted(three_wait()) + ends_at(1010)).what_is_wrong, IsEmpty());
}

// Four groups with a kernel each, which is told of so many cycles after its end.
Agreement with_interrupts(Cycle in_tlm, Cycle in_clocked) {
  const auto log = [](Cycle interrupt) {
    Log records = {at(0, Kind::kRunStarted).process(0).run(0)};
    Cycle now = 100;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const Cycle told = now + 40 + kShort + interrupt;
      records = and_also(and_also(records, {arrived(now, 0, i), submitted(now, 0, i), done(told, 0, i, told - now)}),
                         log_of({i, 0, now + 40, kShort}));
      now = told + 300;
    }
    return sorted(records);
  };
  return compare_logs(log(in_tlm), log(in_clocked));
}

TEST(DriverInputs, AnInterruptThatComesLateAgainAndAgainIsWrongWithinTheToleranceToo) {
  EXPECT_THAT(with_interrupts(50, 58).what_is_wrong, IsEmpty());
  EXPECT_THAT(with_interrupts(50, 59).what_is_wrong,
              ElementsAre("a group is told of after its kernel 50 cycles later in tlm, 59 in clocked"));
}

// ---- what follows ------------------------------------------------------------------------------------------------

// From a kernel's end to the next it takes longer in the clocked log, again and again: a fault, but where the driver
// held the group back.
TEST(DriverAgreement, AKernelThatItsDriverHeldMayComeLater) {
  const auto log = [](bool has_driver, Cycle gap) {
    Log records = {at(0, Kind::kRunStarted).process(0).run(0)};
    Cycle arrives = 100;
    Cycle now = 200;
    for (std::uint32_t i = 0; i < 6; ++i) {
      const Cycle told = now + kShort + 9;
      records = and_also(records, log_of({i, 0, now, kShort}));
      if (has_driver)
        records =
            and_also(records, {arrived(arrives, 0, i), submitted(now - 40, 0, i), done(told, 0, i, told - now + 40)});
      arrives = told + 91;
      now += kShort + gap;
    }
    return sorted(records);
  };
  EXPECT_THAT(compare_logs(log(false, 500), log(false, 540)).what_is_wrong,
              ElementsAre("a kernel arrives 500 cycles after the last one's end in tlm, 540 in clocked"));
  EXPECT_THAT(compare_logs(log(true, 500), log(true, 540)).what_is_wrong, IsEmpty());
}

// The clocked log ends while the group is held back; the other lets its kernel arrive long before.
TEST(DriverAgreement, AKernelWhoseGroupIsHeldBackNeedNotArrive) {
  const Log before = and_also(three_wait(), {done(1012, 0, 0, 1000)});
  const Log kernel = {arrival({0, 1, 1100, kShort})};
  const Log tlm = and_also(before, {submitted(1012, 1, 1), replenished(1014, 0, 40), done(2012, 1, 1, 1000)});
  const Log clocked = and_also(three_wait(), {replenished(1014, 0, 40), done(1015, 0, 0, 1003), suspended(1015, 1, 1)});
  const Agreement agreement = compare_logs(sorted(and_also(tlm, kernel)), sorted(clocked) + ends_at(20'000));
  EXPECT_EQ(agreement.verdict, Verdict::kExplained);
  EXPECT_THAT(agreement.what_differs, ElementsAre(HasSubstr("kernel_arrived at cycle 1100 in tlm")));
}

}  // namespace
}  // namespace tessera::verification::agreement_test
