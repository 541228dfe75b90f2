// SPDX-License-Identifier: Apache-2.0
// Measurements files: what rows become, and what is wrong with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/measured/measurements_spec.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Measurements : public testing::Test {
 protected:
  Measurements() {
    files_.write("requests.csv", "process,request,released_us,finished_us\n0,0,1,5\n1,0,2,9.5\n0,1,5,11\n");
  }

  static std::string head() { return "schema_version: 1\nname: mine\ntitle: Mine\n"; }
  static std::string row(const std::string& keys) {
    return "rows:\n  - {name: a, title: A, source: me, experiment: experiment.yaml, " + keys + "}\n";
  }
  MeasurementsSpec load(const std::string& rest) {
    files_.write("measured.yaml", head() + rest);
    return load_measurements(files_.path("measured.yaml"));
  }
  // As the user sees them, without the folder.
  std::vector<std::string> mistakes(const std::string& rest) {
    files_.write("measured.yaml", head() + rest);
    std::vector<std::string> lines;
    const std::string folder = files_.path("");
    const std::vector<Diagnostic> found = validate_file(files_.path("measured.yaml"));
    test::keep_wrong_files(found);
    for (const Diagnostic& diagnostic : found) {
      lines.push_back(to_string(diagnostic).substr(folder.size()));
    }
    return lines;
  }
  static std::vector<std::string> names(const RowSpec& row) {
    std::vector<std::string> all;
    for (const QuantitySpec& quantity : row.quantities) all.push_back(quantity.quantity.name);
    return all;
  }

  test::Files files_;
};

// Process `back` of the experiment is in the background.
const char* const kBoth = "processes: [front, back], ";

TEST_F(Measurements, ARowHasItsExperimentItsTableAndTheUsualQuantities) {
  const MeasurementsSpec spec =
      load(row(std::string(kBoth) + "kind: requests, measured: requests.csv, tolerance_percent: 1.5"));
  ASSERT_THAT(spec.rows, SizeIs(1));
  const RowSpec& its = spec.rows[0];
  EXPECT_EQ(its.predictions.at(0).spec.name, "small_test");
  EXPECT_THAT(its.processes, ElementsAre(0, 1));
  EXPECT_THAT(its.table.texts.at("process"), ElementsAre("0", "1", "0"));
  EXPECT_THAT(its.table.numbers.at("finished_us"), ElementsAre(5, 9.5, 11));
  EXPECT_THAT(names(its), ElementsAre("throughput", "p50", "p95", "p99"));
  EXPECT_EQ(its.quantities[0].standing, Standing::kPredicted);
  EXPECT_EQ(its.quantities[0].tolerance.percent, 1.5);
  EXPECT_EQ(its.quantities[0].quantity.unit, "1/s");
}

TEST_F(Measurements, AnAblationStandsOverWhatTheRowSets) {
  const MeasurementsSpec spec = load(
      "ablations:\n  - {name: slow, set: {seed: 9, scheduler.search_width: 1}}\n  - {name: other, set: {seed: 3}}\n" +
      row("kind: requests, quantities: [{name: throughput, measured: 2}], set: {seed: 8, stop.min_runs: 4}"));
  const auto& predictions = spec.rows.at(0).predictions;
  ASSERT_THAT(predictions, SizeIs(3));
  EXPECT_EQ(predictions[0].spec.seed, 8U);
  EXPECT_EQ(predictions[1].ablation, "slow");
  EXPECT_EQ(predictions[1].spec.seed, 9U);
  EXPECT_EQ(predictions[1].spec.scheduler.search_width, 1U);
  EXPECT_EQ(predictions[1].spec.stop.min_runs, 4U);
  EXPECT_EQ(predictions[2].spec.seed, 3U);
}

TEST_F(Measurements, ARowMayTakeSomeAblationsOrNone) {
  const std::string ablations = "ablations:\n  - {name: x, set: {seed: 9}}\n  - {name: y, set: {seed: 3}}\n";
  const std::string keys = "kind: requests, quantities: [{name: throughput, measured: 2}], ablations: ";
  EXPECT_THAT(load(ablations + row(keys + "[]")).rows[0].predictions, SizeIs(1));
  const MeasurementsSpec one = load(ablations + row(keys + "[y]"));
  ASSERT_THAT(one.rows[0].predictions, SizeIs(2));
  EXPECT_EQ(one.rows[0].predictions[1].ablation, "y");
}

