// SPDX-License-Identifier: Apache-2.0
// Random experiments: whatever the machine, the policy and what the OS writes, every kernel finishes, every
// invariant holds, and the log is the same however it is watched and driven.
#include "tests/tlm/random_engine.h"
#include "tlm/replay/log_replay.h"

namespace tessera::tlm_model::test {
namespace {

RC_GTEST_PROP(CoreRandom, EveryKernelFinishesAndEveryInvariantHolds, ()) {
  expect_that_all_finishes(ExperimentMaker().make());
}

RC_GTEST_PROP(CoreRandom, TheLogDoesNotDependOnWhoWatchesOrHowFarTheEngineRunsAhead, ()) {
  expect_one_log(ExperimentMaker().make());
}

RC_GTEST_PROP(LinksRandom, EveryKernelFinishesAndEveryInvariantHolds, ()) {
  expect_that_all_finishes(ExperimentMaker().make_with_links());
}

RC_GTEST_PROP(LinksRandom, SoItIsWhereTbsAreFlushed, ()) {
  expect_that_all_finishes(ExperimentMaker({spec::TechniqueKind::kFlush}).make_with_links());
}

RC_GTEST_PROP(LinksRandom, TheLogDoesNotDependOnWhoWatchesOrHowFarTheEngineRunsAhead, ()) {
  expect_one_log(ExperimentMaker().make_with_links());
}

RC_GTEST_PROP(KeptTurnRandom, EveryKernelFinishesAndEveryInvariantHolds, ()) {
  expect_that_all_finishes(ExperimentMaker().make_with_kept_turn());
}

RC_GTEST_PROP(KeptTurnRandom, SoItIsWhereTbsAreFlushed, ()) {
  expect_that_all_finishes(ExperimentMaker({spec::TechniqueKind::kFlush}).make_with_kept_turn());
}

RC_GTEST_PROP(KeptTurnRandom, TheLogDoesNotDependOnWhoWatchesOrHowFarTheEngineRunsAhead, ()) {
  expect_one_log(ExperimentMaker().make_with_kept_turn());
}

RC_GTEST_PROP(LaneRandom, EveryKernelFinishesAndEveryInvariantHolds, ()) {
  expect_that_all_finishes(ExperimentMaker().make_with_lane());
}

RC_GTEST_PROP(LaneRandom, SoItIsWhereTbsAreFlushed, ()) {
  expect_that_all_finishes(ExperimentMaker({spec::TechniqueKind::kFlush}).make_with_lane());
}

RC_GTEST_PROP(LaneRandom, TheLogDoesNotDependOnWhoWatchesOrHowFarTheEngineRunsAhead, ()) {
  expect_one_log(ExperimentMaker().make_with_lane());
}

RC_GTEST_PROP(LoadedMemoryRandom, EveryKernelFinishesAndEveryInvariantHolds, ()) {
  expect_that_all_finishes(ExperimentMaker().make_with_loaded_memory());
}

RC_GTEST_PROP(LoadedMemoryRandom, TheLogDoesNotDependOnWhoWatchesOrHowFarTheEngineRunsAhead, ()) {
  expect_one_log(ExperimentMaker().make_with_loaded_memory());
}

// The rule of docs/concepts/readings.md, Logged order: cycle by cycle and with nothing but arrays.
workload::TbLog log_by_the_rule(std::uint32_t num_sms, std::uint32_t num_slots, const std::vector<Cycle>& durations) {
  workload::TbLog log;
  log.num_sms = num_sms;
  log.tbs_per_sm = num_slots;
  std::vector<std::vector<Cycle>> free_from(num_sms, std::vector<Cycle>(num_slots, 0));
  std::uint32_t last_served = 0;
  for (Cycle cycle = 1; log.tbs.size() < durations.size(); ++cycle) {
    const std::uint32_t first = last_served + 1;
    for (std::uint32_t i = 0; i < num_sms && log.tbs.size() < durations.size(); ++i) {
      const std::uint32_t sm = (first + i) % num_sms;
      const auto slot = std::find_if(free_from[sm].begin(), free_from[sm].end(), [&](Cycle c) { return c <= cycle; });
      if (slot == free_from[sm].end()) continue;
      const Cycle end = cycle + durations[log.tbs.size()];
      log.tbs.push_back({sm, static_cast<std::uint32_t>(slot - free_from[sm].begin()), cycle, end});
      *slot = end + 1;
      last_served = sm;
    }
  }
  return log;
}

RC_GTEST_PROP(LogReplay, BreadthFirstIssueFollowsTheRuleCycleByCycle, ()) {
  const auto num_sms = *rc::gen::inRange<std::uint32_t>(1, 20);
  const auto num_slots = *rc::gen::inRange<std::uint32_t>(1, 9);
  const auto max_duration = *rc::gen::element<Cycle>(2, 5, 50, 500);  // short ones end in the same cycles
  const auto durations =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<Cycle>>(rc::gen::inRange<Cycle>(1, max_duration)));
  const LogReplay replay = replay_log(log_by_the_rule(num_sms, num_slots, durations));
  RC_ASSERT(replay.matches());
}

}  // namespace
}  // namespace tessera::tlm_model::test
