// SPDX-License-Identifier: Apache-2.0
// Timelines of the refill lane beside the engine (docs/hardware/timing.md 6.7), by hand. Without anything in its way an
// entry of cycle t is in R in t + 3, and its TB on the pins in t + 6.
#include "tests/tlm/one_job_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using testing::ElementsAre;

spec::Spec lane_machine(std::uint32_t num_sms, std::uint32_t num_processes = 1, PolicyKind policy = PolicyKind::kFcfs) {
  spec::Spec spec = one_job_machine(num_sms, num_processes, policy);
  spec.gpu.framework.refill_lane = true;
  spec.gpu.framework.setup_tag_bits = 1;
  return spec;
}

std::vector<Cycle> durations_of(std::size_t num_tbs, std::vector<Cycle> first_ones, Cycle rest) {
  first_ones.resize(num_tbs, rest);
  return first_ones;
}

// ---- a kernel on one SM --------------------------------------------------------------------------------------

// As without a lane the SM shows its set-up done in 65. Taken in 65, R 68, active in 69. Issue: entry 69, R 72 to 75.
TEST(RefillLane, TheFirstTbIsOnThePinsTenCyclesAfterTheSetUpIsDone) {
  OneJobBench bench(lane_machine(1));
  bench.launch(1, {0, 20, {100}, 4});
  bench.run_and_stop(180);
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(75, 76, 77, 78));
}

// They end one a cycle, and so they are followed: entries 175 to 178, R 178 to 181.
TEST(RefillLane, TbsThatEndOneACycleAreReplacedOneACycle) {
  OneJobBench bench(lane_machine(1));
  bench.launch(1, {0, 20, {100}, 4});
  bench.run_and_stop(300);
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(75, 76, 77, 78, 181, 182, 183, 184, 287, 288, 289, 290));
}

// TB 15 leaves 4: W in 396. TB 12 ends in 493: R 496, offered in 497, PICK 497, SM, ROW, LOAD, CALC, BURST 502, WRITE
// 503. TB 13 ends in 494: in R from 498 on, offered in 505, when no WRITE was in the cycle before: BURST 510.
TEST(RefillLane, TheLastTbsOfAKernelGoToTheEngine) {
  OneJobBench bench(lane_machine(1));
  bench.launch(1, {0, 20, {100}, 4});
  bench.run();
  const std::vector<Cycle> issued = bench.sm(Kind::kTbIssued, 0);
  EXPECT_THAT(std::vector<Cycle>(issued.begin() + 12, issued.end()),
              ElementsAre(393, 394, 395, 396, 502, 510, 518, 526));
}

// Four TBs are too few for the lane: R 72, PICK 73, BURST 78 to 81. All end in 199: entries 199 to 202. R 202, 203,
// 204: the SM has others. R 205: its last one. PICK 206, SM, ROW, LOAD, CALC, WRITE 211.
TEST(RefillLane, TbsThatNobodyFollowsAreCountedByTheLaneButForTheLastOneOfAnSm) {
  OneJobBench bench(lane_machine(1));
  const auto k = bench.launch(1, {0, 4, {121, 120, 119, 118}, 4});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(78, 79, 80, 81));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, k), ElementsAre(211));
}

// One slot: a refill by the lane is 6 cycles behind the end, one by the engine 9. 2^12 TBs are counted by the lane: the
// low bits of `remaining` are below 5 from TB 900 to TB 904 and from TB 4996 on, `next_tb` is near its carry from TB
// 4091 to 4095.
TEST(RefillLane, AroundACarryTheEngineIssues) {
  OneJobBench bench(lane_machine(1));
  const auto k = bench.launch(1, {0, 5000, {20}, 1});
  bench.run();
  const std::vector<Cycle> issued = bench.kernel(Kind::kTbIssued, k);
  std::vector<std::size_t> by_engine;
  for (std::size_t tb = 1; tb < issued.size(); ++tb) {
    const Cycle behind = issued[tb] - issued[tb - 1] - 20;
    if (behind == 9) by_engine.push_back(tb);
    EXPECT_TRUE(behind == 6 || behind == 9) << tb << ": " << behind;
  }
  EXPECT_THAT(by_engine, ElementsAre(900, 901, 902, 903, 904, 4091, 4092, 4093, 4094, 4095, 4996, 4997, 4998, 4999));
}

