// SPDX-License-Identifier: Apache-2.0
// Measurements beside predictions: statistics of both sides by hand, on an experiment small enough to follow; and the
// files that we ship.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "campaign/papers.h"
#include "campaign/silicon/compared.h"
#include "campaign/silicon/reproduction.h"
#include "campaign/silicon/scoreboard.h"

namespace tessera::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Options quiet_options(unsigned num_workers = 1) {
  Options options;
  options.num_workers = num_workers;
  options.is_interrupted = [] { return false; };
  return options;
}

// One SM, a kernel of a thread block of 100 us, closed loops of one and of two processes.
class SmallBoard : public testing::Test {
 protected:
  SmallBoard() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tessera_silicon_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    write("experiment.yaml", R"(schema_version: 1
name: small
gpu:
  name: tiny
  clock_mhz: 1000
  num_sms: 1
  max_tbs_per_sm: 1
  max_threads_per_sm: 1024
  registers_per_sm: 65536
  shared_memory_bytes: [16384]
  memory_bandwidth_gbps: 100
  pcie: {clock_mhz: 500, num_lanes: 32}
  framework: {engine: ideal}
scheduler: {policy: fcfs}
workload:
  time_base: time_per_tb
  processes:
    - {name: first, application: app.yaml}
    - {name: second, application: app.yaml}
stop: {min_runs: 5}
)");
    write("app.yaml", R"(schema_version: 1
name: app
kernels: [{name: k, num_tbs: 1, regs_per_tb: 32, smem_bytes_per_tb: 0, threads_per_tb: 32, tb_time_us: 100}]
program: [launch: {kernel: k}, synchronise: {}]
)");
  }
  ~SmallBoard() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  spec::MeasurementsSpec load(const std::string& rest) const {
    write("measured.yaml", "schema_version: 1\nname: mine\ntitle: Mine\n" + rest);
    return spec::load_measurements(folder_ / "measured.yaml");
  }
  static std::string row(const std::string& keys) {
    return "rows:\n  - {name: a, title: A, source: me, experiment: experiment.yaml, " + keys + "}\n";
  }

  std::filesystem::path folder_;
};

TEST_F(SmallBoard, RequestsAreComparedInSumAndProcessByProcess) {
  write("requests.csv", "process,released_us,finished_us\nx,0,100\ny,0,200\nx,100,300\ny,200,400\n");
  const spec::MeasurementsSpec spec =
      load(row("kind: requests, measured: requests.csv, quantities: [{name: throughput}, {name: p50}]"));
  const std::vector<Compared> all = compared_of(spec.rows[0]);
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[0].name, "throughput");
  EXPECT_DOUBLE_EQ(all[0].measured.value(), 2 / 300e-6 + 2 / 400e-6);
  EXPECT_EQ(all[1].name, "throughput of first");
  EXPECT_DOUBLE_EQ(all[1].measured.value(), 2 / 300e-6);
  EXPECT_EQ(all[3].name, "p50 of first");
  EXPECT_DOUBLE_EQ(all[3].measured.value(), 150);
  EXPECT_DOUBLE_EQ(all[4].measured.value(), 200);
}

// Both processes launch at once and get the SM in turn: each of their runs takes two kernels and what is beside them.
TEST_F(SmallBoard, PredictionsComeFromTheSimulationAndAblationsBesideIt) {
  const spec::MeasurementsSpec spec = load(
      "ablations:\n  - {name: half, set: {workload.processes.0.application.kernels.0.tb_time_us: 50, "
      "workload.processes.0.application.name: half}}\n" +
      row("kind: requests, tolerance_percent: 20, quantities: [{name: p50, process: first, measured: 200}]"));
  const Scoreboard board = score(spec, {}, quiet_options());
  EXPECT_THAT(board.violations, IsEmpty());
  EXPECT_EQ(board.effort.simulations, 2U);
  const Score& its = board.rows.at(0).scores.at(0);
  EXPECT_EQ(its.quantity, "p50 of first");
  EXPECT_NEAR(its.predicted.value(), 200, 20);
  EXPECT_TRUE(its.is_inside().value());
  EXPECT_NEAR(its.under_ablation.at(0).value(), 150, 20);
  EXPECT_THAT(scores_markdown(board), HasSubstr("| a | p50 of first | us | 200 |"));
}

