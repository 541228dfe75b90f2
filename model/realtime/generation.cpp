// SPDX-License-Identifier: Apache-2.0
// UUniFast draws task utilisations evenly from all that sum to U (Bini and Buttazzo, "Measuring the Performance of
// Schedulability Tests", 2005). So do the gaps between sorted draws, which need whole numbers only.
#include "model/realtime/generation.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "model/workload/draws.h"

namespace tessera::realtime {
namespace {

// Divisors of 4000 from 50 up, in time units ([Z21] 7.1: "the lowest period is 50, and the highest period is 4000").
constexpr std::array<Nanoseconds, 13> kPeriods{50, 80, 100, 125, 160, 200, 250, 400, 500, 800, 1000, 2000, 4000};
// So that u T is whole where a unit is a whole number of ms: all periods are multiples of 5.
constexpr std::int64_t kUtilisationParts = 5'000'000;
constexpr std::uint64_t kMaxDraws = 10'000;

// Streams of a set's draws.
enum class Draws : std::uint64_t { kUtilisation = 1, kPeriod, kKind };
std::uint64_t key_of(std::uint64_t seed, std::uint64_t number, Draws draws) {
  return workload::mix64(workload::mix64(seed) + workload::mix64(number * 4 + static_cast<std::uint64_t>(draws)));
}

// In parts, each at least one; their sum is exactly U.
std::vector<std::int64_t> draw_utilisations(const GenerationOptions& options, std::uint64_t key) {
  const std::int64_t rest = options.utilisation * kUtilisationParts - std::int64_t{options.num_tasks};
  if (rest < 0) throw std::runtime_error("more tasks than parts that a utilisation can have");
  std::vector<std::int64_t> ends(options.num_tasks + 1, rest);
  for (std::uint64_t attempt = 0; attempt < kMaxDraws; ++attempt) {
    ends.front() = 0;
    for (std::uint32_t i = 1; i < options.num_tasks; ++i) {
      const std::uint64_t index = attempt * options.num_tasks + i;
      ends[i] = static_cast<std::int64_t>(workload::draw_below(key, index, static_cast<std::uint64_t>(rest) + 1));
    }
    std::sort(ends.begin(), ends.end());
    std::vector<std::int64_t> gaps(options.num_tasks);
    for (std::size_t i = 0; i < gaps.size(); ++i) gaps[i] = 1 + ends[i + 1] - ends[i];
    const bool is_within =
        !options.max_task_utilisation ||
        *std::max_element(gaps.begin(), gaps.end()) <= std::int64_t{*options.max_task_utilisation} * kUtilisationParts;
    if (is_within) return gaps;
  }
  throw std::runtime_error("no task set in 10,000 draws keeps each task's utilisation within the limit");
}

}  // namespace

TaskSet generate(const GenerationOptions& options, std::uint64_t seed, std::uint64_t number) {
  TaskSet set;
  set.num_sms = options.num_sms;
  const std::vector<std::int64_t> utilisations = draw_utilisations(options, key_of(seed, number, Draws::kUtilisation));
  const std::uint64_t period_key = key_of(seed, number, Draws::kPeriod);
  const std::uint64_t kind_key = key_of(seed, number, Draws::kKind);
  for (std::uint32_t i = 0; i < options.num_tasks; ++i) {
    const auto work_at = [&](std::size_t at) {
      return static_cast<Nanoseconds>(Wide{utilisations[i]} * kPeriods[at] * options.time_unit / kUtilisationParts);
    };
    // The next longer period while the task would take less than a unit.
    std::size_t at = workload::draw_below(period_key, i, kPeriods.size());
    while (at + 1 < kPeriods.size() && work_at(at) < options.time_unit) ++at;
    Task task;
    task.name = "task_" + std::to_string(i);
    const bool is_memory = workload::draw_below(kind_key, i, 100) < options.memory_percent;
    task.kind = is_memory ? TaskKind::kMemory : TaskKind::kCompute;
    task.period = kPeriods[at] * options.time_unit;
    task.deadline = task.period / 100 * options.deadline_percent;
    task.work = std::max<Nanoseconds>(1, work_at(at));  // rounded down where units are below 1 ms
    task.tail_parts = paper_tail_parts(task.kind, task.work);
    set.tasks.push_back(std::move(task));
  }
  return set;
}

}  // namespace tessera::realtime
