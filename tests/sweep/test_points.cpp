// SPDX-License-Identifier: Apache-2.0
// What points share, and what they cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "model/spec/loader.h"
#include "platform/simulation.h"
#include "platform/worker_pool.h"
#include "sweep/alone_results.h"
#include "sweep/core_cost.h"

namespace tessera::sweep {
namespace {

// ---- applications alone ------------------------------------------------------------------------------------------

class AloneResultsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(place_);
    alone_ = spec::load_experiment(TESSERA_SOURCE_DIR "/configs/experiments/short_kernels.yaml");
    alone_.processes.resize(1);
    alone_.scheduler.policy = spec::PolicyKind::kFcfs;
    alone_.stop.min_runs = 1;
  }
  void TearDown() override { std::filesystem::remove_all(place_); }

  using Change = std::function<void(spec::Spec&)>;
  spec::Spec changed(const Change& change) const {
    spec::Spec spec = alone_;
    change(spec);
    return spec;
  }
  bool knows(const spec::Spec& spec) { return AloneResults(folder_, "program").find(spec).has_value(); }

  const std::filesystem::path place_ =
      std::filesystem::temp_directory_path() /
      ("alone-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  const Folder folder_{place_};
  spec::Spec alone_;
};

nlohmann::json simulated(const spec::Spec& spec) {
  return platform::run_in_workers(
             {[&]() -> nlohmann::json { return platform::simulate(spec, {}, [] { return false; }); }}, 1)
      .front();
}

TEST_F(AloneResultsTest, WhatTheKeyLeavesOutChangesNothingInTheSimulation) {
  const nlohmann::json result = simulated(alone_);
  AloneResults(folder_, "program").keep(alone_, {{"result", result}});
  const Change changes[] = {
      [](spec::Spec& spec) { spec.name = "other"; },
      [](spec::Spec& spec) { spec.scheduler.technique = spec::TechniqueKind::kDrain; },
      [](spec::Spec& spec) { spec.scheduler.access = spec::Access::kShared; },
      [](spec::Spec& spec) { spec.scheduler.exclusive_scope = spec::ExclusiveScope::kAll; },
      [](spec::Spec& spec) { spec.scheduler.token_scope = spec::TokenScope::kProcess; },
      [](spec::Spec& spec) { spec.scheduler.time_slice /= 7; },
  };
  for (const Change& change : changes) {
    EXPECT_TRUE(knows(changed(change)));
    EXPECT_EQ(simulated(changed(change)), result);
  }
}

TEST_F(AloneResultsTest, WhatMakesADifferenceIsInTheKey) {
  AloneResults(folder_, "program").keep(alone_, {{"result", 1}});
  EXPECT_TRUE(knows(alone_));
  EXPECT_FALSE(AloneResults(folder_, "another build").find(alone_));
  EXPECT_FALSE(knows(changed([](spec::Spec& spec) { spec.gpu.num_sms = 3; })));
  EXPECT_FALSE(knows(changed([](spec::Spec& spec) { spec.scheduler.search_width = 1; })));
  EXPECT_FALSE(knows(changed([](spec::Spec& spec) { spec.stop.min_runs = 2; })));
  EXPECT_FALSE(knows(changed([](spec::Spec& spec) { spec.applications[0].kernels[0].num_tbs += 1; })));
}

TEST_F(AloneResultsTest, TheSeedIsInTheKeyWhereAnyDurationIsDrawn) {
  for (spec::KernelSpec& kernel : alone_.applications[0].kernels) kernel.tb_time_spread_ppm = 0;
  AloneResults(folder_, "program").keep(alone_, {{"result", 1}});
  const Change reseed = [](spec::Spec& spec) { spec.seed = 99; };
  EXPECT_TRUE(knows(changed(reseed)));
  EXPECT_EQ(simulated(changed(reseed)), simulated(alone_));
  alone_.applications[0].kernels[0].tb_time_spread_ppm = 300'000;
  AloneResults(folder_, "program").keep(alone_, {{"result", 1}});
  EXPECT_FALSE(knows(changed(reseed)));
}

// ---- cores -------------------------------------------------------------------------------------------------------

// An entry of the queue takes a cycle of the core. The ideal engine walks once, as long as the core does over a full
// queue.
TEST(MeasuredDecisions, ASearchTakesTheCoresStepsAtItsClock) {
  spec::Spec spec =
      spec::load_experiment(TESSERA_SOURCE_DIR "/configs/experiments/quickstart.yaml");  // 13 SMs, 706 MHz
  CoreCost cost;
  cost.fmax_mhz = 706.0 / 4.5;
  spec::Spec measured = with_measured_decisions(spec, cost);
  EXPECT_EQ(measured.gpu.framework.search_entry_cycles, 5U);  // 4.5, rounded up
  EXPECT_EQ(measured.scheduler.search_width, spec.scheduler.search_width);
  spec.gpu.framework.engine = spec::Engine::kIdeal;
  measured = with_measured_decisions(spec, cost);
  EXPECT_EQ(measured.gpu.framework.search_entry_cycles, 77U);  // 13 entries and 4 cycles, 17 of 4.5
  EXPECT_EQ(measured.scheduler.search_width, 13U);             // all in one step of that length
  cost.fmax_mhz = 2000;
  EXPECT_EQ(with_measured_decisions(spec, cost).gpu.framework.search_entry_cycles, 17U);  // no faster than the GPU
}

// 16 command buffers are looked at, and a job writes its rows: 24 cycles, if the GPU file does not ask for more.
TEST(MeasuredDecisions, AnActivationTakesTheCoresCyclesAtItsClock) {
  spec::Spec spec = spec::load_experiment(TESSERA_SOURCE_DIR "/configs/experiments/quickstart.yaml");
  spec.gpu.framework.num_command_buffers = 16;
  CoreCost cost;
  cost.fmax_mhz = 706.0 / 4.6;
  EXPECT_EQ(with_measured_decisions(spec, cost).gpu.framework.kernel_activation_cycles, 111U);  // 110.4, rounded up
  spec.gpu.framework.kernel_activation_cycles = 30;
  EXPECT_EQ(with_measured_decisions(spec, cost).gpu.framework.kernel_activation_cycles, 138U);
  cost.fmax_mhz = 2000;
  EXPECT_EQ(with_measured_decisions(spec, cost).gpu.framework.kernel_activation_cycles, 30U);
}

TEST(Cores, PointsThatDifferInTheTechniqueOnlyShareOne) {
  spec::Spec spec = spec::load_experiment(TESSERA_SOURCE_DIR "/configs/experiments/quickstart.yaml");
  std::vector<Core> cores;
  spec::SweepSpec sweep;
  EXPECT_EQ(index_of_core(core_of(spec, sweep), cores), 0U);
  spec.scheduler.technique = spec::TechniqueKind::kDrain;
  EXPECT_EQ(index_of_core(core_of(spec, sweep), cores), 0U);
  spec.scheduler.search_width = 2;
  EXPECT_EQ(index_of_core(core_of(spec, sweep), cores), 1U);
  sweep.core_policies = spec::CorePolicies::kOwn;
  EXPECT_EQ(index_of_core(core_of(spec, sweep), cores), 2U);
  EXPECT_THAT(cores.back().sizes.policies, testing::ElementsAre(spec::PolicyKind::kPpq));
}

// docs/hardware/timing.md 3.12: registers, and no memory.
TEST(Cores, ATurnThatIsKeptTakesRegistersOfItsOwn) {
  spec::Spec spec = spec::load_experiment(TESSERA_SOURCE_DIR "/configs/experiments/quickstart.yaml");
  spec.scheduler.policy = spec::PolicyKind::kTimeSlice;
  const nlohmann::ordered_json passed = storage_cost(spec);
  std::vector<Core> cores;
  index_of_core(core_of(spec, {}), cores);
  spec.scheduler.turn = spec::Turn::kKept;
  const nlohmann::ordered_json kept = storage_cost(spec);
  EXPECT_GT(kept["sram_bytes"], passed["sram_bytes"]);
  EXPECT_GT(kept["flip_flop_bytes"], passed["flip_flop_bytes"]);
  EXPECT_EQ(index_of_core(core_of(spec, {}), cores), 1U);
  EXPECT_EQ(cores[0].sizes.kept_turn, 0U);
  EXPECT_EQ(cores[1].sizes.kept_turn, 1U);
}

}  // namespace
}  // namespace tessera::sweep
