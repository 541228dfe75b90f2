// SPDX-License-Identifier: Apache-2.0
// The dispatcher's rate is exact over any number of thread blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/issue_rate.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

Spec at(std::uint64_t issue_hz, std::uint64_t clock_hz) {
  Spec spec;
  spec.scheduler.tbs_per_cycle = 3;
  spec.gpu.clock_hz = clock_hz;
  spec.gpu.framework.tb_issue_hz = issue_hz;
  return spec;
}

TEST(IssueRate, IsTheFrequencyOverTheClockInLowestTerms) {
  const IssueRate h200 = issue_rate(at(1'660'000'000, 1'980'000'000));
  EXPECT_EQ(h200.tbs, 83U);
  EXPECT_EQ(h200.cycles, 99U);
  const IssueRate faster = issue_rate(at(3'000'000'000, 2'000'000'000));
  EXPECT_EQ(faster.tbs, 3U);
  EXPECT_EQ(faster.cycles, 2U);
}

TEST(IssueRate, IsTheDriversWithoutAFrequency) {
  const IssueRate rate = issue_rate(at(0, 706'000'000));
  EXPECT_EQ(rate.tbs, 3U);
  EXPECT_EQ(rate.cycles, 1U);
}

TEST(IssueTurns, FollowEachOtherAtTheRate) {
  for (const IssueRate rate : {IssueRate{83, 99}, IssueRate{3, 1}, IssueRate{1, 7}, IssueRate{5, 2}}) {
    IssueTurns turns(rate);
    for (std::uint64_t i = 0; i < 1000; ++i) {
      ASSERT_EQ(turns.claim(100), 100 + i * rate.cycles / rate.tbs) << rate.tbs << " in " << rate.cycles;
    }
  }
}

TEST(IssueTurns, AFreeDispatcherTakesTheNextAtOnce) {
  IssueTurns turns(IssueRate{3, 5});
  EXPECT_EQ(turns.claim(0), 0U);  // free again in 5/3
  EXPECT_EQ(turns.claim(2), 2U);  // in 2 + 5/3
  EXPECT_EQ(turns.claim(3), 3U);  // in 2 + 10/3
  EXPECT_EQ(turns.claim(3), 5U);
}

TEST(IssueTurns, AStepMayWeighMoreThanAThreadBlock) {
  IssueTurns turns(IssueRate{4, 1});
  const IssueTurns::Step seven = turns.step(7);
  EXPECT_EQ(turns.claim(0, seven), 0U);  // free again in 7/4
  EXPECT_EQ(turns.claim(0), 1U);         // in 8/4
  EXPECT_EQ(turns.claim(0), 2U);
}

}  // namespace
}  // namespace tessera::spec
