// SPDX-License-Identifier: Apache-2.0
// Keys of a kept turn, and of what a switch of the GPU costs: what YAML says, what it must not say, what JSON keeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/spec/json_text.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using test::mistake;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

constexpr const char* kTurnUnread = "neither scheduler nor baseline reads it";
constexpr const char* kKeptTurn = "{policy: time_slice, time_slice_us: 1000, turn: kept, switch_scope: gpu}";
constexpr Picoseconds kTurnUs = kPicosecondsPerSecond / 1'000'000;

// The first process: `more` of its keys.
class TurnFiles : public Files {
 public:
  explicit TurnFiles(const std::string& scheduler = kKeptTurn, const std::string& more = "",
                     const std::string& baseline = "{policy: fcfs}") {
    replace("experiment.yaml", "{policy: fcfs}", baseline);
    replace("experiment.yaml", "{policy: dss, technique: drain, token_scope: process, search_width: 2}", scheduler);
    replace("experiment.yaml", ", tokens: 2", more);
  }

  std::vector<Diagnostic> clocked_mistakes() const {
    try {
      load_experiment(path("experiment.yaml"), {}, Cores::kBoth);
    } catch (const InputError& error) {
      return error.diagnostics();
    }
    return {};
  }
};

std::string gpu_switch_of(const std::string& keys) { return "gpu.framework.gpu_switch={" + keys + "}"; }

// ---- the scheduler's ---------------------------------------------------------------------------------------------

TEST(SpecTurn, IsPassedUnlessTheFileSaysOtherwise) {
  const SchedulerSpec scheduler = TurnFiles("{policy: time_slice}").load().scheduler;
  EXPECT_EQ(scheduler.turn, Turn::kPassed);
  EXPECT_EQ(scheduler.switch_scope, SwitchScope::kSm);
  EXPECT_FALSE(keeps_turn(scheduler));
}

TEST(SpecTurn, KeysAreRead) {
  const SchedulerSpec scheduler = TurnFiles(
                                      "{policy: time_slice, turn: kept, switch_scope: gpu, dry_owner: keeps, "
                                      "slice_renewal: never, next_turn: at_end}")
                                      .load()
                                      .scheduler;
  EXPECT_TRUE(switches_gpu(scheduler));
  EXPECT_EQ(scheduler.dry_owner, DryOwner::kKeeps);
  EXPECT_EQ(scheduler.slice_renewal, SliceRenewal::kNever);
  EXPECT_EQ(scheduler.next_turn, NextTurn::kAtEnd);
  EXPECT_EQ(TurnFiles("{policy: time_slice, turn: kept, slice_renewal: always}").load().scheduler.slice_renewal,
            SliceRenewal::kAlways);
}

TEST(SpecTurn, WhatGoesWithAKeptOneIsRefusedWithAPassedOne) {
  for (const char* const key : {"switch_scope: gpu", "dry_owner: keeps", "slice_renewal: never", "next_turn: at_end"}) {
    const std::string name = std::string(key).substr(0, std::string(key).find(':'));
    const TurnFiles passed("{policy: time_slice, " + std::string(key) + "}");
    EXPECT_THAT(passed.mistakes(),
                ElementsAre(AllOf(mistake("scheduler." + name, kTurnUnread),
                                  Field(&Diagnostic::allowed, HasSubstr("policy: time_slice with turn: kept")))));
    const TurnFiles in_baseline("{policy: npq}", "", "{policy: time_slice, " + std::string(key) + "}");
    EXPECT_THAT(in_baseline.mistakes(), ElementsAre(mistake("baseline." + name, kTurnUnread)));
    EXPECT_THAT(TurnFiles("{policy: time_slice, turn: kept, " + std::string(key) + "}").mistakes(), IsEmpty()) << key;
  }
}

TEST(SpecTurn, IsLeftOutWithAllThatGoesWithItWhereAnOverrideChoosesThePolicy) {
  const TurnFiles files(kKeptTurn, ", time_slice_us: 700, slice_end: drain");
  const Spec spec = files.load({"scheduler.policy=fcfs"});
  EXPECT_THAT(spec.left_out_keys, ElementsAre("scheduler.time_slice_us", "scheduler.turn", "scheduler.switch_scope",
                                              "workload.processes.0.time_slice_us", "workload.processes.0.slice_end"));
  EXPECT_EQ(spec.processes[0].time_slice, std::nullopt);
  EXPECT_EQ(spec.processes[0].slice_end, SliceEnd::kTechnique);
  EXPECT_THAT(files.load({"scheduler.switch_scope=sm"}).left_out_keys, ElementsAre("workload.processes.0.slice_end"));
}

