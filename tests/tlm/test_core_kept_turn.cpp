// SPDX-License-Identifier: Apache-2.0
// A kept turn in either engine: when it passes, to whom, and what becomes of the SMs. Slices of 1000 cycles, a switch
// of 200, or of 150 if nothing ran, of which 30 lie in the slice.
#include <map>
#include <set>

#include "tests/tlm/kept_turn_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::SliceEnd;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// ---- the ideal engine, to the cycle --------------------------------------------------------------------------------

// Arrives in 1 and has the turn then: active in 6, an SM in 7, TB in 40. The tick of 1001: stands still in 1044, saved
// from 1055 to 1071; the switch is over in 1271, an SM in 1272, TB in 1305.
TEST(IdealKeptTurn, EventsOfACycleTakeNoTime) {
  KeptTurnBench bench(kept_turn_machine(spec::Engine::kIdeal, 1, 2));
  const auto first = bench.launch(1, {0, 1, {5000}});
  const auto second = bench.launch(301, {1, 1, {300}});
  bench.run();
  EXPECT_THAT(bench.tb(Kind::kTbIssued, first, 0), ElementsAre(40));
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(1001));
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(1071));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, second, 0), ElementsAre(1305));
  // It ends in 1605; the switch is over in 1755, an SM in 1756, set up in 1787, the handle in 1789, restored in 1805.
  EXPECT_THAT(bench.tb(Kind::kTbRestored, first, 0), ElementsAre(1805));
  EXPECT_THAT(bench.turn(), ElementsAre(began(1, 0), over(1001, 0), began(1271, 1), dry(1605, 1), began(1755, 0)));
}

// The owner's TB runs from 40 on.
TEST(IdealKeptTurn, InOneInstantEndsComeFirstThenArrivalsThenTheTick) {
  for (const Cycle after : {0, 1}) {
    KeptTurnBench bench(kept_turn_machine(spec::Engine::kIdeal, 1, 2));
    bench.launch(1, {0, 1, {1001 - 40 + after}});
    bench.launch(1001, {1, 1, {300}});
    bench.run();
    ASSERT_GE(bench.turn().size(), 2U);
    EXPECT_EQ(bench.turn()[1], after == 0 ? dry(1001, 0) : over(1001, 0));
  }
}

TEST(IdealKeptTurn, ASwitchMayTakeNoTime) {
  for (const Cycle cost : {0, 1}) {
    spec::Spec spec = kept_turn_machine(spec::Engine::kIdeal, 1, 2);
    spec.gpu.framework.gpu_switch = {};
    spec.gpu.framework.gpu_switch.preempted = cost * 1000;
    KeptTurnBench bench(spec);
    bench.launch(1, {0, 1, {5000}});
    bench.launch(301, {1, 1, {300}});
    bench.run();
    ASSERT_GE(bench.turn().size(), 3U);
    EXPECT_EQ(bench.turn()[2], began(1071 + cost, 1));
  }
}

// TBs of the first launch that were issued to each SM, and those that came back.
std::map<std::uint16_t, std::uint32_t> tbs_of_sms(const KeptTurnBench& bench, Kind kind) {
  std::map<std::uint16_t, std::uint32_t> tbs;
  for (const Record& record : bench.all_records()) {
    if (record.kind == kind && record.launch == 0) ++tbs[record.sm];
  }
  return tbs;
}

std::multiset<std::uint32_t> spread_of(const std::map<std::uint16_t, std::uint32_t>& tbs_of_sms) {
  std::multiset<std::uint32_t> spread;
  for (const auto& of_sm : tbs_of_sms) spread.insert(of_sm.second);
  return spread;
}

// Four slots on each of three SMs: a TB on each, and a second one on the first.
TEST(IdealKeptTurn, TbsComeBackAsSpreadAsTheyWereIfTheFillIsBreadthFirst) {
  for (const spec::Fill fill : {spec::Fill::kBreadthFirst, spec::Fill::kDepthFirst}) {
    spec::Spec spec = kept_turn_machine(spec::Engine::kIdeal, 3, 2);
    spec.scheduler.fill = fill;
    spec.scheduler.search_width = 3;
    KeptTurnBench bench(spec);
    bench.launch(1, {0, 4, {5000}, 4});
    bench.launch(301, {1, 1, {300}});
    bench.run();
    const auto restored = tbs_of_sms(bench, Kind::kTbRestored);  // by SMs that need not be the same
    EXPECT_EQ(spread_of(restored), spread_of(tbs_of_sms(bench, Kind::kTbIssued)));
    EXPECT_THAT(restored, SizeIs(fill == spec::Fill::kBreadthFirst ? 3 : 1));
  }
}

