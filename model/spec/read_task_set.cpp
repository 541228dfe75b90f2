// SPDX-License-Identifier: Apache-2.0
// Task set file -> TaskSetSpec: real-time tasks, the machine that they share, and partitions where they are given.
// Internal to model/spec.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "model/realtime/demand.h"
#include "model/spec/read_engine.h"
#include "model/spec/read_generated_tasks.h"
#include "model/spec/read_task_partitions.h"
#include "model/spec/readers.h"
#include "model/spec/task_set_spec.h"

namespace tessera::spec {
namespace {

using realtime::Nanoseconds;

// Times of tasks have 3 digits behind the point, so that they are whole ns in any unit of whole us.
constexpr int kTaskTimeDigits = 3;
constexpr Number kTimeUnit{1, 1'000'000};
constexpr Number kTaskTime{0, 1'000'000'000'000, kTaskTimeDigits};
constexpr Number kPositiveTaskTime{1, 1'000'000'000'000, kTaskTimeDigits};
constexpr Number kFactor{realtime::kFactorParts, 1000 * realtime::kFactorParts, 3};
constexpr Nanoseconds kLongest = static_cast<Nanoseconds>(kMaxTimePs / 1000);
constexpr Nanoseconds kShortestPeriod = 100;  // as that of a process
constexpr std::int64_t kMaxTbs = 2'147'483'647;
constexpr std::size_t kMaxTasks = 256;  // each is a process of an experiment

class TaskReader {
 public:
  TaskReader(std::uint64_t unit_us, const ApplicationContext& context, Report& report)
      : unit_(unit_us), context_(context), report_(report) {}

  TaskSpec read(const Node& node, const KeyPath& path) {
    TaskSpec task;
    MappingReader reader(node, path, report_);
    reader.required("name", task.name, Text{}, "unique in the file");
    reader.required("kind", task.kind, Choice<realtime::TaskKind>{}, "which resource it contends for");
    read_time(reader, "period", Presence::kRequired, kPositiveTaskTime, task.period,
              "in `time_unit_us`, as the four below; 0.1 us to 1000 s; the least common multiple of all may have "
              "1,000,000 deadlines up to it");
    task.deadline = task.period;
    read_time(reader, "deadline", Presence::kOptional, kPositiveTaskTime, task.deadline,
              {"of each job, from its release; at most the period", "`period`"});
    read_time(reader, "offset", Presence::kOptional, kTaskTime, task.offset,
              {"of its first release; of no account to the analysis, which holds for any", "`0`"});
    if (task.period > 0 && task.period < kShortestPeriod) reader.reject("period", "is below 0.1 us");
    if (task.period > 0 && task.deadline > task.period && reader.has("deadline")) {
      reader.reject("deadline", "is above its period", text_at(node, "deadline"), "at most " + text_at(node, "period"));
    }
    read_formula(reader, task);
    read_kernel(reader, task);
    reader.reject_unknown_keys();
    reader.require_one_of("work", "application");
    return task;
  }

 private:
  static std::string text_at(const Node& node, std::string_view key) {
    const Node* const found = node.find(key);
    return found != nullptr ? describe(*found) : "";
  }

  bool read_time(MappingReader& reader, std::string_view key, Presence presence, const Number& rule, Nanoseconds& out,
                 Meaning meaning) {
    std::optional<std::uint64_t> value;
    if (!reader.read(key, presence, value, rule, meaning) || !value) return false;
    // A thousandth of a unit of us is a ns.
    const Uint128 time = static_cast<Uint128>(*value) * unit_;
    if (time > static_cast<Uint128>(kLongest)) {
      reader.reject(key, "is above 1000 s");
      return false;
    }
    out = static_cast<Nanoseconds>(time);
    return true;
  }