TEST_F(SmallBoard, BytesHangOnNoNumberOfWorkers) {
  const spec::MeasurementsSpec spec =
      load("ablations:\n  - {name: x, set: {seed: 2}}\n  - {name: y, set: {seed: 3}}\n" +
           row("kind: requests, quantities: [{name: throughput, measured: 10000}]"));
  EXPECT_EQ(scores_json(score(spec, {}, quiet_options())).dump(),
            scores_json(score(spec, {}, quiet_options(3))).dump());
}

TEST_F(SmallBoard, ARunThatDoesNotEndIsToldUnlessAnAblationKeepsItFromDoingSo) {
  const std::string endless =
      "{workload.processes.1.application.kernels.0.tb_time_us: 1000000, workload.processes.1.application.name: "
      "endless, "
      "stop.max_time_us: 10000}";
  const std::string quantity = "quantities: [{name: p50, process: second, measured: 200}]";
  const Scoreboard as_it_is =
      score(load(row("kind: requests, " + quantity + ", set: " + endless)), {}, quiet_options());
  EXPECT_THAT(as_it_is.violations, ElementsAre("a: the simulation has no p50 of second"));
  const spec::MeasurementsSpec ablated =
      load("ablations:\n  - {name: endless, set: " + endless + "}\n" + row("kind: requests, " + quantity));
  const Scoreboard board = score(ablated, {}, quiet_options());
  EXPECT_THAT(board.violations, IsEmpty());
  EXPECT_FALSE(board.rows[0].scores[0].under_ablation.at(0).has_value());
}

// The second process has the longer kernel, so it has the longer run; ablated, it is the other way round.
TEST_F(SmallBoard, ResponsesAreComparedOneByOneAndByTheirOrder) {
  write("responses.csv", "task,value_us\na,100\nb,300\n");
  const auto length = [](int process, int us) {
    return "workload.processes." + std::to_string(process) +
           ".application.kernels.0.tb_time_us: " + std::to_string(us) + ", workload.processes." +
           std::to_string(process) + ".application.name: app" + std::to_string(us);
  };
  const std::string released = "workload.processes.0.period_us: 1000, workload.processes.1.period_us: 1000";
  const spec::MeasurementsSpec spec =
      load("ablations:\n  - {name: other way round, set: {" + length(0, 300) + ", " + length(1, 200) +
           ", workload.processes.1.start_us: 500}}\n" +
           row("kind: responses, measured: responses.csv, tolerance_percent: 60, set: {" + released + ", " +
               length(1, 200) + "}"));
  const Scoreboard board = score(spec, {}, quiet_options());
  const ScoreRow& its = board.rows.at(0);
  ASSERT_EQ(its.scores.size(), 3U);
  EXPECT_EQ(its.scores[1].quantity, "largest of second");
  EXPECT_NEAR(its.scores[1].predicted.value(), 300, 30);
  EXPECT_EQ(its.scores[2].quantity, "in_order");
  EXPECT_EQ(its.scores[2].unit, "pairs");
  EXPECT_EQ(its.scores[2].measured, 1);
  EXPECT_EQ(its.scores[2].predicted, 1);
  EXPECT_TRUE(its.scores[2].is_inside().value());
  EXPECT_EQ(its.scores[2].under_ablation.at(0), 0);
}

TEST_F(SmallBoard, ResponsesThatAreKeptBackHaveNoOrder) {
  const spec::MeasurementsSpec spec = load(row("kind: responses, is: kept_back"));
  EXPECT_EQ(compared_of(spec.rows[0]).size(), 2U);
}

TEST_F(SmallBoard, AnOrderThatIsNotTheMeasuredOneIsOutsideWhateverTheTolerance) {
  write("responses.csv", "task,value_us\na,300\nb,100\n");
  const spec::MeasurementsSpec spec =
      load(row("kind: responses, measured: responses.csv, tolerance_percent: 100, quantities: [{name: in_order}], set: "
               "{workload.processes.0.period_us: 1000, workload.processes.1.period_us: 1000}"));
  const Scoreboard board = score(spec, {}, quiet_options());
  const Score& its = board.rows.at(0).scores.at(0);
  EXPECT_EQ(its.predicted, 0);
  EXPECT_FALSE(its.is_inside().value());
}

