// SPDX-License-Identifier: Apache-2.0
// The size of a partition in closed form over [Z21] Algorithm 2's linear search, and what the size of a union costs by
// the number of tasks and of SMs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "measurement.h"
#include "model/realtime/demand.h"
#include "model/realtime/generation.h"

namespace tessera::bench {
namespace {

using realtime::Demand;
using realtime::TaskSet;
using realtime::TestPoints;

constexpr int kRepetitions = 15;
constexpr std::uint32_t kLimit = 68;

TaskSet drawn(std::uint32_t num_tasks, std::uint32_t utilisation) {
  realtime::GenerationOptions options;
  options.num_tasks = num_tasks;
  options.utilisation = utilisation;
  return realtime::generate(options, 2021, 0);
}

// Partitions of so many tasks of the set each, in its order.
std::vector<Demand> demands_of(const TaskSet& set, const TestPoints& points, std::uint32_t tasks_each) {
  std::vector<Demand> demands;
  for (std::size_t i = 0; i < set.tasks.size(); ++i) {
    Demand demand(set, points, set.tasks[i]);
    i % tasks_each == 0 ? demands.push_back(std::move(demand)) : demands.back().add(demand);
  }
  return demands;
}

// Two partitions that Algorithm 2 merges: it begins at the larger of their sizes, and ends below their sum.
struct Pair {
  const Demand* a;
  const Demand* b;
  std::uint32_t from, most;
  std::vector<realtime::Task> tasks;
  std::vector<std::int64_t> factors;  // of contention
};

std::vector<Pair> pairs_of(const TaskSet& set, const std::vector<Demand>& demands, std::size_t tasks_each) {
  std::vector<std::uint32_t> sizes;
  for (const Demand& demand : demands) sizes.push_back(demand.smallest_size(kLimit));
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    for (std::size_t j = i + 1; j < demands.size(); ++j) {
      if (sizes[i] == realtime::kNoSize || sizes[j] == realtime::kNoSize) continue;
      pairs.push_back({&demands[i], &demands[j], std::max(sizes[i], sizes[j]), sizes[i] + sizes[j] - 1, {}, {}});
      Pair& pair = pairs.back();
      for (const std::size_t partition : {i, j}) {
        const auto first = set.tasks.begin() + static_cast<std::ptrdiff_t>(partition * tasks_each);
        pair.tasks.insert(pair.tasks.end(), first, first + static_cast<std::ptrdiff_t>(tasks_each));
      }
      for (const realtime::Task& task : pair.tasks) {
        const auto of_kind = std::count_if(pair.tasks.begin(), pair.tasks.end(),
                                           [&](const realtime::Task& one) { return one.kind == task.kind; });
        pair.factors.push_back(set.contention.of(task.kind, of_kind > 1));
      }
    }
  }
  return pairs;
}

// Algorithm 2 as it is printed: each size is tested on the tasks, at their own deadlines.
std::uint32_t search_over_tasks(const Pair& pair, realtime::Nanoseconds hyperperiod) {
  const auto fits_by = [&](realtime::Nanoseconds time, std::int64_t m) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < pair.tasks.size(); ++i) {
      const realtime::Task& task = pair.tasks[i];
      const std::int64_t jobs = TestPoints::jobs_due(task, time);
      sum += jobs * pair.factors[i] * (task.work * realtime::kTailParts + task.tail_parts * m);
    }
    return sum <= time * m * realtime::kTailParts * realtime::kFactorParts;
  };
  const auto fits = [&](std::int64_t m) {
    for (const realtime::Task& task : pair.tasks) {
      for (realtime::Nanoseconds due = task.deadline; due <= hyperperiod; due += task.period) {
        if (!fits_by(due, m)) return false;
      }
    }
    return true;
  };
  for (std::uint32_t size = pair.from; size <= pair.most; ++size) {
    if (fits(size)) return size;
  }
  return realtime::kNoSize;
}

// All pairs of partitions.
void closed_form_over_search(benchmark::State& state) {
  const auto tasks_each = static_cast<std::uint32_t>(state.range(0));
  const TaskSet set = drawn(200, static_cast<std::uint32_t>(state.range(1)));
  const TestPoints points(set.tasks);
  const std::vector<Demand> demands = demands_of(set, points, tasks_each);
  const std::vector<Pair> pairs = pairs_of(set, demands, tasks_each);
  std::vector<double> over_tasks;
  std::vector<double> over_sums;
  const auto seconds = [&](std::vector<std::uint32_t>& sizes, const auto& size_of) {
    sizes.clear();
    const double start = cpu_seconds();
    for (const Pair& pair : pairs) sizes.push_back(size_of(pair));
    return cpu_seconds() - start;
  };
  std::vector<std::uint32_t> found;
  std::vector<std::uint32_t> sizes;
  const auto checked = [&](double taken) {
    if (found != sizes) throw std::logic_error("the two disagree");
    return taken;
  };
  for (auto _ : state) {
    const double closed = seconds(
        sizes, [](const Pair& pair) { return Demand::smallest_size_of_union(*pair.a, *pair.b, pair.from, pair.most); });
    over_tasks.push_back(
        checked(seconds(found, [&](const Pair& pair) { return search_over_tasks(pair, points.hyperperiod()); })) /
        closed);
    over_sums.push_back(checked(seconds(found,
                                        [](const Pair& pair) {
                                          return Demand::smallest_size_of_union_by_search(*pair.a, *pair.b, pair.from,
                                                                                          pair.most);
                                        })) /
                        closed);
    state.SetIterationTime(closed);
  }
  double tests = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    tests += (sizes[i] == realtime::kNoSize ? pairs[i].most : sizes[i]) - pairs[i].from + 1;
  }
  state.counters["over_tasks"] = median(over_tasks);
  state.counters["over_sums"] = median(over_sums);
  state.counters["tests"] = tests / static_cast<double>(pairs.size());
}

// The size of the union of two partitions of so many tasks each, up to so many SMs.
void size_of_union(benchmark::State& state) {
  const auto num_tasks = static_cast<std::uint32_t>(state.range(0));
  TaskSet set = drawn(2 * num_tasks, 2);
  set.num_sms = static_cast<std::uint32_t>(state.range(1));
  const TestPoints points(set.tasks);
  const std::vector<Demand> two = demands_of(set, points, num_tasks);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Demand::smallest_size_of_union(two[0], two[1], 1, set.num_sms));
  }
  state.counters["points"] = static_cast<double>(points.size());
  state.counters["ns a point"] =
      benchmark::Counter(static_cast<double>(points.size()) * static_cast<double>(state.iterations()) / 1e9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK(closed_form_over_search)
    ->ArgNames({"tasks_each", "U"})
    ->ArgsProduct({{1, 2, 4, 5, 10, 20}, {20, 44}})
    ->Iterations(kRepetitions)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(size_of_union)->ArgNames({"tasks", "sms"})->ArgsProduct({{1, 10, 100}, {68, 1000}});

}  // namespace
}  // namespace tessera::bench
