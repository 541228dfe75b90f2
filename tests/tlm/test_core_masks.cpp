// SPDX-License-Identifier: Apache-2.0
// Partitions whose masks overlap, cycle by cycle, and whatever the masks.
#include "tests/tlm/random_engine.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using spec::TechniqueKind;
using testing::ElementsAre;
using testing::IsEmpty;

// SMs 0 and 1 are a's, SMs 1 and 2 are b's. Process 0 is in a, the others are in b.
spec::Spec two_masks(std::uint32_t num_processes = 2) {
  spec::Spec spec = machine(3, num_processes, PolicyKind::kStaticPartition);
  spec.partitions = {{"a", {0, 1}}, {"b", {1, 2}}};
  for (std::uint32_t p = 1; p < num_processes; ++p) spec.processes[p].partition = 1;
  return spec;
}

Kernel with_deadline(Kernel kernel, Cycle deadline) {
  kernel.deadline = deadline;
  return kernel;
}

constexpr Cycle kSoon = 100'000;
constexpr Cycle kLater = 900'000'000;

TEST(CoreMasks, AnUrgentKernelTakesTheSharedSmAndLeavesTheOther) {
  CoreBench bench(two_masks());
  const Latencies& t = bench.latencies();
  const Kernel late = with_deadline({0, 30, {1000}}, kLater);
  bench.launch(101, late);
  bench.launch(501, with_deadline({1, 30, {1000}}, kSoon));
  bench.run();
  // a: SM 0 first, which b cannot use.
  EXPECT_EQ(first_of(bench.sm(Kind::kSmSetUp, 0)), 101 + t.assign());
  EXPECT_EQ(first_of(bench.sm(Kind::kSmSetUp, 1)), 101 + t.assign());
  // b: SM 2 is idle; then it takes one.
  EXPECT_EQ(first_of(bench.sm(Kind::kSmSetUp, 2)), 501 + t.assign());
  const Cycle reserved = 501 + t.assign() + t.search;
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 1), ElementsAre(reserved));
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 1), ElementsAre(reserved + t.freeze + t.trap + late.move()));
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), IsEmpty());
}

TEST(CoreMasks, ALessUrgentKernelGetsItsOwnSmAloneAndTheSharedOneWhenItIsLeft) {
  CoreBench bench(two_masks());
  const Latencies& t = bench.latencies();
  const std::uint32_t urgent = bench.launch(101, with_deadline({0, 2, {3000, 5000}}, kSoon));
  bench.launch(501, with_deadline({1, 30, {1000}}, kLater));
  bench.run();
  EXPECT_EQ(first_of(bench.sm(Kind::kSmSetUp, 2)), 501 + t.assign());
  EXPECT_THAT(bench.records(Kind::kPreemptionRequested), IsEmpty());
  const Cycle left = first_of(bench.kernel(Kind::kKernelFinished, urgent));
  EXPECT_EQ(first_of(bench.sm(Kind::kSmReleased, 1)), left);
  ASSERT_EQ(bench.sm(Kind::kSmSetUp, 1).size(), 2U);
  EXPECT_EQ(bench.sm(Kind::kSmSetUp, 1)[1], left + t.search);
}

// Both arrive at once: the shared SM is never set up for the late one.
TEST(CoreMasks, AnIdleSharedSmGoesToTheMoreUrgentKernelAtOnce) {
  CoreBench bench(two_masks());
  const Latencies& t = bench.latencies();
  bench.launch(101, with_deadline({0, 4, {1000}}, kLater));
  bench.launch(101, with_deadline({1, 4, {1000}}, kSoon));
  bench.run_and_stop(900);
  const Cycle active = 101 + 2 * t.activation;
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 2), ElementsAre(active + t.search));
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 1), ElementsAre(active + t.search));
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 0), ElementsAre(active + 2 * t.search));
  EXPECT_THAT(bench.records(Kind::kPreemptionRequested), IsEmpty());
}

// A TB of the victim that drains is not lost, nor issued twice: the bench checks the log.
TEST(CoreMasks, ByDrainASharedSmIsHandedOverWhenItsThreadBlocksEnd) {
  spec::Spec spec = two_masks();
  spec.scheduler.technique = TechniqueKind::kDrain;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(101, with_deadline({0, 4, {3000}}, kLater));
  bench.launch(501, with_deadline({1, 30, {1000}}, kSoon));
  bench.run();
  const Cycle ends = 101 + t.assign() + t.start() + 1 + 3000;
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 1), ElementsAre(ends));
  EXPECT_EQ(bench.sm(Kind::kSmSetUp, 1)[1], ends);
}

// A third mask, of SM 3 alone, does not wait for what the other two have to settle, but for the search.
TEST(CoreMasks, AMaskThatSharesNothingTakesTurnsWithTheOthers) {
  spec::Spec spec = machine(4, 3, PolicyKind::kStaticPartition);
  spec.partitions = {{"a", {0, 1}}, {"b", {1, 2}}, {"c", {3}}};
  for (std::uint32_t p = 0; p < 3; ++p) spec.processes[p].partition = p;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  bench.launch(101, with_deadline({0, 30, {1000}}, kSoon));
  bench.launch(101, with_deadline({2, 30, {1000}}, kLater));
  bench.run();
  const Cycle active = 101 + 2 * t.activation;
  const std::vector<Cycle> first{first_of(bench.sm(Kind::kSmSetUp, 0)), first_of(bench.sm(Kind::kSmSetUp, 3))};
  EXPECT_EQ(std::max(first[0], first[1]), active + 2 * t.search);
  EXPECT_EQ(std::min(first[0], first[1]), active + t.search);
}

RC_GTEST_PROP(CoreMasks, EveryKernelFinishesAndEveryInvariantHoldsWhateverTheMasks, ()) {
  expect_that_all_finishes(ExperimentMaker().make_with_masks());
}

RC_GTEST_PROP(CoreMasks, TheLogDoesNotDependOnWhoWatchesOrHowFarTheEngineRunsAhead, ()) {
  expect_one_log(ExperimentMaker().make_with_masks());
}

}  // namespace
}  // namespace tessera::tlm_model::test