// ---- many SMs ------------------------------------------------------------------------------------------------

// When the TBs of the first wave start does not depend on when they end.
std::vector<Cycle> starts_of_first_wave(const spec::Spec& spec, std::uint32_t num_tbs, std::uint32_t tbs_per_sm) {
  OneJobBench bench(spec);
  const auto k = bench.launch(1, {0, num_tbs, {1'000'000}, tbs_per_sm});
  bench.run_and_stop(999'999);
  return bench.kernel(Kind::kTbIssued, k);
}

TEST(RefillLane, SmsWhoseTbsEndInOneCycleAreRefilledOneACycle) {
  constexpr std::uint32_t kNumSms = 132;
  constexpr std::uint32_t kNumTbs = 2 * kNumSms + 20;
  constexpr Cycle kEnd = 60'000;
  const spec::Spec spec = lane_machine(kNumSms);
  std::vector<Cycle> durations = starts_of_first_wave(spec, kNumTbs, 1);
  ASSERT_EQ(durations.size(), kNumSms);
  for (Cycle& start : durations) start = kEnd - start;
  OneJobBench bench(spec);
  bench.launch(1, {0, kNumTbs, durations_of(kNumTbs, durations, 5'000), 1});
  bench.run_and_stop(kEnd + 1'000);
  for (std::uint16_t sm = 0; sm < kNumSms; ++sm) EXPECT_EQ(bench.sm(Kind::kTbIssued, sm)[1], kEnd + 6 + sm);
}

// SM 0 shows its set-up done in 66, SM 1 in 73. SM 0: R 69, and issues enter in 70, 74, 78, 82, each when the one
// before has left R. SM 1: R 76, issues enter in 77, 81, 85, 89.
TEST(RefillLane, BreadthFirstAnSmAsksAgainWhenItsTbIsOnItsWay) {
  spec::Spec spec = lane_machine(2);
  spec.scheduler.fill = spec::Fill::kBreadthFirst;
  OneJobBench bench(spec);
  bench.launch(1, {0, 30, {100}, 4});
  bench.run_and_stop(150);
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(76, 80, 84, 88));
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 1), ElementsAre(83, 87, 91, 95));
}

// Ratio 16, breadth first. Its set-up done, taken in core cycle 544, serves the SM in SM cycle 34. Issues enter in 560
// and 576, their TBs are on the pins in SM cycles 35 and 36 and count as decided in the one before. TB 0 ends in 136:
// counted, and the SM asks in 137.
TEST(RefillLane, InRoundsAnSmIsServedOnceInAnSmCycle) {
  spec::Spec spec = lane_machine(1);
  spec.scheduler.fill = spec::Fill::kBreadthFirst;
  spec.scheduler.tbs_per_cycle = 16;
  spec.gpu.framework.tb_issue_cycles = 2;
  spec.gpu.framework.search_entry_cycles = 0;
  spec.gpu.framework.kernel_activation_cycles = 1;
  OneJobBench bench(spec);
  const auto k = bench.launch(1, {0, 20, {100}, 2});
  bench.run_and_stop(200);
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(36, 37, 138, 139));
}

// ---- the lane and the engine's jobs --------------------------------------------------------------------------

// SM 1 is assigned while kernel 0 runs on SM 0, a TB after the other: a step of the search takes 100 cycles.
class LaneBesideAnAssign : public testing::Test {
 protected:
  struct Seen {
    Cycle start = 0;  // of TB 0
    Cycle assigned = 0;
    Cycle refilled = 0;  // TB 0's slot
  };
  static constexpr Cycle kLong = 10'000;

  static spec::Spec slow_search(PolicyKind policy) {
    spec::Spec spec = lane_machine(2, 2, policy);
    spec.gpu.framework.search_entry_cycles = 100;
    return spec;
  }

  // To kernel 0 itself, which has a token for one SM, and goes into debt for the other when kernel 1 has left it.
  static Seen to_the_same(Cycle of_first) {
    OneJobBench bench(slow_search(PolicyKind::kDss));
    bench.launch(1, {0, 30, durations_of(30, {of_first}, kLong), 1});
    bench.launch(2, {1, 1, {500}, 1});
    return seen(bench);
  }
  // To another kernel, in a partition of its own.
  static Seen to_another(Cycle of_first) {
    spec::Spec spec = slow_search(PolicyKind::kStaticPartition);
    spec.processes[1].partition = 1;
    OneJobBench bench(spec);
    bench.set_partition(1, 1, 1);
    bench.launch(1, {0, 30, durations_of(30, {of_first}, kLong), 1});
    bench.launch(500, {1, 30, {kLong}, 1});
    return seen(bench);
  }
  static Seen seen(OneJobBench& bench) {
    bench.run_and_stop(kLong / 2);
    const std::vector<Cycle> issued = bench.sm(Kind::kTbIssued, 0);
    return {issued.front(), bench.sm(Kind::kSmSetUp, 1).back(), issued.size() < 2 ? 0 : issued[1]};
  }
};

// Assign: PICK p, ROW p + 1, LOAD, CALC, BURST p + 4 gives SM 1, WRITE p + 6. What is in R in ROW .. WRITE waits, for
// the job is the kernel's: it goes in p + 7. What goes in p - 2, p - 1, p is in the table in four cycles more: ROW
// lasts until then, and SM 1 is given three cycles later.
TEST_F(LaneBesideAnAssign, AJobHoldsBackItsKernelAndWaitsForWhatIsInTheLane) {
  const Seen undisturbed = to_the_same(kLong);
  const Cycle p = undisturbed.assigned - 4;
  ASSERT_GT(p, undisturbed.start + 10);
  for (Cycle in_r = p - 4; in_r < p + 10; ++in_r) {
    const Seen seen = to_the_same(in_r - 3 - undisturbed.start);
    const bool is_before_row = in_r >= p - 2 && in_r <= p;
    const bool is_held = in_r >= p + 1 && in_r <= p + 6;
    EXPECT_EQ(seen.assigned, is_before_row ? in_r + 4 + 3 : p + 4) << in_r - p;
    EXPECT_EQ(seen.refilled, is_held ? p + 7 + 3 : in_r + 3) << in_r - p;
  }
}

// Kernel 0 has SM 0, and its only TB starts in 78. Kernel 1 comes in 301: activated in 313. BEGIN 314, WALK 315 and
// 316, JUDGE 320, assign: PICK 321, BURST 325 to 328, WRITE 329. Set-up of SM 1: PICK 330, WRITE 336. The TB ends in e,
// is in R in e + 3 and, since the engine has to count it, offered from e + 4 on. In 337 it comes before another set-up:
// SM 338, WRITE 342. Else the set-up of SM 2, PICK 337 to WRITE 343, is before it: WRITE 349.
TEST(RefillLane, ASetUpDoesNotFollowASetUpIfTheLaneOffers) {
  for (const Cycle e : {331, 333, 334, 340}) {
    OneJobBench bench(lane_machine(4));
    const auto first = bench.launch(1, {0, 1, {e - 78}, 1});
    const auto second = bench.launch(301, {0, 3, {1000}, 1});
    bench.run();
    EXPECT_THAT(bench.kernel(Kind::kTbFinished, first), ElementsAre(e));
    EXPECT_THAT(bench.kernel(Kind::kKernelActivated, second), ElementsAre(313));
    EXPECT_THAT(bench.kernel(Kind::kSmSetUp, second), ElementsAre(325, 326, 327));
    EXPECT_THAT(bench.kernel(Kind::kKernelFinished, first), ElementsAre(e <= 333 ? 342 : 349));
  }
}

TEST_F(LaneBesideAnAssign, AJobHoldsBackOtherKernelsInRowAlone) {
  const Seen undisturbed = to_another(kLong);
  const Cycle p = undisturbed.assigned - 4;
  ASSERT_GT(p, undisturbed.start + 10);
  for (Cycle in_r = p - 2; in_r < p + 20; ++in_r) {
    const Seen seen = to_another(in_r - 3 - undisturbed.start);
    EXPECT_EQ(seen.assigned, p + 4) << in_r - p;
    // The set-up's job, PICK p + 7, holds back SM 1 alone.
    EXPECT_EQ(seen.refilled, in_r == p + 1 ? p + 2 + 3 : in_r + 3) << in_r - p;
  }
}

}  // namespace
}  // namespace tessera::tlm_model::test
