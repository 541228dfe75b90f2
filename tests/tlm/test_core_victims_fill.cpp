// SPDX-License-Identifier: Apache-2.0
// Where a guest's places lie, and which SMs are asked for them: fill, exclusive_scope and candidate_sets under
// techniques that choose victims.
#include <set>

#include "tests/tlm/victims_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::TechniqueKind;
using testing::ElementsAre;
using testing::SizeIs;
using testing::UnorderedElementsAre;

spec::Spec three_sms(TechniqueKind technique, spec::Fill fill) {
  spec::Spec spec = victims_machine(technique);
  spec.gpu.num_sms = 3;
  spec.gpu.memory_bandwidth_bytes_per_s *= 3;
  spec.scheduler.fill = fill;
  set_limit(spec, 100);
  return spec;
}

// All SMs are there at once: neither searches nor set-up take time.
spec::Spec at_once(spec::Spec spec) {
  spec.gpu.framework.search_entry_cycles = 0;
  spec.gpu.framework.sm_setup_cycles = 0;
  return spec;
}

constexpr Cycle kCommand = 2000;

// An owner that fills all three SMs, and can start again; four of its TBs an SM.
Kernel owner_of_all() { return {0, 12, {50'000}, 4, 0, 8192, 0, kAlwaysIdempotent}; }
// A guest of which an SM holds two.
Kernel guest_of(std::uint32_t num_tbs) { return {1, num_tbs, {3000}, 2, 1, 16384}; }

std::vector<std::size_t> places_by_sm(const VictimsRun& run) {
  std::vector<std::size_t> places(3, 0);
  for (const Record& granted : run.bench.records(Kind::kPositionGranted)) places[granted.sm] += granted.value;
  return places;
}

TEST(VictimsFill, DepthFirstAGuestFillsOneSmBeforeTheNext) {
  const VictimsRun run(three_sms(TechniqueKind::kDualKernel, spec::Fill::kDepthFirst), owner_of_all(), guest_of(4),
                       kCommand);
  EXPECT_THAT(places_by_sm(run), UnorderedElementsAre(2, 2, 0));
}

TEST(VictimsFill, BreadthFirstAGuestHasOnePlaceOnEachSmBeforeASecond) {
  const auto places = [](std::uint32_t num_tbs) {
    return places_by_sm(VictimsRun(three_sms(TechniqueKind::kDualKernel, spec::Fill::kBreadthFirst), owner_of_all(),
                                   guest_of(num_tbs), kCommand));
  };
  EXPECT_THAT(places(2), UnorderedElementsAre(1, 1, 0));
  EXPECT_THAT(places(3), ElementsAre(1, 1, 1));
  EXPECT_THAT(places(4), UnorderedElementsAre(2, 1, 1));
  EXPECT_THAT(places(6), ElementsAre(2, 2, 2));
}

// Every third TB is on the same SM, and ends within the limit: draining them costs nothing.
TEST(VictimsFill, BreadthFirstASecondPlaceIsWhereItCostsLeast) {
  spec::Spec spec = at_once(three_sms(TechniqueKind::kDualKernel, spec::Fill::kBreadthFirst));
  set_limit(spec, 400);
  Kernel owner = owner_of_all();
  owner.durations = {2200, 50'000, 50'000, 2200, 50'000, 50'000, 2200, 50'000, 50'000, 2200, 50'000, 50'000};
  const VictimsRun run(spec, owner, guest_of(4), kCommand);
  for (const Record& issued : run.bench.records(Kind::kTbIssued)) {
    if (issued.launch == run.victim && issued.tb == 0) EXPECT_EQ(places_by_sm(run)[issued.sm], 2U);
  }
  EXPECT_THAT(places_by_sm(run), UnorderedElementsAre(2, 1, 1));
}

TEST(VictimsFill, BreadthFirstChimeraEmptiesAsManySmsAsTheGuestHasTbs) {
  const VictimsRun run(at_once(three_sms(TechniqueKind::kChimera, spec::Fill::kBreadthFirst)), owner_of_all(),
                       guest_of(3), kCommand);
  EXPECT_THAT(run.bench.records(Kind::kPreemptionDone), SizeIs(3));
  std::vector<std::uint16_t> sms;
  for (const Record& issued : run.bench.records(Kind::kTbIssued)) {
    if (issued.launch == run.winner) sms.push_back(issued.sm);
  }
  EXPECT_THAT(sms, UnorderedElementsAre(0, 1, 2));
}

TEST(VictimsFill, BreadthFirstAnOwnersTbsGoRoundItsSms) {
  for (const TechniqueKind technique : {TechniqueKind::kDualKernel, TechniqueKind::kChimera}) {
    CoreBench bench(at_once(three_sms(technique, spec::Fill::kBreadthFirst)));
    bench.launch(1, {0, 5, {1000}, 4, 0, 8192});
    bench.run();
    std::vector<std::size_t> on(3, 0);
    for (const Record& issued : bench.records(Kind::kTbIssued)) ++on[issued.sm];
    EXPECT_THAT(on, UnorderedElementsAre(2, 2, 1));
  }
}

// No SM is asked for a place that it then has none for.
TEST(VictimsFill, NoSmIsReservedForNothing) {
  for (const spec::Fill fill : {spec::Fill::kDepthFirst, spec::Fill::kBreadthFirst}) {
    for (std::uint32_t num_tbs = 1; num_tbs <= 6; ++num_tbs) {
      const VictimsRun run(three_sms(TechniqueKind::kDualKernel, fill), owner_of_all(), guest_of(num_tbs), kCommand);
      std::size_t granted = 0;
      for (const std::size_t places : places_by_sm(run)) granted += places > 0 ? 1 : 0;
      std::set<std::uint16_t> asked;
      for (const Record& request : run.bench.records(Kind::kPreemptionRequested)) asked.insert(request.sm);
      EXPECT_EQ(asked.size(), granted) << num_tbs;
    }
  }
}

TEST(VictimsFill, AllSmsAreAskedAndWhatComesTooLateIsGivenBack) {
  spec::Spec spec = three_sms(TechniqueKind::kDualKernel, spec::Fill::kDepthFirst);
  spec.scheduler.exclusive_scope = spec::ExclusiveScope::kAll;
  const VictimsRun run(spec, owner_of_all(), {1, 2, {3000}, 4, 1, 8192}, kCommand);
  EXPECT_THAT(places_by_sm(run), ElementsAre(2, 2, 2));  // two for each: whoever comes first is taken
  EXPECT_THAT(run.bench.kernel(Kind::kTbIssued, run.winner), SizeIs(2));
  std::set<std::uint16_t> returned;
  for (const Record& back : run.bench.records(Kind::kSmReturned)) returned.insert(back.sm);
  EXPECT_GE(returned.size(), 2U);
}

TEST(VictimsFill, ChimeraUnderAllEmptiesWhatNobodyNeeds) {
  spec::Spec spec = three_sms(TechniqueKind::kChimera, spec::Fill::kDepthFirst);
  spec.scheduler.exclusive_scope = spec::ExclusiveScope::kAll;
  const VictimsRun run(spec, owner_of_all(), guest_of(1), kCommand);
  EXPECT_THAT(run.bench.records(Kind::kPreemptionDone), SizeIs(3));
}

// Two walks for each SM that is taken, or one where the sets are there already.
TEST(VictimsFill, SetsThatAreMadeBehindTheLaunchSaveTheSecondWalk) {
  const auto requests = [](spec::CandidateSets sets) {
    spec::Spec spec = three_sms(TechniqueKind::kDualKernel, spec::Fill::kDepthFirst);
    spec.scheduler.candidate_sets = sets;
    CoreBench bench(spec);
    bench.launch(1, owner_of_all());
    const auto guest = bench.launch(kCommand, guest_of(6));
    bench.run();
    std::vector<Cycle> at;
    for (const Record& request : bench.records(Kind::kPreemptionRequested)) at.push_back(request.cycle - kCommand);
    EXPECT_THAT(bench.kernel(Kind::kTbFinished, guest), SizeIs(6));
    return at;
  };
  const Latencies t(three_sms(TechniqueKind::kDualKernel, spec::Fill::kDepthFirst));
  const Cycle first = t.activation;
  EXPECT_THAT(requests(spec::CandidateSets::kDecision),
              ElementsAre(first + 2 * t.search, first + 4 * t.search, first + 6 * t.search));
  EXPECT_THAT(requests(spec::CandidateSets::kLaunch),
              ElementsAre(first + t.search, first + 2 * t.search, first + 3 * t.search));
}

}  // namespace
}  // namespace tessera::tlm_model::test
