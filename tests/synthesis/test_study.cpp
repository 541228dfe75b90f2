// SPDX-License-Identifier: Apache-2.0
// Parameters of a core, its decisions in simulation, and which cores are worth building.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/names.h"
#include "synthesis/cell_library.h"
#include "synthesis/pareto_plot.h"
#include "synthesis/study.h"
#include "synthesis/technology.h"

namespace tessera::synthesis {
namespace {

using spec::PolicyKind;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

spec::CoreSpec small_core() {
  spec::CoreSpec core;
  core.num_sms = 5;
  core.max_tbs_per_sm = 4;
  core.num_ksrs = 3;
  core.num_command_buffers = 6;
  core.num_contexts = 7;
  core.tb_id_bits = 12;
  core.search_width = 2;
  core.wait_bits = 5;
  core.parity_bits = 1;
  core.linger = 1;
  return core;
}

TEST(CoreExperiment, SizesReachTheVerilogUnchanged) {
  const spec::CoreSpec core = small_core();
  const cosim::Elaboration elaboration = elaboration_of(core);
  EXPECT_EQ(elaboration.num_sms, core.num_sms);
  EXPECT_EQ(elaboration.max_tbs_per_sm, core.max_tbs_per_sm);
  EXPECT_EQ(elaboration.num_ksrs, core.num_ksrs);
  EXPECT_EQ(elaboration.num_command_buffers, core.num_command_buffers);
  EXPECT_EQ(elaboration.num_contexts, core.num_contexts);
  EXPECT_EQ(elaboration.tb_width, core.tb_id_bits);
  EXPECT_EQ(elaboration.search_width, core.search_width);
  EXPECT_EQ(elaboration.wait_width, core.wait_bits);
  EXPECT_EQ(elaboration.parity, core.parity_bits);
  EXPECT_EQ(elaboration.linger, core.linger);
  EXPECT_EQ(elaboration.ptbq_depth, core.num_sms * core.max_tbs_per_sm);
}

TEST(CoreExperiment, EachPolicyHasItsBitOfTheParameter) {
  spec::CoreSpec core = small_core();
  core.policies = {PolicyKind::kFcfs, PolicyKind::kTimeSlice};
  EXPECT_EQ(elaboration_of(core).policies, 0b10001U);
  core.policies = {PolicyKind::kDss};
  EXPECT_EQ(elaboration_of(core).policies, 0b01000U);
}

TEST(CoreExperiment, ASearchOfAllSmsEndsWithinAWalkOfThem) {
  spec::CoreSpec core = small_core();
  core.search_width = 1;
  const Decisions decisions = simulate_decisions(core, PolicyKind::kFcfs);
  EXPECT_GT(decisions.steady.count, 50U);
  EXPECT_GT(decisions.first.count, 20U);
  // The last walk, which finds nothing to do, is in every decision; fcfs takes nothing away, so one walk is a search.
  EXPECT_GE(decisions.steady.min, core.num_sms);
  EXPECT_GE(decisions.steady.max, 2 * core.num_sms);
}

TEST(CoreExperiment, EveryPolicyDecidesEvenWhereThreadBlockNumbersAreNarrow) {
  spec::CoreSpec core = small_core();
  core.tb_id_bits = 4;
  const spec::Spec spec = busy_experiment(core, PolicyKind::kDss);
  for (const spec::ApplicationSpec& application : spec.applications) {
    EXPECT_LT(application.kernels.front().num_tbs, 1U << core.tb_id_bits);
  }
  EXPECT_GT(simulate_decisions(core, PolicyKind::kDss).steady.count, 0U);
}

CoreResult result(std::uint32_t num_sms, double area_um2, double period_ns, std::uint64_t cycles) {
  CoreResult result;
  result.core.num_sms = num_sms;
  result.mapped.area_um2 = area_um2;
  result.mapped.paths.registers.period_ns = period_ns;
  result.decisions["fcfs"].steady = {1, cycles / 2, cycles / 2, cycles / 2, cycles / 2};
  result.decisions["dss"].steady = {2, 2 * cycles, cycles, cycles, cycles};
  return result;
}

TEST(CoreResult, TimesTheSlowestPolicysDecisions) {
  const CoreResult one = result(13, 48'000, 4, 30);
  EXPECT_EQ(one.slowest_policy(), "dss");
  EXPECT_DOUBLE_EQ(one.kge(), 48 / kNand2Um2);
  EXPECT_DOUBLE_EQ(one.fmax_mhz(), 250);
  EXPECT_DOUBLE_EQ(one.decision_ns(), 30 * 4);
}

TEST(ParetoFront, LeavesOutWhatAnotherCoreBeatsAndOtherSizesOfMachine) {
  const std::vector<CoreResult> results{result(4, 300, 1, 10), result(4, 100, 1, 30), result(4, 200, 1, 40),
                                        result(13, 50, 1, 5), result(4, 200, 1, 20)};
  EXPECT_THAT(pareto_fronts(results),
              ElementsAre(ElementsAre(&results[1], &results[4], &results[0]), ElementsAre(&results[3])));
}

TEST(ParetoPlot, ShowsEachFrontAndTheWiderSearches) {
  std::vector<CoreResult> results{result(4, 100, 1, 30), result(4, 200, 1, 20), result(13, 50, 1, 5)};
  EXPECT_THAT(pareto_script("test", results), AllOf(HasSubstr("$all13"), HasSubstr("$front1"), HasSubstr("$front2"),
                                                    Not(HasSubstr("$wider")), Not(HasSubstr("@"))));
  results[2].core.search_width = 2;
  EXPECT_THAT(pareto_script("test", results), HasSubstr("$wider"));
}

TEST(ParetoFront, LetsNoCoreBeBeatenByOneThatDoesLess) {
  std::vector<CoreResult> results{result(4, 300, 1, 20), result(4, 200, 1, 10), result(4, 250, 1, 15)};
  results[1].core.policies = {PolicyKind::kFcfs};
  EXPECT_TRUE(does_all_of(results[0].core, results[1].core));
  EXPECT_FALSE(does_all_of(results[1].core, results[0].core));
  EXPECT_THAT(pareto_fronts(results), ElementsAre(ElementsAre(&results[1]), ElementsAre(&results[2])));
  results[2].core.max_tbs_per_sm /= 2;
  EXPECT_TRUE(is_on_front(results[0], results));
}

TEST(Technology, ScalesTheClockByFo4DelaysAndTheAreaByGates) {
  for (const LogicNode& node : kLogicNodes) {
    const Range area = scaled_area_um2(node, 1000), twice = scaled_area_um2(node, 2000);
    EXPECT_LT(area.min, area.max);
    EXPECT_DOUBLE_EQ(twice.max, 2 * area.max);
    EXPECT_GT(area.min, 1000 * node.nand2_um2.min);  // a block is not all cells
    const Range fmax = scaled_fmax_mhz(node, 20 * kFo4Ns);
    EXPECT_DOUBLE_EQ(fmax.min, 1e6 / (20 * node.fo4_ps.max));
    EXPECT_DOUBLE_EQ(fmax.max, 1e6 / (20 * node.fo4_ps.min));
  }
}

}  // namespace
}  // namespace tessera::synthesis
