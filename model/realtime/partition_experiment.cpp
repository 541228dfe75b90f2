// SPDX-License-Identifier: Apache-2.0
#include "model/realtime/partition_experiment.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/spec/json_text.h"
#include "model/spec/spec.h"
#include "model/spec/spec_json.h"
#include "model/spec/task_set_spec.h"

namespace tessera::realtime {
namespace {

using Json = nlohmann::ordered_json;

constexpr Picoseconds kPicosecondsInNanosecond = 1000;
constexpr Picoseconds kLongestExperiment = 1000 * kPicosecondsPerSecond;
constexpr std::uint32_t kNoLimit = 1'000'000;  // of runs: time ends it

Picoseconds picoseconds(Nanoseconds time) { return static_cast<Picoseconds>(time) * kPicosecondsInNanosecond; }

Picoseconds end_of(const spec::TaskSetSpec& set, const TaskSet& tasks) {
  Wide end = hyperperiod(tasks.tasks);
  Nanoseconds deadline = 0;
  Nanoseconds offset = 0;
  for (const spec::TaskSpec& task : set.tasks) {
    deadline = std::max(deadline, task.deadline);
    offset = std::max(offset, task.offset);
  }
  end = (end + deadline + offset) * kPicosecondsInNanosecond;
  return static_cast<Picoseconds>(std::min<Wide>(end, kLongestExperiment));
}

spec::ApplicationSpec application_of(spec::KernelSpec kernel, const spec::TaskSpec& task, std::int64_t factor) {
  kernel.tb_time = mul_div_ceil(*kernel.tb_time, static_cast<std::uint64_t>(factor), kFactorParts);
  kernel.kind = task.kind;
  spec::ApplicationSpec application;
  application.name = task.name;
  application.kernels = {std::move(kernel)};
  application.program = {spec::Launch{}};
  return application;
}

spec::ProcessSpec process_of(const spec::TaskSpec& task) {
  spec::ProcessSpec process;
  process.name = task.name;
  process.deadline = picoseconds(task.deadline);
  process.releases.emplace();
  process.releases->period = picoseconds(task.period);
  process.releases->offset = picoseconds(task.offset);
  return process;
}

spec::ContentionSpec co_running(const Contention& assumed) {
  constexpr std::int64_t kPpmInAPart = 1'000'000 / kFactorParts;
  spec::ContentionSpec contention;
  contention.model = spec::ContentionModel::kCoRunning;
  contention.domain = spec::ContentionDomain::kPartition;
  for (std::size_t kind = 0; kind < kNumKinds; ++kind) {
    contention.factor_ppm[kind] = static_cast<std::uint32_t>(assumed.factor[kind] * kPpmInAPart);
  }
  return contention;
}

// Slices, or the share that comes to so many SMs.
std::uint32_t share_of(const Partition& partition, const spec::PresetSpec& preset, std::uint32_t num_sms) {
  if (preset.kind == spec::PresetKind::kMig) return partition.num_sms / preset.slice_sms;
  return spec::share_of_sms(partition.num_sms, num_sms);
}

// `- {..}` for each entry of a list.
std::string lines_of(const Json& list, const char* indent) {
  std::string text;
  for (const Json& entry : list) text += fmt::format("{}- {}\n", indent, spec::json_text(entry));
  return text;
}

// Those of a list are counted off.
std::string partition_lines(const spec::Spec& experiment, const Json& json) {
  std::string text;
  if (experiment.preset) {
    for (const auto& [key, value] : json.items()) {
      const bool is_list = value.is_array();
      text += fmt::format("    {}:{}", key,
                          is_list ? "\n" + lines_of(value, "      ") : " " + spec::json_text(value) + "\n");
    }
    return text;
  }
  Json counted = Json::array();
  for (const spec::PartitionSpec& partition : experiment.partitions) {
    counted.push_back({{"name", partition.name}, {"num_sms", partition.sms.size()}});
  }
  return lines_of(counted, "    ");
}

}  // namespace

spec::Spec experiment_of(const spec::TaskSetSpec& set, const MachineTasks& of, const MachinePartitioning& partitioning,
                         const std::vector<std::string>& names, SimulatedContention contention) {
  spec::Spec experiment = *of.machine;
  experiment.time_base = spec::TimeBase::kTimePerTb;
  experiment.stop.min_runs = kNoLimit;
  experiment.stop.max_time = end_of(set, *of.tasks);
  if (contention == SimulatedContention::kCoRunning) experiment.contention = co_running(of.tasks->contention);
  for (const spec::TaskSpec& task : set.tasks) experiment.processes.push_back(process_of(task));
  experiment.preset = partitioning.preset;
  std::uint32_t next_sm = 0;
  std::vector<std::int64_t> factors(set.tasks.size(), kFactorParts);
  for (std::size_t i = 0; i < partitioning.partitions.size(); ++i) {
    const Partition& partition = partitioning.partitions[i].partition;
    spec::PartitionSpec& sms = experiment.partitions.emplace_back();
    sms.name = names.at(i);
    for (std::uint32_t m = 0; m < partition.num_sms; ++m) sms.sms.push_back(next_sm++);
    if (experiment.preset) sms.share = share_of(partition, *experiment.preset, experiment.gpu.num_sms);
    const std::vector<std::int64_t> its_factors = factors_in(*of.tasks, partition.tasks);
    for (std::size_t t = 0; t < partition.tasks.size(); ++t) {
      experiment.processes[partition.tasks[t]].partition = static_cast<std::uint32_t>(i);
      if (contention == SimulatedContention::kAssumed) factors[partition.tasks[t]] = its_factors[t];
    }
  }
  for (std::uint32_t i = 0; i < set.tasks.size(); ++i) {
    experiment.processes[i].application = i;
    experiment.applications.push_back(application_of(of.kernels->at(i), set.tasks[i], factors[i]));
  }
  return experiment;
}

std::string experiment_text(const spec::Spec& experiment) {
  Json json = spec::to_json(experiment);
  // 1. Applications stand with their processes, and partitions are counted off.
  for (std::size_t i = 0; i < experiment.processes.size(); ++i) {
    json["workload"]["processes"][i]["application"] = json["applications"][experiment.processes[i].application];
  }
  json.erase("applications");
  const std::string partitions = partition_lines(experiment, json["scheduler"]["partitions"]);
  json["scheduler"].erase("partitions");
  // 2. A line for each part, and for each entry of the two lists.
  std::string text = "# Written by tessera partition.\n";
  for (const auto& [key, value] : json.items()) {
    if (key == "scheduler") {
      text += "scheduler:\n";
      for (const auto& [name, word] : value.items()) text += fmt::format("  {}: {}\n", name, spec::json_text(word));
      text += "  partitions:\n" + partitions;
    } else if (key == "workload") {
      text += fmt::format("workload:\n  time_base: {}\n  processes:\n", value["time_base"].get<std::string>());
      text += lines_of(value["processes"], "    ");
    } else if (value.is_string()) {
      text += fmt::format("{}: {}\n", key, value.get<std::string>());
    } else {
      text += fmt::format("{}: {}\n", key, spec::json_text(value));
    }
  }
  return text;
}

}  // namespace tessera::realtime
