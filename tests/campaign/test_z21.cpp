// SPDX-License-Identifier: Apache-2.0
// [Z21]: points recomputed from the tasks, claims that a few sets suffice for, and the same bytes on any number of
// workers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "campaign/papers.h"
#include "campaign/z21/figures.h"
#include "model/realtime/generation.h"

namespace tessera::campaign::z21 {
namespace {

constexpr std::uint32_t kSets = 5;  // of each point, from one workload

Request z21_request(const std::string& target, unsigned num_workers = 2) {
  Request request;
  request.target = target;
  request.load = [](const std::vector<std::string>& overrides) {
    return load_paper(TESSERA_SOURCE_DIR "/configs/papers/z21.yaml", overrides);
  };
  request.num_workloads = 1;
  request.options.num_workers = num_workers;
  request.options.is_interrupted = [] { return false; };
  return request;
}

realtime::TaskSet set_of(std::uint32_t num_tasks, std::uint32_t utilisation, std::uint32_t index) {
  realtime::GenerationOptions options;
  options.num_tasks = num_tasks;
  options.utilisation = utilisation;
  return realtime::generate(options, 2021, set_number(utilisation, index));
}

// The sum of k C(1) / T, with b and k as [Z21] 7.1 has them.
double load_at_one_sm(const realtime::TaskSet& set, const std::vector<std::uint32_t>& tasks, bool has_contention) {
  double load = 0;
  for (const std::uint32_t i : tasks) {
    const realtime::Task& task = set.tasks[i];
    const auto alike = std::count_if(tasks.begin(), tasks.end(),
                                     [&](std::uint32_t other) { return set.tasks[other].kind == task.kind; });
    const bool is_compute = task.kind == realtime::TaskKind::kCompute;
    const double k = has_contention && alike > 1 ? (is_compute ? 1.2 : 2.3) : 1;
    load += k * static_cast<double>(task.work) * (is_compute ? 1.02 : 1.1) / static_cast<double>(task.period);
  }
  return load;
}

const Value& value_of(const Figure& figure, const std::string& panel, const std::string& row) {
  for (const Value& value : figure.values) {
    if (value.panel == panel && value.series == row) return value;
  }
  throw std::out_of_range(panel + ", " + row);
}

TEST(Z21, ConfiguresTheGpuOfThePaper) {
  const spec::Spec base = z21_request("z21").load({});
  EXPECT_EQ(base.gpu.num_sms, 68U);
  EXPECT_EQ(base.seed, 2021U);
}

TEST(Z21, OutcomeOfASetIsThatOfItsTasks) {
  const spec::Spec base = z21_request("z21").load({});
  const realtime::TaskSet set = set_of(kFewTasks, 30, 3);
  const SetOutcome outcome = outcome_of(base, kFewTasks, 30, 3);
  std::vector<std::uint32_t> all(kFewTasks);
  for (std::uint32_t i = 0; i < kFewTasks; ++i) all[i] = i;
  EXPECT_NEAR(outcome.least_load, load_at_one_sm(set, all, false), 1e-9);
  EXPECT_NEAR(outcome.most_load, load_at_one_sm(set, all, true), 1e-9);
  EXPECT_EQ(outcome.answers.at(k1gAsPrinted).is_accepted, load_at_one_sm(set, all, true) <= 68);
  const realtime::Partitioning partitioning =
      realtime::partition(set, {realtime::Heuristic::kBestFit, realtime::Forbidden::kAct, realtime::Stop::kFixpoint});
  const Answer& answer = outcome.answers.at(kBfAct);
  EXPECT_EQ(answer.is_accepted, partitioning.is_schedulable);
  EXPECT_EQ(answer.num_partitions, partitioning.partitions.size());
  EXPECT_EQ(answer.task_tests, partitioning.task_tests);
  double load = 0;
  std::uint32_t pairs = 0;
  for (const realtime::Partition& one : partitioning.partitions) {
    load += load_at_one_sm(set, one.tasks, true);
    pairs += one.tasks.size() == 2 && set.tasks[one.tasks[0]].kind != set.tasks[one.tasks[1]].kind;
  }
  EXPECT_NEAR(answer.load, load, 1e-9);
  EXPECT_EQ(answer.num_pairs, pairs);
}

TEST(Z21, RatesCountAcceptedSets) {
  const Reproduction reproduction = reproduce(z21_request("z21-fig5"));
  ASSERT_EQ(reproduction.figures.size(), 1U);
  const Figure& figure = reproduction.figures.front();
  for (const std::uint32_t utilisation : {20U, 42U}) {
    std::uint32_t accepted = 0;
    for (std::uint32_t i = 0; i < kSets; ++i) {
      accepted += realtime::partition(set_of(kFewTasks, utilisation, i),
                                      {realtime::Heuristic::kSms, realtime::Forbidden::kIna, realtime::Stop::kFits})
                      .is_schedulable;
    }
    const Value& value = value_of(figure, "SMS/INA", "U = " + std::to_string(utilisation));
    EXPECT_DOUBLE_EQ(value.ours.mean, 100.0 * accepted / kSets);
    EXPECT_EQ(value.ours.number, kSets);
  }
  EXPECT_EQ(value_of(figure, "SMS/INA", "U = 68").ours.mean, 0);
  EXPECT_EQ(value_of(figure, "1G sound", "U = 2").ours.mean, 100);
  EXPECT_EQ(value_of(figure, "1G sound", "U = 20").ours.mean, 0);
}

TEST(Z21, LoadsOfAcceptedSetsLieBetweenTheirBounds) {
  const Reproduction reproduction = reproduce(z21_request("z21-fig6"));
  const Figure& figure = reproduction.figures.front();
  const auto claim = std::find_if(figure.orderings.begin(), figure.orderings.end(), [](const Ordering& ordering) {
    return ordering.claim == "loads lie between the bounds";
  });
  ASSERT_NE(claim, figure.orderings.end());
  EXPECT_TRUE(claim->holds) << claim->evidence;
  const Value& value = value_of(figure, "tasks a partition, SMS/INA", "U = 30");
  EXPECT_GT(value.ours.mean, 1);
  EXPECT_LT(value.ours.mean, kFewTasks);
}

TEST(Z21, IsTheSameOnAnyNumberOfWorkers) {
  const Reproduction one = reproduce(z21_request("z21-fig5", 1));
  const Reproduction two = reproduce(z21_request("z21-fig5", 2));
  EXPECT_EQ(one.measurements_csv, two.measurements_csv);
  EXPECT_EQ(figure_markdown(one.figures.front()), figure_markdown(two.figures.front()));
}

TEST(Z21, PresetsCountSetsThatTheirSizesAccept) {
  const Reproduction reproduction = reproduce(z21_request("z21-presets"));
  const Figure& figure = reproduction.figures.front();
  std::uint32_t accepted = 0;
  for (std::uint32_t i = 0; i < kSets; ++i) {
    realtime::PartitioningOptions options;
    options.preset = spec::PresetSpec{spec::PresetKind::kMig, 8};
    accepted += realtime::partition(set_of(kFewTasks, 20, i), options).is_schedulable;
  }
  EXPECT_DOUBLE_EQ(value_of(figure, "schedulable, slices, %", "rtx2080ti, 50 tasks, U = 20").ours.mean,
                   100.0 * accepted / kSets);
  // Of any size, they are those of Figure 5.
  const Reproduction of_paper = reproduce(z21_request("z21-fig5"));
  for (const std::uint32_t utilisation : {40U, 44U}) {
    const std::string row = "U = " + std::to_string(utilisation);
    EXPECT_EQ(value_of(figure, "schedulable, any, %", "rtx2080ti, 50 tasks, " + row).ours.mean,
              value_of(of_paper.figures.front(), "SMS/INA", row).ours.mean);
  }
  EXPECT_LE(value_of(figure, "partitions, slices", "a100, 50 tasks, U = 8").ours.mean, 7);
}

TEST(Z21, PresetsAreTheSameOnAnyNumberOfWorkers) {
  const Reproduction one = reproduce(z21_request("z21-presets", 1));
  const Reproduction three = reproduce(z21_request("z21-presets", 3));
  EXPECT_EQ(one.measurements_csv, three.measurements_csv);
  EXPECT_EQ(figure_markdown(one.figures.front()), figure_markdown(three.figures.front()));
}

TEST(Z21, EndsWhenItIsInterrupted) {
  Request request = z21_request("z21-fig5");
  request.options.is_interrupted = [] { return true; };
  EXPECT_THROW(reproduce(request), Interrupted);
  request.target = "z21-presets";
  EXPECT_THROW(reproduce(request), Interrupted);
  EXPECT_THROW(reproduce(z21_request("z21-fig4")), std::out_of_range);
}

TEST(Z21, ComparisonCountsSetsThatOneWayAloneAccepts) {
  SetOutcome first_only;
  first_only.answers.resize(2);
  first_only.answers[0].is_accepted = true;
  SetOutcome second_only;
  second_only.answers.resize(2);
  second_only.answers[1].is_accepted = true;
  const Points points{{kFewTasks, 2, {first_only, second_only, second_only}},
                      {kFewTasks, 4, {second_only, second_only, second_only, second_only}}};
  const Discordance found = compare(points, kSmsIna, kSmsAct);
  EXPECT_EQ(found.only_first, 1U);
  EXPECT_EQ(found.only_second, 6U);
  EXPECT_EQ(found.points_for_second, 1U);  // 4 to 0: McNemar's statistic is 4, above 3.84
}

}  // namespace
}  // namespace tessera::campaign::z21
