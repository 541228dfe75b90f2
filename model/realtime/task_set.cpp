// SPDX-License-Identifier: Apache-2.0
#include "model/realtime/task_set.h"

#include <array>
#include <limits>
#include <numeric>

namespace tessera::realtime {

Nanoseconds hyperperiod(const std::vector<Task>& tasks) {
  Nanoseconds common = 1;
  for (const Task& task : tasks) {
    const Wide next = Wide{common / std::gcd(common, task.period)} * task.period;
    if (next > std::numeric_limits<Nanoseconds>::max()) return 0;
    common = static_cast<Nanoseconds>(next);
  }
  return common;
}

std::vector<std::int64_t> factors_in(const TaskSet& set, const std::vector<std::uint32_t>& tasks) {
  std::array<std::uint32_t, kNumKinds> number{};
  for (const std::uint32_t i : tasks) ++number[static_cast<std::size_t>(set.tasks.at(i).kind)];
  std::vector<std::int64_t> factors;
  for (const std::uint32_t i : tasks) {
    const TaskKind kind = set.tasks[i].kind;
    factors.push_back(set.contention.of(kind, number[static_cast<std::size_t>(kind)] > 1));
  }
  return factors;
}

Wide scaled_time(const Task& task, std::int64_t factor, std::uint32_t num_sms) {
  const Wide alone = task.table.empty() ? Wide{task.work} * kTailParts + Wide{task.tail_parts} * num_sms
                                        : Wide{task.table.at(num_sms - 1)} * kTailParts * num_sms;
  return alone * factor + kParts * task.overhead * num_sms;
}

Wide load(const Task& task, std::int64_t factor, Nanoseconds hyperperiod) {
  return scaled_time(task, factor, 1) * (hyperperiod / task.period);
}

}  // namespace tessera::realtime