// Four slots on each of three SMs, two TBs on each; or two on the first, and one on the others: no SM gets more than
// two.
TEST(OneJobKeptTurn, NoSmGetsMoreTbsBackThanOneHadIfTheFillIsBreadthFirst) {
  for (const std::uint32_t num_tbs : {6, 4}) {
    for (const spec::Fill fill : {spec::Fill::kBreadthFirst, spec::Fill::kDepthFirst}) {
      spec::Spec spec = kept_turn_machine(spec::Engine::kSerialised, 3, 2);
      spec.scheduler.fill = fill;
      KeptTurnBench bench(spec);
      bench.launch(1, {0, num_tbs, {5000}, 4});
      bench.launch(301, {1, 1, {300}});
      bench.run();
      const auto restored = spread_of(tbs_of_sms(bench, Kind::kTbRestored));
      if (fill == spec::Fill::kDepthFirst) {
        EXPECT_EQ(restored, spread_of(tbs_of_sms(bench, Kind::kTbIssued)));
      } else if (num_tbs == 6) {
        EXPECT_THAT(restored, ElementsAre(2, 2, 2));
      } else {
        EXPECT_THAT(restored, ElementsAre(2, 2));
      }
    }
  }
}

// ---- both ----------------------------------------------------------------------------------------------------

