// SPDX-License-Identifier: Apache-2.0
// Counting, and cycles as microseconds.
#include "model/record/metrics/task_metrics.h"

#include "model/record/numbers.h"

namespace tessera::record {
namespace {

using TaskJson = nlohmann::ordered_json;

TaskJson microseconds(double cycles, std::uint64_t clock_hz) { return cycles * 1e6 / static_cast<double>(clock_hz); }
TaskJson microseconds(Cycle cycles, std::uint64_t clock_hz) {
  return microseconds(static_cast<double>(cycles), clock_hz);
}

TaskJson latency_json(const TaskResult& result, std::uint64_t clock_hz) {
  if (result.latency.count == 0) {
    return {{"mean", nullptr}, {"p50", nullptr}, {"p95", nullptr}, {"p99", nullptr}, {"max", nullptr}};
  }
  return {{"mean", microseconds(result.latency.mean(), clock_hz)},
          {"p50", microseconds(result.p50, clock_hz)},
          {"p95", microseconds(result.p95, clock_hz)},
          {"p99", microseconds(result.latency.p99, clock_hz)},
          {"max", microseconds(result.latency.max, clock_hz)}};
}

}  // namespace

void TaskCounter::consume(const Record& record) {
  if (tasks_.empty() || !is_of_tasks(record.kind)) return;
  Task& task = tasks_.at(record.process);
  switch (record.kind) {
    case Kind::kLaunchHandedOver:
      ++task.result.launches;
      return;
    case Kind::kTaskSuspended:
      ++task.result.suspensions;
      task.suspended = record.cycle;
      task.had_launches = number::launches_on_gpu(record) > 0;
      return;
    case Kind::kTaskStopped:
      if (task.had_launches) task.latencies.add(record.cycles);
      return;
    case Kind::kTaskResumed:
      task.result.suspended += record.cycles;
      task.suspended.reset();
      return;
    case Kind::kRunListUpdated:
      ++result_.run_list_updates;
      result_.cpu_cycles += record.cycles;
      return;
    default:
      return;
  }
}

TaskDriverResult TaskCounter::result(Cycle end) {
  for (Task& task : tasks_) {
    if (task.suspended) task.result.suspended += end - *task.suspended;
    task.result.latency = stats_of(task.latencies);
    task.result.p50 = task.latencies.percentile(50);
    task.result.p95 = task.latencies.percentile(95);
    result_.tasks.push_back(task.result);
  }
  return result_;
}

nlohmann::ordered_json task_driver_json(const TaskFacts& facts, const TaskDriverResult& result,
                                        std::uint64_t clock_hz) {
  if (!facts.has_run_list) return {{"kind", "xsched"}};
  return {{"kind", "gcaps"},
          {"run_list_updates", result.run_list_updates},
          {"cpu_us", microseconds(result.cpu_cycles, clock_hz)}};
}

nlohmann::ordered_json task_json(const TaskFacts& facts, const TaskResult& result, std::uint64_t clock_hz) {
  TaskJson json{{"count", result.suspensions}, {"suspended_us", microseconds(result.suspended, clock_hz)}};
  if (facts.has_run_list) return json;
  json["launches"] = result.launches;
  json["suspend_latency_us"] = latency_json(result, clock_hz);
  return json;
}

}  // namespace tessera::record