TEST(SpecTurn, AKeptOneIsOfTheWholeGpuWhateverItsOwnerLeavesIdle) {
  EXPECT_THAT(TurnFiles("{policy: time_slice, turn: kept, access: shared}").mistakes(),
              ElementsAre(mistake("scheduler.access", kTurnUnread)));
}

TEST(SpecTurn, AKeptOneGoesWithNoTechniqueUnderWhichKernelsShareAnSm) {
  for (const std::string technique : {"chimera", "dual_kernel"}) {
    const std::vector<std::string> ideal{"gpu.framework.engine=ideal"};
    EXPECT_THAT(TurnFiles("{policy: time_slice, turn: kept, technique: " + technique + "}").mistakes(ideal),
                ElementsAre(mistake("scheduler.technique", "cannot be combined with technique: " + technique)));
    EXPECT_THAT(TurnFiles("{policy: ppq, technique: " + technique + "}", "", "{policy: time_slice, turn: kept}")
                    .mistakes(ideal),
                ElementsAre(mistake("baseline.turn", "cannot be combined with technique: " + technique)));
  }
  EXPECT_THAT(TurnFiles("{policy: time_slice, turn: kept, technique: flush}").mistakes(), IsEmpty());
}

TEST(SpecTurn, TheWholeGpuDoesNotChangeHandsWhereChannelsDo) {
  const std::vector<std::string> one{"gpu.framework.channels=one"};
  EXPECT_THAT(TurnFiles().mistakes(one), ElementsAre(mistake("scheduler.switch_scope", "framework.channels: one")));
  EXPECT_THAT(TurnFiles("{policy: time_slice, turn: kept}").mistakes(one), IsEmpty());
  EXPECT_THAT(TurnFiles("{policy: time_slice, turn: kept}", "", "{switch_scope: gpu}").mistakes(one),
              ElementsAre(mistake("baseline.switch_scope", "framework.channels: one")));
}

TEST(SpecTurn, ClockedCoresHaveTheRulesAndNoAblationOfThem) {
  EXPECT_THAT(TurnFiles().clocked_mistakes(), IsEmpty());
  const TurnFiles without_rules(
      "{policy: time_slice, turn: kept, dry_owner: keeps, slice_renewal: always, next_turn: at_end}");
  EXPECT_THAT(without_rules.clocked_mistakes(),
              ElementsAre(mistake("scheduler.dry_owner", "core of this abstraction"),
                          mistake("scheduler.slice_renewal", "core of"), mistake("scheduler.next_turn", "core of")));
  EXPECT_THAT(without_rules.mistakes(), IsEmpty());
}

// ---- presets -----------------------------------------------------------------------------------------------------

TEST(SpecTurn, APresetIsWhatGpusOfItsBoardDo) {
  const std::pair<const char*, Picoseconds> boards[] = {
      {"data_centre", 2048 * 1'024'000}, {"desktop", 2000 * kTurnUs}, {"tegra", 1000 * kTurnUs}};
  for (const auto& [board, slice] : boards) {
    const SchedulerSpec scheduler =
        TurnFiles("{preset: nvidia_time_slice, board: " + std::string(board) + "}").load().scheduler;
    EXPECT_TRUE(switches_gpu(scheduler)) << board;
    EXPECT_EQ(scheduler.time_slice, slice) << board;
    EXPECT_EQ(scheduler.technique, TechniqueKind::kContextSwitch) << board;
  }
}

TEST(SpecTurn, KeysBesideAPresetGoFirst) {
  const SchedulerSpec scheduler =
      TurnFiles("{preset: nvidia_time_slice, board: tegra, time_slice_us: 3000, switch_scope: sm, technique: drain}")
          .load()
          .scheduler;
  EXPECT_EQ(scheduler.time_slice, 3000 * kTurnUs);
  EXPECT_EQ(scheduler.switch_scope, SwitchScope::kSm);
  EXPECT_EQ(scheduler.turn, Turn::kKept);
  EXPECT_EQ(scheduler.technique, TechniqueKind::kDrain);
}

