// SPDX-License-Identifier: Apache-2.0
// An event-driven kernel is launched as often as it has to give the GPU up: one kernel, from the first arrival to the
// end of the launch that left no loop.
#include "tests/verification/agreement/support.h"

namespace tessera::verification {
namespace {

using namespace agreement_test;

// A launch that leaves so many loops, with its kernel's number 3.
Log launch_that_leaves(std::uint64_t loops, std::uint32_t launch, Cycle arrives, Cycle takes) {
  Kernel kernel;
  kernel.launch = launch;
  kernel.kernel = 3;
  kernel.arrives = arrives;
  kernel.takes = takes;
  Record left = at(arrives + takes, Kind::kLoopsLeft).launched(launch).value(loops);
  left.process = 0;
  return log_of(kernel) + Log{left};
}

Log killed_at(Cycle cycle) {
  Record killed = at(cycle, Kind::kKernelKilled);
  killed.process = 0;
  return {killed};
}

TEST(AgreementOfLaunches, RelaunchesAreOneKernelHoweverManyThereAre) {
  const Log twice = launch_that_leaves(2, 0, 100, 1000) + launch_that_leaves(0, 1, 5000, 2000);
  const Log thrice =
      launch_that_leaves(2, 0, 100, 1000) + launch_that_leaves(1, 1, 3000, 500) + launch_that_leaves(0, 2, 5000, 2000);
  const Agreement agreement = compare_logs(twice, thrice);
  EXPECT_EQ(agreement.verdict, Verdict::kExact);
  EXPECT_EQ(agreement.kernels, 1U);
  EXPECT_EQ(agreement.exact_kernels, 1U);
}

TEST(AgreementOfLaunches, TheTurnaroundIsFromTheFirstArrivalToTheLastEnd) {
  const Log soon = launch_that_leaves(2, 0, 100, 1000) + launch_that_leaves(0, 1, 5000, 2000);
  const Log late = launch_that_leaves(2, 0, 100, 1000) + launch_that_leaves(0, 1, 6000, 2000);
  const Agreement agreement = compare_logs(soon, late);
  EXPECT_EQ(agreement.verdict, Verdict::kUnexplained);
  EXPECT_EQ(agreement.max_difference, 1000U);
}

TEST(AgreementOfLaunches, TheNextKernelOfThatNameIsAnotherOne) {
  const Log log = launch_that_leaves(0, 0, 100, 1000) + launch_that_leaves(0, 1, 5000, 2000);
  EXPECT_EQ(compare_logs(log, log).kernels, 2U);
}

TEST(AgreementOfLaunches, AKilledKernelIsOver) {
  const Log log = launch_that_leaves(2, 0, 100, 1000) + killed_at(900) + launch_that_leaves(0, 1, 5000, 2000);
  EXPECT_EQ(compare_logs(log, log).kernels, 2U);
}

// The word to kill it was on its way when it left.
TEST(AgreementOfLaunches, AlsoOneThatIsKilledWhenItHasJustLeft) {
  const Log log = launch_that_leaves(2, 0, 100, 1000) + killed_at(1200) + launch_that_leaves(0, 1, 5000, 2000);
  EXPECT_EQ(compare_logs(log, log).kernels, 2U);
}

TEST(AgreementOfLaunches, OneThatIsSuspendedAtTheEndIsOpen) {
  const Log open = launch_that_leaves(2, 0, 100, 1000) + ends_at(1200);
  const Agreement agreement = compare_logs(open, open);
  EXPECT_EQ(agreement.kernels, 0U);
  EXPECT_EQ(agreement.verdict, Verdict::kExact);
}

}  // namespace
}  // namespace tessera::verification
