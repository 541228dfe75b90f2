// SPDX-License-Identifier: Apache-2.0
// Metrics of a driver that stops tasks (XSched, GCAPS): how long suspensions take and last, launches, changes of the
// run list.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "model/record/driver/task_facts.h"
#include "model/record/metrics/cycle_stats.h"
#include "model/record/metrics/histogram.h"

namespace tessera::record {

struct TaskResult {
  std::uint64_t launches = 0;     // handed over
  std::uint64_t suspensions = 0;  // begun
  Cycle suspended = 0;            // in all
  // From a suspension to nothing of the task being on the GPU; of those that found launches there and ended.
  CycleStats latency;
  Cycle p50 = 0;
  Cycle p95 = 0;
};

struct TaskDriverResult {
  std::vector<TaskResult> tasks;       // as in Spec::processes; empty: the driver stops none
  std::uint64_t run_list_updates = 0;  // gcaps
  std::uint64_t cpu_cycles = 0;        // for these
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TaskResult, launches, suspensions, suspended, latency, p50, p95)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TaskDriverResult, tasks, run_list_updates, cpu_cycles)

// Computes these metrics from a log.
class TaskCounter {
 public:
  explicit TaskCounter(const TaskFacts& facts) : tasks_(facts.tasks.size()) {}

  void consume(const Record& record);
  TaskDriverResult result(Cycle end);  // call once, at the end

 private:
  struct Task {
    TaskResult result;
    std::optional<Cycle> suspended;  // since
    bool had_launches = false;       // when it was suspended
    Histogram latencies;
  };

  std::vector<Task> tasks_;
  TaskDriverResult result_;
};

// `driver` and `processes[].suspensions` of summary.json.
nlohmann::ordered_json task_driver_json(const TaskFacts& facts, const TaskDriverResult& result, std::uint64_t clock_hz);
nlohmann::ordered_json task_json(const TaskFacts& facts, const TaskResult& result, std::uint64_t clock_hz);

}  // namespace tessera::record
