// SPDX-License-Identifier: Apache-2.0
// How much of a difference the end of a log may hide; preemptions, which are counted up to there.
#include "tests/verification/agreement/support.h"

namespace tessera::verification::agreement_test {
namespace {

// --- Where the logs end ---------------------------------------------------------------------------------

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

// --- Preemptions ----------------------------------------------------------------------------------------

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

}  // namespace
}  // namespace tessera::verification::agreement_test