TEST(SpecTurn, APresetNeedsItsBoardAndABoardItsPreset) {
  EXPECT_THAT(TurnFiles("{preset: nvidia_time_slice}").mistakes(), ElementsAre(mistake("scheduler.board", "missing")));
  EXPECT_THAT(TurnFiles("{policy: time_slice, board: tegra}").mistakes(),
              ElementsAre(mistake("scheduler.board", "only valid with a preset")));
  EXPECT_THAT(TurnFiles("{preset: nvidia, board: tegra}").mistakes(), ElementsAre(mistake("scheduler.preset", "")));
}

TEST(SpecTurn, APresetOfAnotherPolicyIsRefusedOrLeftOut) {
  EXPECT_THAT(TurnFiles("{policy: ppq, preset: nvidia_time_slice, board: tegra}").mistakes(),
              ElementsAre(mistake("scheduler.preset", kTurnUnread), mistake("scheduler.board", kTurnUnread)));
  const Spec spec = TurnFiles("{preset: nvidia_time_slice, board: tegra}").load({"scheduler.policy=ppq"});
  EXPECT_THAT(spec.left_out_keys, ElementsAre("scheduler.preset", "scheduler.board"));
  EXPECT_EQ(spec.scheduler.turn, Turn::kPassed);
  EXPECT_EQ(spec.scheduler.time_slice, SchedulerSpec{}.time_slice);
}

TEST(SpecTurn, ABaselineMayHaveAPresetOfItsOwn) {
  const Spec spec = TurnFiles("{policy: ppq}", "", "{preset: nvidia_time_slice, board: tegra}").load();
  ASSERT_TRUE(spec.baseline);
  EXPECT_TRUE(switches_gpu(*spec.baseline));
  EXPECT_EQ(spec.scheduler.turn, Turn::kPassed);
}

TEST(SpecTurn, OfAPresetJsonKeepsWhatItMeans) {
  const std::string text =
      json_text(to_json(TurnFiles("{preset: nvidia_time_slice, board: data_centre}").load())["scheduler"]);
  EXPECT_THAT(text, HasSubstr(R"("policy":"time_slice")"));
  EXPECT_THAT(text, HasSubstr(R"("time_slice_us":2097.152)"));
  EXPECT_THAT(text, HasSubstr(R"("turn":"kept","switch_scope":"gpu")"));
  EXPECT_THAT(text, Not(HasSubstr("preset")));
}

// ---- of processes ------------------------------------------------------------------------------------------------

TEST(SpecTurn, AProcessHasASliceOfItsOwnAndAnEndOfIt) {
  const Spec spec = TurnFiles(kKeptTurn, ", time_slice_us: 250, slice_end: wait").load();
  EXPECT_EQ(spec.processes[0].time_slice, 250 * kTurnUs);
  EXPECT_EQ(spec.processes[0].slice_end, SliceEnd::kWait);
  EXPECT_EQ(spec.processes[1].time_slice, std::nullopt);
  EXPECT_EQ(spec.processes[1].slice_end, SliceEnd::kTechnique);
}

TEST(SpecTurn, SlicesOfProcessesAndTheirEndsAreRefusedWhereNobodyReadsThem) {
  EXPECT_THAT(TurnFiles("{policy: time_slice}", ", time_slice_us: 250").mistakes(),
              ElementsAre(mistake("workload.processes.0.time_slice_us", kTurnUnread)));
  EXPECT_THAT(TurnFiles("{policy: time_slice, turn: kept}", ", time_slice_us: 250, slice_end: drain").mistakes(),
              ElementsAre(mistake("workload.processes.0.slice_end", kTurnUnread)));
  EXPECT_THAT(TurnFiles("{policy: ppq}", ", time_slice_us: 250, slice_end: drain", kKeptTurn).mistakes(), IsEmpty());
}

TEST(SpecTurn, ASliceHasNoEndOfItsOwnWhereThreadBlocksAreFlushed) {
  const std::string flush = "{policy: time_slice, turn: kept, switch_scope: gpu, technique: flush}";
  EXPECT_THAT(TurnFiles(flush, ", slice_end: drain").mistakes(),
              ElementsAre(mistake("workload.processes.0.slice_end", "technique: flush")));
  EXPECT_THAT(TurnFiles("{policy: ppq}", ", slice_end: drain", flush).mistakes(),
              ElementsAre(mistake("workload.processes.0.slice_end", "technique: flush")));
}

// ---- what a switch costs -----------------------------------------------------------------------------------------

TEST(SpecTurn, ASwitchCostsNothingUnlessTheGpuSaysSo) {
  const GpuSwitchSpec costs = TurnFiles().load().gpu.framework.gpu_switch;
  EXPECT_EQ(costs.preempted, 0U);
  EXPECT_EQ(costs.dry, 0U);
  EXPECT_EQ(costs.in_slice, 0U);
  EXPECT_EQ(costs.model, SaveModel::kBandwidth);
}

