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

// By the demand of all of them.
bool fits(const TaskSet& set, const Partition& partition) {
  std::vector<Task> tasks;
  for (const std::uint32_t task : partition.tasks) tasks.push_back(set.tasks.at(task));
  const TestPoints points(tasks);
  Demand demand(set, points, tasks.front());
  for (std::size_t i = 1; i < tasks.size(); ++i) demand.add(Demand(set, points, tasks[i]));
  return demand.fits(partition.num_sms);
}

// The engine's deadlines are those of the file, less what lies outside of it: the same for all. Others go before a task
// if they are due no later than it, by what deadlines are compared in.
std::vector<std::optional<Nanoseconds>> responses_in(const TaskSet& set, const Partition& partition,
                                                     const Overheads& overheads) {
  if (overheads.inversion == 0) return response_bounds(set, partition.tasks, partition.num_sms);
  std::vector<std::optional<Nanoseconds>> responses;
  for (std::size_t i = 0; i < partition.tasks.size(); ++i) {
    TaskSet seen = set;
    seen.tasks.at(partition.tasks[i]).deadline += overheads.inversion;
    std::optional<Nanoseconds> response = response_bounds(seen, partition.tasks, partition.num_sms)[i];
    if (response) *response += overheads.launch_path + overheads.completion_path;
    responses.push_back(response);
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
    result.is_schedulable = found.is_schedulable;
    result.merges_tried = merges;
    result.task_tests = tests;
    return result;
  }
}

}  // namespace tessera::realtime
