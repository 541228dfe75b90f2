// SPDX-License-Identifier: Apache-2.0
// Do two logs agree? Tolerances at their edges, which events explain a difference and which do not, and how much of
// a log its end may hide.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/record/checks/agreement.h"
#include "tests/model/test_record_support.h"

namespace tessera::record {
namespace {

using test::at;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Log = std::vector<Record>;

// Long enough for the relative tolerance to be the larger one.
constexpr Cycle kLong = 1'000'000;
constexpr Cycle kShort = 1'000;

Log sorted(Log log) {
  std::sort(log.begin(), log.end(), canonical_less);
  return log;
}

Log operator+(Log log, const Log& more) {
  log.insert(log.end(), more.begin(), more.end());
  return sorted(log);
}

struct Kernel {
  std::uint32_t launch = 0;
  std::uint16_t process = 0;
  Cycle arrives = 100;
  Cycle takes = kLong;
  std::uint16_t kernel = 0;
  std::uint32_t run = 0;
  std::uint64_t num_tbs = 8;
};

Record arrival(const Kernel& k) {
  return at(k.arrives, Kind::kKernelArrived).launched(k.launch).kernel(k.process, k.kernel).run(k.run);
}

Log log_of(const Kernel& k) {
  return {
      arrival(k),
      at(k.arrives + k.takes, Kind::kKernelFinished).launched(k.launch).kernel(k.process, k.kernel).value(k.num_tbs)};
}

// A kernel that arrives at cycle 100 in a launch of its own, and finishes so much later.
Log takes(Cycle turnaround) {
  Kernel kernel;
  kernel.takes = turnaround;
  return log_of(kernel);
}

Log decision(Cycle from, Cycle to) {
  return {at(from, Kind::kPolicyInvoked), at(to, Kind::kPolicyDecided).cycles(to - from)};
}

Log ends_at(Cycle cycle) { return {at(cycle, Kind::kRunEnded).process(0).run(0)}; }

Log tb_finishes_at(Cycle cycle) { return {at(cycle, Kind::kTbFinished).on(2, 1).launched(0).tb(5)}; }

Log preemption_at(Cycle cycle, Technique technique = Technique::kDrain) {
  return {at(cycle, Kind::kPreemptionDone).on(1).launched(0).cycles(10).by(technique)};
}

// --- Tolerance -------------------------------------------------------------------------------------------

TEST(Agreement, ALogAgreesExactlyWithItself) {
  const Log log = test::sound_log();
  const Agreement agreement = compare_logs(log, log);
  EXPECT_EQ(agreement.verdict, Verdict::kExact);
  EXPECT_EQ(agreement.kernels, 3U);
  EXPECT_EQ(agreement.exact_kernels, 3U);
  EXPECT_EQ(agreement.kernels_within, 3U);
  EXPECT_EQ(agreement.kernels_beyond, 0U);
  EXPECT_EQ(agreement.max_difference, 0U);
  EXPECT_THAT(agreement.what_differs, IsEmpty());
  EXPECT_THAT(agreement.first_difference, IsEmpty());
  EXPECT_THAT(agreement.explanation, IsEmpty());
}

TEST(Agreement, EmptyLogsAgree) { EXPECT_EQ(compare_logs({}, {}).verdict, Verdict::kExact); }

TEST(Agreement, TheToleranceIsAThousandthOrSixtyFourCycles) {
  EXPECT_EQ(turnaround_tolerance(0), 64U);
  EXPECT_EQ(turnaround_tolerance(64'999), 64U);
  EXPECT_EQ(turnaround_tolerance(65'000), 65U);
}

class AtTheTolerance : public testing::TestWithParam<Cycle> {};  // clocked turnaround
INSTANTIATE_TEST_SUITE_P(Turnarounds, AtTheTolerance, testing::Values(kShort, 64'999, 65'000, kLong));

TEST_P(AtTheTolerance, AKernelThatDiffersByTheToleranceAgrees) {
  const Cycle tolerance = turnaround_tolerance(GetParam());
  for (const Cycle tlm : {GetParam() - tolerance, GetParam() + tolerance}) {
    const Agreement agreement = compare_logs(takes(tlm), takes(GetParam()));
    EXPECT_EQ(agreement.verdict, Verdict::kWithinTolerance);
    EXPECT_EQ(agreement.kernels_within, 1U);
    EXPECT_EQ(agreement.exact_kernels, 0U);
    EXPECT_EQ(agreement.max_difference, tolerance);
    EXPECT_THAT(agreement.first_difference, IsEmpty());
  }
}

TEST_P(AtTheTolerance, AKernelThatDiffersByMoreThanTheToleranceIsADifference) {
  const Cycle beyond = turnaround_tolerance(GetParam()) + 1;
  for (const Cycle tlm : {GetParam() - beyond, GetParam() + beyond}) {
    const Agreement agreement = compare_logs(takes(tlm), takes(GetParam()));
    EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
    EXPECT_EQ(agreement.kernels_beyond, 1U);
    EXPECT_EQ(agreement.max_difference, beyond);
    EXPECT_THAT(agreement.first_difference, HasSubstr("process 0 launch 0 (kernel 0, run 0)"));
  }
}

TEST(Agreement, AKernelThatOnlyArrivesLaterTakesAsLong) {
  Kernel later;
  later.arrives += kLong;
  EXPECT_EQ(compare_logs(takes(kLong), log_of(later)).verdict, Verdict::kExact);
}

TEST(Agreement, TheFirstDifferenceIsThatOfTheEarliestArrivalInTheTlmLog) {
  const auto log = [](Cycle of_early, Cycle of_late) {
    return log_of({0, 1, 100, of_early}) + log_of({1, 0, 200, of_late});
  };
  const Agreement agreement = compare_logs(log(kShort, kShort), log(2 * kShort, 2 * kShort));
  EXPECT_EQ(agreement.kernels_beyond, 2U);
  EXPECT_EQ(agreement.first_difference,
            "process 1 launch 0 (kernel 0, run 0): kernel_finished at cycle 1100 in tlm, 2100 in clocked, after 1000 "
            "and 2000: 1000 apart, 64 allowed");
}

// --- Which kernel is which -------------------------------------------------------------------------------

TEST(Agreement, KernelsArePairedByProcessWhateverTheNumbersOfTheirLaunches) {
  const Log tlm = log_of({0, 0, 100, kShort}) + log_of({1, 1, 101, kLong});
  const Log clocked = log_of({1, 0, 101, kShort}) + log_of({0, 1, 100, kLong});
  const Agreement agreement = compare_logs(tlm, clocked);
  EXPECT_EQ(agreement.verdict, Verdict::kExact);
  EXPECT_EQ(agreement.exact_kernels, 2U);
}

TEST(Agreement, LaunchesOfAProcessArePairedInTheirOrder) {
  const Log log = log_of({0, 0, 100, kShort}) + log_of({1, 0, 100 + kShort, kLong});
  EXPECT_EQ(compare_logs(log, log).exact_kernels, 2U);
}

TEST(Agreement, AnotherKernelIsNeverExplained) {
  const Log inner = decision(110, 120) + tb_finishes_at(115);
  const Log clocked = log_of({0, 0, 100, kShort, 1}) + inner;
  const Agreement agreement = compare_logs(log_of({0, 0, 100, kShort, 0}) + inner, clocked);
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_THAT(agreement.what_differs,
              ElementsAre("process 0 launch 0: kernel 0 of run 0 in tlm, 1 of run 0 in clocked"));
}

TEST(Agreement, AnotherRunIsAnotherKernel) {
  const Agreement agreement = compare_logs(log_of({0, 0, 100, kShort, 0, 0}), log_of({0, 0, 100, kShort, 0, 1}));
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_EQ(agreement.kernels, 0U);
}

TEST(Agreement, AnotherNumberOfTbsIsNeverExplained) {
  const Log inner = decision(110, 120) + tb_finishes_at(115);
  const Agreement agreement =
      compare_logs(log_of({0, 0, 100, kShort, 0, 0, 8}) + inner, log_of({0, 0, 100, kShort, 0, 0, 7}) + inner);
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_THAT(agreement.what_differs, ElementsAre(HasSubstr("8 TBs in tlm, 7 in clocked")));
}

// --- Events inside decisions -----------------------------------------------------------------------------

// A kernel that takes twice as long clocked, and these records in the clocked log.
Agreement with_difference(const Log& more) { return compare_logs(takes(kShort), takes(2 * kShort) + more); }

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

// --- What no event explains ------------------------------------------------------------------------------

Agreement with_findings(const LogFindings& tlm, const LogFindings& clocked) {
  return compare_logs(takes(kLong), takes(kLong), tlm, clocked);
}

TEST(Agreement, AWrongDecisionIsNeverExplained) {
  LogFindings findings;
  EXPECT_EQ(with_findings(findings, findings).verdict, Verdict::kExact);
  findings.decisions.faults = {"cycle 7: policy_decided: not what the policy decides"};
  EXPECT_EQ(with_findings(findings, {}).verdict, Verdict::kUnexplained);
  EXPECT_THAT(with_findings({}, findings).what_is_wrong, ElementsAre("clocked, " + findings.decisions.faults.front()));
}

TEST(Agreement, ALatencyMayDifferByTwoCyclesIfItIsSeenOftenEnough) {
  const auto verdict = [](std::uint64_t samples, Cycle clocked) {
    LogFindings tlm, other;
    tlm.latencies["set_up"] = {100, 64};
    other.latencies["set_up"] = {samples, clocked};
    return with_findings(tlm, other).verdict;
  };
  EXPECT_EQ(verdict(8, 66), Verdict::kExact);
  EXPECT_EQ(verdict(8, 67), Verdict::kUnexplained);
  EXPECT_EQ(verdict(8, 61), Verdict::kUnexplained);
  EXPECT_EQ(verdict(7, 67), Verdict::kExact);
}

TEST(Agreement, CommandsThatComeLaterAsARuleAreWrong) {
  const auto log = [](Cycle gap, std::uint32_t count) {
    Log launches;
    for (std::uint32_t i = 0; i < count; ++i) launches = launches + log_of({i, 0, 100 + i * (kShort + gap), kShort});
    return launches;
  };
  EXPECT_EQ(compare_logs(log(700, 7), log(708, 7)).verdict, Verdict::kExact);
  EXPECT_EQ(compare_logs(log(700, 7), log(709, 7)).verdict, Verdict::kUnexplained);
  EXPECT_EQ(compare_logs(log(700, 6), log(770, 6)).verdict, Verdict::kExact);  // too few to tell
}

TEST(Agreement, ExplanationsDoNotStretchTheMeanOfManyKernels) {
  const auto verdict = [](Cycle factor) {
    const auto log = [](Cycle turnaround) {
      Log launches;
      for (std::uint32_t i = 0; i < 64; ++i) {
        const Cycle at = (100'000 + turnaround) * (i + 1);
        launches = launches + log_of({i, 0, at, turnaround}) + decision(at + 10, at + 30) + tb_finishes_at(at + 20);
      }
      return launches;
    };
    return compare_logs(log(kShort), log(factor * kShort / 100)).verdict;
  };
  EXPECT_EQ(verdict(150), Verdict::kExplained);  // e to the power of 0.01 + 4 / 8 is 1.67
  EXPECT_EQ(verdict(170), Verdict::kUnexplained);
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

// --- Where the logs end ----------------------------------------------------------------------------------

// The kernel finishes in the tlm log, and is open when the clocked one ends, so many cycles after it arrived.
Agreement cut_off_after(Cycle cycles) {
  Kernel kernel;
  kernel.takes = kShort;
  return compare_logs(log_of(kernel), Log{arrival(kernel)} + ends_at(kernel.arrives + cycles));
}

TEST(Agreement, AKernelThatTheEndCutOffMayBeAsLong) {
  const Agreement agreement = cut_off_after(kShort + turnaround_tolerance(kShort));
  EXPECT_EQ(agreement.verdict, Verdict::kExact);
  EXPECT_EQ(agreement.kernels, 0U);
  EXPECT_THAT(agreement.what_differs, IsEmpty());
}

TEST(Agreement, AKernelThatShouldHaveFinishedLongBeforeTheEndIsADifference) {
  const Agreement agreement = cut_off_after(kShort + turnaround_tolerance(kShort) + 1);
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_THAT(agreement.what_differs, ElementsAre("process 0 launch 0 (kernel 0, run 0): kernel_finished after 1000 in "
                                                  "tlm, not yet after 1065 in clocked"));
}

TEST(Agreement, AKernelThatIsLateInTheTlmLogIsADifferenceToo) {
  const Kernel kernel;
  const Log tlm = Log{arrival(kernel)} + ends_at(3 * kLong);
  EXPECT_EQ(compare_logs(tlm, log_of(kernel)).verdict, Verdict::kUnexplained);
  EXPECT_EQ(compare_logs(tlm + decision(490, 510) + tb_finishes_at(500), log_of(kernel)).verdict, Verdict::kExplained);
}

// A second launch of the process in the tlm log only; the clocked one ends so many cycles after it arrived.
Agreement without_arrival(Cycle cycles, Cycle first_takes = kShort, const Log& more = {}) {
  Kernel second{1, 0, 50'000, kShort};
  return compare_logs(takes(kShort) + log_of(second), takes(first_takes) + ends_at(second.arrives + cycles) + more);
}

TEST(Agreement, ALaunchMayComeTooLateForTheShorterLog) {
  EXPECT_EQ(without_arrival(64).verdict, Verdict::kExact);
  EXPECT_THAT(without_arrival(64).what_differs, IsEmpty());
}

TEST(Agreement, ALaunchThatIsMissingIsADifference) {
  const Agreement agreement = without_arrival(65);
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_THAT(agreement.what_differs, ElementsAre(HasSubstr("kernel_arrived at cycle 50000 in tlm, not until 50065")));
}

TEST(Agreement, ALaunchMayBeAsLateAsTheKernelsBeforeIt) {
  constexpr Cycle kDrift = 10;
  EXPECT_EQ(without_arrival(64 + kDrift, kShort + kDrift).verdict, Verdict::kWithinTolerance);
  EXPECT_EQ(without_arrival(65 + kDrift, kShort + kDrift).verdict, Verdict::kUnexplained);
}

TEST(Agreement, AMissingLaunchIsExplainedByWhatCameBeforeIt) {
  const auto verdict = [](Cycle event) {
    return without_arrival(1000, kShort, decision(event - 10, event + 10) + tb_finishes_at(event)).verdict;
  };
  EXPECT_EQ(verdict(49'999), Verdict::kExplained);
  EXPECT_EQ(verdict(50'000), Verdict::kUnexplained);
}

TEST(Agreement, AProcessThatIsInOneLogOnlyIsADifference) {
  const Log one = takes(kLong);
  const Log two = one + log_of({1, 1, 100, kShort});
  EXPECT_EQ(compare_logs(one, two).verdict, Verdict::kUnexplained);
  EXPECT_EQ(compare_logs(two, one).verdict, Verdict::kUnexplained);
}

// --- Preemptions -----------------------------------------------------------------------------------------

TEST(Agreement, PreemptionsAreCountedByTechnique) {
  const Log log =
      takes(kLong) + preemption_at(500) + preemption_at(600) + preemption_at(700, Technique::kContextSwitch);
  const Agreement agreement = compare_logs(log, log);
  EXPECT_EQ(agreement.verdict, Verdict::kExact);
  EXPECT_EQ(agreement.preemptions.at("drain").tlm, 2U);
  EXPECT_EQ(agreement.preemptions.at("drain").clocked, 2U);
  EXPECT_EQ(agreement.preemptions.at("context_switch").clocked, 1U);
}

TEST(Agreement, AnotherNumberOfPreemptionsIsADifference) {
  const Log more = takes(kLong) + preemption_at(500);
  for (const auto& [tlm, clocked] : {std::pair(more, takes(kLong)), std::pair(takes(kLong), more)}) {
    const Agreement agreement = compare_logs(tlm, clocked);
    EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
    EXPECT_THAT(agreement.first_difference, HasSubstr("preemptions by drain"));
    EXPECT_THAT(agreement.what_differs, ElementsAre(agreement.first_difference));
  }
}

TEST(Agreement, AnotherTechniqueIsADifference) {
  const Agreement agreement =
      compare_logs(takes(kLong) + preemption_at(500), takes(kLong) + preemption_at(500, Technique::kContextSwitch));
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_EQ(agreement.what_differs.size(), 2U);
}

TEST(Agreement, AnotherNumberOfPreemptionsIsExplainedByAnEventInADecision) {
  const Log inner = decision(490, 510) + tb_finishes_at(500);
  const Agreement agreement = compare_logs(takes(kLong) + inner + preemption_at(600), takes(kLong) + inner);
  EXPECT_EQ(agreement.verdict, Verdict::kExplained);
  EXPECT_THAT(agreement.explanation, HasSubstr("tlm, cycle 500"));
}

TEST(Agreement, APreemptionAtTheEndMayComeTooLateForTheOtherLog) {
  const Cycle end = 100 + kLong;
  const Cycle tolerance = turnaround_tolerance(end);
  EXPECT_EQ(compare_logs(takes(kLong) + preemption_at(end - tolerance), takes(kLong)).verdict,
            Verdict::kWithinTolerance);
  EXPECT_EQ(compare_logs(takes(kLong) + preemption_at(end - tolerance - 1), takes(kLong)).verdict,
            Verdict::kUnexplained);
}

TEST(Agreement, AKernelsDifferenceIsShownRatherThanACount) {
  const Agreement agreement = compare_logs(takes(kLong) + preemption_at(500), takes(kLong + kLong / 100));
  EXPECT_THAT(agreement.first_difference, HasSubstr("kernel_finished"));
  EXPECT_THAT(agreement.what_differs, ElementsAre("preemptions by drain: 1 in tlm, 0 in clocked"));
}

// --- JSON ------------------------------------------------------------------------------------------------

TEST(Agreement, SurvivesItsWayThroughJson) {
  const Agreement agreement = with_difference(decision(490, 510) + tb_finishes_at(500) + preemption_at(700));
  const nlohmann::json json = agreement;
  EXPECT_EQ(json.at("verdict"), "explained");
  EXPECT_EQ(nlohmann::json(json.get<Agreement>()), json);
}

TEST(Agreement, AnUnknownVerdictIsNoAgreement) {
  EXPECT_EQ(nlohmann::json("splendid").get<Verdict>(), Verdict::kUnexplained);
}

}  // namespace
}  // namespace tessera::record
