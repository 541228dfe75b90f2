// SPDX-License-Identifier: Apache-2.0
// The lane's pipeline by itself (docs/hardware/timing.md 6.7.1, 6.7.2, 6.7.7): when an entry is in R, and when another
// one can follow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tlm/core_bench.h"
#include "tlm/execution_engine/one_job/refill_lane.h"

namespace tessera::tlm_model::test {
namespace {

class RefillLanePipeline : public testing::Test {
 protected:
  void enter(std::uint16_t sm, Cycle at) {
    ASSERT_EQ(lane_.next_entry(at), at);
    lane_.enter({SmId(sm), false, {}}, at);
  }

  spec::Spec spec_ = tiny_machine(4, 1);  // of 4 slots: 12 bits of a TB's number are counted
  RefillLane lane_{spec_};
};

TEST_F(RefillLanePipeline, AnEntryIsInRThreeCyclesLaterAndTheNextIsOneCycleBehindIt) {
  enter(0, 10);
  EXPECT_EQ(lane_.in_r_from(), 13U);
  EXPECT_EQ(lane_.next_entry(10), 11U);
  enter(1, 11);
  enter(2, 12);
  enter(3, 13);
  for (Cycle at = 13; at < 17; ++at) {
    EXPECT_EQ(lane_.in_r_from(), at);
    lane_.leaves(at);
  }
  EXPECT_TRUE(lane_.is_empty());
}

// 0 is in R from 13 on, and does not leave. 1 is in S in 13, and in B from 14 on: 3 has entered in 13, behind 2.
TEST_F(RefillLanePipeline, WhileRIsOccupiedOneWaitsInBAndNoneEnters) {
  for (std::uint16_t sm = 0; sm < 4; ++sm) enter(sm, 10 + sm);
  EXPECT_EQ(lane_.next_entry(14), kNever);
  // R is free in 20, B in 21: one enters again, and is behind three.
  lane_.leaves(20);
  EXPECT_EQ(lane_.in_r_from(), 21U);
  enter(0, 21);
  for (Cycle at = 21; at < 25; ++at) {
    EXPECT_EQ(lane_.in_r_from(), at);
    lane_.leaves(at);
  }
  EXPECT_TRUE(lane_.is_empty());
}

// 0 is in R from 13 on. 1 enters in 12, is in S in 14, in B from 15 on: until 14 there is room behind it.
TEST_F(RefillLanePipeline, EntriesGoOnUntilBIsOccupied) {
  enter(0, 10);
  enter(1, 12);
  EXPECT_EQ(lane_.next_entry(14), 14U);
  EXPECT_EQ(lane_.next_entry(15), kNever);
}

// 1 goes from B to R in 21 and leaves it in 23. B is empty in 21, in which 2 is still in S: then it is in B.
TEST_F(RefillLanePipeline, AnEntryThatFindsROccupiedGoesThroughB) {
  for (std::uint16_t sm = 0; sm < 3; ++sm) enter(sm, 10 + sm);
  lane_.leaves(20);
  EXPECT_EQ(lane_.in_r_from(), 21U);
  EXPECT_EQ(lane_.next_entry(20), 21U);
  EXPECT_EQ(lane_.next_entry(22), kNever);
  lane_.leaves(23);
  EXPECT_EQ(lane_.in_r_from(), 24U);
}

TEST_F(RefillLanePipeline, AnSmHasAskedUntilItsIssueLeavesR) {
  lane_.enter({SmId(2), true, {}}, 10);
  EXPECT_TRUE(lane_.has_asked(SmId(2)));
  EXPECT_FALSE(lane_.has_asked(SmId(1)));
  lane_.leaves(13);
  EXPECT_FALSE(lane_.has_asked(SmId(2)));
}

KernelRun kernel_with(std::uint32_t next, std::uint32_t remaining) {
  KernelRun kernel;
  kernel.tbs = {next + remaining, next, 0, 0};
  kernel.fresh_end = kernel.tbs.total;
  return kernel;
}

// 4096 is 2^12: `next_tb` below 4091, ~`remaining` below 4091.
TEST_F(RefillLanePipeline, TheLaneCountsWhileNoCarryIsNear) {
  const auto refills = [&](std::uint32_t next, std::uint32_t remaining) {
    lane_.row_written(KsrId(1), kernel_with(next, remaining));
    return lane_.refills(KsrId(1), 100);
  };
  EXPECT_TRUE(refills(0, 5));
  EXPECT_FALSE(refills(0, 4));
  EXPECT_TRUE(refills(4090, 1000));
  EXPECT_FALSE(refills(4091, 1000));
  EXPECT_FALSE(refills(4095, 1000));
  EXPECT_TRUE(refills(4096, 1000));
  EXPECT_FALSE(refills(0, 4096 + 4));
  EXPECT_TRUE(refills(0, 4096 + 5));
  EXPECT_TRUE(refills(0, 4095));
}

TEST_F(RefillLanePipeline, AKernelWithHandlesIsNotRefilled) {
  KernelRun kernel = kernel_with(10, 1000);
  kernel.fresh_end = 0;
  lane_.row_written(KsrId(1), kernel);
  EXPECT_FALSE(lane_.refills(KsrId(1), 100));
}

// In W of the TB that leaves 4: three more may have gone by then, from 51 to 53.
TEST_F(RefillLanePipeline, TheLastTbThatTheLaneCountsIsSeenFourCyclesAfterItsR) {
  lane_.row_written(KsrId(1), kernel_with(10, 5));
  lane_.counted(KsrId(1), 50, kernel_with(11, 4).tbs);
  EXPECT_TRUE(lane_.refills(KsrId(1), 53));
  EXPECT_FALSE(lane_.refills(KsrId(1), 54));
  lane_.counted(KsrId(1), 53, kernel_with(12, 3).tbs);
  EXPECT_FALSE(lane_.refills(KsrId(1), 54));
  EXPECT_EQ(lane_.in_table(KsrId(1)), 57U);
}

}  // namespace
}  // namespace tessera::tlm_model::test
