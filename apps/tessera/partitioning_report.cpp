// SPDX-License-Identifier: Apache-2.0
// JSON first; the tables are made of it.
#include "apps/tessera/partitioning_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/spec/names.h"

namespace tessera::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNanosecondsPerMicrosecond = 1e3;
constexpr double kPicosecondsInAMicrosecond = 1e6;

double us(realtime::Nanoseconds time) { return static_cast<double>(time) / kNanosecondsPerMicrosecond; }

// Of its runs, from their releases.
Json simulated_json(const PartitionReport& report, std::uint32_t task) {
  const record::FrameResult& frames = report.simulation->processes.at(task).frames;
  Json json = {{"released", frames.released}, {"missed", frames.missed}, {"worst_response_us", nullptr}};
  if (frames.ended > 0) {
    json["worst_response_us"] = static_cast<double>(report.clock.time_of(frames.worst)) / kPicosecondsInAMicrosecond;
  }
  return json;
}

Json task_json(const PartitionReport& report, const realtime::AnalysedPartition& partition, std::size_t i) {
  const std::uint32_t number = partition.partition.tasks[i];
  const spec::TaskSpec& task = report.set->tasks.at(number);
  Json json = {{"name", task.name},
               {"kind", spec::to_string(task.kind)},
               {"period_us", us(task.period)},
               {"deadline_us", us(task.deadline)},
               {"time_us", us(partition.times[i])},
               {"response_bound_us", nullptr}};
  if (partition.responses[i]) json["response_bound_us"] = us(*partition.responses[i]);
  if (report.simulation != nullptr) json["simulated"] = simulated_json(report, number);
  return json;
}

// That it has beyond those that are enough for it.
std::uint32_t sms_lost(const realtime::AnalysedPartition& partition) {
  return partition.partition.num_sms - partition.partition.fewest_sms;
}

Json one_partition_json(const PartitionReport& report, std::size_t i) {
  const realtime::AnalysedPartition& partition = report.partitioning->partitions[i];
  double utilisation = 0;
  Json tasks = Json::array();
  for (std::size_t t = 0; t < partition.partition.tasks.size(); ++t) {
    const spec::TaskSpec& task = report.set->tasks.at(partition.partition.tasks[t]);
    utilisation += static_cast<double>(partition.times[t]) / static_cast<double>(task.period);
    tasks.push_back(task_json(report, partition, t));
  }
  Json json = {{"name", report.names.at(i)}, {"num_sms", partition.partition.num_sms}};
  if (report.partitioning->preset) {
    const spec::PresetSpec& preset = *report.partitioning->preset;
    if (preset.kind == spec::PresetKind::kMig) json["slices"] = partition.partition.num_sms / preset.slice_sms;
    json["sms_lost"] = sms_lost(partition);
  }
  json["schedulable"] = partition.is_schedulable;
  json["utilisation"] = utilisation;
  json["overheads"] = {{"launch_path_us", us(partition.overheads.launch_path)},
                       {"completion_path_us", us(partition.overheads.completion_path)},
                       {"inversion_us", us(partition.overheads.inversion)},
                       {"per_job_us", us(partition.overheads.per_job)},
                       {"per_tb_us", us(partition.overheads.per_tb)}};
  json["tasks"] = std::move(tasks);
  return json;
}

// Of all SMs: those that partitions have only because of their sizes, those of no slice, and those of no partition.
Json preset_json(const PartitionReport& report) {
  const realtime::MachinePartitioning& partitioning = *report.partitioning;
  const spec::PresetSpec& preset = *partitioning.preset;
  const std::uint32_t num_sms = report.set->gpu.num_sms;
  std::uint32_t in_partitions = 0;
  for (const realtime::AnalysedPartition& partition : partitioning.partitions) in_partitions += sms_lost(partition);
  Json json = {{"name", spec::to_string(preset.kind)}};
  if (preset.kind == spec::PresetKind::kMig) json["slice_sms"] = preset.slice_sms;
  json["sms_lost_in_partitions"] = in_partitions;
  if (preset.kind == spec::PresetKind::kMig) json["sms_of_no_slice"] = num_sms - spec::kMigSlices * preset.slice_sms;
  const bool does_fit = partitioning.num_sms <= num_sms;
  json["sms_in_no_partition"] = does_fit ? Json(num_sms - partitioning.num_sms) : Json(nullptr);
  return json;
}

Json simulation_json(const PartitionReport& report) {
  std::uint64_t missed = 0;
  for (const record::ProcessResult& process : report.simulation->processes) missed += process.frames.missed;
  return {{"simulated_us",
           static_cast<double>(report.clock.time_of(report.simulation->cycles)) / kPicosecondsInAMicrosecond},
          {"missed", missed},
          {"verdict", missed > 0 ? "missed" : "not refuted"}};
}

std::string time_cell(const Json& time) { return time.is_null() ? "-" : fmt::format("{:.1f}", time.get<double>()); }

