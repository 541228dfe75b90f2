// SPDX-License-Identifier: Apache-2.0
#include "model/spec/read_generated_tasks.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/realtime/generation.h"
#include "model/spec/readers.h"

namespace tessera::spec {
namespace {

constexpr realtime::Nanoseconds kNanosecondsInAMicrosecond = 1000;
constexpr std::uint32_t kMostDrawn = 256;             // each is a process of an experiment
constexpr std::uint32_t kMostUtilisation = kMaxSms;   // no machine has more
constexpr std::uint64_t kMostNumber = 1'000'000'000;  // of a set
constexpr realtime::Nanoseconds kLongestDrawn = static_cast<realtime::Nanoseconds>(kMaxTimePs / 1000);

TaskSpec spec_of(const realtime::Task& drawn) {
  TaskSpec task;
  task.name = drawn.name;
  task.kind = drawn.kind;
  task.period = drawn.period;
  task.deadline = drawn.deadline;
  task.work = drawn.work;
  task.tail_parts = drawn.tail_parts;
  return task;
}

// A limit that n tasks cannot keep, whatever is drawn.
bool is_limit_too_low(MappingReader& reader, const realtime::GenerationOptions& options) {
  const std::uint32_t limit = options.max_task_utilisation.value_or(options.utilisation);
  if (std::uint64_t{limit} * options.num_tasks >= options.utilisation) return false;
  const std::uint32_t least = (options.utilisation + options.num_tasks - 1) / options.num_tasks;
  reader.reject("max_task_utilisation", "is too low: so many tasks do not add up to the utilisation",
                fmt::format("{}", limit), fmt::format("at least {}", least));
  return true;
}

}  // namespace

std::vector<TaskSpec> read_generated_tasks(MappingReader reader, std::uint64_t time_unit_us) {
  realtime::GenerationOptions options;
  std::uint64_t seed = 1;
  std::uint64_t number = 0;
  const std::size_t before = reader.report().size();
  const bool has_tasks = reader.required("tasks", options.num_tasks, Number{1, kMostDrawn}, "how many");
  const bool has_utilisation = reader.required("utilisation", options.utilisation, Number{1, kMostUtilisation},
                                               "the sum of a / T: exactly, if `time_unit_us` is a multiple of 1000");
  reader.optional("seed", seed, Number{}, "of an endless list of sets");
  reader.optional("number", number, Number{0, kMostNumber}, "which of them");
  reader.optional("memory_percent", options.memory_percent, Number{0, 100}, "chance of a task to be memory-intensive");
  reader.optional("deadline_percent", options.deadline_percent, Number{1, 100}, "D of each task, of its T");
  reader.optional("max_task_utilisation", options.max_task_utilisation, Number{1, kMostUtilisation},
                  "sets with a task whose a / T is above are drawn again, 10,000 times at most (UUniFast-Discard)");
  reader.reject_unknown_keys();
  if (!has_tasks || !has_utilisation || reader.report().size() > before || is_limit_too_low(reader, options)) return {};
  options.time_unit = static_cast<realtime::Nanoseconds>(time_unit_us) * kNanosecondsInAMicrosecond;
  std::vector<TaskSpec> tasks;
  try {
    for (const realtime::Task& task : realtime::generate(options, seed, number).tasks) tasks.push_back(spec_of(task));
  } catch (const std::runtime_error& error) {
    reader.reject("max_task_utilisation", error.what(), fmt::format("{}", *options.max_task_utilisation),
                  "a higher limit, more tasks or a lower utilisation");
    return {};
  }
  const bool is_long = std::any_of(tasks.begin(), tasks.end(), [](const TaskSpec& task) {
    return std::max(task.period, task.work) > kLongestDrawn;
  });
  if (!is_long) return tasks;
  reader.reject("utilisation", "makes a task of more than 1000 s in this time_unit_us",
                fmt::format("{}", options.utilisation), "a shorter time_unit_us");
  return {};
}

}  // namespace tessera::spec
