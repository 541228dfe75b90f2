// SPDX-License-Identifier: Apache-2.0
// The driver that gives one TB to each SM before a second one (docs/concepts/readings.md, Logged order), on tiny
// machines.
#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using testing::ElementsAre;
using testing::IsEmpty;

spec::Spec breadth_first(std::uint32_t num_sms, std::uint32_t num_processes, PolicyKind policy) {
  spec::Spec spec = tiny_machine(num_sms, num_processes);
  spec.scheduler.policy = policy;
  spec.scheduler.fill = spec::Fill::kBreadthFirst;
  spec.scheduler.tbs_per_cycle = num_sms;
  return spec;
}

// All SMs are there at once: neither searches nor set-up take time.
spec::Spec instant(spec::Spec spec) {
  spec.gpu.framework.search_entry_cycles = 0;
  spec.gpu.framework.sm_setup_cycles = 0;
  return spec;
}

// {SM, slot} of each TB in the order of issue.
std::vector<std::pair<std::uint16_t, std::uint16_t>> places(const CoreBench& bench) {
  std::vector<std::pair<std::uint16_t, std::uint16_t>> found(bench.records(Kind::kTbIssued).size());
  for (const Record& r : bench.records(Kind::kTbIssued)) found[r.tb] = {r.sm, r.slot};
  return found;
}

TEST(CoreBreadthFirst, TbsGoRoundTheSmsStartingWithTheSecond) {
  CoreBench bench(instant(breadth_first(3, 1, PolicyKind::kFcfs)));
  const Latencies& t = bench.latencies();
  bench.launch(1, {0, 7, {1000}, 4});
  bench.run();
  using Place = std::pair<std::uint16_t, std::uint16_t>;
  EXPECT_THAT(places(bench),
              ElementsAre(Place(1, 0), Place(2, 0), Place(0, 0), Place(1, 1), Place(2, 1), Place(0, 1), Place(1, 2)));
  const Cycle first = 1 + t.activation + t.issue;
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 1), ElementsAre(first, first + 1, first + 2));
}

TEST(CoreBreadthFirst, TheIssueRateBoundsACycle) {
  spec::Spec spec = instant(breadth_first(3, 1, PolicyKind::kFcfs));
  spec.scheduler.tbs_per_cycle = 2;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  const auto k = bench.launch(1, {0, 5, {1000}, 4});
  bench.run();
  const Cycle first = 1 + t.activation + t.issue;
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(first, first, first + 1, first + 1, first + 2));
}

// Two slots of an SM that was never full in between: each waits for its own issue latency.
TEST(CoreBreadthFirst, EverySlotWaitsForItsOwnIssueLatency) {
  spec::Spec spec = instant(breadth_first(1, 1, PolicyKind::kFcfs));
  spec.gpu.framework.tb_issue_cycles = 3;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  const auto k = bench.launch(1, {0, 5, {10, 11, 1000, 500, 500}, 3});
  bench.run();
  const Cycle first = 1 + t.activation + 3;  // TBs 0, 1, 2 start in first, first + 1, first + 2
  const Cycle freed_0 = first + 10;
  const Cycle freed_1 = first + 1 + 11;
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(first, first + 1, first + 2, freed_0 + 3, freed_1 + 3));
}

TEST(CoreBreadthFirst, ASlotIsFilledTheIssueLatencyAfterItWasFreed) {
  CoreBench bench(instant(breadth_first(2, 1, PolicyKind::kFcfs)));
  const Latencies& t = bench.latencies();
  const auto k = bench.launch(1, {0, 6, {100, 300, 500, 700, 50, 50}, 2});
  bench.run();
  const Cycle first = 1 + t.activation + t.issue;
  EXPECT_THAT(bench.tb(Kind::kTbIssued, k, 4), ElementsAre(first + 100 + t.issue));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, k, 5), ElementsAre(first + 100 + t.issue + 50 + t.issue));
}

TEST(CoreBreadthFirst, ASlotFreedLaterDoesNotDelayOneFreedEarlier) {
  CoreBench bench(instant(breadth_first(1, 1, PolicyKind::kFcfs)));
  const Latencies& t = bench.latencies();
  const auto k = bench.launch(1, {0, 4, {100}, 2});
  bench.run();
  const Cycle first_end = 1 + t.activation + t.issue + 100;  // and the other TB a cycle later
  ASSERT_GT(t.issue, 1U);
  EXPECT_THAT(bench.tb(Kind::kTbIssued, k, 2), ElementsAre(first_end + t.issue));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, k, 3), ElementsAre(first_end + 1 + t.issue));
}