TEST(SpecTurn, CostsOfASwitchAreRead) {
  const std::string all =
      "preempted_us: 153, dry_us: 137, in_slice_us: 7, model: microcode, save_us_per_warp: 1, restore_us_per_warp: "
      "0.5, "
      "save_us_per_kib: 0.25, restore_us_per_kib: 0.75, bandwidth_gbps: 1000.5";
  const GpuSwitchSpec costs = TurnFiles().load({gpu_switch_of(all)}).gpu.framework.gpu_switch;
  EXPECT_EQ(costs.preempted, 153 * kTurnUs);
  EXPECT_EQ(costs.dry, 137 * kTurnUs);
  EXPECT_EQ(costs.in_slice, 7 * kTurnUs);
  EXPECT_EQ(costs.model, SaveModel::kMicrocode);
  EXPECT_EQ(costs.microcode.save_per_warp, kTurnUs);
  EXPECT_EQ(costs.microcode.restore_per_warp, kTurnUs / 2);
  EXPECT_EQ(costs.microcode.save_per_kib, kTurnUs / 4);
  EXPECT_EQ(costs.microcode.restore_per_kib, kTurnUs / 4 * 3);
  EXPECT_EQ(costs.microcode.bandwidth, 1'000'500'000'000U);
}

// A GPU says what it is, whoever schedules.
TEST(SpecTurn, AGpuMaySayWhatASwitchCostsUnderAnyPolicy) {
  EXPECT_THAT(TurnFiles("{policy: ppq}").mistakes({gpu_switch_of("preempted_us: 5000, dry_us: 10")}), IsEmpty());
}

TEST(SpecTurn, ASwitchIsShorterThanEverySlice) {
  const TurnFiles files(kKeptTurn, ", time_slice_us: 900");
  EXPECT_THAT(files.mistakes({gpu_switch_of("preempted_us: 899.999999, dry_us: 10")}), IsEmpty());
  EXPECT_THAT(files.mistakes({gpu_switch_of("preempted_us: 900, dry_us: 10")}),
              ElementsAre(AllOf(mistake("workload.processes.0.time_slice_us", "gpu_switch.preempted_us"),
                                Field(&Diagnostic::value, "900"), Field(&Diagnostic::allowed, "more than 900"))));
  EXPECT_THAT(files.mistakes({gpu_switch_of("dry_us: 1000")}),
              ElementsAre(mistake("scheduler.time_slice_us", "gpu_switch.dry_us"),
                          mistake("workload.processes.0.time_slice_us", "gpu_switch.dry_us")));
}

// Told of once: where it is written, or where it would be.
TEST(SpecTurn, TheSliceOfABaselineIsBlamedWhereItIsItsOwn) {
  const std::string costs = gpu_switch_of("preempted_us: 1000");
  EXPECT_THAT(TurnFiles(kKeptTurn, "", "{time_slice_us: 2000}").mistakes({costs}),
              ElementsAre(mistake("scheduler.time_slice_us", "")));
  EXPECT_THAT(TurnFiles(kKeptTurn, "", "{technique: drain}").mistakes({costs}),
              ElementsAre(mistake("scheduler.time_slice_us", "")));
  EXPECT_THAT(TurnFiles("{policy: ppq}", "", "{policy: time_slice, turn: kept}").mistakes({costs}),
              ElementsAre(mistake("baseline.time_slice_us", "")));
}

TEST(SpecTurn, TheSchedulersSliceIsNobodysWhereEveryProcessHasItsOwn) {
  TurnFiles files(kKeptTurn, ", time_slice_us: 3000");
  files.replace("experiment.yaml", "background: true", "background: true, time_slice_us: 4000");
  EXPECT_THAT(files.mistakes({gpu_switch_of("preempted_us: 2999")}), IsEmpty());
}

TEST(SpecTurn, NoMoreOfASwitchCountsForTheSliceThanItTakes) {
  EXPECT_THAT(TurnFiles().mistakes({gpu_switch_of("preempted_us: 8, dry_us: 7, in_slice_us: 7")}), IsEmpty());
  EXPECT_THAT(TurnFiles().mistakes({gpu_switch_of("preempted_us: 8, dry_us: 6, in_slice_us: 7")}),
              ElementsAre(AllOf(mistake("gpu.framework.gpu_switch.in_slice_us", "more than all of dry_us"),
                                Field(&Diagnostic::allowed, "at most 6"))));
}