  void read_formula(MappingReader& reader, TaskSpec& task) {
    const bool has_work = read_time(reader, "work", Presence::kOptional, kPositiveTaskTime, task.work,
                                    "a: C(m) = k (a / m + b) on m SMs. It or `application`");
    Nanoseconds tail = 0;
    const bool has_tail = read_time(reader, "tail", Presence::kOptional, kPositiveTaskTime, tail,
                                    {"b; left out: a / 50 (compute), a / 10 (memory)", "by kind"});
    if (!reader.has("work")) {
      if (reader.has("tail")) reader.reject("tail", "only valid with work");
      return;
    }
    if (!has_work) return;
    task.tail_parts = has_tail ? tail * realtime::kTailParts : realtime::paper_tail_parts(task.kind, task.work);
    const realtime::Wide tbs = realtime::Wide{task.work} * realtime::kTailParts / task.tail_parts;
    if (tbs * kMaxTbsPerSm > kMaxTbs)
      reader.reject("tail", "is too small beside work: there would be too many thread blocks");
  }

  void read_kernel(MappingReader& reader, TaskSpec& task) {
    const Node& application = reader.node("application", Presence::kOptional, application_form,
                                          "an application file, or its keys, for one of its kernels");
    std::string name;
    const bool is_named =
        reader.optional("kernel", name, Text{}, "that kernel, not a persistent one; its C(m) is measured");
    if (!reader.has("application")) {
      if (reader.has("kernel")) reader.reject("kernel", "only valid with application");
      return;
    }
    if (reader.has("work")) reader.reject("application", "cannot be combined with work", "", "one of them");
    if (!reader.has("kernel")) reader.reject("kernel", "is missing", "", "a kernel of the application");
    const std::size_t before = report_.size();
    const ApplicationSpec read = read_application(application, reader.path("application"), context_, report_);
    if (report_.size() > before || !is_sound(application) || !is_named) return;
    const auto found = std::find_if(read.kernels.begin(), read.kernels.end(),
                                    [&name](const KernelSpec& kernel) { return kernel.name == name; });
    if (found == read.kernels.end()) {
      std::vector<std::string_view> names;
      for (const KernelSpec& kernel : read.kernels) names.push_back(kernel.name);
      reader.reject("kernel", fmt::format("application '{}' has no such kernel", read.name), name, joined(names));
    } else if (found->is_persistent) {
      reader.reject("kernel", "is persistent: a task ends", name);
    } else {
      task.kernel = *found;
    }
  }