TEST_F(Measurements, DegreesOfFreedomAreTheFittedConstantsThatARowHangsOn) {
  const MeasurementsSpec spec = load(
      "constants:\n"
      "  - {name: slice, value: 2 ms, fitted_on: slices.csv, reason: it fits}\n"
      "  - {name: clock, value: 1 GHz, taken_from: the card, reason: it says so}\n"
      "  - {name: launch, value: 8 us, fitted_on: launch.csv, reason: it fits}\n" +
      row("kind: requests, quantities: [{name: throughput, measured: 2}], constants: [clock, slice]"));
  EXPECT_THAT(spec.rows[0].constants, ElementsAre(1, 0));
  EXPECT_EQ(spec.degrees_of_freedom(spec.rows[0]), 1U);
}

TEST_F(Measurements, ColumnsHaveOtherNamesAndUnits) {
  files_.write("mine.csv", "start_ms,end_s,what\n1,0.5,x\n2.5,0.75,y\n");
  const MeasurementsSpec spec =
      load(row("kind: requests, measured: mine.csv, columns: {released_us: start_ms, finished_us: end_s}"));
  EXPECT_THAT(spec.rows[0].table.numbers.at("released_us"), ElementsAre(1000, 2500));
  EXPECT_THAT(spec.rows[0].table.numbers.at("finished_us"), ElementsAre(500'000, 750'000));
}

TEST_F(Measurements, ARowOfSlicesIsOneLineOfItsFile) {
  files_.write("slices.csv", "name,period_us,run_first_sm_us,none_runs_first_sm_us\ntt,1,2,3\nrr,4,5,6\n");
  const MeasurementsSpec spec = load(row("kind: slices, measured: slices.csv, entry: rr"));
  EXPECT_THAT(spec.rows[0].table.numbers.at("run_first_sm_us"), ElementsAre(5));
  EXPECT_THAT(mistakes(row("kind: slices, measured: slices.csv, entry: ss")),
              ElementsAre("measured.yaml:5:109: rows.0.entry: the file has no line of this name (ss; tt, rr)"));
  EXPECT_THAT(mistakes(row("kind: slices, measured: slices.csv")),
              ElementsAre(HasSubstr("rows.0.entry: is missing: the file has several lines (tt, rr)")));
}

TEST_F(Measurements, PercentilesAreSharesWhereNoneIsAboveOne) {
  files_.write("shares.csv", "percentile,a_us\n0.5,100\n0.95,200\n0.999,300\n");
  files_.write("percents.csv", "percentile,a_us\n50,100\n95,200\n99.9,300\n");
  for (const char* file : {"shares.csv", "percents.csv"}) {
    const MeasurementsSpec spec = load(row(std::string("kind: percentiles, columns: {value_us: a_us}, measured: ") +
                                           file + ", quantities: [{name: p95}, {name: p99.9}]"));
    EXPECT_EQ(line_of_percentile(spec.rows[0].table, spec.rows[0].quantities[1].quantity.percentile), 2U) << file;
  }
  EXPECT_THAT(
      mistakes(row("kind: percentiles, columns: {value_us: a_us}, measured: shares.csv, quantities: [{name: p99}]")),
      ElementsAre(HasSubstr("rows.0.quantities.0.name: the file has no such percentile (p99)")));
}

