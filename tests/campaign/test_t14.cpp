// SPDX-License-Identifier: Apache-2.0
// The reproduction of [T14]: what is exact is exact, and every printed number stands where it belongs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "campaign/measure.h"
#include "campaign/papers.h"
#include "campaign/t14/figures.h"
#include "campaign/t14/paper_values.h"
#include "campaign/t14/studies.h"
#include "campaign/variants.h"
#include "model/spec/diagnostics.h"
#include "tests/campaign/t14_support.h"

namespace tessera::campaign::t14 {
namespace {

using test::base;
using test::kIdeal;
using test::request_for;

const Options kNeverInterrupted{2, [] { return false; }, {}};

void expect_all_hold(const Figure& figure) {
  EXPECT_FALSE(figure.orderings.empty());
  for (const Ordering& ordering : figure.orderings) EXPECT_TRUE(ordering.holds) << ordering.claim << ordering.evidence;
}

TEST(T14Config, HasTheApplicationsOfTable1AndTheMethodOfSection41) {
  const spec::Spec spec = base();
  std::set<std::string> configured;
  for (const spec::ProcessSpec& process : spec.processes) {
    configured.insert(process.name);
    EXPECT_EQ(process.name, spec.applications[process.application].name);
    EXPECT_NO_THROW(class_1(process.name));
  }
  std::set<std::string> printed_names;
  for (const Table1Row& row : kTable1) printed_names.emplace(row.application);
  EXPECT_EQ(configured, printed_names);
  EXPECT_EQ(spec.stop.min_runs, 3U);
  EXPECT_EQ(spec.gpu.num_sms, 13U);
}

TEST(T14Classes, AreAsManyAsTheTextCounts) {
  std::map<Class, int> by_kernels;
  std::map<Class, int> by_application;
  for (const spec::ProcessSpec& process : base().processes) {
    ++by_kernels[class_1(process.name)];
    ++by_application[class_2(process.name)];
  }
  // 4.2: three LONG, five MEDIUM, two SHORT. Table 1: class 2.
  EXPECT_THAT(by_kernels, ::testing::ElementsAre(::testing::Pair(Class::kShort, 2), ::testing::Pair(Class::kMedium, 5),
                                                 ::testing::Pair(Class::kLong, 3)));
  EXPECT_THAT(by_application,
              ::testing::ElementsAre(::testing::Pair(Class::kShort, 3), ::testing::Pair(Class::kMedium, 3),
                                     ::testing::Pair(Class::kLong, 4)));
}

// Class 2 of Table 1: below 5 ms, 30 to 115, above 400. At 2 GB/s sgemm's and mri-q's copies alone take longer than 5.
TEST(T14Classes, OfEightApplicationsAreKeptBySlowBusButNotOfSgemmAndMriQ) {
  const std::vector<Variant>& all = paper_of("t14").variants;
  const auto slow_bus =
      std::find_if(all.begin(), all.end(), [](const Variant& variant) { return variant.name == "slow-bus"; });
  ASSERT_NE(slow_bus, all.end());
  std::vector<std::string> overrides = slow_bus->overrides;
  overrides.emplace_back("gpu.framework.engine=ideal");
  const std::vector<Plan> plans{{base(overrides), {}, {}}};
  const std::vector<double> alone_us = run_campaign(plans, kNeverInterrupted).front().alone_us;
  ASSERT_EQ(alone_us.size(), plans.front().base.processes.size());
  std::set<std::string> lost;
  for (std::size_t i = 0; i < alone_us.size(); ++i) {
    const std::string& name = plans.front().base.processes[i].name;
    const double ms = alone_us[i] / 1000;
    const std::map<Class, bool> is{
        {Class::kShort, ms < 5}, {Class::kMedium, ms >= 30 && ms <= 115}, {Class::kLong, ms > 400}};
    if (!is.at(class_2(name))) lost.insert(name);
  }
  EXPECT_THAT(lost, ::testing::ElementsAre("mri-q", "sgemm"));
}

TEST(T14Studies, CompareWhatTheFiguresShow) {
  const auto names = [](const Study& study) {
    std::vector<std::string> found;
    for (const campaign::Scheme& scheme : study.schemes) found.push_back(scheme.name);
    return found;
  };
  const Study priority = priority_study(base({"scheduler.search_width=13"}));
  EXPECT_THAT(names(priority), ::testing::ElementsAre("fcfs", "npq", "ppq_context_switch", "ppq_drain",
                                                      "ppq_shared_context_switch", "ppq_shared_drain"));
  for (const campaign::Scheme& scheme : priority.schemes) EXPECT_EQ(scheme.scheduler.search_width, 13U);
  EXPECT_EQ(priority.schemes[4].scheduler.access, spec::Access::kShared);
  EXPECT_EQ(priority.schemes[3].scheduler.technique, spec::TechniqueKind::kDrain);
  EXPECT_EQ(priority.dma_policy, spec::DmaPolicy::kNpq);
  const Study sharing = sharing_study(base());
  EXPECT_THAT(names(sharing), ::testing::ElementsAre("fcfs", "dss_context_switch", "dss_drain"));
  EXPECT_EQ(sharing.dma_policy, spec::DmaPolicy::kFcfs);
  EXPECT_FALSE(sharing.has_high_priority);
}

// Values in the file of the paper's numbers: [at 2, at 8] of every entry.
TEST(T14PaperValues, AreThoseOfTheListOfTargets) {
  const char* const data = std::getenv("TESSERA_DATA_DIR");
  const std::filesystem::path shared =
      data == nullptr ? std::filesystem::path(TESSERA_SOURCE_DIR) / "../shared" : std::filesystem::path(data) / "..";
  if (!std::filesystem::exists(shared / "paper_targets.yaml"))
    GTEST_SKIP() << "no list of targets beside TESSERA_DATA_DIR";
  const YAML::Node t14 = YAML::LoadFile((shared / "paper_targets.yaml").string())["T14"];
  const auto expect_range = [](const YAML::Node& range, const char* figure, const std::string& panel,
                               const std::string& series) {
    for (const auto& [index, processes] : {std::pair(0, 2U), std::pair(1, 8U)}) {
      const std::optional<double> ours = printed(figure, panel, series, processes);
      ASSERT_EQ(ours.has_value(), !range[index].IsNull()) << figure << panel << series << processes;
      if (!ours) continue;
      EXPECT_DOUBLE_EQ(*ours, range[index].as<double>()) << figure << panel << series << processes;
    }
  };
  for (const char* key : {"fig5_ntt_improvement_of_high_priority_process", "fig6_stp_overhead_over_npq",
                          "fig7a_dss_ntt_improvement", "fig7b_fairness_improvement", "fig7c_stp_degradation"}) {
    ASSERT_TRUE(t14[key].IsMap()) << key;
  }
  ASSERT_EQ(t14["fig5_ntt_improvement_of_high_priority_process"].size(), 3U);
  for (const auto& series : t14["fig5_ntt_improvement_of_high_priority_process"]) {
    for (const auto& panel : series.second) {
      expect_range(panel.second, "t14-fig5", panel.first.as<std::string>(), series.first.as<std::string>());
    }
  }
  for (const std::string technique : {"context_switch", "drain"}) {
    expect_range(t14["fig6_stp_overhead_over_npq"]["exclusive"][technique], "t14-fig6", "exclusive",
                 "ppq_" + technique);
    for (const auto& panel : t14["fig7a_dss_ntt_improvement"][technique]) {
      expect_range(panel.second, "t14-fig7", panel.first.as<std::string>(), "dss_" + technique);
    }
    expect_range(t14["fig7b_fairness_improvement"][technique], "t14-fig7", "fairness", "dss_" + technique);
    expect_range(t14["fig7c_stp_degradation"][technique], "t14-fig7", "throughput", "dss_" + technique);
    for (const std::uint32_t n : {2U, 4U}) {
      const YAML::Node share = t14["fig8_share_of_workloads_with_significantly_better_antt"][n];
      EXPECT_DOUBLE_EQ(*printed("t14-fig8", "improved", "dss_" + technique, n), share.as<double>());
    }
  }
  EXPECT_DOUBLE_EQ(kPtbqBytes, t14["sram"]["ptbq_bytes"].as<double>());
  EXPECT_DOUBLE_EQ(kOtherStructuresBytesBelow, t14["sram"]["other_structures_bytes_below"].as<double>());
  EXPECT_DOUBLE_EQ(kFullContextUs, t14["full_context_us"].as<double>());
  EXPECT_DOUBLE_EQ(kSearchCycles, t14["decision_cycles"].as<double>());
}

TEST(T14Averages, OfThePrintedClassesAreThePrintedAverages) {
  // The average weighs applications, not classes: 2, 5, 3 of Class 1 and 3, 3, 4 of Class 2.
  const auto value = [](const char* figure, const char* panel, const char* series) {
    return *printed(figure, panel, series, 8);
  };
  for (const char* series : {"ppq_context_switch", "ppq_drain"}) {
    const double average = (2 * value("t14-fig5", "short", series) + 5 * value("t14-fig5", "medium", series) +
                            3 * value("t14-fig5", "long", series)) /
                           10;
    EXPECT_NEAR(average, value("t14-fig5", "average", series), 0.1);
  }
  for (const char* series : {"dss_context_switch", "dss_drain"}) {
    const double average = (3 * value("t14-fig7", "short", series) + 3 * value("t14-fig7", "medium", series) +
                            4 * value("t14-fig7", "long", series)) /
                           10;
    EXPECT_NEAR(average, value("t14-fig7", "average", series), 0.11);
  }
}

TEST(T14Table1, IsExactAndKernelsAloneTakeTheirTime) {
  std::vector<std::string> violations;
  const Figure figure = table1(base(), kNeverInterrupted, violations);
  EXPECT_EQ(figure.values.size(), 4 * std::size(kTable1));
  expect_all_hold(figure);
  EXPECT_THAT(violations, ::testing::IsEmpty());
}

TEST(T14Table1, NoticesAMachineThatIsNotThePapers) {
  std::vector<std::string> violations;
  const Figure figure = table1(base({"gpu.max_tbs_per_sm=8"}), kNeverInterrupted, violations);
  EXPECT_FALSE(figure.orderings.front().holds) << figure.orderings.front().claim;
}

TEST(T14Fig2, ShowsWhatThePaperShows) {
  std::vector<std::string> violations;
  const Figure figure =
      fig2(base({"workload.time_base=time_per_tb"}), kNeverInterrupted, violations);  // it has a time base of its own
  expect_all_hold(figure);
  EXPECT_THAT(violations, ::testing::IsEmpty());
  EXPECT_FALSE(figure.slices.empty());
  for (const Slice& slice : figure.slices) EXPECT_LE(slice.begin, slice.end);
}

TEST(T14Sram, IsThatOfSection33) { expect_all_hold(sram(base())); }

TEST(T14Table1, OfAMachineThatIsStoppedTooEarlyIsAnError) {
  std::vector<std::string> violations;
  EXPECT_THROW(table1(base({"stop.max_time_us=1000"}), kNeverInterrupted, violations), std::runtime_error);
  EXPECT_THROW(fig2(base({"stop.max_time_us=1000"}), kNeverInterrupted, violations), std::runtime_error);
}

TEST(T14Reproduction, KnowsItsTargets) { EXPECT_THROW(reproduce(request_for("t14-fig99")), std::out_of_range); }

TEST(T14Reproduction, RefusesProcessesThatTable1DoesNotKnow) {
  const auto mistakes = [](const std::string& processes) {
    try {
      reproduce(request_for("t14", {"workload.processes=" + processes}));
    } catch (const spec::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string spmv = std::string("application: ") + TESSERA_SOURCE_DIR + "/configs/applications/spmv.yaml";
  EXPECT_THAT(mistakes("[{name: spmv, " + spmv + "}]"), ::testing::HasSubstr("at least 8"));
  EXPECT_THAT(mistakes("[{name: foo, " + spmv + "}]"), ::testing::HasSubstr("Table 1 (foo"));
}

TEST(T14Reproduction, GoesOnUntilEveryAverageIsKnown) {
  // Literal times: everything is near 1, and few workloads tell it well enough; a single one never does.
  Request request = request_for("t14-fig6", {"workload.time_base=time_per_tb", "stop.min_runs=1", kIdeal});
  request.goes_on = true;
  const Figure figure = reproduce(request).figures.front();
  for (const Value& value : figure.values) {
    EXPECT_GE(value.ours.number, 2U);
    EXPECT_LE(value.ours.half_width, 0.05 * value.ours.mean);
  }
  EXPECT_TRUE(paper_of("t14").has_averages("t14"));
  EXPECT_FALSE(paper_of("t14").has_averages("t14-fig8"));
}

// The variant is a reading of equal sharing: it changes these figures alone, and beside the configured ones.
TEST(T14Variants, StandBesideTheFiguresOfTheConfiguredReading) {
  const Request request = request_for("t14-fig7", {"stop.min_runs=1", kIdeal});
  const std::vector<Figure> figures = reproduce_with_variants(paper_of("t14"), request, {"limited-debt"}).figures;
  std::vector<std::string> names;
  for (const Figure& figure : figures) names.push_back(figure.name);
  EXPECT_THAT(names,
              ::testing::ElementsAre("t14-fig7", "t14-fig7-time_per_tb", "t14-fig7-limited-debt", "t14-fig7-variants"));
  // Five of thirteen SMs stand idle at 8, one is short at most at 2.
  const auto throughput = [&](const Figure& figure, std::uint32_t n) {
    return mean_of(figure, "throughput", "dss_context_switch", n);
  };
  EXPECT_GT(throughput(figures[2], 8), 1.1 * throughput(figures[0], 8));
  EXPECT_NEAR(throughput(figures[2], 2), throughput(figures[0], 2), 0.02);
}

// Those that say nothing about sharing have nothing to do with this variant.
TEST(T14Variants, OfTheWholeMakeTheirOwnFiguresAlone) {
  Request request = request_for("t14", {"stop.min_runs=1", kIdeal});
  request.figures = {"t14-sram"};
  request.variant = "one";
  const std::vector<Figure> figures = reproduce(request).figures;
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_EQ(figures[0].name, "t14-sram");
}

TEST(T14Sensitivity, MovesOneAssumptionAtATimeOnAnyMachine) {
  const Request request = request_for("t14-sensitivity", {"gpu.num_sms=4", "stop.min_runs=1", kIdeal});
  const Reproduction reproduction = reproduce(request);
  std::map<std::string, std::set<double>> by_headline;
  std::set<std::string> variants;
  for (const Value& value : reproduction.figures.front().values) {
    by_headline[value.panel].insert(value.ours.mean);
    variants.insert(value.series);
  }
  EXPECT_GT(variants.size(), 20U);
  for (const char* headline : {"fig5 average ppq_context_switch at 8", "fig7 average dss_context_switch at 8"}) {
    EXPECT_GT(by_headline[headline].size(), variants.size() / 2) << "most assumptions do something";
  }
}

// A campaign of two workloads on the first kernels of the machine: the orderings that so few can show.
TEST(T14Reproduction, HoldsTheOrderingsThatFewWorkloadsShow) {
  Request request = request_for("t14-fig5", {"stop.min_runs=1", kIdeal});
  request.num_workloads = 1;
  const Reproduction reproduction = reproduce(request);
  EXPECT_THAT(reproduction.violations, ::testing::IsEmpty());
  ASSERT_EQ(reproduction.figures.size(), 2U) << "one a time base";
  EXPECT_EQ(reproduction.figures[0].name, "t14-fig5");
  EXPECT_EQ(reproduction.figures[1].name, "t14-fig5-time_per_tb");
  const auto holds = [&](const char* start) {
    for (const Ordering& ordering : reproduction.figures[0].orderings) {
      if (ordering.claim.rfind(start, 0) == 0) return ordering.holds;
    }
    ADD_FAILURE() << "no claim " << start;
    return false;
  };
  EXPECT_TRUE(holds("NPQ is no better than FCFS at 2"));
  EXPECT_TRUE(holds("NPQ is better than FCFS with more"));
  EXPECT_TRUE(holds("preemption by context_switch is better than NPQ"));
  EXPECT_TRUE(holds("preemption by drain is better than NPQ"));
  EXPECT_TRUE(holds("context switch is ahead of drain: average"));
}

}  // namespace
}  // namespace tessera::campaign::t14