  std::uint64_t unit_;
  const ApplicationContext& context_;
  Report& report_;
};

// They are listed, or drawn.
void read_tasks(MappingReader& reader, std::uint64_t unit_us, const ApplicationContext& context, TaskSetSpec& set) {
  Report& report = reader.report();
  const std::size_t before = report.size();
  const std::vector<Node>& nodes =
      reader.mappings("tasks", Presence::kOptional, "a kernel each, released again and again. It or `generate`");
  const KeyPath path = reader.path("tasks");
  const bool is_empty = reader.has("tasks") && nodes.empty() && report.size() == before;
  if (is_empty) reader.reject("tasks", "is empty", "", "at least one entry");
  TaskReader task_reader(unit_us, context, report);
  for (std::size_t i = 0; i < nodes.size(); ++i) set.tasks.push_back(task_reader.read(nodes[i], path / i));
  reject_duplicate_names(nodes, path, report);
  std::vector<TaskSpec> drawn =
      read_generated_tasks(reader.mapping("generate", Presence::kOptional,
                                          "in the place of `tasks`: they are drawn, as [Z21] 7.1 draws them, from 13 "
                                          "periods of 50 to 4000 units; `task_0`, `task_1`, .."),
                           unit_us);
  reader.require_one_of("tasks", "generate");
  if (!reader.has("generate")) return;
  if (reader.has("tasks")) {
    reader.reject("generate", "cannot be combined with tasks", "", "one of them");
  } else {
    set.tasks = std::move(drawn);
  }
}

void read_contention(MappingReader reader, realtime::Contention& contention) {
  reader.optional("compute", contention.factor[0], kFactor, "of compute-intensive tasks");
  reader.optional("memory", contention.factor[1], kFactor, "of memory-intensive ones");
  reader.reject_unknown_keys();
}

// Where a mistake of all of them is told.
const char* source_of_tasks(const MappingReader& reader) {
  return reader.has("generate") && !reader.has("tasks") ? "generate" : "tasks";
}

// Each task is a process of an experiment: it has a hardware queue, a command buffer and a KSR to itself.
void require_room_for_tasks(MappingReader& reader, const TaskSetSpec& set) {
  const std::pair<const char*, std::size_t> limits[] = {
      {"processes of an experiment", kMaxTasks},
      {"num_hardware_queues of the GPU", set.gpu.num_hardware_queues},
      {"framework.num_command_buffers of the GPU", set.gpu.framework.num_command_buffers},
      {"framework.num_ksrs of the GPU", set.gpu.framework.num_ksrs}};
  for (const auto& [what, most] : limits) {
    if (set.tasks.size() <= most) continue;
    reader.reject(source_of_tasks(reader), fmt::format("too many tasks for the {}", what),
                  fmt::format("{}", set.tasks.size()), fmt::format("1 .. {}", most));
  }
}

// The analysis looks at each deadline up to the hyperperiod.
void require_short_hyperperiod(MappingReader& reader, const TaskSetSpec& set) {
  std::vector<realtime::Task> tasks;
  for (const TaskSpec& task : set.tasks) {
    realtime::Task& one = tasks.emplace_back();
    one.period = task.period;
    one.deadline = task.deadline;
  }
  try {
    const realtime::TestPoints points(tasks);
  } catch (const std::length_error&) {
    reader.reject("tasks", "the least common multiple of the periods is too long", "",
                  fmt::format("at most {} deadlines up to it", realtime::TestPoints::kMaxPoints));
  }
}

}  // namespace

TaskSetSpec read_task_set(const Node& root, Report& report) {
  TaskSetSpec set;
  MappingReader reader(root, {}, report);
  read_schema_version(reader, root);
  reader.required("name", set.name, FolderName{}, "names the experiment that is written");

  const std::size_t before_gpu = report.size();
  const Node& gpu = reader.node(
      "gpu", Presence::kRequired, gpu_form,
      "the machine: a GPU file, or its keys. Each task needs a hardware queue, a command buffer and a KSR of it");
  set.gpu = read_gpu(gpu, reader.path("gpu"), report);
  const bool is_gpu_good = report.size() == before_gpu && is_sound(gpu);
  if (is_gpu_good) read_issue_latency({gpu, path_within(gpu, reader.path("gpu")), report}, 1, set.gpu);
  if (is_gpu_good && set.gpu.framework.channels == Channels::kOne) {
    reader.reject("gpu", "has framework.channels: one, so that partitions wait for each other", set.gpu.name,
                  "a GPU whose engines have commands of all contexts");
  }
  const Node& host = reader.node("host", Presence::kOptional, host_form,
                                 "what API calls cost: a host file, or its keys; left out: the defaults of one");
  if (reader.has("host")) set.host = read_host(host, reader.path("host"), report);
  if (set.host.cpu) {
    reader.reject("host", "has cores, for which tasks without processes do not compete", set.host.name,
                  "a host without cores");
  }

  std::uint64_t unit_us = 1000;
  reader.optional("time_unit_us", unit_us, kTimeUnit, "unit of the times of tasks");
  reader.optional("time_base", set.time_base, Choice<TimeBase>{},
                  "of `kernel_time_us` and `tb_time_us` of kernels: as `workload.time_base` of an experiment");
  reader.optional("tbs_per_sm", set.tbs_per_sm, Number{1, is_gpu_good ? set.gpu.max_tbs_per_sm : kMaxTbsPerSm},
                  "of tasks with `work`: thread blocks that an SM holds; at most `max_tbs_per_sm` of the GPU");
  reader.optional("search_width", set.search_width, Number{1, is_gpu_good ? set.gpu.num_sms : kMaxSms},
                  "rows that a policy search looks at in a step; at most `num_sms` of the GPU");
  read_contention(
      reader.mapping("contention", Presence::kOptional,
                     "how many times as long tasks take, if another of their kind is in their partition ([Z21] 7.1)"),
      set.contention);

  const std::size_t before_tasks = report.size();
  const ApplicationContext context{is_gpu_good ? &set.gpu : nullptr, set.time_base};
  read_tasks(reader, unit_us, context, set);
  const bool are_tasks_good = report.size() == before_tasks && !set.tasks.empty() && is_sound(root);
  if (is_gpu_good) require_room_for_tasks(reader, set);
  if (are_tasks_good) require_short_hyperperiod(reader, set);
  read_task_partitions(reader, set, are_tasks_good, report);
  reader.reject_unknown_keys();
  return set;
}

}  // namespace tessera::spec
