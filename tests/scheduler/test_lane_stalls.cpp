// SPDX-License-Identifier: Apache-2.0
// The refill lane and the engine's jobs: when R waits for a job, and a job for X, Y and W (docs/hardware/timing.md 6.7,
// 4. to 10.). An event that is taken in t is in R from t + 3 on; a TB that leaves R in r is on the pins in r + 3.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/lane_bench.h"
#include "tests/scheduler/turn_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;
using Phase = JobEngine::Phase;

// The cycle in which the TB that is done in SM `sm` from `in_r` on in R leaves it.
struct Refill {
  std::uint32_t sm;
  Cycle in_r, leaves;
};

// Two kernels of many TBs, on an SM each.
CoreBench& with_two_kernels(CoreBench& bench) {
  run_kernels(bench, {40, 40});
  bench.run(10);
  return bench;
}

Cycle leaves_r(const CoreBench& bench, Cycle from) { return bench.dispatches(from).front().first - 3; }

// ---- a deal: visits the row of kernel 0 alone ----------------------------------------------------------------------

// A tokens write of context 0 is taken in c: PICK c + 4, ROW c + 5, LOAD, CALC, WRITE c + 8.
TEST(LaneStalls, InRowOfAnyJob) {
  for (const auto& [sm, in_r, leaves] : {Refill{1, 4, 4}, {1, 5, 6}, {1, 6, 6}, {1, 8, 8}}) {
    CoreBench bench(laned(2, 4, kPartitioned));
    const Cycle c = with_two_kernels(bench).now();
    for (Cycle t = c; t < c + 20; ++t) {
      if (t == c) bench.write(ControlRegister::kTokens, 0, 2);
      if (t + 3 == c + in_r) bench.event(sm, SmEventKind::kTbDone);
      bench.tick();
    }
    EXPECT_EQ(leaves_r(bench, c), c + leaves) << in_r;
  }
}

TEST(LaneStalls, FromRowToWriteOfAVisitToTheKernel) {
  for (const auto& [sm, in_r, leaves] : {Refill{0, 4, 4}, {0, 5, 9}, {0, 6, 9}, {0, 7, 9}, {0, 8, 9}, {0, 9, 9}}) {
    CoreBench bench(laned(2, 4, kPartitioned));
    const Cycle c = with_two_kernels(bench).now();
    for (Cycle t = c; t < c + 20; ++t) {
      if (t == c) bench.write(ControlRegister::kTokens, 0, 2);
      if (t + 3 == c + in_r) bench.event(sm, SmEventKind::kTbDone);
      bench.tick();
    }
    EXPECT_EQ(leaves_r(bench, c), c + leaves) << in_r;
  }
}

// What has left R in `c + 4` is in W in `c + 7`: ROW ends in c + 8, the cycle after.
TEST(LaneStalls, RowWaitsWhileTheLaneCountsForItsKernel) {
  for (const auto& [in_r, loads] : {std::pair{Cycle{4}, Cycle{9}}, {3, 8}, {2, 7}, {1, 6}, {0, 6}}) {
    for (const std::uint32_t sm : {0U, 1U}) {
      CoreBench bench(laned(2, 4, kPartitioned));
      const Cycle c = with_two_kernels(bench).now() + 5;
      Cycle load = 0;
      for (Cycle t = c - 5; t < c + 20; ++t) {
        if (t == c) bench.write(ControlRegister::kTokens, 0, 2);
        if (t + 3 == c + in_r) bench.event(sm, SmEventKind::kTbDone);
        if (bench.core.engine().phase() == Phase::kLoad && load == 0) load = t;
        bench.tick();
      }
      EXPECT_EQ(load, c + (sm == 0 ? loads : 6)) << in_r;
    }
  }
}

// ---- a reserve and its trap: SM 0 of two that run kernel 0
// -----------------------------------------------------------

// PICK of the reserve in p, SM p + 2; visit A's WRITE in p + 6, visit B's in p + 10. The trap: PICK p + 11, SM p + 13,
// WRITE p + 17.
CoreParams two_sms(std::uint32_t policy = kPpq) {
  CoreParams params = laned(2, 4, policy);
  params.num_ksrs = 2;
  return params;
}

