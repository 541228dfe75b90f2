// SPDX-License-Identifier: Apache-2.0
// Two kernels on an SM ([S16] 3.2): who comes beside whom, who waits, and who has the SM afterwards.
#include "tests/tlm/victims_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::TechniqueKind;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

spec::Spec sharing_machine(std::uint32_t num_processes = 2) {
  spec::Spec spec = victims_machine(TechniqueKind::kDualKernel, num_processes);
  set_limit(spec, 100);
  return spec;
}

// [S16] 4.3: hotspot's registers leave position 7 of the synthetic kernel free.
TEST(DualKernel, AGuestThatFitsBesideTheOwnerNeedsNoVictim) {
  const spec::Spec spec = sharing_machine();
  const Cycle start = first_tb_start(spec);
  const Kernel hotspot{0, 3, {5000}, 3, 0, 9216, 0, kAlwaysIdempotent};
  const VictimsRun run(spec, hotspot, {1, 1, {300}, 64, 1, 4096}, start + 900);
  EXPECT_THAT(run.bench.tb(Kind::kTbIssued, run.winner, 0), ElementsAre(start + 900 + run.t.start()));
  EXPECT_THAT(run.bench.records(Kind::kVictimChosen), IsEmpty());
  const std::vector<Record> granted = run.bench.records(Kind::kPositionGranted);
  ASSERT_THAT(granted, SizeIs(1));
  EXPECT_EQ(granted[0].slot, 7);
  for (std::uint32_t tb = 0; tb < 3; ++tb)
    EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.victim, tb), ElementsAre(start + 5000));
}

// Its registers leave positions free, its threads do not: one TB must go, and one is enough.
TEST(DualKernel, APositionWithoutThreadsTakesTheCheapestVictim) {
  const spec::Spec spec = sharing_machine();
  const Cycle start = first_tb_start(spec);
  const Kernel streamcluster{0, 4, {5000, 5000, 5000, 950}, 4, 0, 2048, 0, kAlwaysIdempotent};  // 64 threads
  const VictimsRun run(spec, streamcluster, {1, 1, {300}, 8, 1, 4096}, start + 900);
  const std::vector<Record> chosen = run.bench.records(Kind::kVictimChosen);
  ASSERT_THAT(chosen, SizeIs(1));  // the one that ends within the limit costs nothing
  EXPECT_EQ(chosen[0].tb, 3U);
  EXPECT_EQ(chosen[0].technique, record::Technique::kDrain);
  EXPECT_THAT(run.bench.tb(Kind::kTbIssued, run.winner, 0), ElementsAre(start + 950 + run.t.start()));
}

TEST(DualKernel, TheOwnerGetsNoTbWhileTheGuestWaitsForPlacesAndGoesOnWhenItHasGone) {
  const spec::Spec spec = sharing_machine();
  const Cycle start = first_tb_start(spec);
  // Four of twelve are there; the guest takes two places of two.
  const Kernel owner{0, 12, {1000}, 4, 0, 8192, 0, kAlwaysIdempotent};
  const VictimsRun run(spec, owner, {1, 1, {2000}, 2, 1, 16384}, start + 500);
  const Cycle guest_start = start + 500 + run.t.start();
  EXPECT_THAT(run.bench.tb(Kind::kTbIssued, run.winner, 0), ElementsAre(guest_start));
  // TBs 0 and 1 were flushed for it; 2 and 3 end, and since it has all that it needs the owner's wait no longer.
  for (const std::uint32_t tb : {2U, 3U})
    EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.victim, tb), ElementsAre(start + 1000));
  for (const std::uint32_t tb : {0U, 1U})
    EXPECT_THAT(run.bench.tb(Kind::kTbRestarted, run.victim, tb), ElementsAre(start + 1000 + run.t.issue));
  // The guest has gone: its place is the owner's again, without a set-up.
  EXPECT_THAT(run.bench.sm(Kind::kSmSetUp, 0), SizeIs(1));
  EXPECT_THAT(run.bench.kernel(Kind::kSmPassed, run.winner), IsEmpty());
}

TEST(DualKernel, TheGuestOwnsTheSmWhenTheOwnersLastTbHasGone) {
  const spec::Spec spec = sharing_machine();
  const Cycle start = first_tb_start(spec);
  const Kernel owner{0, 2, {1000, 1900}, 2, 0, 16384, 0, kAlwaysIdempotent};
  const VictimsRun run(spec, owner, {1, 3, {3000}, 2, 1, 16384}, start + 950);
  // Position 0 drains within the limit, position 1 is flushed; both are granted, then nobody of the owner is left.
  EXPECT_THAT(run.bench.kernel(Kind::kSmPassed, run.winner), ElementsAre(start + 1000));
  EXPECT_THAT(run.bench.tb(Kind::kTbIssued, run.winner, 0), ElementsAre(start + 950 + run.t.start()));
  EXPECT_THAT(run.bench.tb(Kind::kTbIssued, run.winner, 1), ElementsAre(start + 1000 + run.t.start()));
  EXPECT_THAT(run.bench.tb(Kind::kTbIssued, run.winner, 2),
              ElementsAre(start + 950 + run.t.start() + 3000 + run.t.issue));
}

