// SPDX-License-Identifier: Apache-2.0
// Times are in 1 / (kParts m) ns, in which those of tasks on m SMs are whole numbers.
#include "model/realtime/response.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "model/realtime/demand.h"

namespace tessera::realtime {
namespace {

struct Timed {
  Wide time = 0;      // C(m), contention included
  Wide period = 0;    // T
  Wide deadline = 0;  // D
  Wide blocking = 0;  // of those that are due earlier
};

Wide ceil_div(Wide a, Wide b) { return (a + b - 1) / b; }

std::vector<Timed> timed(const TaskSet& set, const std::vector<std::uint32_t>& tasks, std::uint32_t num_sms) {
  const std::vector<std::int64_t> factors = factors_in(set, tasks);
  const Wide scale = kParts * num_sms;
  std::vector<Timed> result;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = set.tasks[tasks[i]];
    result.push_back({scaled_time(task, factors[i], num_sms), task.period * scale, task.deadline * scale,
                      Wide{factors[i]} * task.blocking_parts * num_sms});
  }
  return result;
}

// Until the first moment at which all that was released together, and since, is done. Utilisation is at most 1.
Wide busy_period(const std::vector<Timed>& tasks) {
  Wide length = 0;
  for (const Timed& task : tasks) length += task.time;
  for (;;) {
    Wide next = 0;
    for (const Timed& task : tasks) next += ceil_div(length, task.period) * task.time;
    if (next == length) return length;
    length = next;
  }
}

bool is_overloaded(const TaskSet& set, const std::vector<std::uint32_t>& indices, const std::vector<Timed>& tasks,
                   std::uint32_t num_sms) {
  std::vector<Task> those;
  for (const std::uint32_t i : indices) those.push_back(set.tasks[i]);
  const Nanoseconds common = hyperperiod(those);
  if (common == 0) throw std::length_error("the hyperperiod is too long");
  Wide sum = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) sum += tasks[i].time * (common / those[i].period);
  return sum > kParts * num_sms * common;
}

// The end of the busy period in which a job of `self` is released at `start` (Spuri, 4.2): all other tasks are released
// together at its beginning, and only jobs due no later count.
Wide end_of_job(const std::vector<Timed>& tasks, std::size_t self, Wide start) {
  const Timed& own = tasks[self];
  const Wide due = start + own.deadline;
  const Wide first = start % own.period;
  Wide blocking = 0;
  for (std::size_t j = 0; j < tasks.size(); ++j) {
    if (j != self && tasks[j].deadline > due) blocking = std::max(blocking, tasks[j].blocking);
  }
  const auto work_until = [&](Wide time, bool is_first) {
    Wide sum = blocking;
    for (std::size_t j = 0; j < tasks.size(); ++j) {
      const Timed& task = tasks[j];
      const Wide from = j == self ? first : 0;
      if (j != self && task.deadline > due) continue;
      const Wide released = is_first ? (from == 0 ? 1 : 0) : (time > from ? ceil_div(time - from, task.period) : 0);
      const Wide counted = j == self ? start / own.period + 1 : (due - task.deadline) / task.period + 1;
      sum += std::min(released, counted) * task.time;
    }
    return sum;
  };
  Wide end = work_until(0, true);
  for (;;) {
    const Wide next = work_until(end, false);
    if (next <= end) return end;
    end = next;
  }
}

// Where the busy period's end can jump: at a deadline of some task, seen from a release of this one.
std::set<Wide> starts_of(const std::vector<Timed>& tasks, std::size_t self, Wide end) {
  std::set<Wide> starts;
  for (const Timed& task : tasks) {
    Wide start = task.deadline - tasks[self].deadline;
    if (start < 0) start += ceil_div(-start, task.period) * task.period;
    for (; start < end; start += task.period) {
      starts.insert(start);
      if (starts.size() > TestPoints::kMaxPoints) throw std::length_error("too many deadlines in a busy period");
    }
  }
  return starts;
}

}  // namespace

std::vector<std::optional<Nanoseconds>> response_bounds(const TaskSet& set, const std::vector<std::uint32_t>& tasks,
                                                        std::uint32_t num_sms) {
  const std::vector<Timed> all = timed(set, tasks, num_sms);
  std::vector<std::optional<Nanoseconds>> bounds(all.size());
  if (is_overloaded(set, tasks, all, num_sms)) return bounds;
  // Whoever is blocked is due before the one that blocks.
  Wide end = busy_period(all);
  for (const Timed& task : all) {
    if (task.blocking > 0) end = std::max(end, task.deadline);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    Wide worst = all[i].time;
    for (const Wide start : starts_of(all, i, end)) worst = std::max(worst, end_of_job(all, i, start) - start);
    bounds[i] = static_cast<Nanoseconds>(ceil_div(worst, kParts * num_sms));
  }
  return bounds;
}

}  // namespace tessera::realtime