std::string task_row(const Json& partition, const Json& task) {
  std::string row = fmt::format(
      "  {:<20} {:<8} {:<12} {:>12.1f} {:>12.1f} {:>12.1f} {:>12}", task["name"].get<std::string>(),
      task["kind"].get<std::string>(), partition["name"].get<std::string>(), task["time_us"].get<double>(),
      task["period_us"].get<double>(), task["deadline_us"].get<double>(), time_cell(task["response_bound_us"]));
  if (task.contains("simulated")) {
    const Json& simulated = task["simulated"];
    row += fmt::format(" {:>12} {:>6} of {}", time_cell(simulated["worst_response_us"]),
                       simulated["missed"].get<std::uint64_t>(), simulated["released"].get<std::uint64_t>());
  }
  return row + "\n";
}

std::string preset_line(const Json& preset) {
  std::string text = fmt::format("  {}: {} SMs lost to the sizes of partitions", preset["name"].get<std::string>(),
                                 preset["sms_lost_in_partitions"].get<std::uint32_t>());
  if (!preset["sms_in_no_partition"].is_null()) {
    text += fmt::format(", {} in none", preset["sms_in_no_partition"].get<std::uint32_t>());
  }
  if (preset.contains("sms_of_no_slice")) {
    text += fmt::format(" ({} of the GPU's are in no slice)", preset["sms_of_no_slice"].get<std::uint32_t>());
  }
  return text + "\n";
}

std::string verdict_lines(const Json& json) {
  std::string text =
      fmt::format("  {}: {} of {} SMs\n", json["schedulable"].get<bool>() ? "schedulable" : "not schedulable",
                  json["num_sms"].get<std::uint32_t>(), json["num_sms_of_gpu"].get<std::uint32_t>());
  if (json["partitions"].empty()) {
    return fmt::format(
        "  not schedulable: a task misses its deadline even alone on {} SMs, or there is more load than these can do\n",
        json["num_sms_of_gpu"].get<std::uint32_t>());
  }
  if (json.contains("preset")) text += preset_line(json["preset"]);
  if (json.contains("simulation")) {
    const Json& simulation = json["simulation"];
    text += fmt::format("  simulated for {:.3f} ms: {}, {} deadlines missed\n",
                        simulation["simulated_us"].get<double>() / 1000, simulation["verdict"].get<std::string>(),
                        simulation["missed"].get<std::uint64_t>());
  }
  return text;
}

}  // namespace

Json partition_json(const PartitionReport& report) {
  const realtime::MachinePartitioning& partitioning = *report.partitioning;
  Json json = {{"name", report.set->name},
               {"schedulable", partitioning.is_schedulable},
               {"num_sms", partitioning.num_sms},
               {"num_sms_of_gpu", report.set->gpu.num_sms},
               {"options", report.options},
               {"merges_tried", partitioning.merges_tried},
               {"task_tests", partitioning.task_tests},
               {"partitions", Json::array()}};
  if (partitioning.preset) json["preset"] = preset_json(report);
  for (std::size_t i = 0; i < partitioning.partitions.size(); ++i) {
    json["partitions"].push_back(one_partition_json(report, i));
  }
  if (report.simulation != nullptr) json["simulation"] = simulation_json(report);
  return json;
}

std::string partition_text(const Json& json) {
  std::string options;
  for (const auto& [key, value] : json["options"].items()) {
    options += fmt::format("{}{} {}", options.empty() ? "" : ", ", key, value.get<std::string>());
  }
  std::string text = fmt::format("{}: {}\n\n", json["name"].get<std::string>(), options);
  const Json& partitions = json["partitions"];
  if (!partitions.empty()) {
    const bool has_preset = json.contains("preset");
    text += fmt::format("  {:<20} {:>5}{} {:>6} {:>12}\n", "partition", "SMs", has_preset ? "  lost" : "", "tasks",
                        "utilisation");
    for (const Json& partition : partitions) {
      const std::string lost = has_preset ? fmt::format(" {:>5}", partition["sms_lost"].get<std::uint32_t>()) : "";
      text += fmt::format("  {:<20} {:>5}{} {:>6} {:>12.3f}{}\n", partition["name"].get<std::string>(),
                          partition["num_sms"].get<std::uint32_t>(), lost, partition["tasks"].size(),
                          partition["utilisation"].get<double>(),
                          partition["schedulable"].get<bool>() ? "" : "  not schedulable");
    }
    text +=
        fmt::format("\n  {:<20} {:<8} {:<12} {:>12} {:>12} {:>12} {:>12}{}\n", "task", "kind", "partition", "C(m) us",
                    "period us", "deadline us", "bound us", json.contains("simulation") ? "   worst us  missed" : "");
    for (const Json& partition : partitions) {
      for (const Json& task : partition["tasks"]) text += task_row(partition, task);
    }
    text += "\n";
  }
  return text + verdict_lines(json);
}

}  // namespace tessera::app
