// SPDX-License-Identifier: Apache-2.0
// Ends of transfers over the memory channel, by hand: 32 bytes a cycle and two SMs, or 48 and three; a cycle is a
// nanosecond.
#include <gtest/gtest.h>

#include "rtl_model/memory/memory_channel.h"
#include "tests/rtl_model/machine.h"

namespace tessera::rtl_model::test {
namespace {

class Channel : public testing::Test {
 protected:
  static void start(MemoryChannel& channel, std::uint32_t sm, std::uint64_t bytes, Cycle now) {
    channel.request(sm, {true, false, bytes}, now);
  }
  static void end(MemoryChannel& channel, std::uint32_t sm, Cycle now) { channel.request(sm, {false, true, 0}, now); }

  MemoryChannel fixed{"fixed", spec::ChannelSharing::kStatic, machine(2).gpu};
  MemoryChannel fair{"fair", spec::ChannelSharing::kFair, machine(2).gpu};
  MemoryChannel fair3{"fair3", spec::ChannelSharing::kFair, machine(3).gpu};
};

TEST_F(Channel, HasNoEndForAnSmThatMovesNothing) {
  EXPECT_EQ(fixed.end_of(0), kNever);
  start(fixed, 1, 100, 10);
  fixed.seq();
  EXPECT_EQ(fixed.end_of(0), kNever);
  EXPECT_FALSE(fixed.moving().has(0));
  EXPECT_TRUE(fixed.moving().has(1));
}

TEST_F(Channel, AStaticShareIsTheSameWhoeverElseMoves) {
  start(fixed, 0, 100, 10);
  fixed.seq();
  EXPECT_EQ(fixed.end_of(0), 17U);  // 100 / 16 = 6.25
  start(fixed, 1, 64, 12);
  fixed.seq();
  EXPECT_EQ(fixed.end_of(0), 17U);
  EXPECT_EQ(fixed.end_of(1), 16U);  // 64 / 16 = 4
  end(fixed, 1, 16);
  fixed.seq();
  EXPECT_EQ(fixed.end_of(0), 17U);
  EXPECT_EQ(fixed.end_of(1), kNever);
}

TEST_F(Channel, FairGivesAllOfItToTheOnlyOne) {
  start(fair, 0, 100, 10);
  fair.seq();
  EXPECT_EQ(fair.end_of(0), 14U);  // 100 / 32 = 3.1
}

TEST_F(Channel, AStartAndAnEndMoveTheEndsOfOthers) {
  start(fair, 0, 100, 10);
  fair.seq();
  start(fair, 1, 128, 12);  // SM 0 has 36 bytes left
  fair.seq();
  EXPECT_EQ(fair.end_of(0), 15U);  // 36 / 16 = 2.25
  EXPECT_EQ(fair.end_of(1), 20U);  // 128 / 16 = 8
  end(fair, 0, 15);                // SM 1 has 80 left
  fair.seq();
  EXPECT_EQ(fair.end_of(0), kNever);
  EXPECT_EQ(fair.end_of(1), 18U);  // 80 / 32 = 2.5
}

TEST_F(Channel, AnEndAndAStartOfOneCycleLeaveTheThirdAlone) {
  start(fair3, 0, 48, 10);
  start(fair3, 1, 240, 10);
  fair3.seq();
  EXPECT_EQ(fair3.end_of(0), 12U);  // 24 bytes a cycle each
  EXPECT_EQ(fair3.end_of(1), 20U);
  for (const bool is_start_first : {true, false}) {
    MemoryChannel channel(is_start_first ? "one" : "other", spec::ChannelSharing::kFair, machine(3).gpu);
    start(channel, 0, 48, 10);
    start(channel, 1, 240, 10);
    channel.seq();
    if (is_start_first) start(channel, 2, 48, 12);
    end(channel, 0, 12);
    if (!is_start_first) start(channel, 2, 48, 12);
    channel.seq();
    EXPECT_EQ(channel.end_of(1), 20U);
    EXPECT_EQ(channel.end_of(2), 14U);
  }
}

// A third of 48e9 is a whole number, a third of 32e9 is not: what is lost adds a cycle (docs/hardware/timing.md section
// 8).
TEST_F(Channel, AShareThatIsRoundedDownMayCostACycle) {
  spec::GpuSpec gpu = machine(3).gpu;
  gpu.memory_bandwidth_bytes_per_s = 32'000'000'000;
  MemoryChannel uneven("uneven", spec::ChannelSharing::kFair, gpu);
  for (const std::uint32_t sm : {0U, 1U, 2U}) {
    start(fair3, sm, 48, 10);
    start(uneven, sm, 32, 10);
  }
  fair3.seq();
  uneven.seq();
  EXPECT_EQ(fair3.end_of(0), 13U);
  EXPECT_EQ(uneven.end_of(0), 14U);
}

TEST_F(Channel, ATransferOfASingleByteTakesACycle) {
  start(fixed, 0, 1, 10);
  fixed.seq();
  EXPECT_EQ(fixed.end_of(0), 11U);
}

}  // namespace
}  // namespace tessera::rtl_model::test
