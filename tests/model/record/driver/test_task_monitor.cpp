// SPDX-License-Identifier: Apache-2.0
// The monitor of drivers that stop tasks finds what is planted, and nothing in a sound log; metrics of the same log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "model/record/checks/task_monitor.h"
#include "model/record/metrics/task_metrics.h"
#include "tests/model/record/support.h"

namespace tessera::record {
namespace {

using test::at;
using testing::HasSubstr;
using K = Kind;

constexpr Cycle kEnd = 200;

// Process 0 has level 1, process 1, more urgent, level 2; two launches may be on the GPU, and the host waits for both.
TaskFacts two_tasks() {
  TaskFacts facts;
  facts.tasks = {{0, 2, 2, 1}, {1, 2, 2, 2}};
  facts.has_outsider = true;
  return facts;
}

// 0 has three launches, of which two fit; 1 comes and stops it, and is itself stopped from outside meanwhile.
std::vector<Record> sound_log() {
  return test::in_order({
      at(1, K::kTaskReady).process(0),
      at(1, K::kLaunchHandedOver).process(0).value(1),
      at(1, K::kLaunchHandedOver).process(0).value(2),
      at(5, K::kKernelArrived).kernel(0, 0).launched(0),
      at(6, K::kSmSetUp).on(0).kernel(0, 0).launched(0),
      at(20, K::kLaunchesDone).process(0).value(2),
      at(20, K::kLaunchHandedOver).process(0).value(1),
      at(21, K::kKernelArrived).kernel(0, 0).launched(1),
      at(30, K::kTaskReady).process(1),
      at(30, K::kTaskSuspended).process(0).value(1),
      at(30, K::kLaunchHandedOver).process(1).value(1),
      at(36, K::kKernelArrived).kernel(1, 0).launched(2),
      at(40, K::kTaskSuspended).process(1).value(1),
      at(45, K::kTaskHalted).process(1).cycles(5),
      at(50, K::kLaunchesDone).process(0).value(1),
      at(50, K::kTaskStopped).process(0).cycles(20),
      at(50, K::kTaskIdle).process(0),
      at(60, K::kSmSetUp).on(0).kernel(1, 0).launched(2),
      at(70, K::kTaskStopped).process(1).cycles(30),
      at(90, K::kTaskResumed).process(1).cycles(50),
      at(95, K::kLaunchesDone).process(1).value(1),
      at(95, K::kTaskIdle).process(1),
      at(95, K::kTaskResumed).process(0).cycles(65),
  });
}

using Verdicts = std::vector<std::pair<std::string, std::string>>;

Verdicts verdicts_of(const TaskFacts& facts, const std::vector<Record>& log) {
  TaskMonitor monitor(facts);
  for (const Record& record : log) monitor.consume(record);
  monitor.finish(kEnd);
  return monitor.verdicts();
}

TEST(TaskMonitor, FindsNothingInASoundLog) {
  for (const auto& [name, verdict] : verdicts_of(two_tasks(), sound_log())) EXPECT_EQ(verdict, "ok") << name;
}

struct Fault {
  const char* name;
  std::function<void(std::vector<Record>&)> plant;
  const char* rule;
  const char* complaint;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

Record& nth(std::vector<Record>& log, Kind kind, std::uint16_t process, int n = 0) {
  for (Record& record : log) {
    if (record.kind == kind && record.process == process && n-- == 0) return record;
  }
  throw std::logic_error("no such record");
}

void remove(std::vector<Record>& log, Kind kind, std::uint16_t process, int n = 0) {
  log.erase(log.begin() + (&nth(log, kind, process, n) - log.data()));
}

class TaskMonitorFault : public testing::TestWithParam<Fault> {};

TEST_P(TaskMonitorFault, IsFound) {
  std::vector<Record> log = sound_log();
  GetParam().plant(log);
  bool is_judged = false;
  for (const auto& [name, verdict] : verdicts_of(two_tasks(), test::in_order(log))) {
    if (name != GetParam().rule) continue;
    EXPECT_THAT(verdict, HasSubstr(GetParam().complaint));
    is_judged = true;
  }
  EXPECT_TRUE(is_judged);
}

using Log = std::vector<Record>;
const Fault kFaults[] = {
    {"ThreeOnTheGpu", [](Log& log) { log.push_back(at(10, K::kLaunchHandedOver).process(0).value(3)); },
     "driver_launches", "3 launches are on the GPU, 2 may be"},
    {"ALaunchBeforeTheBatchIsDone",
     [](Log& log) {
       nth(log, K::kLaunchesDone, 0).value = 1;
       nth(log, K::kLaunchHandedOver, 0, 2).value = 2;
     },
     "driver_launches", "the host waits for 1 more to be done"},
    {"AWrongCount", [](Log& log) { nth(log, K::kLaunchHandedOver, 0, 2).value = 2; }, "driver_launches",
     "1 launches are on the GPU"},
    {"MoreDoneThanThereWere", [](Log& log) { nth(log, K::kLaunchesDone, 1).value = 2; }, "driver_launches",
     "2 launches are done, 1 were on the GPU"},
    {"ALaunchOfASuspendedTask", [](Log& log) { log.push_back(at(55, K::kLaunchHandedOver).process(0).value(1)); },
     "driver_launches", "its task is suspended"},
    {"ALaunchOfATaskWithoutWork", [](Log& log) { nth(log, K::kTaskReady, 0).cycle = 2; }, "driver_launches",
     "its task has no work"},
    {"AKernelOfAHeldTask", [](Log& log) { log.push_back(at(65, K::kKernelArrived).kernel(1, 0).launched(3)); },
     "driver_stops", "its task is held"},
    {"AnSmForAStoppedTask", [](Log& log) { log.push_back(at(80, K::kSmSetUp).on(1).kernel(1, 0).launched(2)); },
     "driver_stops", "its task has stopped"},
    {"StoppedWithALaunchOnTheGpu", [](Log& log) { remove(log, K::kLaunchesDone, 0, 1); }, "driver_stops",
     "1 launches are on the GPU"},
    {"StoppedBeforeTheGpuKnows", [](Log& log) { remove(log, K::kTaskHalted, 1); }, "driver_stops",
     "what stops it has not reached the GPU"},
    {"SuspendedTwice", [](Log& log) { log.push_back(at(41, K::kTaskSuspended).process(1).value(1)); }, "driver_stops",
     "it is suspended already"},
    {"ResumedWithoutASuspension", [](Log& log) { remove(log, K::kTaskSuspended, 1); }, "driver_stops",
     "it is not suspended"},
    {"AWrongDuration", [](Log& log) { ++nth(log, K::kTaskStopped, 1).cycles; }, "driver_stops",
     "it was suspended in cycle 40"},
    {"GoesOnBelowAHigherPriority", [](Log& log) { nth(log, K::kTaskSuspended, 0).cycle = 31; }, "driver_choice",
     "process 0 goes on below a ready one of priority 1"},
    {"ReadyTwice", [](Log& log) { log.push_back(at(35, K::kTaskReady).process(1)); }, "driver_choice",
     "it is so already"},
};
INSTANTIATE_TEST_SUITE_P(Kinds, TaskMonitorFault, testing::ValuesIn(kFaults),
                         [](const testing::TestParamInfo<Fault>& test) { return std::string(test.param.name); });

TEST(TaskMonitor, WithWeightsOneTaskGoesOn) {
  TaskFacts facts = two_tasks();
  facts.has_weights = true;
  EXPECT_EQ(verdicts_of(facts, sound_log())[2].second, "ok");
  Log log = sound_log();
  nth(log, K::kTaskSuspended, 0).cycle = 31;
  EXPECT_THAT(verdicts_of(facts, test::in_order(log))[2].second, HasSubstr("2 tasks go on, one has the turn"));
}

TEST(TaskMonitor, WithoutAnybodyElseNoTaskIsSuspendedForNobody) {
  TaskFacts facts = two_tasks();
  facts.has_outsider = false;
  EXPECT_THAT(verdicts_of(facts, sound_log())[2].second, HasSubstr("process 1 is suspended for nobody"));
}

// ---- a run list
// --------------------------------------------------------------------------------------------------------

TaskFacts listed_tasks() {
  TaskFacts facts;
  facts.tasks = {{0, 0, 0, 0}, {1, 0, 0, 0}};
  facts.has_run_list = true;
  return facts;
}

std::vector<Record> run_list_log() {
  return test::in_order({
      at(1, K::kTaskReady).process(0),
      at(11, K::kRunListUpdated).process(0).cycles(10),
      at(20, K::kTaskReady).process(1),
      at(30, K::kTaskSuspended).process(0),
      at(30, K::kRunListUpdated).process(1).cycles(10),
      at(50, K::kTaskIdle).process(1),
      at(60, K::kRunListUpdated).process(1).cycles(10),
      at(60, K::kTaskResumed).process(0).cycles(30),
  });
}

TEST(TaskMonitor, ARunListIsJudgedWheneverItChanges) {
  for (const auto& [name, verdict] : verdicts_of(listed_tasks(), run_list_log())) EXPECT_EQ(verdict, "ok") << name;
  Log stays = run_list_log();
  nth(stays, K::kTaskSuspended, 0).cycle = 31;
  nth(stays, K::kTaskResumed, 0).cycles = 29;
  EXPECT_THAT(verdicts_of(listed_tasks(), test::in_order(stays))[2].second,
              HasSubstr("process 0 goes on below a ready one of priority 1"));
  Log forgotten = run_list_log();
  nth(forgotten, K::kTaskResumed, 0).cycle = 61;
  nth(forgotten, K::kTaskResumed, 0).cycles = 31;
  EXPECT_THAT(verdicts_of(listed_tasks(), test::in_order(forgotten))[2].second,
              HasSubstr("process 0 is suspended for nobody"));
}

// ---- metrics
// -----------------------------------------------------------------------------------------------------------

TEST(TaskMetrics, CountSuspensionsAndHowLongTheyTake) {
  TaskCounter counter(two_tasks());
  for (const Record& record : sound_log()) counter.consume(record);
  const TaskDriverResult result = counter.result(kEnd);
  ASSERT_EQ(result.tasks.size(), 2U);
  EXPECT_EQ(result.tasks[0].launches, 3U);
  EXPECT_EQ(result.tasks[0].suspensions, 1U);
  EXPECT_EQ(result.tasks[0].suspended, 65U);
  EXPECT_EQ(result.tasks[0].latency.count, 1U);
  EXPECT_EQ(result.tasks[0].p50, 20U);
  EXPECT_EQ(result.tasks[1].p95, 30U);
  const nlohmann::ordered_json json = task_json(two_tasks(), result.tasks[0], 1'000'000'000);
  EXPECT_EQ(json["suspend_latency_us"]["p99"], 0.02);
  EXPECT_EQ(task_driver_json(two_tasks(), result, 1'000'000'000), nlohmann::ordered_json({{"kind", "xsched"}}));
}

TEST(TaskMetrics, ASuspensionThatFindsNothingOnTheGpuHasNoLatency) {
  TaskCounter counter(two_tasks());
  counter.consume(at(10, K::kTaskSuspended).process(0).value(0));
  counter.consume(at(10, K::kTaskStopped).process(0));
  const TaskResult result = counter.result(kEnd).tasks[0];
  EXPECT_EQ(result.suspensions, 1U);
  EXPECT_EQ(result.latency.count, 0U);
  EXPECT_EQ(result.suspended, kEnd - 10) << "until the end";
  EXPECT_TRUE(task_json(two_tasks(), result, 1)["suspend_latency_us"]["p50"].is_null());
}

TEST(TaskMetrics, CountChangesOfTheRunListAndWhatTheyCost) {
  TaskCounter counter(listed_tasks());
  for (const Record& record : run_list_log()) counter.consume(record);
  const TaskDriverResult result = counter.result(kEnd);
  EXPECT_EQ(result.run_list_updates, 3U);
  EXPECT_EQ(result.cpu_cycles, 30U);
  EXPECT_EQ(task_json(listed_tasks(), result.tasks[0], 1'000'000'000),
            nlohmann::ordered_json({{"count", 1}, {"suspended_us", 0.03}}));
}

}  // namespace
}  // namespace tessera::record
