// SPDX-License-Identifier: Apache-2.0
// Campaigns of a small machine: what is simulated, what it is measured against, and that nothing else matters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "campaign/campaign.h"
#include "tests/platform/machine_bench.h"
#include "tests/tlm/loaded_machine.h"

namespace tessera::campaign {
namespace {

using platform::test::add_process;
using platform::test::cpu;
using platform::test::kernel_of;
using platform::test::launch;
using platform::test::synchronise;
using platform::test::tiny_platform;

// Four applications of different lengths, under FCFS and under preemptive priorities.
Plan small_plan() {
  Plan plan;
  plan.base = tiny_platform();
  for (const std::uint32_t waves : {1U, 2U, 4U, 8U}) {
    add_process(plan.base, {kernel_of("k", waves * plan.base.gpu.num_sms, 20'000)},
                {cpu(10'000), launch(0), synchronise()});
  }
  plan.base.stop.min_runs = 2;
  Scheme fcfs{"fcfs", plan.base.scheduler};
  fcfs.scheduler.policy = spec::PolicyKind::kFcfs;
  Scheme ppq{"ppq", plan.base.scheduler};
  ppq.scheduler.policy = spec::PolicyKind::kPpq;
  plan.studies = {{"priority", spec::DmaPolicy::kNpq, true, {fcfs, ppq}},
                  {"sharing", spec::DmaPolicy::kFcfs, false, {fcfs}}};
  plan.num_processes = {1, 3};
  plan.num_workloads = 4;
  return plan;
}

Options options(unsigned num_workers) {
  Options options;
  options.num_workers = num_workers;
  options.is_interrupted = [] { return false; };
  return options;
}

// Everything that was measured, in order.
std::vector<double> numbers(const Results& results) {
  std::vector<double> all = results.alone_us;
  for (const Group& group : results.groups) {
    for (const Cell& cell : group.cells) {
      for (const Measurement& measurement : cell.schemes) {
        all.insert(all.end(), measurement.ntt.begin(), measurement.ntt.end());
        all.push_back(static_cast<double>(measurement.latency.total.sum()));
      }
    }
  }
  return all;
}

TEST(Campaign, HasACellAWorkloadAndAMeasurementAScheme) {
  const std::vector<Plan> plans{small_plan()};
  const Results results = run_campaign(plans, options(2)).front();
  ASSERT_EQ(results.groups.size(), 4U);
  for (const Group& group : results.groups) {
    ASSERT_EQ(group.cells.size(), 4U);
    for (const Cell& cell : group.cells) {
      EXPECT_EQ(cell.schemes.size(), group.study->schemes.size());
      for (const Measurement& one : cell.schemes) EXPECT_EQ(one.ntt.size(), group.num_processes);
    }
  }
  // 4 alone; (2 + 1 schemes) x 2 numbers of processes x 4 workloads.
  EXPECT_EQ(results.effort.simulations, 4U + 3 * 2 * 4);
  EXPECT_GT(results.effort.preemptions, 0U);
  EXPECT_THAT(results.violations, ::testing::IsEmpty());
}

// Four SMs that ask for 40 bytes a cycle of 20: a kernel that was recorded so works for half of its time, and takes all
// of it. A microsecond passes before memory is found to be busy.
TEST(Campaign, AKernelWithRecordedTrafficTakesItsTimeAlone) {
  std::vector<Plan> plans{small_plan(), small_plan()};
  spec::Spec& base = plans[1].base;
  base = tlm_model::test::with_loaded_memory(base, tlm_model::test::memory_with_roof(20));
  base.applications[3].in_flight_share_ppm = 1'000'000;
  const std::vector<Results> results = run_campaign(plans, options(2));
  EXPECT_NEAR(results[1].alone_us[3], results[0].alone_us[3], 1);
  EXPECT_GT(results[0].alone_us[3], 8 * 20);
}

TEST(Campaign, MeasuresAProcessWithoutCompanyAsFastAsAlone) {
  const std::vector<Plan> plans{small_plan()};
  const Results results = run_campaign(plans, options(2)).front();
  for (const Cell& cell : results.group("priority", 1).cells) {
    for (const Measurement& one : cell.schemes) EXPECT_DOUBLE_EQ(one.ntt.front(), 1);
  }
}

TEST(Campaign, GivesTheFirstProcessPriorityWhereTheStudyHasOne) {
  const Plan plan = small_plan();
  const Workload workload{{2, 0, 1}, false};
  const spec::Spec priority = spec_of(plan, plan.studies[0], plan.studies[0].schemes[1], workload);
  const spec::Spec sharing = spec_of(plan, plan.studies[1], plan.studies[1].schemes[0], workload);
  std::vector<std::uint32_t> priorities;
  for (const spec::ProcessSpec& process : priority.processes) priorities.push_back(process.priority);
  EXPECT_THAT(priorities, ::testing::ElementsAre(1, 0, 0));
  for (const spec::ProcessSpec& process : sharing.processes) EXPECT_EQ(process.priority, 0U);
  EXPECT_EQ(priority.processes[0].application, 2U);
  EXPECT_EQ(priority.dma_policy, spec::DmaPolicy::kNpq);
  EXPECT_EQ(sharing.dma_policy, spec::DmaPolicy::kFcfs);
  EXPECT_EQ(priority.scheduler.policy, spec::PolicyKind::kPpq);
}

TEST(Campaign, ComesToTheSameOnAnyNumberOfWorkers) {
  const std::vector<Plan> plans{small_plan()};
  EXPECT_EQ(numbers(run_campaign(plans, options(1)).front()), numbers(run_campaign(plans, options(3)).front()));
}

TEST(Campaign, InTwoPartsComesToTheSameAsInOne) {
  const std::vector<Plan> whole{small_plan()};
  std::vector<Plan> parts{small_plan()};
  parts[0].num_workloads = 3;
  Results results = run_campaign(parts, options(2)).front();
  std::vector<Plan> rest{small_plan()};
  rest[0].first_workload = 3;
  rest[0].num_workloads = 1;
  results.append(run_campaign(rest, options(2)).front());
  EXPECT_EQ(numbers(results), numbers(run_campaign(whole, options(2)).front()));
}

TEST(Campaign, ThatIsInterruptedHasNoResults) {
  const std::vector<Plan> plans{small_plan()};
  Options interrupted = options(2);
  interrupted.is_interrupted = [] { return true; };
  EXPECT_THROW(run_campaign(plans, interrupted), Interrupted);
}

TEST(Campaign, SaysWhichSimulationsDidNotComplete) {
  std::vector<Plan> plans{small_plan()};
  plans[0].studies.resize(1);
  plans[0].base.stop.max_time = 1'000'000 * platform::test::kCyclePs;
  plans[0].base.stop.min_runs = 5;
  const Results results = run_campaign(plans, options(2)).front();
  EXPECT_THAT(results.violations,
              ::testing::Contains(::testing::MatchesRegex("priority study, ppq: p.*ended by max_time")));
}

TEST(Campaign, WithAProcessThatCompletesNoRunIsAnError) {
  std::vector<Plan> plans{small_plan()};
  plans[0].base.stop.max_time = 20'000 * platform::test::kCyclePs;
  try {
    run_campaign(plans, options(2));
    FAIL() << "numbers from nothing";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("completed no run"));
  }
}

TEST(Campaign, StartsTheProcessesOfAWorkloadWhenTheWorkloadSaysSo) {
  Plan plan = small_plan();
  plan.base.processes[3].is_background = true;  // of no meaning here: everybody's runs count
  const auto starts = [&](const Workload& workload) {
    std::vector<Picoseconds> of;
    for (const auto& process : spec_of(plan, plan.studies[0], plan.studies[0].schemes[0], workload).processes) {
      EXPECT_FALSE(process.is_background);
      of.push_back(process.start);
    }
    return of;
  };
  EXPECT_THAT(starts({{3, 0, 1}, false}), ::testing::ElementsAre(0, 0, 0));
  EXPECT_THAT(starts({{3, 0, 1}, false, {70, 0, 200}}), ::testing::ElementsAre(70, 0, 200));
}

TEST(Campaign, OfAllPairsHasEachOnceHoweverLongItGoesOn) {
  Plan plan = small_plan();
  plan.has_all_pairs = true;
  plan.num_processes = {2};
  const std::size_t num_applications = plan.base.processes.size();
  std::vector<Plan> plans{plan, plan};
  plans[1].first_workload = plan.num_workloads;
  const std::vector<Results> results = run_campaign(plans, options(2));
  EXPECT_EQ(results[0].groups[0].cells.size(), num_applications * (num_applications - 1));
  EXPECT_TRUE(results[1].groups[0].cells.empty());
}

TEST(RunTasks, GathersTheFaultsOfAllAnswers) {
  std::vector<std::string> violations{"an earlier one"};
  const auto task = [](std::vector<std::string> faults) {
    return [faults]() -> nlohmann::json { return {{"faults", faults}}; };
  };
  const Options options{2, [] { return false; }, {}};
  EXPECT_EQ(run_tasks({task({"a", "b"}), task({}), task({"c"})}, options, violations).size(), 3U);
  EXPECT_THAT(violations, ::testing::ElementsAre("an earlier one", "a", "b", "c"));
}

// Progress is told in this process: the parent is the one that has to hear it.
TEST(AnswersOf, StartsNoMoreTasksOnceInterrupted) {
  std::size_t ended = 0;
  const auto task = []() -> nlohmann::json { return {{"faults", nlohmann::json::array()}}; };
  const Options options{1, [&ended] { return ended >= 2; }, [&ended](std::size_t done, std::size_t) { ended = done; }};
  EXPECT_THROW(answers_of(std::vector<std::function<nlohmann::json()>>(100, task), options), Interrupted);
  EXPECT_GE(ended, 2U);
  EXPECT_LT(ended, 100U);
}

TEST(Measurement, MetricsAreThoseOfEyermanAndEeckhout) {
  const Measurement one{{1, 2, 4}, {}};
  EXPECT_DOUBLE_EQ(one.antt(), 7.0 / 3);
  EXPECT_DOUBLE_EQ(one.stp(), 1 + 0.5 + 0.25);
  EXPECT_DOUBLE_EQ(one.fairness(), 0.25);
}

TEST(MeasurementsCsv, HasARowAProcessOfEverySimulation) {
  const std::vector<Plan> plans{small_plan()};
  const Results results = run_campaign(plans, options(2)).front();
  const std::string csv = measurements_csv(plans[0], results);
  // 4 workloads x 3 schemes in all x (1 + 3) processes, and the head.
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4 * 3 * (1 + 3) + 1);
}

}  // namespace
}  // namespace tessera::campaign
