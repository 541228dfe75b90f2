// SPDX-License-Identifier: Apache-2.0
#include "model/realtime/machine_partitioning.h"

#include <algorithm>

#include "model/realtime/demand.h"
#include "model/realtime/response.h"
#include "model/spec/spec.h"

namespace tessera::realtime {
namespace {

TaskSet adjusted(const MachineTasks& of, const Overheads& overheads) {
  return of.has_overheads ? with_overheads(*of.tasks, *of.machine, *of.kernels, overheads) : *of.tasks;
}

Overheads overheads_for(const MachineTasks& of, const Sharing& sharing) {
  return of.has_overheads ? overheads_of(*of.tasks, *of.machine, *of.kernels, sharing) : Overheads{};
}

// By the demand of all of them, at their own test points.
bool fits(const TaskSet& set, const Partition& partition) {
  std::vector<Task> tasks;
  for (const std::uint32_t task : partition.tasks) tasks.push_back(set.tasks.at(task));
  const TestPoints points(tasks);
  return demand_of(set, points, partition.tasks).fits(partition.num_sms);
}

std::vector<Nanoseconds> times_in(const TaskSet& set, const Partition& partition) {
  const std::vector<std::int64_t> factors = factors_in(set, partition.tasks);
  const Wide scale = kParts * partition.num_sms;
  std::vector<Nanoseconds> times;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Wide time = scaled_time(set.tasks[partition.tasks[i]], factors[i], partition.num_sms);
    times.push_back(static_cast<Nanoseconds>((time + scale - 1) / scale));
  }
  return times;
}

// Others go before a job if they are due no later than it, or later by less than deadlines are compared in: as if it
// were released so much later, which can only make it end later.
std::vector<std::optional<Nanoseconds>> responses_in(const TaskSet& set, const Partition& partition,
                                                     const Overheads& overheads) {
  std::vector<std::optional<Nanoseconds>> responses = response_bounds(set, partition.tasks, partition.num_sms);
  for (std::optional<Nanoseconds>& response : responses) {
    if (response) *response += overheads.launch_path + overheads.inversion + overheads.completion_path;
  }
  return responses;
}

}  // namespace

MachinePartitioning analyse(const MachineTasks& of, const std::vector<Partition>& partitions) {
  MachinePartitioning result;
  result.is_schedulable = true;
  for (const Partition& partition : partitions) {
    AnalysedPartition& one = result.partitions.emplace_back();
    one.partition = partition;
    one.overheads = overheads_for(of, {partition.num_sms, static_cast<std::uint32_t>(partitions.size())});
    const TaskSet set = adjusted(of, one.overheads);
    one.is_schedulable = fits(set, partition);
    one.times = times_in(set, partition);
    one.responses = responses_in(set, partition, one.overheads);
    result.is_schedulable = result.is_schedulable && one.is_schedulable;
    result.num_sms += partition.num_sms;
  }
  return result;
}

MachinePartitioning partition_on_machine(const MachineTasks& of, const PartitioningOptions& options) {
  std::uint64_t merges = 0;
  std::uint64_t tests = 0;
  Sharing assumed;
  for (;;) {
    const Partitioning found = partition(adjusted(of, overheads_for(of, assumed)), options);
    merges += found.merges_tried;
    tests += found.task_tests;
    Sharing actual{assumed.num_sms,
                   std::max(assumed.num_partitions, static_cast<std::uint32_t>(found.partitions.size()))};
    for (const Partition& each : found.partitions) actual.num_sms = std::max(actual.num_sms, each.num_sms);
    const bool is_as_assumed = actual.num_sms == assumed.num_sms && actual.num_partitions == assumed.num_partitions;
    if (found.is_schedulable && of.has_overheads && !is_as_assumed) {
      assumed = actual;
      continue;
    }
    MachinePartitioning result = analyse(of, found.partitions);
    result.is_schedulable = result.is_schedulable && found.is_schedulable;
    result.preset = options.preset;
    result.merges_tried = merges;
    result.task_tests = tests;
    return result;
  }
}

}  // namespace tessera::realtime
