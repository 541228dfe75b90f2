// SPDX-License-Identifier: Apache-2.0
// The timeline of docs/concepts/readings.md (Chimera and dual-kernel), worked out by hand: four thread blocks of 1000,
// 1400, 1800 and 2200 cycles have run for 900 when two of another kernel want their places.
#include "tests/tlm/victims_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::SwitchPricing;
using spec::TechniqueKind;
using testing::ElementsAre;

struct TimelineRow {
  const char* name;
  TechniqueKind technique;
  std::uint32_t idempotent_until_ppm;
  Cycle limit;
  SwitchPricing pricing;
  // From the start of the four: when the two may be set up, and what was wasted.
  std::array<Cycle, 2> set_up;
  std::uint64_t wasted;
};

constexpr TimelineRow kTimelineRows[] = {
    {"dual, idempotent", TechniqueKind::kDualKernel, kAlwaysIdempotent, 500, SwitchPricing::kPerTb, {900, 1400}, 1800},
    {"chimera", TechniqueKind::kChimera, kAlwaysIdempotent, 500, SwitchPricing::kPerTb, {1400, 1400}, 1800},
    {"flush", TechniqueKind::kFlush, kAlwaysIdempotent, 500, SwitchPricing::kPerTb, {900, 900}, 3600},
    {"drain", TechniqueKind::kDrain, kAlwaysIdempotent, 500, SwitchPricing::kPerTb, {2200, 2200}, 0},
    {"dual, points at 40 %, per TB",
     TechniqueKind::kDualKernel,
     400'000,
     500,
     SwitchPricing::kPerTb,
     {1400, 1400},
     2000},
    {"the same, channel", TechniqueKind::kDualKernel, 400'000, 500, SwitchPricing::kChannel, {1400, 1900}, 4000},
    {"dual, limit 499", TechniqueKind::kDualKernel, kAlwaysIdempotent, 499, SwitchPricing::kPerTb, {900, 1000}, 2700},
};

TEST(VictimsTimeline, IsThatOfTheReadingsInEveryRow) {
  for (const TimelineRow& row : kTimelineRows) {
    spec::Spec spec = victims_machine(row.technique);
    spec.scheduler.switch_pricing = row.pricing;
    set_limit(spec, row.limit);
    const Kernel four{0, 4, {1000, 1400, 1800, 2200}, 4, 0, 8192, 0, row.idempotent_until_ppm};
    const Kernel two{1, 2, {3000}, 2, 1, 16384};
    const Cycle start = first_tb_start(spec);
    const VictimsRun run(spec, four, two, start + 900);
    for (std::uint32_t tb = 0; tb < 2; ++tb) {
      EXPECT_THAT(run.bench.tb(Kind::kTbIssued, run.winner, tb), ElementsAre(start + row.set_up[tb] + run.t.start()))
          << row.name << ", " << tb;
    }
    EXPECT_EQ(run.wasted(), row.wasted) << row.name;
  }
}

// The last position of the row "channel" comes after the limit, the others in time.
TEST(VictimsTimeline, ASharedChannelBreaksALimitThatThePricePerTbKeeps) {
  for (const SwitchPricing pricing : {SwitchPricing::kPerTb, SwitchPricing::kChannel}) {
    spec::Spec spec = victims_machine(TechniqueKind::kDualKernel);
    spec.scheduler.switch_pricing = pricing;
    set_limit(spec, 500);
    const Cycle limit = spec.scheduler.latency_limit / 1000;
    const Kernel four{0, 4, {1000, 1400, 1800, 2200}, 4, 0, 8192, 0, 400'000};
    const VictimsRun run(spec, four, {1, 2, {300}, 2, 1, 16384}, first_tb_start(spec) + 900);
    const std::vector<Record> granted = run.bench.records(Kind::kPositionGranted);
    ASSERT_EQ(granted.size(), 2U);
    EXPECT_EQ(granted[0].cycles, limit);
    EXPECT_EQ(granted[1].cycles, pricing == SwitchPricing::kPerTb ? limit : limit + 500);
  }
}

// One TB of 2000 cycles whose point is at 50 %, and a limit that neither a switch nor its end keeps.
TEST(VictimsTimeline, ATbIsFlushedOneInstructionBeforeItsPointAndSwitchedAtIt) {
  spec::Spec spec = victims_machine(TechniqueKind::kDualKernel);
  set_limit(spec, 100);
  for (const Cycle executed : {999, 1000}) {
    const Kernel one{0, 1, {2000}, 1, 0, 8192, 0, 500'000};
    const VictimsRun run(spec, one, {1, 1, {300}, 1, 1, 32768}, first_tb_start(spec) + executed);
    const auto way = executed < 1000 ? record::Technique::kFlush : record::Technique::kContextSwitch;
    EXPECT_EQ(run.exits().at(0), way) << executed;
  }
}

// A drain of 500 cycles.
TEST(VictimsTimeline, ATbIsDrainedWithinALimitOfItsRestAndNotWithinOneLess) {
  for (const Cycle limit : {499, 500}) {
    spec::Spec spec = victims_machine(TechniqueKind::kChimera);
    set_limit(spec, limit);
    const Kernel one{0, 1, {2000}, 1, 0, 8192, 0, kAlwaysIdempotent};
    const VictimsRun run(spec, one, {1, 1, {300}, 1, 1, 32768}, first_tb_start(spec) + 1500);
    EXPECT_EQ(run.exits().at(0), limit < 500 ? record::Technique::kFlush : record::Technique::kDrain) << limit;
  }
}

TEST(VictimsTimeline, ATbThatEndsInTheCycleOfTheCommandHasEnded) {
  for (const TechniqueKind technique : {TechniqueKind::kChimera, TechniqueKind::kDualKernel}) {
    spec::Spec spec = victims_machine(technique);
    set_limit(spec, 100);
    const Cycle start = first_tb_start(spec);
    const VictimsRun run(spec, {0, 2, {900, 2000}, 2, 0, 8192, 0, kAlwaysIdempotent}, {1, 1, {300}, 1, 1, 32768},
                         start + 900);
    EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.victim, 0), ElementsAre(start + 900));
    EXPECT_EQ(run.exits().count(0), 0U);
    EXPECT_EQ(run.exits().at(1), record::Technique::kFlush);
  }
}

// Of a TB that waits for its turn: it runs on, and what it does counts.
TEST(VictimsTimeline, ATbGoesOnUntilItsContextMoves) {
  spec::Spec spec = victims_machine(TechniqueKind::kDualKernel);
  set_limit(spec, 2000);
  // Two positions of one TB each; both are switched, the second when the first is out.
  const Cycle start = first_tb_start(spec);
  const VictimsRun run(spec, {0, 2, {8000, 8000}, 2, 0, 8192, 0, 0}, {1, 4, {300}, 4, 1, 8192}, start + 1000);
  EXPECT_THAT(run.bench.tb(Kind::kTbSaved, run.victim, 0), ElementsAre(start + 1500));
  EXPECT_THAT(run.bench.tb(Kind::kTbSaved, run.victim, 1), ElementsAre(start + 2000));
  const Cycle restored = first_of(run.bench.tb(Kind::kTbRestored, run.victim, 1));
  EXPECT_THAT(run.bench.tb(Kind::kTbFinished, run.victim, 1), ElementsAre(restored + 8000 - 1500));
}

// At the last moment for a switch, a TB that was expected to end is seen not to: it is saved in time after all.
TEST(VictimsTimeline, EscalationSavesATbThatDrainsTooLong) {
  for (const bool escalates : {false, true}) {
    spec::Spec spec = victims_machine(TechniqueKind::kDualKernel);
    spec.scheduler.estimator = spec::Estimator::kFinishedMean;
    spec.scheduler.enable_escalation = escalates;
    set_limit(spec, 800);
    const Cycle start = first_tb_start(spec);
    // The first ends after 1000 cycles and the second starts in its place: it is expected to take as long, and does
    // not.
    const VictimsRun run(spec, {0, 2, {1000, 9000}, 1, 0, 8192, 0, 0}, {1, 1, {300}, 1, 1, 32768},
                         start + 1000 + 2 + 900);
    const Cycle second = start + 1000 + run.t.issue;
    EXPECT_EQ(run.exits().at(1), escalates ? record::Technique::kContextSwitch : record::Technique::kDrain);
    const Cycle gone = first_of(run.bench.sm(Kind::kPreemptionDone, 0));
    EXPECT_EQ(gone, escalates ? second + 900 + 800 : second + 9000);
  }
}

}  // namespace
}  // namespace tessera::tlm_model::test
