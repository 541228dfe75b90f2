// SPDX-License-Identifier: Apache-2.0
// Do two logs agree? Tolerances at their edges, and which kernel is compared with which.
#include "tests/verification/agreement/support.h"

namespace tessera::verification::agreement_test {
namespace {

// --- Tolerance ------------------------------------------------------------------------------------------

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

// --- Which kernel is which ------------------------------------------------------------------------------

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

// --- JSON -----------------------------------------------------------------------------------------------

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
}  // namespace tessera::verification::agreement_test
