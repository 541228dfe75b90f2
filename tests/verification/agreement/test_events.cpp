// SPDX-License-Identifier: Apache-2.0
// Which events inside decisions explain that two logs differ, and which do not.
#include "tests/verification/agreement/support.h"

namespace tessera::verification::agreement_test {
namespace {

TEST(Agreement, ADifferenceWithoutADecisionIsUnexplained) {
  const Agreement agreement = with_difference(tb_finishes_at(500));
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_FALSE(agreement.event_in_decision);
  EXPECT_THAT(agreement.explanation, IsEmpty());
}

TEST(Agreement, AnEventInsideADecisionExplainsADifferenceAfterIt) {
  const Agreement agreement = with_difference(decision(490, 510) + tb_finishes_at(500));
  EXPECT_EQ(agreement.verdict, Verdict::kExplained);
  EXPECT_TRUE(agreement.event_in_decision);
  EXPECT_EQ(agreement.explanation,
            "clocked, cycle 500: tb_finished sm 2 launch 0 tb 5 during the decision from 490 to 510");
}

TEST(Agreement, AnEventOfTheTlmLogExplainsToo) {
  const Agreement agreement = compare_logs(takes(kShort) + decision(490, 510) + tb_finishes_at(500), takes(2 * kShort));
  EXPECT_EQ(agreement.verdict, Verdict::kExplained);
  EXPECT_THAT(agreement.explanation, HasSubstr("tlm, cycle 500"));
}

TEST(Agreement, ADecisionBeginsAfterTheCycleOfItsInvocation) {
  EXPECT_EQ(with_difference(decision(500, 510) + tb_finishes_at(500)).verdict, Verdict::kUnexplained);
  EXPECT_EQ(with_difference(decision(500, 510) + tb_finishes_at(501)).verdict, Verdict::kExplained);
}

TEST(Agreement, ADecisionEndsWithTheCycleInWhichItIsMade) {
  EXPECT_EQ(with_difference(decision(490, 500) + tb_finishes_at(500)).verdict, Verdict::kExplained);
  EXPECT_EQ(with_difference(decision(490, 500) + tb_finishes_at(501)).verdict, Verdict::kUnexplained);
}

TEST(Agreement, ATbIssuedInTheCycleOfTheDecisionIsInsideThoughItComesLaterInTheLog) {
  const auto issued = [](Cycle cycle) { return Log{at(cycle, Kind::kTbIssued).on(0, 0).launched(0).tb(1)}; };
  EXPECT_EQ(with_difference(decision(490, 500) + issued(500)).verdict, Verdict::kExplained);
  EXPECT_EQ(with_difference(decision(490, 500) + issued(501)).verdict, Verdict::kUnexplained);
}

TEST(Agreement, ADecisionMayBeginInTheCycleInWhichTheLastOneEnds) {
  const Log decisions = decision(480, 500) + decision(500, 520);
  const auto explanation = [&](Cycle cycle) { return with_difference(decisions + tb_finishes_at(cycle)).explanation; };
  EXPECT_THAT(explanation(500), HasSubstr("from 480 to 500"));
  EXPECT_THAT(explanation(501), HasSubstr("from 500 to 520"));
  EXPECT_THAT(explanation(520), HasSubstr("from 500 to 520"));
  EXPECT_THAT(explanation(521), IsEmpty());
}

TEST(Agreement, ADecisionMayBeOpenWhenTheLogEnds) {
  const Agreement agreement = with_difference(Log{at(490, Kind::kPolicyInvoked)} + tb_finishes_at(500));
  EXPECT_THAT(agreement.explanation, HasSubstr("from 490 to the end of the log"));
}

TEST(Agreement, AnEventExplainsOnlyWhatFinishesAfterIt) {
  const Cycle finish = 100 + 2 * kShort;
  const auto explained_by = [&](Cycle cycle) {
    return with_difference(decision(finish - 10, finish + 10) + tb_finishes_at(cycle));
  };
  EXPECT_EQ(explained_by(finish - 1).verdict, Verdict::kExplained);
  EXPECT_EQ(explained_by(finish).verdict, Verdict::kUnexplained);
  EXPECT_TRUE(explained_by(finish).event_in_decision);
}

TEST(Agreement, TheFirstEventSinceTheArrivalIsShown) {
  Log log = tb_finishes_at(50) + tb_finishes_at(500) + tb_finishes_at(600);
  for (const Cycle cycle : {50, 500, 600}) log = log + decision(cycle - 10, cycle + 10);
  EXPECT_THAT(with_difference(log).explanation, HasSubstr("cycle 500:"));
}

// Another kernel, in a process and launch of its own, that keeps the engine busy from one cycle to another.
Log busy(Cycle from, Cycle to) { return log_of({7, 1, from, to - from}); }

TEST(Agreement, ElseTheLastEventBeforeTheArrivalIsShown) {
  const Log inner = busy(20, 150) + tb_finishes_at(50) + tb_finishes_at(80) + decision(40, 90);
  const Agreement agreement = compare_logs(takes(kShort) + inner, takes(2 * kShort) + inner);
  EXPECT_EQ(agreement.verdict, Verdict::kExplained);
  EXPECT_THAT(agreement.explanation, HasSubstr("cycle 80:"));
}

TEST(Agreement, AnExplanationEndsWhenTheEngineIsEmpty) {
  const auto verdict = [](Cycle empty_at) {
    const Log inner = busy(20, empty_at) + tb_finishes_at(50) + decision(40, 90);
    return compare_logs(takes(kShort) + inner, takes(2 * kShort) + inner).verdict;
  };
  EXPECT_EQ(verdict(99), Verdict::kUnexplained);  // the kernel arrives in 100
  EXPECT_EQ(verdict(100), Verdict::kExplained);
}

TEST(Agreement, EachDifferenceNeedsAnExplanationOfItsOwn) {
  const Log inner = tb_finishes_at(500) + decision(490, 510);
  const auto log = [&](Cycle first, Cycle second) { return takes(first) + inner + log_of({1, 0, 50'000, second}); };
  EXPECT_EQ(compare_logs(log(kShort, kShort), log(2 * kShort, kShort)).verdict, Verdict::kExplained);
  const Agreement agreement = compare_logs(log(kShort, kShort), log(2 * kShort, 2 * kShort));
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_EQ(agreement.kernels_unexplained, 1U);
  EXPECT_THAT(agreement.first_difference, HasSubstr("process 0 launch 1"));
}

TEST(Agreement, AKernelBesideItThatComesAtAnotherDistanceExplainsADifference) {
  const auto log = [](Cycle other, Cycle turnaround) {
    return log_of({0, 0, 100, turnaround}) + log_of({1, 1, other, 300});
  };
  const Agreement agreement = compare_logs(log(200, kShort), log(210, 2 * kShort));
  EXPECT_EQ(agreement.verdict, Verdict::kExplained);
  EXPECT_EQ(agreement.explanation, "process 1 launch 0, beside it, arrives +10 cycles later in clocked");
  EXPECT_EQ(compare_logs(log(200, kShort), log(200, 2 * kShort)).verdict, Verdict::kUnexplained);
  EXPECT_EQ(compare_logs(log(5000, kShort), log(5010, 2 * kShort)).verdict, Verdict::kUnexplained);  // not beside it
}

TEST(Agreement, ASlotExplainsADifferenceOfAKernelThatIsSaved) {
  const auto log = [](std::uint16_t slot, std::uint64_t saved, Cycle turnaround) {
    return takes(turnaround) +
           Log{at(200, Kind::kTbIssued).on(0, slot).launched(0).tb(4),
               at(400, Kind::kPreemptionDone).on(0).launched(0).cycles(9).bytes(saved).by(Technique::kContextSwitch)};
  };
  EXPECT_EQ(compare_logs(log(0, 64, kShort), log(1, 64, 2 * kShort)).explanation,
            "tb 4 of process 0 launch 0 is issued to sm 0 slot 0 in tlm, sm 0 slot 1 in clocked");
  EXPECT_EQ(compare_logs(log(0, 0, kShort), log(1, 0, 2 * kShort)).verdict, Verdict::kUnexplained);
  EXPECT_EQ(compare_logs(log(0, 64, kShort), log(0, 64, 2 * kShort)).verdict, Verdict::kUnexplained);
}

TEST(Agreement, WhatComesFromOutsideThePolicyIsAnEvent) {
  const std::vector<Record> events{
      at(500, Kind::kTbFinished).on(0, 0).launched(0).tb(1),
      at(500, Kind::kPreemptionDone).on(0).launched(0).cycles(1).by(Technique::kDrain),
      at(500, Kind::kRestoreDone).on(0).launched(0).cycles(9),
      at(500, Kind::kSmReleased).on(0).launched(0),
      at(500, Kind::kKernelFinished).launched(9).kernel(3, 0),
      at(500, Kind::kKernelArrived).launched(9).kernel(3, 0).run(0),
      at(500, Kind::kTbIssued).on(0, 0).launched(0).tb(1),
  };
  for (const Record& event : events) {
    EXPECT_TRUE(with_difference(decision(490, 510) + Log{event}).event_in_decision) << to_string(event.kind);
  }
}

TEST(Agreement, WhatThePolicyDoesItselfIsNoEvent) {
  const std::vector<Record> deeds{
      at(500, Kind::kKernelActivated).launched(0).kernel(0, 0),
      at(500, Kind::kSmSetUp).on(0).launched(0).kernel(0, 0),
      at(500, Kind::kPreemptionRequested).on(0).launched(0).value(1).by(Technique::kDrain),
      at(500, Kind::kPreemptionRetargeted).on(0).launched(0).value(0).by(Technique::kDrain),
      at(500, Kind::kPreemptionDone).on(0).launched(0).cycles(0).by(Technique::kDrain),
      at(500, Kind::kSaveStarted).on(0).launched(0),
      at(500, Kind::kRestoreStarted).on(0).launched(0),
      at(500, Kind::kDmaEnded).process(0),
  };
  for (const Record& deed : deeds) {
    EXPECT_FALSE(with_difference(decision(490, 510) + Log{deed}).event_in_decision) << to_string(deed.kind);
  }
}

TEST(Agreement, AnSmThatARetargetingReleasesIsNoEvent) {
  const auto released = [](std::uint16_t sm, Cycle cycle) {
    return decision(490, 510) + Log{at(cycle, Kind::kSmReleased).on(sm).launched(0),
                                    at(500, Kind::kPreemptionRetargeted).on(3).launched(0).value(0)};
  };
  EXPECT_FALSE(with_difference(released(3, 500)).event_in_decision);
  EXPECT_TRUE(with_difference(released(2, 500)).event_in_decision);
  EXPECT_TRUE(with_difference(released(3, 499)).event_in_decision);
}

TEST(Agreement, AnEventInADecisionIsReportedEvenIfNothingDiffers) {
  const Log log = takes(kShort) + decision(490, 510) + tb_finishes_at(500);
  const Agreement agreement = compare_logs(log, log);
  EXPECT_EQ(agreement.verdict, Verdict::kExact);
  EXPECT_TRUE(agreement.event_in_decision);
  EXPECT_THAT(agreement.explanation, IsEmpty());
}

}  // namespace
}  // namespace tessera::verification::agreement_test
