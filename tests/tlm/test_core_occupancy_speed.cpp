// SPDX-License-Identifier: Apache-2.0
// Thread blocks whose speed changes with the number on their SM ([S16] 4.2; docs/concepts/readings.md, Occupancy and
// speed).
#include "tests/tlm/victims_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::TechniqueKind;
using testing::ElementsAre;

Kernel with_speedup(Kernel kernel, double p) {
  kernel.occupancy_speedup_ppm = static_cast<std::int32_t>(p * 1'000'000);
  return kernel;
}

// Four start together; one ends after 1000 cycles, the others have as much before them again.
std::vector<Cycle> ends_of_four(double p) {
  const spec::Spec spec = victims_machine(TechniqueKind::kDualKernel, 1);
  CoreBench bench(spec);
  const auto kernel = bench.launch(1, with_speedup({0, 4, {1000, 2000, 2000, 2000}, 4, 0, 8192}, p));
  bench.run();
  std::vector<Cycle> ends = bench.kernel(Kind::kTbFinished, kernel);
  for (Cycle& end : ends) end -= first_tb_start(spec);
  return ends;
}

TEST(OccupancySpeed, ThoseThatRemainRunFasterWhereTheyShared) {
  EXPECT_THAT(ends_of_four(1), ElementsAre(1000, 1750, 1750, 1750));  // at 4 / 3
  EXPECT_THAT(ends_of_four(0), ElementsAre(1000, 2000, 2000, 2000));
}

TEST(OccupancySpeed, ThoseThatRemainRunSlowerWhereTheyHelpedEachOther) {
  EXPECT_THAT(ends_of_four(-1), ElementsAre(1000, 2334, 2334, 2334));  // at 3 / 4
}

// It stands beside three of three for its own time and that of its issue: they run at 3 / 4 so long.
TEST(OccupancySpeed, AGuestCountsToo) {
  spec::Spec spec = victims_machine(TechniqueKind::kDualKernel);
  set_limit(spec, 100);
  const Cycle start = first_tb_start(spec);
  const Cycle own_time = 400 - Latencies(spec).issue;
  const Kernel hotspot = with_speedup({0, 3, {5000}, 3, 0, 9216, 0, kAlwaysIdempotent}, 1);
  const VictimsRun run(spec, hotspot, {1, 1, {own_time}, 64, 1, 4096}, start + 900);
  EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.winner, 0), ElementsAre(start + 900 + run.t.start() + own_time));
  EXPECT_THAT(run.bench.kernel(Kind::kTbFinished, run.victim), ElementsAre(start + 5100, start + 5100, start + 5100));
}

// TB 0 is saved when half of it is done; alone on the SM for the rest, the other one runs at twice its speed.
TEST(OccupancySpeed, ATbThatIsSavedKeepsWhatItHasDone) {
  spec::Spec spec = victims_machine(TechniqueKind::kDualKernel);
  spec.scheduler.switch_pricing = spec::SwitchPricing::kPerTb;
  set_limit(spec, 1000);
  const Cycle start = first_tb_start(spec);
  const Kernel owner = with_speedup({0, 2, {10'000}, 2, 0, 16384}, 1);
  const VictimsRun run(spec, owner, {1, 1, {3000}, 2, 1, 16384}, start + 5000);
  // Saved from 5000 to 6000, both are there; then one and the guest: two again, at 1.
  EXPECT_THAT(run.bench.kernel(Kind::kTbSaved, run.victim), ElementsAre(start + 6000));
  EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.victim, 1).size(), 1U);
  const Cycle guest_there = start + 6000 + run.t.setup;
  const Cycle alone_twice = run.t.setup;  // between the two it has the SM to itself
  const Cycle guest_gone = guest_there + run.t.issue + 3000;
  EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.winner, 0), ElementsAre(guest_gone));
  // The handle is sent, the context comes in: both are resident all the while, so that TB 1 ends at its own pace.
  EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.victim, 1), ElementsAre(start + 10'000 - alone_twice));
  const Cycle back = first_of(run.bench.tb(Kind::kTbRestored, run.victim, 0));
  ASSERT_GT(back, start + 10'000 - alone_twice);  // it is alone: 5000 are left, at twice the pace
  EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.victim, 0), ElementsAre(back + 2500));
}

}  // namespace
}  // namespace tessera::tlm_model::test
