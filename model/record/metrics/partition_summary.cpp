// SPDX-License-Identifier: Apache-2.0
// Jobs and partitions as JSON.
#include "model/record/metrics/partition_summary.h"

#include <utility>

namespace tessera::record {
namespace {

using PartitionJson = nlohmann::ordered_json;

// What became of the jobs of a process.
struct Jobs {
  std::uint64_t count = 0;
  std::uint64_t missed = 0;
  Cycle worst_response = 0;
  bool has_response = false;
};

Jobs jobs_of(const SummaryProcess& process, const ProcessResult& result) {
  if (process.has_releases) {
    const FrameResult& frames = result.frames;
    return {frames.judged, frames.missed, frames.worst, frames.worst > 0};
  }
  const std::uint64_t kernels = result.deadline_kernels;
  return {kernels, result.deadline_misses, result.worst_response_cycles, kernels > 0};
}

bool is_task(const SummaryProcess& process) { return process.has_releases || process.deadline; }

PartitionJson numbers_of(const SmSet& sms) {
  PartitionJson numbers = PartitionJson::array();
  sms.for_each([&](std::uint32_t sm) { numbers.push_back(sm); });
  return numbers;
}

}  // namespace

nlohmann::ordered_json tasks_of(const SummaryInput& input, const RunResult& result) {
  PartitionJson tasks = PartitionJson::array();
  for (std::size_t i = 0; i < input.processes.size(); ++i) {
    const SummaryProcess& process = input.processes[i];
    if (!is_task(process)) continue;
    const Jobs jobs = jobs_of(process, result.processes.at(i));
    PartitionJson task = {{"process", process.name},
                          {"partition", input.partitions.at(process.partition).name},
                          {"jobs", jobs.count},
                          {"missed", jobs.missed},
                          {"deadline_us", nullptr},
                          {"worst_response_us", nullptr},
                          {"response_to_deadline", nullptr}};
    const double worst_us = static_cast<double>(jobs.worst_response) * 1e6 / static_cast<double>(input.clock_hz);
    if (jobs.has_response) task["worst_response_us"] = worst_us;
    if (process.deadline) {
      const double deadline_us = static_cast<double>(*process.deadline) / 1e6;
      task["deadline_us"] = deadline_us;
      if (jobs.has_response) task["response_to_deadline"] = worst_us / deadline_us;
    }
    tasks.push_back(std::move(task));
  }
  return tasks;
}

nlohmann::ordered_json partitions_of(const SummaryInput& input, const RunResult& result) {
  PartitionJson partitions = PartitionJson::array();
  for (std::size_t id = 0; id < result.partitions.size(); ++id) {
    const SummaryPartition& partition = input.partitions.at(id);
    const PartitionResult& done = result.partitions[id];
    PartitionJson sms = numbers_of(partition.sms);
    std::uint64_t missed = 0;
    for (std::size_t i = 0; i < input.processes.size(); ++i) {
      const bool is_here = input.processes[i].partition == id && is_task(input.processes[i]);
      if (is_here) missed += jobs_of(input.processes[i], result.processes.at(i)).missed;
    }
    const double sm_cycles = static_cast<double>(result.cycles) * static_cast<double>(sms.size());
    partitions.push_back(
        {{"name", partition.name},
         {"num_sms", sms.size()},
         {"busy_share", sm_cycles == 0 ? PartitionJson(nullptr)
                                       : PartitionJson(static_cast<double>(done.busy_sm_cycles) / sm_cycles)},
         {"kernels", done.kernels},
         {"preemptions", done.preemptions},
         {"missed", missed},
         {"sms", std::move(sms)}});
  }
  return partitions;
}

void add_sms_of_partitions(nlohmann::ordered_json& json, const SummaryInput& input) {
  SmSet seen;
  SmSet shared;
  for (const SummaryPartition& partition : input.partitions) {
    shared = shared | (seen & partition.sms);
    seen = seen | partition.sms;
  }
  json["sms_in_no_partition"] = input.num_sms - seen.size();
  if (shared.any()) json["shared_sms"] = numbers_of(shared);
  if (!input.preset) return;
  const bool is_mig = input.preset->is_mig;
  json["partition_preset"] = {{"name", input.preset->name}};
  if (input.preset->slice_sms > 0) json["partition_preset"]["slice_sms"] = input.preset->slice_sms;
  if (input.preset->is_hypothetical) json["partition_preset"]["hypothetical"] = true;
  json["partition_preset"][is_mig ? "sms_lost_to_rounding" : "sms_added_by_rounding"] = input.preset->rounding;
}

}  // namespace tessera::record
