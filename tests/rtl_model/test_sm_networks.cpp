// SPDX-License-Identifier: Apache-2.0
// The networks from three SMs to the scheduler: batches of events, and handles that stay together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rtl_model/sm_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;

// ---- events -------------------------------------------------------------------------------------------------

// TBs 0 and 3 on SM 0, 1 on SM 1, 2 on SM 2: all end in cycle 100.
class Batch : public testing::Test {
 protected:
  Batch() {
    bench.bring_up(bench.kernel({100 - 51, 100 - 52, 100 - 53, 100 - 54, 102 - 55}));
    for (const std::uint32_t tb : {0U, 1U, 2U, 3U}) {
      bench.dispatch(tb % 3, tb);
      bench.tick();
    }
  }
  std::vector<std::pair<Cycle, std::uint32_t>> taken() const {
    std::vector<std::pair<Cycle, std::uint32_t>> list;
    for (const SmBench::Event& event : bench.events) {
      if (event.is_taken) list.emplace_back(event.at, event.sm);
    }
    return list;
  }
  using Taken = std::pair<Cycle, std::uint32_t>;

  SmBench bench{machine(3)};
};

TEST_F(Batch, GoesRoundBeforeAnSmIsServedAgain) {
  bench.run_to(120);
  EXPECT_THAT(taken(), ElementsAre(Taken{100, 0}, Taken{101, 1}, Taken{102, 2}, Taken{103, 0}));
}

TEST_F(Batch, WaitsForTheScheduler) {
  bench.is_ready = false;
  bench.run_to(110);
  EXPECT_EQ(bench.events.size(), 10U);
  for (const SmBench::Event& event : bench.events) EXPECT_EQ(event.sm, 0U);
  bench.is_ready = true;
  bench.run_to(130);
  EXPECT_THAT(taken(), ElementsAre(Taken{110, 0}, Taken{111, 1}, Taken{112, 2}, Taken{113, 0}));
}

TEST_F(Batch, ALateComerWaitsForTheNext) {
  bench.dispatch(1, 4);  // on SM 1, which is served in 101, it ends in 102
  bench.run_to(120);
  EXPECT_THAT(taken(), ElementsAre(Taken{100, 0}, Taken{101, 1}, Taken{102, 2}, Taken{103, 0}, Taken{104, 1}));
}

// ---- handles ------------------------------------------------------------------------------------------------

// SM 2 is trapped a cycle before SM 0: two TBs on each.
TEST(HandlePort, BelongsToOneSaveFromItsFirstHandleToItsLast) {
  SmBench bench(machine(3));
  bench.bring_up(bench.kernel({500, 500, 500, 500}));
  for (const std::uint32_t tb : {0U, 1U, 2U, 3U}) {
    bench.dispatch(tb < 2 ? 2 : 0, tb);
    bench.tick();
  }
  bench.run_to(60);
  bench.trap(2);
  bench.tick();
  bench.trap(0);
  bench.run_to(300);
  const Cycle end = 58 + 43 + 11 + 2 * 16;  // of the save of SM 2; that of SM 0 a cycle later
  ASSERT_EQ(bench.handles.size(), 4U);
  const std::uint32_t sms[] = {2, 2, 0, 0}, tbs[] = {0, 1, 2, 3};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(bench.handles[i].sm, sms[i]);
    EXPECT_EQ(bench.handles[i].tb, tbs[i]);
  }
  EXPECT_EQ(bench.handles[0].at, end - 2);
  EXPECT_EQ(bench.handles[1].at, end - 1);
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted, 2), ElementsAre(end));
  // SM 0 had its first handle ready in end - 1. It is done when the last one has been taken.
  EXPECT_EQ(bench.handles[2].at, end);
  EXPECT_EQ(bench.handles[3].at, bench.handles[2].at + 1);
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted, 0), ElementsAre(bench.handles[3].at + 1));
}

TEST(HandlePort, IsNotHeldBackByEventsThatWait) {
  SmBench bench(machine(1));
  bench.bring_up(bench.kernel({500, 500}));
  bench.dispatch(0, 0);
  bench.tick();
  bench.dispatch(0, 1);
  bench.run_to(60);
  bench.trap(0);
  bench.is_ready = false;
  bench.run_to(200);
  const Cycle end = 58 + 43 + 11 + 2 * 16;
  ASSERT_EQ(bench.handles.size(), 2U);
  EXPECT_EQ(bench.handles[1].at, end - 1);
  EXPECT_EQ(bench.first(SmEventKind::kPreempted), end);
}

// With fair sharing, the end of a save may move after its last handle: nobody's handles follow until it is over.
TEST(HandlePort, BelongsToASaveUntilItIsOverWhereEndsMove) {
  spec::Spec spec = machine(3);
  spec.channel_sharing = spec::ChannelSharing::kFair;
  SmBench bench(spec);
  bench.bring_up(bench.kernel({500, 500, 500, 500}));
  for (const std::uint32_t tb : {0U, 1U, 2U, 3U}) {
    bench.dispatch(tb < 2 ? 2 : 0, tb);
    bench.tick();
  }
  bench.run_to(60);
  bench.trap(2);
  bench.tick();
  bench.trap(0);
  bench.is_ready = false;
  bench.run_to(250);
  EXPECT_EQ(bench.handles.size(), 2U);
  bench.is_ready = true;
  bench.run_to(300);
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted, 2), ElementsAre(250));
  ASSERT_EQ(bench.handles.size(), 4U);
  EXPECT_EQ(bench.handles[2].at, 251U);
  EXPECT_EQ(bench.handles[3].at, 252U);
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted, 0), ElementsAre(253));
}

}  // namespace
}  // namespace tessera::rtl_model::test