// A TB of `sm` is done so that it is in R from p + `in_r` on. Returns when it leaves R, from p on: its slot is filled,
// or, once the SM is reserved, it is counted.
Cycle leaves_r_beside_reserve(std::uint32_t sm, Cycle in_r) {
  CoreBench bench(two_sms());
  bench.launch(0, 0, 1, 40, 4);
  bench.settle();
  bench.run(10);
  const Cycle c = bench.now();
  bench.launch(1, 1, 5, 4, 4);
  // As in test_preemption.cpp: BEGIN c + 11, and a walk of two steps.
  const Cycle p = c + 18;
  Cycle counted_in = 0;
  for (Cycle t = c; t < c + 80; ++t) {
    if (t + 3 == p + in_r) bench.event(sm, SmEventKind::kTbDone);
    bench.tick();
    if (bench.sm(sm).running == 3 && counted_in == 0) counted_in = t;
  }
  // Before, its ROW waits.
  if (in_r >= 3) {
    EXPECT_EQ(bench.moves(MoveKind::kReserve, c).front(), (At{p + 11, 0}));
    EXPECT_EQ(bench.traps(c).front(), (At{p + 18, 0}));
  }
  return (counted_in > 0 ? counted_in : leaves_r(bench, c)) - p;
}

TEST(LaneStalls, FromSmToWriteOfAJobOfTheSm) {
  for (const Cycle in_r : {Cycle{0}, Cycle{1}}) EXPECT_EQ(leaves_r_beside_reserve(0, in_r), in_r);
  for (Cycle in_r = 3; in_r <= 10; ++in_r) EXPECT_EQ(leaves_r_beside_reserve(0, in_r), 11U);
  EXPECT_EQ(leaves_r_beside_reserve(0, 12), 12U);
}

// Visit A is to its kernel; visit B is not, but for its ROW.
TEST(LaneStalls, NotInOtherVisitsOfAnotherSmsJob) {
  for (const Cycle in_r : {Cycle{1}, Cycle{2}}) EXPECT_EQ(leaves_r_beside_reserve(1, in_r), in_r);
  for (const Cycle in_r : {Cycle{3}, Cycle{4}, Cycle{6}, Cycle{7}}) EXPECT_EQ(leaves_r_beside_reserve(1, in_r), 8U);
  for (const Cycle in_r : {Cycle{8}, Cycle{9}, Cycle{10}}) EXPECT_EQ(leaves_r_beside_reserve(1, in_r), in_r);
}

// The trap's ROW is in p + 14.
TEST(LaneStalls, NotBesideATrapOfAnotherSm) {
  for (Cycle in_r = 11; in_r <= 18; ++in_r) {
    EXPECT_EQ(leaves_r_beside_reserve(1, in_r), in_r);
  }
}

// ---- an assign of two SMs -----------------------------------------------------------------------------------------

// A command in c: BEGIN c + 11, a walk of two steps, PICK c + 18 = p, ROW p + 1, BURST p + 4 .. p + 6, WRITE p + 7. TBs
// of another kernel wait: what goes in R would write its row three cycles later, perhaps in that WRITE.
TEST(LaneStalls, FromRowToBurstOfAnAssign) {
  for (const auto& [in_r, leaves] : {std::pair{Cycle{0}, Cycle{0}}, {1, 7}, {2, 7}, {4, 7}, {6, 7}, {7, 7}, {8, 8}}) {
    CoreBench bench(laned(3, 4, kPartitioned));
    for (const std::uint32_t sm : {1U, 2U}) {
      bench.write(ControlRegister::kPartition, 0, sm_partition_data(sm, 1));
      bench.tick();
    }
    bench.run(40);
    bench.launch(0, 0, 1, 40, 4);
    bench.settle();
    bench.run(10);
    const Cycle c = bench.now();
    bench.launch(1, 1, 1, 8, 4);
    bench.in.command.partition = 1;
    const Cycle p = c + 18;
    for (Cycle t = c; t < c + 40; ++t) {
      if (t + 3 == p + in_r) bench.event(0, SmEventKind::kTbDone);
      bench.tick();
    }
    EXPECT_EQ(bench.moves(MoveKind::kAssign, c), (std::vector<At>{{p + 5, 1}, {p + 6, 2}})) << in_r;
    EXPECT_EQ(leaves_r(bench, c), p + leaves) << in_r;
  }
}