TEST_F(SmallBoard, AValueIsThatOfTheSummary) {
  const spec::MeasurementsSpec spec =
      load(row("kind: values, quantities: [{name: runs, at: /processes/1/runs, unit: runs, measured: 5, "
               "tolerance_percent: 0}]"));
  const Scoreboard board = score(spec, {}, quiet_options());
  EXPECT_EQ(board.rows[0].scores[0].predicted, 5);
  EXPECT_TRUE(board.rows[0].scores[0].is_inside().value());
}

// A thread block of 100 us each, one at a time: three of them have a rate of 0.01 a us.
TEST_F(SmallBoard, RatesAreThoseOfKernelsByTheirNames) {
  write("rates.csv", "kind,size,speed\nk,1,0.012\nk,2,0.02\nk,1,0.014\n");
  const std::string keys =
      "kind: rates, processes: [first], measured: rates.csv, columns: {name: kind+size, rate: speed}, "
      "tolerance_percent: 40, set: {workload.processes.0.application.name: two, "
      "workload.processes.0.application.kernels: [{name: k-1, num_tbs: 3, regs_per_tb: 32, smem_bytes_per_tb: 0, "
      "threads_per_tb: 32, tb_time_us: 100}], workload.processes.0.application.program: [launch: {kernel: k-1}, "
      "synchronise: {}], workload.processes.1.background: true, workload.processes.1.start_us: 100000000}";
  const Scoreboard board = score(load(row(keys)), {}, quiet_options());
  EXPECT_THAT(board.violations, IsEmpty());
  ASSERT_EQ(board.rows.at(0).scores.size(), 1U);
  const Score& its = board.rows[0].scores[0];
  EXPECT_EQ(its.quantity, "k-1");
  EXPECT_EQ(its.unit, "TBs/us");
  EXPECT_DOUBLE_EQ(its.measured.value(), 0.013);
  EXPECT_NEAR(its.predicted.value(), 0.01, 0.0002);
  EXPECT_TRUE(its.is_inside().value());
}

TEST_F(SmallBoard, ThreadBlocksHaveTheSameStatisticsOnBothSides) {
  write("tbs.csv", "run,sm,start_us,end_us\na,0,0,10\nb,5,0,100\na,1,5,12\na,0,10,30\na,0,30,40\na,2,31,50\n");
  const Scoreboard board =
      score(load(row("kind: thread_blocks, measured: tbs.csv, entry: a, columns: {name: run}, quantities: "
                     "[{name: at_once}, {name: even_sms}, {name: turnaround_p50, measured: 5}]")),
            {}, quiet_options());
  EXPECT_THAT(board.violations, IsEmpty());
  const std::vector<Score>& its = board.rows.at(0).scores;
  EXPECT_EQ(its.at(0).measured, 2);
  EXPECT_EQ(its.at(0).predicted, 1);
  EXPECT_EQ(its.at(1).measured, 2);
  EXPECT_EQ(its.at(1).predicted, 1);
  EXPECT_GT(its.at(2).predicted.value(), 0);
}

// Two thread blocks, one behind the other on the one SM; meanwhile nobody else starts.
TEST_F(SmallBoard, StartsAreMeansOverTheLinesOfTheTableAndOverLaunches) {
  write("starts.csv", "name,median_ns,last_ns,others\nx,90000,100000,0\ny,1,1,1\nx,110000,120000,4\n");
  const Scoreboard board =
      score(load(row("kind: starts, processes: [first], kernel: k, measured: starts.csv, entry: x, columns: "
                     "{median_us: median_ns, last_us: last_ns}, set: {workload.processes.0.application.name: two, "
                     "workload.processes.0.application.kernels.0.num_tbs: 2}, quantities: [{name: median_start}, "
                     "{name: last_start}, {name: others_between}, {name: others_since_arrival, measured: 0, "
                     "tolerance_percent: 0}]")),
            {}, quiet_options());
  EXPECT_THAT(board.violations, IsEmpty());
  const std::vector<Score>& its = board.rows.at(0).scores;
  EXPECT_DOUBLE_EQ(its.at(0).measured.value(), 100);
  EXPECT_NEAR(its.at(0).predicted.value(), 100, 1);
  EXPECT_DOUBLE_EQ(its.at(1).measured.value(), 110);
  EXPECT_DOUBLE_EQ(its.at(2).measured.value(), 2);
  EXPECT_EQ(its.at(2).predicted, 0);
  EXPECT_TRUE(its.at(3).is_inside().value());
}