// A kernel that has filled its SMs and has TBs left takes an SM that becomes idle.
TEST(CoreBreadthFirst, AKernelWhoseSmsAreFullTakesAnIdleSm) {
  CoreBench bench(breadth_first(3, 2, PolicyKind::kPpq));
  const Latencies& t = bench.latencies();
  const auto first = bench.launch(1, {0, 1, {500}, 1});
  const auto second = bench.launch(101, {1, 3, {5000}, 1});  // two TBs run, one waits
  bench.run();
  const Cycle idle = 1 + t.assign() + t.start() + 500;
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, first), ElementsAre(idle));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, second, 2), ElementsAre(idle + t.search + t.start()));
}

TEST(CoreBreadthFirst, ACancelledDrainResumesTheIssueLatencyLater) {
  spec::Spec spec = breadth_first(1, 2, PolicyKind::kPpq);
  spec.scheduler.technique = spec::TechniqueKind::kDrain;
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  const auto victim = bench.launch(1, {0, 3, {400, 1000, 50}, 2});
  bench.launch(101, {1, 1, {200}, 1, 1});
  bench.set_priority(601, 0, 5);  // TB 0 has left its slot
  bench.run();
  EXPECT_THAT(bench.records(Kind::kPreemptionDone), IsEmpty());
  EXPECT_THAT(bench.tb(Kind::kTbIssued, victim, 2), ElementsAre(601 + t.search + t.issue));
}

TEST(CoreBreadthFirst, ASavedTbReachesAnotherSmTheIssueLatencyLater) {
  spec::Spec spec = breadth_first(2, 2, PolicyKind::kPpq);
  spec.gpu.framework.search_entry_cycles = 0;  // both SMs are set up at once: a TB on each
  CoreBench bench(spec);
  const Latencies& t = bench.latencies();
  const Kernel kernel{0, 2, {1000}, 2};
  const auto victim = bench.launch(1, kernel);
  bench.launch(301, {1, 1, {5000}, 1, 1});
  bench.run();
  const Cycle saved = 301 + t.activation + t.search + t.freeze + t.trap + kernel.move();
  const Record restored = bench.records(Kind::kTbRestored).at(0);
  EXPECT_EQ(restored.launch, victim);
  EXPECT_EQ(restored.sm, 1);
  EXPECT_EQ(restored.cycle, saved + t.issue + kernel.move());
}

// Between its set-up and its first TB an SM is empty. It changes hands in the cycle after the decision, in which
// preemption done comes before what the policy decides (docs/concepts/readings.md, Order in a cycle).
TEST(CoreBreadthFirst, AnEmptySmChangesHandsInTheCycleAfterItsReservation) {
  for (const auto technique : {spec::TechniqueKind::kContextSwitch, spec::TechniqueKind::kDrain}) {
    spec::Spec spec = breadth_first(1, 2, PolicyKind::kPpq);
    spec.scheduler.technique = technique;
    spec.gpu.framework.pipeline_drain_cycles = 0;
    CoreBench bench(spec);
    const Latencies& t = bench.latencies();
    const Cycle reserved = 1 + t.assign() + t.setup + 1;
    const auto victim = bench.launch(1, {0, 2, {1000}, 1, 0});
    const auto winner = bench.launch(reserved - t.activation - t.search, {1, 1, {200}, 1, 1});
    bench.run();
    EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(reserved));
    EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(reserved + 1));
    EXPECT_THAT(bench.kernel(Kind::kSmSetUp, winner), ElementsAre(reserved + 1));
    EXPECT_THAT(bench.tb(Kind::kTbIssued, victim, 0), testing::SizeIs(1));
  }
}

// The order of issue belongs to the driver: a policy written later does not change it.
TEST(CoreBreadthFirst, WritingAPolicyDoesNotChangeTheFill) {
  spec::Spec spec = breadth_first(3, 1, PolicyKind::kPpq);
  CoreBench bench(instant(spec));
  spec.scheduler.fill = spec::Fill::kDepthFirst;
  bench.set_policy(1, spec.scheduler);
  bench.launch(2, {0, 3, {1000}, 4});
  bench.run();
  using Place = std::pair<std::uint16_t, std::uint16_t>;
  EXPECT_THAT(places(bench), ElementsAre(Place(1, 0), Place(2, 0), Place(0, 0)));
}

}  // namespace
}  // namespace tessera::tlm_model::test
