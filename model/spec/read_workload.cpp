// SPDX-License-Identifier: Apache-2.0
// Processes and their applications: two that refer to one file share it.
// Internal to model/spec.
#include "model/spec/read_workload.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/spec/read_partitions.h"
#include "model/spec/read_process_cores.h"
#include "model/spec/readers.h"
#include "model/spec/spec.h"
#include "model/spec/spec_json.h"

namespace tessera::spec {
namespace {

constexpr std::size_t kMaxProcesses = 256;  // each is a GPU context, and has registers of its own

// Gathers the distinct applications of the processes: two that refer to one file, unchanged, share an entry.
class ApplicationPool {
 public:
  ApplicationPool(Spec& spec, Report& report) : spec_(spec), report_(report) {}

  // The index of the application in the Spec. Results name applications, so names are unique among distinct ones.
  std::uint32_t add(ApplicationSpec application, const Node& node, const KeyPath& path) {
    std::string content = to_json(application).dump();
    const auto known = index_of_.find(content);
    if (known != index_of_.end()) return known->second;
    const auto has_same_name = [&application](const ApplicationSpec& other) { return other.name == application.name; };
    if (std::any_of(spec_.applications.begin(), spec_.applications.end(), has_same_name)) {
      MappingReader(node, path_within(node, path), report_)
          .reject("name", "two applications that differ have the same name", application.name,
                  "override the name of one too");
    }
    const auto index = static_cast<std::uint32_t>(spec_.applications.size());
    spec_.applications.push_back(std::move(application));
    index_of_.emplace(std::move(content), index);
    return index;
  }

 private:
  Spec& spec_;
  Report& report_;
  std::map<std::string, std::uint32_t> index_of_;  // by content
};

ProcessSpec read_process(const Node& node, const KeyPath& path, const ApplicationContext& context, const Spec& spec,
                         const GoodParts& good, ApplicationPool& pool, Report& report) {
  MappingReader reader(node, path, report);
  ProcessSpec process = read_process_keys(reader, report);
  read_partition_of(reader, spec, good.is_scheduler_good, process);
  read_process_cores(reader, good.host, process);
  const Node& application = reader.node("application", Presence::kRequired, application_form,
                                        "what it runs, over and over: an application file, or its keys");
  reader.reject_unknown_keys();
  const std::size_t before = report.size();
  ApplicationSpec read = read_application(application, reader.path("application"), context, report);
  const bool is_good = report.size() == before && is_sound(application);
  if (is_good) process.application = pool.add(std::move(read), application, reader.path("application"));
  return process;
}

}  // namespace

void read_workload(MappingReader reader, const GoodParts& good, Cores cores, Spec& spec, Report& report) {
  reader.optional(
      "time_base", spec.time_base, Choice<TimeBase>{},
      "thread-block times follow from `kernel_time_us` of the kernel alone on the machine, or are `tb_time_us`");
  const std::vector<Node>& processes =
      reader.mappings("processes", Presence::kRequired, "at most 256, and at most `num_hardware_queues` of the GPU");
  reader.reject_unknown_keys();
  // Each process has at least one hardware queue to itself.
  const std::size_t most =
      good.gpu != nullptr ? std::min<std::size_t>(kMaxProcesses, good.gpu->num_hardware_queues) : kMaxProcesses;
  if (processes.size() > most) {
    reader.reject("processes", "too many processes", fmt::format("{}", processes.size()), fmt::format("1 .. {}", most));
  }
  const KeyPath path = reader.path("processes");
  ApplicationPool pool(spec, report);
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const ApplicationContext context{good.gpu, spec.time_base, &spec.host, cores};
    spec.processes.push_back(read_process(processes[i], path / i, context, spec, good, pool, report));
  }
  reject_duplicate_names(processes, path, report);
  const bool has_foreground = std::any_of(spec.processes.begin(), spec.processes.end(),
                                          [](const ProcessSpec& process) { return !process.is_background; });
  if (!processes.empty() && !has_foreground) {
    reader.reject("processes", "every process is in the background, the run would have no end", "",
                  "at least one with background: false");
  }
}

}  // namespace tessera::spec