TEST_F(SmallBoard, WhatIsKeptBackIsPredictedAndNotCompared) {
  const spec::MeasurementsSpec spec =
      load(row("kind: requests, is: kept_back, tolerance_percent: 5, quantities: [{name: p50, process: first}]"));
  const Scoreboard board = score(spec, {}, quiet_options());
  EXPECT_THAT(board.violations, IsEmpty());
  const Score& its = board.rows.at(0).scores.at(0);
  EXPECT_FALSE(its.measured.has_value());
  EXPECT_NEAR(its.predicted.value(), 200, 20);
  EXPECT_EQ(its.is_inside(), std::nullopt);
  EXPECT_THAT(scores_markdown(board), HasSubstr("| a | p50 of first | us | - |"));
  EXPECT_TRUE(scores_json(board)["rows"][0]["quantities"][0]["measured"].is_null());
}

// The task's kernels of 100 us are 8 in flight at level 1, so that it is gone when those are done.
TEST_F(SmallBoard, ASuspensionIsThatOfTheProcessAtItsLevel) {
  write("suspend.csv", "name,p50_us,p95_us,p99_us\nlevel_1,700,800,800\nlevel_2,50,100,100\n");
  const std::string keys =
      "kind: suspensions, measured: suspend.csv, set: {workload.processes.1.background: true, "
      "workload.processes.1.start_us: 1000000000, workload.processes.0.application.name: task, "
      "workload.processes.0.application.program: [loop: {count: 64, body: [launch: {kernel: k}]}, synchronise: {}], "
      "driver.kind: xsched, driver.suspensions: {process: first}, stop.min_runs: 20, driver.level: ";
  for (const int level : {1, 2}) {
    const std::string entry = "}, entry: level_" + std::to_string(level);
    const spec::MeasurementsSpec spec = load(row(keys + std::to_string(level) + entry));
    const Scoreboard board = score(spec, {}, quiet_options());
    EXPECT_THAT(board.violations, IsEmpty());
    const std::vector<Score>& its = board.rows.at(0).scores;
    ASSERT_EQ(its.size(), 3U);
    EXPECT_EQ(its[0].measured, level == 1 ? 700 : 50);
    const double most = level == 1 ? 800 : 100;
    EXPECT_GT(its[0].predicted.value(), level == 1 ? 300 : 10);
    EXPECT_LT(its[2].predicted.value(), most + 20);
    EXPECT_GT(its[2].predicted.value(), most - 110);
  }
}

// ---- tolerances --------------------------------------------------------------------------------------------------

TEST(Score, IsInsideByTheLargerOfItsTolerances) {
  Score its;
  its.measured = 1000;
  its.predicted = 1040;
  EXPECT_EQ(its.is_inside(), std::nullopt);
  its.tolerance.percent = 3;
  EXPECT_FALSE(its.is_inside().value());
  its.tolerance.us = 40;
  EXPECT_TRUE(its.is_inside().value());
  EXPECT_EQ(tolerance_text(its), "3 % or 40 us");
  its.predicted = 1040.1;
  EXPECT_FALSE(its.is_inside().value());
  its.interval = stats::Interval{900, 1000};
  EXPECT_TRUE(its.is_inside().value());
  its.predicted.reset();
  EXPECT_FALSE(its.is_inside().value());
}

// ---- what we ship ------------------------------------------------------------------------------------------------

TEST(Silicon, EveryRowOfAFileBelongsToOneTarget) {
  const std::filesystem::path folder = TESSERA_SOURCE_DIR "/configs/silicon";
  std::set<std::string> files;
  for (const silicon::Part& part : silicon::parts()) files.insert(part.file);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") EXPECT_EQ(files.count(entry.path().filename()), 1U) << entry.path();
  }
  for (const std::string& file : files) {
    const spec::MeasurementsSpec measurements = spec::load_measurements(folder / file);
    std::multiset<std::string> rows;
    for (const silicon::Part& part : silicon::parts()) {
      if (part.file != file) continue;
      const std::vector<std::string> its = silicon::rows_of(part, measurements);
      EXPECT_FALSE(its.empty()) << part.target.name;
      rows.insert(its.begin(), its.end());
    }
    for (const spec::RowSpec& row : measurements.rows) EXPECT_EQ(rows.count(row.name), 1U) << row.name;
  }
}

}  // namespace
}  // namespace tessera::campaign
