// SPDX-License-Identifier: Apache-2.0
#include "model/realtime/load.h"

#include <numeric>

#include "model/realtime/demand.h"

namespace tessera::realtime {
namespace {

// Of tasks in one partition, over a hyperperiod.
Wide load_together(const TaskSet& set, const std::vector<std::uint32_t>& tasks, Nanoseconds hyperperiod) {
  const std::vector<std::int64_t> factors = factors_in(set, tasks);
  Wide sum = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) sum += load(set.tasks[tasks[i]], factors[i], hyperperiod);
  return sum;
}

Wide load_apart(const TaskSet& set, Nanoseconds hyperperiod) {
  Wide sum = 0;
  for (const Task& task : set.tasks) sum += load(task, kFactorParts, hyperperiod);
  return sum;
}

std::vector<std::uint32_t> all_of(const TaskSet& set) {
  std::vector<std::uint32_t> all(set.tasks.size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

double in_sms(Wide load, Nanoseconds hyperperiod) {
  return static_cast<double>(load) / static_cast<double>(capacity(1, hyperperiod));
}

}  // namespace

bool is_overloaded(const TaskSet& set) {
  const Nanoseconds common = hyperperiod(set.tasks);
  return load_apart(set, common) > capacity(set.num_sms, common);
}

bool accepts_1g_as_printed(const TaskSet& set) {
  const Nanoseconds common = hyperperiod(set.tasks);
  return load_together(set, all_of(set), common) <= capacity(set.num_sms, common);
}

bool accepts_1g(const TaskSet& set) {
  const TestPoints points(set.tasks);
  return demand_of(set, points, all_of(set)).fits(set.num_sms);
}

double load_without_contention(const TaskSet& set) {
  const Nanoseconds common = hyperperiod(set.tasks);
  return in_sms(load_apart(set, common), common);
}

double load_with_contention(const TaskSet& set) {
  const Nanoseconds common = hyperperiod(set.tasks);
  return in_sms(load_together(set, all_of(set), common), common);
}

double load_of(const TaskSet& set, const std::vector<Partition>& partitions) {
  const Nanoseconds common = hyperperiod(set.tasks);
  Wide sum = 0;
  for (const Partition& partition : partitions) sum += load_together(set, partition.tasks, common);
  return in_sms(sum, common);
}

}  // namespace tessera::realtime
