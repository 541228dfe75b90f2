// SPDX-License-Identifier: Apache-2.0
// How much time the tasks of a partition demand, and the fewest SMs that give it ([Z21] 5.1, 5.2; docs/readings.md).
// Under preemptive EDF tasks meet all deadlines if, at each test point t, the jobs due by t take at most t.
#pragma once

#include <cstdint>
#include <vector>

#include "model/realtime/task_set.h"

namespace tessera::realtime {

// The deadlines of all jobs up to the hyperperiod when all tasks are released together, and the hyperperiod, where the
// test is that of utilisation. Ascending.
class TestPoints {
 public:
  static constexpr std::size_t kMaxPoints = 1'000'000;

  // Throws std::length_error where there are more than kMaxPoints.
  explicit TestPoints(const std::vector<Task>& tasks);

  const std::vector<Nanoseconds>& times() const { return times_; }
  Nanoseconds hyperperiod() const { return times_.back(); }
  std::size_t size() const { return times_.size(); }

  // Jobs of a task that are due by a time.
  static std::int64_t jobs_due(const Task& task, Nanoseconds time) {
    return time < task.deadline ? 0 : (time - task.deadline) / task.period + 1;
  }

 private:
  std::vector<Nanoseconds> times_;
};

inline constexpr std::uint32_t kNoSize = 0;

// The demand of some tasks at each test point, by kind, so that two such are added up in a pass over the points, however
// many tasks they have. Linear in 1 / m, so the size follows without a search over m; tasks with a table are summed up
// for every m.
class Demand {
 public:
  // Of a single task. The set and the points outlive it.
  Demand(const TaskSet& set, const TestPoints& points, const Task& task);

  void add(const Demand& other);  // of the same set and points

  std::uint32_t num_tasks() const { return num_tasks_[0] + num_tasks_[1]; }
  bool has_conflict(TaskKind kind) const { return num_tasks_[static_cast<std::size_t>(kind)] > 1; }
  // Load at one SM, contention included (task_set.h).
  Wide load() const;

  // Whether m SMs are enough.
  bool fits(std::uint32_t num_sms) const;
  // The fewest SMs that are, of 1 .. limit; kNoSize: none. In closed form, or by a search where a task has a table.
  std::uint32_t smallest_size(std::uint32_t limit) const;
  // [Z21] Algorithm 2: the same, one size after the other from `from` on.
  std::uint32_t smallest_size_by_search(std::uint32_t from, std::uint32_t limit) const;

 private:
  struct OfKind {
    std::vector<Wide> work;       // the sum of jobs due * a
    std::vector<Wide> tail;       // .. * b, in parts
    std::vector<Wide> table;      // .. * C(m), point by point, m by m; empty where no task has one
    std::vector<std::int64_t> blocking;  // the largest of the tasks that are due later, in parts
    Wide load = 0;                // alone
  };
  Wide factor(std::size_t kind) const;
  // Of the demand at a point, times kTailParts * kFactorParts * m: the part that does not grow with m, and that which
  // does, for each m; tables apart.
  struct Line {
    Wide constant = 0;
    Wide per_sm = 0;
  };
  Line line(std::size_t point) const;
  Wide of_tables(std::size_t point, std::uint32_t num_sms) const;
  bool has_table() const;
  bool fits_at(std::size_t point, std::uint32_t num_sms) const;

  const TaskSet* set_;
  const TestPoints* points_;
  std::array<OfKind, kNumKinds> kinds_;
  std::array<std::uint32_t, kNumKinds> num_tasks_{};
  std::vector<Wide> overhead_;  // at each point
};

}  // namespace tessera::realtime