TEST(DualKernel, AThirdKernelWaitsUntilOneOfTheTwoHasGone) {
  const spec::Spec spec = sharing_machine(3);
  const Cycle start = first_tb_start(spec);
  CoreBench bench(spec);
  const Latencies t(spec);
  bench.launch(1, {0, 4, {9000}, 4, 0, 8192, 0, kAlwaysIdempotent});
  const auto second = bench.launch(arrival_to_choose_in(t, start + 499), {1, 1, {2000}, 2, 1, 16384});
  const auto third = bench.launch(start + 800, {2, 1, {100}, 2, 2, 16384});
  bench.run();
  const Cycle second_ends = first_of(bench.tb(Kind::kTbFinished, second, 0));
  EXPECT_EQ(second_ends, start + 500 + t.start() + 2000);
  EXPECT_GT(first_of(bench.tb(Kind::kTbIssued, third, 0)), second_ends);
}

// 4 KB are configured for the owner, 16 for the guest.
TEST(DualKernel, AGuestThatDoesNotFitTheConfigurationEmptiesTheSm) {
  spec::Spec spec = sharing_machine();
  spec.gpu.shared_memory_bytes = {4096, 16384};
  const Cycle start = first_tb_start(spec);
  Kernel guest{1, 1, {300}, 2, 1, 8192};
  guest.smem_bytes_per_tb = 10'000;
  const VictimsRun run(spec, {0, 2, {5000}, 4, 0, 8192, 0, kAlwaysIdempotent}, guest, start + 900);
  EXPECT_THAT(run.bench.records(Kind::kVictimChosen), SizeIs(2));
  EXPECT_THAT(run.bench.kernel(Kind::kSmSetUp, run.winner), ElementsAre(start + 900));
  EXPECT_THAT(run.bench.records(Kind::kSmPassed), IsEmpty());
}

TEST(DualKernel, APersistentOwnerIsSwitchedAndAPersistentGuestKeepsItsPlace) {
  const spec::Spec spec = sharing_machine();
  const Cycle start = first_tb_start(spec);
  CoreBench bench(spec);
  const Latencies t(spec);
  const auto endless = bench.launch(1, {0, 2, {kNever}, 2, 0, 16384});
  const auto guest = bench.launch(arrival_to_choose_in(t, start + 899), {1, 1, {kNever}, 2, 1, 16384});
  bench.run_and_stop(start + 100'000);
  EXPECT_THAT(bench.tb(Kind::kTbSaved, endless, 0), ElementsAre(start + 900 + 1000));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, guest, 0), ElementsAre(start + 900 + 1000 + t.start()));
  EXPECT_THAT(bench.tb(Kind::kTbSaved, endless, 1), IsEmpty());
}

// The command falls when two TBs have finished; how long the four that run will take, only the oracle knows.
TEST(DualKernel, WhatATbWillStillTakeIsHiddenFromTheEstimators) {
  using Durations = std::vector<Cycle>;
  const std::vector<Durations> futures{{1000, 1000, 900, 1300, 1500, 2000}, {1000, 1000, 2000, 1500, 1300, 900}};
  for (const spec::Estimator estimator : {spec::Estimator::kFinishedMean, spec::Estimator::kLeastSpread}) {
    for (const TechniqueKind technique : {TechniqueKind::kChimera, TechniqueKind::kDualKernel}) {
      std::vector<std::vector<Record>> choices;
      for (const Durations& future : futures) {
        spec::Spec spec = sharing_machine();
        spec.scheduler.technique = technique;
        spec.scheduler.estimator = estimator;
        const Kernel owner{0, 6, future, 2, 0, 16384, 0, kAlwaysIdempotent};
        const VictimsRun run(spec, owner, {1, 2, {300}, 2, 1, 16384}, first_tb_start(spec) + 1000 + 2 + 450);
        choices.push_back(run.bench.records(Kind::kVictimChosen));
        for (Record& chosen : choices.back()) chosen.launch = 0;
      }
      ASSERT_FALSE(choices[0].empty());
      EXPECT_TRUE(
          std::equal(choices[0].begin(), choices[0].end(), choices[1].begin(), choices[1].end(),
                     [](const Record& a, const Record& b) { return !canonical_less(a, b) && !canonical_less(b, a); }));
    }
  }
}

}  // namespace
}  // namespace tessera::tlm_model::test
