// SPDX-License-Identifier: Apache-2.0
#include "model/realtime/task_set.h"

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

Wide load(const Task& task, std::int64_t factor, Nanoseconds hyperperiod) {
  const Wide alone =
      task.table.empty() ? Wide{task.work} * kTailParts + task.tail_parts : Wide{task.table.front()} * kTailParts;
  return (alone * factor + Wide{task.overhead} * kParts) * (hyperperiod / task.period);
}

}  // namespace tessera::realtime