class KeptTurnEngines : public testing::TestWithParam<spec::Engine> {
 protected:
  spec::Spec machine(std::uint32_t num_sms = 1, std::uint32_t num_processes = 2) const {
    return kept_turn_machine(GetParam(), num_sms, num_processes);
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, KeptTurnEngines, testing::Values(spec::Engine::kIdeal, spec::Engine::kSerialised),
                         [](const auto& engine) {
                           return engine.param == spec::Engine::kIdeal ? "Ideal" : "Serialised";
                         });

// Nobody loses it, and nothing is taken away, however long it runs.
TEST_P(KeptTurnEngines, ALoneOwnerRunsOnThroughGapsAndEndsOfSlices) {
  KeptTurnBench bench(machine());
  bench.launch(1, {0, 1, {2500}});
  bench.launch(3001, {0, 1, {2500}});
  bench.launch(9001, {0, 1, {100}});
  bench.run();
  EXPECT_THAT(bench.turn(), SizeIs(1));
  EXPECT_THAT(bench.records(Kind::kPreemptionRequested), IsEmpty());
}

// The slice begins in 3001 or so with the second kernel, not when the first one came.
TEST_P(KeptTurnEngines, WorkForAnIdleOwnerStartsASlice) {
  KeptTurnBench bench(machine());
  bench.launch(1, {0, 1, {700}});
  bench.launch(3001, {0, 1, {2000}});
  bench.launch(3100, {1, 1, {100}});
  bench.run();
  ASSERT_GE(bench.turn().size(), 2U);
  EXPECT_EQ(bench.turn()[1].cause, record::TurnCause::kSliceOver);
  EXPECT_GE(bench.turn()[1].at, 3001U + kSlice);
  EXPECT_LE(bench.turn()[1].at, 3001U + kSlice + 2);
}

TEST_P(KeptTurnEngines, WhoComesWhenASliceHasStayedOverTakesTheGpuAtOnce) {
  KeptTurnBench bench(machine());
  bench.launch(1, {0, 1, {5000}});
  bench.launch(2500, {1, 1, {100}});
  bench.run();
  ASSERT_GE(bench.turn().size(), 2U);
  EXPECT_GE(bench.turn()[1].at, 2500U);
  EXPECT_LE(bench.turn()[1].at, 2502U);
}

TEST_P(KeptTurnEngines, WithCommandsBehindWhatRunsTheSliceIsRenewedAndWhoComesWaitsForItsEnd) {
  KeptTurnBench bench(machine());
  bench.launch(1, {0, 1, {5000}});
  bench.set_waiting(2, 0, true);
  bench.launch(2500, {1, 1, {100}});
  bench.set_waiting(4000, 0, false);
  bench.run();
  ASSERT_GE(bench.turn().size(), 2U);
  EXPECT_GE(bench.turn()[1].at, 1U + 3 * kSlice);
  EXPECT_LE(bench.turn()[1].at, 5U + 3 * kSlice);
}

TEST_P(KeptTurnEngines, AtTheEndOfASliceDrainingTbsRunToTheirEndsAndNoOtherStarts) {
  spec::Spec spec = machine();
  spec.processes[0].slice_end = SliceEnd::kDrain;
  KeptTurnBench bench(spec);
  const auto first = bench.launch(1, {0, 3, {700}});
  const auto second = bench.launch(301, {1, 1, {100}});
  bench.run();
  EXPECT_THAT(bench.records(Kind::kTbSaved), IsEmpty());
  const Cycle drained = bench.tb(Kind::kTbFinished, first, 1).front();
  EXPECT_GT(drained, 1000U);
  EXPECT_GT(bench.tb(Kind::kTbIssued, second, 0).front(), drained + kSwitch);
  EXPECT_GT(bench.tb(Kind::kTbIssued, first, 2).front(), bench.tb(Kind::kTbFinished, second, 0).front());
}

TEST_P(KeptTurnEngines, WithWaitActiveKernelsRunToTheirEndsAndQueuedOnesDoNotStart) {
  KeptTurnBench bench(machine());
  bench.set_slice_end(1, 0, SliceEnd::kWait);
  const auto active = bench.launch(2, {0, 3, {700}});
  const auto second = bench.launch(301, {1, 1, {100}});
  const auto queued = bench.launch(1500, {0, 1, {100}});
  bench.run();
  EXPECT_THAT(bench.records(Kind::kPreemptionRequested), IsEmpty());
  EXPECT_GT(bench.tb(Kind::kTbIssued, second, 0).front(), bench.tb(Kind::kTbFinished, active, 2).front());
  EXPECT_GT(bench.kernel(Kind::kKernelActivated, queued).front(), bench.kernel(Kind::kKernelFinished, active).front());
  EXPECT_GT(bench.tb(Kind::kTbIssued, queued, 0).front(), bench.tb(Kind::kTbFinished, second, 0).front());
}

TEST_P(KeptTurnEngines, UnderDrainAContextMayAskToBeSaved) {
  for (const SliceEnd slice_end : {SliceEnd::kTechnique, SliceEnd::kContextSwitch}) {
    spec::Spec spec = machine();
    spec.scheduler.technique = spec::TechniqueKind::kDrain;
    spec.processes[0].slice_end = slice_end;
    KeptTurnBench bench(spec);
    bench.launch(1, {0, 1, {3000}});
    bench.launch(301, {1, 1, {100}});
    bench.run();
    EXPECT_THAT(bench.records(Kind::kTbSaved), SizeIs(slice_end == SliceEnd::kContextSwitch ? 1 : 0));
  }
}

// One SM after the other is taken for the context whose turn it is, as soon as the switch is over.
TEST_P(KeptTurnEngines, WithScopeSmTheNextOwnerReservesWhatItNeeds) {
  spec::Spec spec = machine(2);
  spec.scheduler.switch_scope = spec::SwitchScope::kSm;
  KeptTurnBench bench(spec);
  const auto first = bench.launch(1, {0, 2, {5000}});
  const auto second = bench.launch(301, {1, 1, {100}});
  bench.run();
  ASSERT_GE(bench.turn().size(), 3U);
  EXPECT_EQ(bench.turn()[1].cause, record::TurnCause::kSliceOver);
  EXPECT_EQ(bench.turn()[2].context, 1U);
  const std::vector<Record> requests = bench.records(Kind::kPreemptionRequested);
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_GT(requests[0].cycle, bench.turn()[2].at);
  EXPECT_EQ(requests[0].launch, first);
  EXPECT_EQ(requests[0].value, second);
}

TEST_P(KeptTurnEngines, AnotherContextsKernelGetsNoIdleSm) {
  KeptTurnBench bench(machine(2));
  const auto first = bench.launch(1, {0, 1, {800}});
  const auto second = bench.launch(101, {1, 1, {100}});
  bench.run();
  EXPECT_GT(bench.tb(Kind::kTbIssued, second, 0).front(), bench.tb(Kind::kTbFinished, first, 0).front() + kDrySwitch);
}

TEST_P(KeptTurnEngines, APolicyThatIsWrittenMeanwhileTakesTheSmsFromWhoHasThem) {
  spec::Spec spec = machine();
  KeptTurnBench bench(spec);
  bench.launch(1, {0, 1, {3000}});
  bench.launch(301, {1, 1, {3000}});
  spec::SchedulerSpec passed = spec.scheduler;
  passed.turn = spec::Turn::kPassed;
  bench.set_policy(500, passed);
  bench.set_policy(2500, spec.scheduler);
  bench.run();
  EXPECT_THAT(bench.turn(), testing::Not(IsEmpty()));
}

TEST_P(KeptTurnEngines, LaunchesThatWaitForACommandBufferAreQueued) {
  spec::Spec spec = machine();
  spec.gpu.framework.num_ksrs = 1;
  KeptTurnBench bench(spec);
  for (int i = 0; i < 4; ++i) bench.launch(1, {0, 1, {100}});
  bench.launch(2, {1, 1, {100}});
  bench.run();
  ASSERT_GE(bench.turn().size(), 2U);
  EXPECT_EQ(bench.turn()[1].cause, record::TurnCause::kDry);
  Cycle last_of_owner = 0;
  for (const Record& finished : bench.records(Kind::kKernelFinished)) {
    if (finished.process == 0) last_of_owner = finished.cycle;
  }
  EXPECT_EQ(bench.turn()[1].at, last_of_owner + (GetParam() == spec::Engine::kIdeal ? 0 : 1));
}

// 300 of them in either engine: nothing is lost, and the invariants hold.
TEST_P(KeptTurnEngines, ShortSlicesEvictAgainAndAgain) {
  spec::Spec spec = machine(3, 3);
  spec.gpu.framework.num_ksrs = 4;
  spec.scheduler.time_slice = 320 * 1000;
  KeptTurnBench bench(spec);
  for (std::uint16_t context = 0; context < 3; ++context) {
    bench.launch(1 + context, {context, 12, {1700}, 2});
    bench.launch(40 + 7 * context, {context, 5, {333}, 1});
  }
  bench.run();
  EXPECT_GT(bench.records(Kind::kTurnBegan).size(), 20U);
}

}  // namespace
}  // namespace tessera::tlm_model::test