// ---- an eviction ---------------------------------------------------------------------------------------------------

// Of one kernel, and another is active: a slice is over in t. BEGIN t + 1, a walk of two steps, JUDGE t + 7, BEGIN t +
// 8, PICK t + 9, FIND t + 10, WRITE t + 14.
TEST(LaneStalls, FromFindToWriteOfAnEviction) {
  for (const auto& [sm, in_r, leaves] : {Refill{0, 9, 9}, {0, 10, 15}, {0, 12, 15}, {0, 14, 15}, {0, 15, 15}}) {
    TurnBench bench(with_lane(keeping(1)));
    bench.launch(0, 0, 0, 40, 4);
    bench.settle();
    bench.launch(1, 1, 0, 40, 4);
    bench.settle();
    const Cycle t = bench.now();
    Cycle counted_in = 0;
    for (Cycle now = t; now < t + 40; ++now) {
      if (now == t) bench.in.slice_tick = true;
      if (now + 3 == t + in_r) bench.event(sm, SmEventKind::kTbDone);
      bench.tick();
      if (bench.sm(sm).running == 3 && counted_in == 0) counted_in = now;
    }
    EXPECT_EQ(counted_in > 0 ? counted_in : leaves_r(bench, t), t + leaves) << in_r;
    if (in_r > 9) {
      EXPECT_THAT(bench.when(has_evicted), ElementsAre(t + 15));
    }
  }
}

// ---- jobs that come out of R
// -----------------------------------------------------------------------------------------

// Of kernel 0 four TBs are left: the engine refills. Its TB done is taken in t: PICK t + 4, ROW t + 6, BURST t + 9,
// WRITE t + 10. Those of kernel 1 behind it: the first goes while the engine reads the SM's row, in t + 5; the others
// wait for WRITE.
TEST(LaneStalls, FromRowToBurstOfAJobThatMayIssue) {
  CoreBench bench(laned(2, 4, kPartitioned));
  run_kernels(bench, {8, 40});
  bench.run(10);
  const Cycle t = bench.now();
  bench.take(0, SmEventKind::kTbDone);
  EXPECT_EQ(bench.take(1, SmEventKind::kTbDone), t + 1);
  EXPECT_EQ(bench.take(1, SmEventKind::kTbDone), t + 2);
  EXPECT_EQ(bench.take(1, SmEventKind::kTbDone), t + 3);
  bench.run(30);
  EXPECT_THAT(bench.dispatches(t), ElementsAre(At{t + 8, 4}, At{t + 9, 4}, At{t + 10 + 3, 5}, At{t + 11 + 3, 6}));
  // What left S in t + 3 is in B in t + 4.
  EXPECT_FALSE(bench.trace[t + 4].sm_event_ready);
  EXPECT_TRUE(bench.trace[t + 5].sm_event_ready);
}

// R holds the TB done of kernel 0, which it may not offer while the search deals: until then all behind it waits.
TEST(LaneStalls, NothingIsOfferedWhileTheSearchDeals) {
  CoreBench bench(laned(2, 4, kPartitioned));
  run_kernels(bench, {8, 40});
  bench.run(10);
  const Cycle c = bench.now();
  bench.write(ControlRegister::kTokens, 2,
              2);  // of a context without kernels: two entries of three cycles, and the end
  bench.event(0, SmEventKind::kTbDone);
  bench.run(40);
  // DEAL c + 1 .. c + 7, BEGIN c + 8: PICK there, BURST c + 13.
  EXPECT_THAT(bench.dispatches(c), ElementsAre(At{c + 13, 4}));
}

}  // namespace
}  // namespace tessera::rtl_model::test
