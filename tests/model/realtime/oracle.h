// SPDX-License-Identifier: Apache-2.0
// [Z21] from its definitions alone, for tests: execution times as ratios, demand job by job, and preemptive EDF on one
// processor, event by event. Nothing of model/realtime but its data types is used.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "model/realtime/task_set.h"

namespace tessera::realtime::test {

constexpr std::int64_t kOraclePartsPerUnit = 1000 * 50;  // of k and of b

inline Task paper_task(TaskKind kind, Nanoseconds a, Nanoseconds period) {
  Task task;
  task.kind = kind;
  task.period = period;
  task.deadline = period * 3 / 4;
  task.work = a;
  task.tail_parts = kind == TaskKind::kCompute ? a : 5 * a;  // 0.02 a and 0.1 a, in fiftieths
  return task;
}
inline Task compute_task(Nanoseconds a, Nanoseconds period) { return paper_task(TaskKind::kCompute, a, period); }
inline Task memory_task(Nanoseconds a, Nanoseconds period) { return paper_task(TaskKind::kMemory, a, period); }

// C(m) = k (a / m + b), times kOraclePartsPerUnit * m: whole.
inline Wide oracle_time(const Task& task, bool has_conflict, std::uint32_t num_sms) {
  const std::int64_t k = !has_conflict ? 1000 : task.kind == TaskKind::kCompute ? 1200 : 2300;
  return Wide(k) * (Wide(50) * task.work + Wide(num_sms) * task.tail_parts);
}

inline bool oracle_has_conflict(const std::vector<Task>& tasks, std::size_t of) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (i != of && tasks[i].kind == tasks[of].kind) return true;
  }
  return false;
}

inline std::vector<Wide> oracle_times(const std::vector<Task>& tasks, std::uint32_t num_sms) {
  std::vector<Wide> times;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    times.push_back(oracle_time(tasks[i], oracle_has_conflict(tasks, i), num_sms));
  }
  return times;
}

inline Nanoseconds oracle_hyperperiod(const std::vector<Task>& tasks) {
  Nanoseconds all = 1;
  for (const Task& task : tasks) all = std::lcm(all, task.period);
  return all;
}

// Of all jobs that are released at 0, T, 2 T .. and due by `time`, in the unit of oracle_time().
inline Wide oracle_demand(const std::vector<Task>& tasks, const std::vector<Wide>& times, Nanoseconds time) {
  Wide sum = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    for (Nanoseconds due = tasks[i].deadline; due <= time; due += tasks[i].period) sum += times[i];
  }
  return sum;
}

// The processor-demand test of preemptive EDF, at every deadline of every task up to the hyperperiod, and there.
inline bool oracle_fits(const std::vector<Task>& tasks, std::uint32_t num_sms) {
  const std::vector<Wide> times = oracle_times(tasks, num_sms);
  const Nanoseconds end = oracle_hyperperiod(tasks);
  const auto holds_at = [&](Nanoseconds time) {
    return oracle_demand(tasks, times, time) <= Wide(time) * kOraclePartsPerUnit * num_sms;
  };
  if (!holds_at(end)) return false;
  for (const Task& task : tasks) {
    for (Nanoseconds due = task.deadline; due <= end; due += task.period) {
      if (!holds_at(due)) return false;
    }
  }
  return true;
}

// ---- EDF, one job at a time ----------------------------------------------------------------------------------------

struct SimulatedTask {
  Wide time = 0;  // that a job takes; all in one unit
  Wide period = 0;
  Wide deadline = 0;
  Wide offset = 0;
  Wide chunk = 0;  // a thread block: so long it keeps the processor once it is on (drain); 0: never
};

struct EdfResult {
  bool has_miss = false;
  std::vector<Wide> worst_response;  // of jobs that ended, by task
};

// From 0 to `end`. A job that is still open past its deadline then is a miss. Of equal deadlines those of task `last`
// go last.
inline EdfResult simulate_edf(const std::vector<SimulatedTask>& tasks, Wide end, std::size_t last = 0) {
  struct Job {
    std::size_t task;
    Wide release, due, left, chunk_left;
  };
  EdfResult result;
  result.worst_response.assign(tasks.size(), 0);
  std::vector<Wide> next_release;
  for (const SimulatedTask& task : tasks) next_release.push_back(task.offset);
  std::vector<Job> open;
  Wide now = 0;
  while (now < end) {
    Wide next = end;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (next_release[i] == now) {
        open.push_back({i, now, now + tasks[i].deadline, tasks[i].time, 0});
        next_release[i] += tasks[i].period;
      }
      next = std::min(next, next_release[i]);
    }
    const auto job = std::min_element(open.begin(), open.end(), [&](const Job& a, const Job& b) {
      if ((a.chunk_left > 0) != (b.chunk_left > 0)) return a.chunk_left > 0;
      if (a.due != b.due) return a.due < b.due;
      return a.task != last && b.task == last;
    });
    if (job == open.end()) {
      now = next;
      continue;
    }
    if (job->chunk_left == 0) job->chunk_left = std::min(job->left, tasks[job->task].chunk);
    const Wide most = job->chunk_left > 0 ? job->chunk_left : job->left;
    const Wide stretch = std::min(most, next - now);
    job->left -= stretch;
    if (job->chunk_left > 0) job->chunk_left -= stretch;
    now += stretch;
    if (job->left > 0) continue;
    Wide& worst = result.worst_response[job->task];
    worst = std::max(worst, now - job->release);
    if (now > job->due) result.has_miss = true;
    open.erase(job);
  }
  for (const Job& job : open) result.has_miss = result.has_miss || job.due <= end;
  return result;
}

// A partition of m SMs as one processor, in the unit of oracle_time().
inline std::vector<SimulatedTask> on_sms(const std::vector<Task>& tasks, std::uint32_t num_sms,
                                         const std::vector<Nanoseconds>& offsets = {}) {
  const std::vector<Wide> times = oracle_times(tasks, num_sms);
  const Wide unit = Wide(kOraclePartsPerUnit) * num_sms;
  std::vector<SimulatedTask> simulated;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    simulated.push_back(
        {times[i], tasks[i].period * unit, tasks[i].deadline * unit, offsets.empty() ? Wide(0) : offsets[i] * unit});
  }
  return simulated;
}

// ---- random input --------------------------------------------------------------------------------------------------

inline std::int64_t random_between(std::mt19937_64& random, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
}

// Tasks whose times are at most 1 / `share` of their periods on one SM, in all kinds of mixtures.
inline std::vector<Task> random_tasks(std::mt19937_64& random, std::size_t number, double most_work,
                                      const std::vector<Nanoseconds>& periods) {
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < number; ++i) {
    const Nanoseconds period = periods[random() % periods.size()];
    const auto most = std::max<std::int64_t>(1, static_cast<std::int64_t>(most_work * static_cast<double>(period)));
    const TaskKind kind = random() % 2 == 0 ? TaskKind::kCompute : TaskKind::kMemory;
    tasks.push_back(paper_task(kind, random_between(random, 1, most), period));
  }
  return tasks;
}

}  // namespace tessera::realtime::test
