// SPDX-License-Identifier: Apache-2.0
// The keys of the drivers that stop tasks: what they are without a word, that they come back as they were written, and
// every mistake in a line of its own.
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
using testing::ElementsAre;
using testing::IsEmpty;

// The experiment with this driver, under a scheduler that keeps turns or not.
struct StopFiles : Files {
  explicit StopFiles(const std::string& driver, bool keeps_turns = true) {
    replace("experiment.yaml", "baseline: {policy: fcfs}", "driver: " + driver);
    if (!keeps_turns) return;
    replace("experiment.yaml", "scheduler: {policy: dss, technique: drain, token_scope: process, search_width: 2}",
            "scheduler: {policy: time_slice, turn: kept}");
    replace("experiment.yaml", "tokens: 2, ", "");
  }
};

TEST(SpecXsched, HasTheDefaultsOfXsched) {
  const XschedSpec xsched = StopFiles("{kind: xsched}", false).load().driver.xsched;
  for (std::size_t process = 0; process < 2; ++process) {
    EXPECT_EQ(xsched.task(process).threshold, 8U);
    EXPECT_EQ(xsched.task(process).batch, 4U);
    EXPECT_EQ(xsched.task(process).level, 1U);
  }
  EXPECT_FALSE(xsched.has_weights());
  EXPECT_FALSE(xsched.suspensions.has_value());
}

TEST(SpecXsched, WhatHoldsForAllIsOverriddenTaskByTask) {
  const XschedSpec xsched =
      StopFiles("{kind: xsched, threshold: 6, batch: 3, level: 2, tasks: [{process: back, batch: 1, level: 3}]}")
          .load()
          .driver.xsched;
  EXPECT_EQ(xsched.task(0).batch, 3U);
  EXPECT_EQ(xsched.task(0).level, 2U);
  EXPECT_EQ(xsched.task(1).threshold, 6U);
  EXPECT_EQ(xsched.task(1).batch, 1U);
  EXPECT_EQ(xsched.task(1).level, 3U);
}

TEST(SpecXsched, AWeightOfAnyProcessMakesTurnsOfAll) {
  const XschedSpec xsched =
      StopFiles("{kind: xsched, tasks: [{process: front, weight: 3}]}", false).load().driver.xsched;
  EXPECT_TRUE(xsched.has_weights());
  EXPECT_EQ(xsched.task(0).weight, 3U);
  EXPECT_FALSE(xsched.task(1).weight.has_value());
}

TEST(SpecXsched, WhatIsPrintedIsReadBackToTheSame) {
  for (const char* const driver :
       {"{kind: xsched}",
        "{kind: xsched, threshold: 4, batch: 2, level: 3, suspend_us: 27, resume_us: 10, round_us: 500,\n"
        "  tasks: [{process: back, weight: 2}],\n"
        "  suspensions: {process: front, min_run_us: 1, max_run_us: 2, min_pause_us: 3, max_pause_us: 4, slack_us: 5}}",
        "{kind: gcaps, update_us: 780}"}) {
    const nlohmann::ordered_json json = to_json(StopFiles(driver).load());
    EXPECT_EQ(to_json(StopFiles(json["driver"].dump()).load())["driver"], json["driver"]) << driver;
  }
}

TEST(SpecXsched, ABaselineHasTheDriverOfTheExperimentUnlessItSaysOtherwise) {
  const StopFiles files(
      "{kind: xsched, level: 2, tasks: [{process: back, batch: 1}]}\nbaseline: {driver: {threshold: 16}}");
  const XschedSpec baseline = files.load().baseline_driver.xsched;
  EXPECT_EQ(baseline.task(1).threshold, 16U);
  EXPECT_EQ(baseline.task(1).batch, 1U);
  EXPECT_EQ(baseline.task(1).level, 2U);
}

struct Mistake {
  const char* driver;
  const char* key;
  const char* problem;
};

TEST(SpecXsched, EveryMistakeIsALine) {
  const Mistake mistakes[] = {
      {"{kind: xsched, threshold: 0}", "driver.threshold", "is out of range"},
      {"{kind: xsched, threshold: 2}", "driver.threshold", "the batch is above the threshold"},
      {"{kind: xsched, batch: 9}", "driver.batch", "the batch is above the threshold"},
      {"{kind: xsched, level: 4}", "driver.level", "is out of range"},
      {"{kind: xsched, tasks: [{process: nobody}]}", "driver.tasks.0.process", "no process has this name"},
      {"{kind: xsched, tasks: [{level: 2}]}", "driver.tasks.0.process", "is missing"},
      {"{kind: xsched, tasks: [{process: back}, {process: back}]}", "driver.tasks.1.process",
       "an earlier entry has this process"},
      {"{kind: xsched, tasks: [{process: back, batch: 16}]}", "driver.tasks.0.batch",
       "the batch is above the threshold"},
      {"{kind: xsched, tasks: [{process: back, weight: 0}]}", "driver.tasks.0.weight", "is out of range"},
      {"{kind: xsched, suspensions: {process: nobody}}", "driver.suspensions.process", "no process has this name"},
      {"{kind: xsched, suspensions: {process: back, min_run_us: 900}}", "driver.suspensions.max_run_us",
       "is below the least"},
      {"{kind: xsched, suspensions: {process: back, max_pause_us: 1}}", "driver.suspensions.max_pause_us",
       "is below the least"},
      {"{kind: xsched, update_us: 1}", "driver.update_us", "only valid with kind: gcaps"},
      {"{kind: gcaps, suspend_us: 1}", "driver.suspend_us", "only valid with kind: xsched"},
      {"{kind: timegraph, threshold: 8}", "driver.threshold", "only valid with kind: xsched"},
  };
  for (const Mistake& each : mistakes) {
    EXPECT_THAT(StopFiles(each.driver).mistakes(), ElementsAre(mistake(each.key, each.problem))) << each.driver;
  }
}

TEST(SpecXsched, WhoTakesContextsOffTheGpuNeedsASchedulerThatKeepsTurns) {
  const char* const kProblem = "takes contexts off the GPU, which needs a scheduler that keeps turns";
  const auto mistakes = [](const char* driver) { return StopFiles(driver, false).mistakes(); };
  EXPECT_THAT(mistakes("{kind: gcaps}"), ElementsAre(mistake("driver.kind", kProblem)));
  EXPECT_THAT(mistakes("{kind: xsched, level: 3}"),
              ElementsAre(mistake("driver.level", std::string("level 3 ") + kProblem)));
  EXPECT_THAT(mistakes("{kind: xsched, tasks: [{process: back, level: 3}]}"),
              ElementsAre(mistake("driver.tasks", std::string("level 3 ") + kProblem)));
  EXPECT_THAT(mistakes("{kind: xsched, level: 2}"), IsEmpty());
}

}  // namespace
}  // namespace tessera::spec