TEST_F(Measurements, ARowOfSuspensionsIsOneLineOfItsFileAndOneProcess) {
  files_.write("suspend.csv", "name,level,p50_us,p95_us,p99_us\n2-100,2,89,144,148\n2-200,2,151,266,276\n");
  const std::string keys = "kind: suspensions, measured: suspend.csv, entry: 2-200";
  const MeasurementsSpec spec = load(row(keys));
  EXPECT_THAT(names(spec.rows[0]), ElementsAre("p50", "p95", "p99"));
  EXPECT_THAT(spec.rows[0].table.numbers.at(column_of_percentile(95'000)), ElementsAre(266));
  EXPECT_THAT(mistakes(row(keys + ", quantities: [{name: p99}, {name: p99.9}]")),
              ElementsAre(HasSubstr("rows.0.quantities.1.name: the file has no such percentile (p99.9)")));
  EXPECT_THAT(mistakes(row(kBoth + keys)),
              ElementsAre(HasSubstr("rows.0.processes: must be one (2; the one measured)")));
}

// Kernels `k-1` and `k-2` stand in the place of the experiment's.
const char* const kTwoKernels =
    ", processes: [front], set: {workload.processes.0.application: {name: two, kernels: [{name: k-1, num_tbs: 1, "
    "regs_per_tb: 32, smem_bytes_per_tb: 0, threads_per_tb: 32, tb_time_us: 1}, {name: k-2, num_tbs: 1, regs_per_tb: "
    "32, smem_bytes_per_tb: 0, threads_per_tb: 32, tb_time_us: 1}], program: [launch: {kernel: k-1}]}}";

TEST_F(Measurements, RatesAreOfAllKernelsByNamesThatColumnsMakeUp) {
  files_.write("rates.csv", "kind,size,blocks_per_us\nk,1,500\nk,2,600\nk,3,700\n");
  const std::string keys =
      std::string(
          "kind: rates, measured: rates.csv, tolerance_percent: 2, columns: {name: kind+size, rate: "
          "blocks_per_us}") +
      kTwoKernels;
  const RowSpec its = load(row(keys)).rows[0];
  EXPECT_THAT(its.table.texts.at("name"), ElementsAre("k-1", "k-2", "k-3"));
  EXPECT_THAT(its.table.numbers.at("rate"), ElementsAre(500, 600, 700));
  EXPECT_THAT(names(its), ElementsAre("k-1", "k-2"));
  const RowSpec own = load(row(keys + ", quantities: [{name: k-2, tolerance_percent: 7}]")).rows[0];
  EXPECT_THAT(names(own), ElementsAre("k-2", "k-1"));
  EXPECT_EQ(own.quantities[0].tolerance.percent, 7);
  EXPECT_EQ(own.quantities[1].tolerance.percent, 2);
  EXPECT_THAT(
      mistakes(row(keys + ", quantities: [{name: k-3}]")),
      ElementsAre(HasSubstr("rows.0.quantities.0.name: the process has no kernel of this name (k-3; k-1, k-2)")));
  files_.write("rates.csv", "kind,size,blocks_per_us\nk,1,500\n");
  EXPECT_THAT(mistakes(row(keys)), ElementsAre(HasSubstr("rows.0: the file has no line of this name (k-2)")));
  files_.write("rates.csv", "kind,blocks_per_us\nk,500\n");
  EXPECT_THAT(mistakes(row(keys)),
              ElementsAre("rates.csv:1:1: size: the file has no such column (kind, blocks_per_us)"));
  EXPECT_THAT(mistakes(row(std::string("kind: rates") + kTwoKernels)),
              ElementsAre(HasSubstr("rows.0.measured: is missing, and a quantity has no number of its own")));
}

TEST_F(Measurements, ARowOfThreadBlocksIsAllLinesOfOneName) {
  files_.write("tbs.csv", "run,sm,start_ns\n1,7,100\n2,8,200\n1,9,300\n");
  const std::string keys =
      "kind: thread_blocks, measured: tbs.csv, entry: 1, columns: {name: run, start_us: start_ns}, quantities: ";
  const RowSpec its = load(row(keys + "[{name: even_sms}]")).rows[0];
  EXPECT_THAT(its.table.numbers.at("sm"), ElementsAre(7, 9));
  EXPECT_THAT(its.table.numbers.at("start_us"), ElementsAre(0.1, 0.3));
  EXPECT_THAT(mistakes(row(keys + "[{name: at_once}, {name: turnaround_p50}]")),
              ElementsAre(HasSubstr("rows.0.quantities.0.name: the file has no column for it (at_once; end_us)"),
                          HasSubstr("rows.0.quantities.1.name: the file has no column for it (turnaround_p50; measured "
                                    "beside it)")));
  EXPECT_THAT(mistakes(row("kind: thread_blocks, measured: tbs.csv, columns: {name: run}")),
              ElementsAre(HasSubstr("rows.0.quantities: is missing")));
}

TEST_F(Measurements, ARowOfStartsNamesItsKernel) {
  files_.write("starts.csv", "name,median_us,last_us\nhigh,1,2\nlow,5,6\nhigh,3,4\n");
  const std::string keys = std::string(
                               "kind: starts, measured: starts.csv, entry: high, quantities: [{name: "
                               "last_start}, {name: others_between, measured: 0}]") +
                           kTwoKernels;
  const RowSpec its = load(row(keys + ", kernel: k-2")).rows[0];
  EXPECT_EQ(its.kernel, 1);
  EXPECT_THAT(its.table.numbers.at("last_us"), ElementsAre(2, 4));
  EXPECT_THAT(mistakes(row(keys)), ElementsAre(HasSubstr("rows.0.kernel: is missing")));
  EXPECT_THAT(mistakes(row(keys + ", kernel: k")),
              ElementsAre(HasSubstr("rows.0.kernel: the process has no kernel of this name (k; k-1, k-2)")));
  EXPECT_THAT(mistakes(row("kind: requests, measured: requests.csv, processes: [front, back], kernel: k-1")),
              ElementsAre(HasSubstr("rows.0.kernel: only valid with kind: starts")));
}

TEST_F(Measurements, AValueHasAPointerAndAUnit) {
  const MeasurementsSpec spec = load(
      row("kind: values, quantities: [{name: share, at: /sm_utilisation, unit: of one, measured: 0.5, is: fitted}]"));
  const QuantitySpec& quantity = spec.rows[0].quantities.at(0);
  EXPECT_EQ(quantity.quantity.pointer, "/sm_utilisation");
  EXPECT_EQ(quantity.quantity.unit, "of one");
  EXPECT_EQ(quantity.measured, 0.5);
  EXPECT_EQ(quantity.standing, Standing::kFitted);
}

// ---- mistakes ----------------------------------------------------------------------------------------------------

TEST_F(Measurements, MistakesInTheFileHaveTheirPlaces) {
  EXPECT_THAT(mistakes("rows: []\n"), ElementsAre("measured.yaml:4:7: rows: is empty (at least one entry)"));
  EXPECT_THAT(
      mistakes(row("kind: request")),
      ElementsAre("measured.yaml:5:72: rows.0.kind: is unknown, nearest is requests (request; requests, arrivals, "
                  "slices, percentiles, responses, suspensions, rates, thread_blocks, starts, values)"));
  EXPECT_THAT(mistakes(row("kind: requests")),
              ElementsAre(HasSubstr("rows.0.measured: is missing, and a quantity has no number of its own")));
  EXPECT_THAT(
      mistakes(row("kind: requests, quantities: [{name: q50, measured: 1}]")),
      ElementsAre(HasSubstr("rows.0.quantities.0.name: rows of requests have no such quantity (q50; throughput, pN)")));
  EXPECT_THAT(mistakes(row("kind: requests, quantities: [{name: throughput, measured: 1, tolerance_us: 3}]")),
              ElementsAre(HasSubstr("tolerance_us: only valid for a quantity in us")));
  EXPECT_THAT(
      mistakes(row(std::string(kBoth) + "kind: requests, measured: requests.csv, entry: x, constants: [slice]")),
      ElementsAre(HasSubstr("rows.0.entry: only valid with kind: slices, suspensions, thread_blocks or starts"),
                  HasSubstr("rows.0.constants.0: no constant of this file has this name (slice)")));
  files_.write("responses.csv", "task,value_us\n1,5\n");
  EXPECT_THAT(
      mistakes(row("kind: responses, measured: responses.csv, quantities: [{name: in_order, measured: 1, process: "
                   "front, tolerance_us: 3}]")),
      ElementsAre(HasSubstr("measured: an order is that of the row's table"),
                  HasSubstr("process: an order is of all processes"),
                  HasSubstr("tolerance_us: only valid for a quantity in us")));
  EXPECT_THAT(mistakes(row("kind: values, quantities: [{name: x, measured: 1}]")),
              ElementsAre(HasSubstr("at: is missing"), HasSubstr("unit: is missing")));
  EXPECT_THAT(mistakes("constants:\n  - {name: a, value: b, reason: c}\n" +
                       row("kind: requests, measured: requests.csv, processes: [front, back]")),
              ElementsAre(HasSubstr("constants.0.fitted_on: is missing, and so is taken_from (one of them)")));
}

TEST_F(Measurements, WhatIsKeptBackHasNoNumber) {
  EXPECT_THAT(names(load(row("kind: requests, is: kept_back, quantities: [{name: p50}]")).rows[0]), ElementsAre("p50"));
  EXPECT_THAT(mistakes(row("kind: requests, quantities: [{name: p50, is: kept_back, measured: 3}]")),
              ElementsAre(HasSubstr("rows.0.quantities.0.measured: is kept back")));
  EXPECT_THAT(mistakes(row(std::string(kBoth) + "kind: requests, is: kept_back, measured: requests.csv")),
              ElementsAre(HasSubstr("rows.0.measured: what is kept back has no table (another row for it)")));
}

TEST_F(Measurements, MistakesInTheTableHaveTheirPlacesInIt) {
  const std::string good = row(std::string(kBoth) + "kind: requests, measured: requests.csv");
  files_.write("requests.csv", "process,released_us\n0,1\n");
  EXPECT_THAT(mistakes(good),
              ElementsAre("requests.csv:1:1: finished_us: the file has no such column (process, released_us)"));
  files_.write("requests.csv", "process,released_us,finished_us\n0,1,5\n1,2,-9\n0,x,5\n0,1\n");
  EXPECT_THAT(mistakes(good), ElementsAre("requests.csv:3:5: finished_us: must be a number, not negative (-9)",
                                          "requests.csv:4:3: released_us: must be a number, not negative (x)",
                                          "requests.csv:5:1: has another number of cells than the header (2; 3)"));
  files_.write("requests.csv", "process,released_us,finished_us\n");
  EXPECT_THAT(mistakes(good), ElementsAre("requests.csv:1:1: holds no measurement (a line each)"));
  files_.write("requests.csv", "process,released_us,finished_us\n0,1,5\n");
  EXPECT_THAT(mistakes(good),
              ElementsAre(HasSubstr("rows.0.measured: has another number of processes than the row (1; 2)")));
}

TEST_F(Measurements, ATableThatIsNotThereIsReportedWhereItIsNamed) {
  EXPECT_THAT(
      mistakes(row("kind: requests, measured: nothing.csv")),
      ElementsAre(testing::AllOf(HasSubstr("measured.yaml:5:92: rows.0.measured: "), HasSubstr("nothing.csv"))));
}

TEST_F(Measurements, MistakesInAnExperimentAreThoseOfTheExperiment) {
  files_.replace("experiment.yaml", "seed: 7", "seed: -7");
  EXPECT_THAT(mistakes(row("kind: requests, measured: requests.csv")),
              ElementsAre("experiment.yaml:4:7: seed: is negative (-7; 0 .. 18446744073709551615)"));
}

TEST_F(Measurements, WhatARowSetsIsReportedInItsOwnFile) {
  EXPECT_THAT(mistakes(row("kind: requests, quantities: [{name: throughput, measured: 1}], set: {sede: 3}")),
              ElementsAre(HasSubstr("measured.yaml:5:135: sede: unknown key (nearest known key: seed)")));
}

TEST_F(Measurements, ProcessesAreThoseOfTheExperiment) {
  EXPECT_THAT(
      mistakes(row("kind: requests, quantities: [{name: p50, measured: 1}], processes: [front, side]")),
      ElementsAre(HasSubstr("rows.0.processes.1: the experiment has no process of this name (side; front, back)")));
  EXPECT_THAT(mistakes(row(std::string(kBoth) + "kind: requests, quantities: [{name: p50, measured: 1}]")),
              ElementsAre(HasSubstr("has a number, and the row several processes (p50; process beside it)")));
  EXPECT_THAT(mistakes(row("kind: requests, quantities: [{name: p50, measured: 1, process: back}]")),
              ElementsAre(HasSubstr("rows.0.quantities.0.process: is no process of this row (back)")));
  EXPECT_THAT(mistakes(row(std::string(kBoth) + "kind: arrivals, quantities: [{name: return_p50, measured: 1}]")),
              ElementsAre(HasSubstr("rows.0.processes: must be one (2; the one measured)")));
}

}  // namespace
}  // namespace tessera::spec