TEST(SpecTurn, MicrocodeSaysWhatItTakesAndBandwidthSaysNothingOfIt) {
  const std::string where = "gpu.framework.gpu_switch.";
  EXPECT_THAT(TurnFiles().mistakes({gpu_switch_of("model: microcode")}),
              UnorderedElementsAre(mistake(where + "save_us_per_warp", "missing"),
                                   mistake(where + "restore_us_per_warp", ""), mistake(where + "save_us_per_kib", ""),
                                   mistake(where + "restore_us_per_kib", ""), mistake(where + "bandwidth_gbps", "")));
  EXPECT_THAT(TurnFiles().mistakes({gpu_switch_of("save_us_per_warp: 1, bandwidth_gbps: 10")}),
              ElementsAre(mistake(where + "save_us_per_warp", "only valid with model: microcode"),
                          mistake(where + "bandwidth_gbps", "only valid with model: microcode")));
  EXPECT_THAT(TurnFiles().mistakes({gpu_switch_of("model: magic, save_us_per_warp: 1")}),
              ElementsAre(mistake(where + "model", "")));
}

TEST(SpecTurn, MicrocodeSavesNoSmThatKernelsShare) {
  const std::string microcode = gpu_switch_of(
      "model: microcode, save_us_per_warp: 1, restore_us_per_warp: 1, save_us_per_kib: 1, restore_us_per_kib: 1, "
      "bandwidth_gbps: 10");
  for (const std::string technique : {"chimera", "dual_kernel"}) {
    EXPECT_THAT(
        TurnFiles("{policy: ppq, technique: " + technique + "}").mistakes({microcode, "gpu.framework.engine=ideal"}),
        ElementsAre(mistake("scheduler.technique", "gpu_switch.model: microcode")));
  }
  EXPECT_THAT(TurnFiles("{policy: ppq, technique: drain}").mistakes({microcode}), IsEmpty());
}

// ---- JSON --------------------------------------------------------------------------------------------------------

TEST(SpecTurn, JsonHasTheKeysWhereTheySaySomething) {
  const std::string plain = json_text(to_json(TurnFiles("{policy: time_slice}").load()));
  for (const char* const key : {"turn", "switch_scope", "dry_owner", "slice_renewal", "gpu_switch", "slice_end"}) {
    EXPECT_THAT(plain, Not(HasSubstr("\"" + std::string(key) + "\""))) << key;
  }
  const Spec spec = TurnFiles("{policy: time_slice, turn: kept, switch_scope: gpu, slice_renewal: never}",
                              ", time_slice_us: 250, slice_end: wait")
                        .load({gpu_switch_of("preempted_us: 8, dry_us: 7")});
  const std::string text = json_text(to_json(spec));
  EXPECT_THAT(text, HasSubstr(R"("turn":"kept","switch_scope":"gpu","slice_renewal":"never")"));
  EXPECT_THAT(text, HasSubstr(R"("gpu_switch":{"preempted_us":8,"dry_us":7})"));
  EXPECT_THAT(text, HasSubstr(R"("time_slice_us":250,"slice_end":"wait")"));
}

// What it has from the scheduler, unless it says otherwise, would be another turn.
TEST(SpecTurn, ABaselineWhoseTurnIsPassedSaysSoBesideAKeptOne) {
  const Spec first = TurnFiles(kKeptTurn, "", "{turn: passed, switch_scope: sm}").load();
  ASSERT_FALSE(keeps_turn(*first.baseline));
  const std::string baseline = json_text(to_json(first)["baseline"]);
  EXPECT_THAT(baseline, HasSubstr(R"("turn":"passed","switch_scope":"sm")"));
  EXPECT_EQ(to_json(TurnFiles(kKeptTurn, "", baseline).load()), to_json(first));
}

TEST(SpecTurn, MicrocodeLoadsBackFromJson) {
  const std::string all =
      "model: microcode, save_us_per_warp: 0, restore_us_per_warp: 0, save_us_per_kib: 0.25, restore_us_per_kib: 0, "
      "bandwidth_gbps: 10";
  const Spec first = TurnFiles().load({gpu_switch_of(all)});
  const Spec second = TurnFiles().load({"gpu=" + json_text(to_json(first)["gpu"])});
  EXPECT_EQ(to_json(first), to_json(second));
}

}  // namespace
}  // namespace tessera::spec
