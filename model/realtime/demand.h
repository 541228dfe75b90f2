// SPDX-License-Identifier: Apache-2.0
// Time demanded by the tasks of a partition, and the fewest SMs that provide it ([Z21] 5.1, 5.2;
// docs/concepts/readings.md). Under preemptive EDF, tasks meet all deadlines if, at each test point t, the jobs due by
// t take at most t.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/realtime/task_set.h"

namespace tessera::realtime {

// Test points, ascending: the deadlines of all jobs up to the hyperperiod when all tasks are released together, and the
// hyperperiod itself, where the test is that of utilisation.
class TestPoints {
 public:
  static constexpr std::size_t kMaxPoints = 1'000'000;

  // Throws std::length_error if there are more than kMaxPoints.
  explicit TestPoints(const std::vector<Task>& tasks);

  const std::vector<Nanoseconds>& times() const { return times_; }
  Nanoseconds hyperperiod() const { return times_.back(); }
  std::size_t size() const { return times_.size(); }

  // Number of jobs of a task that are due by a time.
  static std::int64_t jobs_due(const Task& task, Nanoseconds time) {
    return time < task.deadline ? 0 : (time - task.deadline) / task.period + 1;
  }

 private:
  std::vector<Nanoseconds> times_;
};

inline constexpr std::uint32_t kNoSize = 0;

// The demand of a set of tasks at each test point, by kind, so that two demands are added in one pass over the points,
// however many tasks they have. Demand is linear in 1 / m, so the size follows without a search over m; only tasks with
// a table are summed for every m.
class Demand {
 public:
  // Demand of a single task. The set and the points must outlive it. Throws std::length_error if times are too long to
  // be added.
  Demand(const TaskSet& set, const TestPoints& points, const Task& task);

  void add(const Demand& other);  // must have the same set and points

  std::uint32_t num_tasks() const { return kinds_[0].num_tasks + kinds_[1].num_tasks; }
  bool has_conflict(TaskKind kind) const { return kinds_[static_cast<std::size_t>(kind)].num_tasks > 1; }
  Wide load() const { return Union{this, nullptr}.load(); }  // on one SM, contention included (task_set.h)

  // Whether m SMs are enough.
  bool fits(std::uint32_t num_sms) const { return Union{this, nullptr}.fits(num_sms); }
  // The smallest sufficient number of SMs in 1 .. limit; kNoSize: none.
  std::uint32_t smallest_size(std::uint32_t limit) const { return Union{this, nullptr}.smallest_size(1, limit); }
  // [Z21] Algorithm 2: the same, by trying one size after the other from `from` on.
  std::uint32_t smallest_size_by_search(std::uint32_t from, std::uint32_t limit) const {
    return Union{this, nullptr}.smallest_size_by_search(from, limit);
  }

  // The same for two partitions as if they were one.
  static Wide load_of_union(const Demand& a, const Demand& b) { return Union{&a, &b}.load(); }
  // `from`: a lower bound of the size, such as the sizes of the two.
  static std::uint32_t smallest_size_of_union(const Demand& a, const Demand& b, std::uint32_t from,
                                              std::uint32_t limit) {
    return Union{&a, &b}.smallest_size(from, limit);
  }
  static std::uint32_t smallest_size_of_union_by_search(const Demand& a, const Demand& b, std::uint32_t from,
                                                        std::uint32_t limit) {
    return Union{&a, &b}.smallest_size_by_search(from, limit);
  }
  // Sum of the tasks' times on m SMs ([Z21] Definition 4 as printed), in 1 / (kParts m) ns.
  static Wide times_of_union(const Demand& a, const Demand& b, std::uint32_t num_sms) {
    return Union{&a, &b}.times(num_sms);
  }

 private:
  // Sums over the tasks of a kind, independent of the point.
  struct OfKind {
    std::uint32_t num_tasks = 0;
    Wide load = 0;              // alone, for a factor of 1, in 1 / kTailParts ns
    std::int64_t sum_work = 0;  // of the tasks themselves
    std::int64_t sum_tail = 0;
    std::vector<std::int64_t> sum_table;  // by size
    // The sums of a / D and b / D, each rounded up, for a factor of 1.
    Wide density_of_work = 0;
    Wide density_of_tail = 0;
  };
  // Sums at a test point, by kind.
  struct AtPoint {
    std::array<std::int64_t, kNumKinds> work{};  // of jobs due * a
    std::array<std::int64_t, kNumKinds> tail{};  // .. * b, in parts
  };
  // What a preempting scheduler adds at a test point.
  struct Extra {
    std::int64_t overhead = 0;                       // of jobs due
    std::array<std::int64_t, kNumKinds> blocking{};  // the largest among tasks that are due later, in parts
  };
  // One partition, or two as one, without a copy.
  struct Union {
    const Demand* a;
    const Demand* b;

    std::int64_t factor(std::size_t kind) const;
    Wide load() const;
    Wide times(std::uint32_t num_sms) const;
    bool fits(std::uint32_t num_sms) const;
    std::uint32_t smallest_size(std::uint32_t from, std::uint32_t limit) const;
    std::uint32_t smallest_size_by_search(std::uint32_t from, std::uint32_t limit) const;

   private:
    bool is_narrow(std::uint32_t num_sms) const;
    bool is_sparse(std::uint32_t num_sms) const;
    // Whether `holds` is true at each point at which a job is due; demand does not change between them.
    template <typename Holds>
    bool at_all_steps(Holds holds) const;
    template <typename Int>
    bool fits_in(std::uint32_t num_sms) const;
    template <typename Int>
    std::uint32_t closed_form(std::uint32_t from, std::uint32_t limit) const;
  };
  // The demand at a point, without tables, in 1 / kParts ns, times m: `constant + per_sm * m`.
  template <typename Int>
  struct Line {
    Int constant = 0;
    Int per_sm = 0;
  };
  template <typename Int>
  Line<Int> line(std::size_t point, const Demand* other, const std::array<std::int64_t, kNumKinds>& factors) const;
  template <typename Int>
  Int extra(std::size_t point, const Demand* other, const std::array<std::int64_t, kNumKinds>& factors) const;
  Wide table_sum(std::size_t point, std::uint32_t num_sms, const std::array<std::int64_t, kNumKinds>& factors) const;
  bool has_table() const { return !tables_[0].empty() || !tables_[1].empty(); }

  const TaskSet* set_;
  const TestPoints* points_;
  std::array<OfKind, kNumKinds> kinds_;
  std::vector<AtPoint> sums_;                                // by point
  std::vector<std::uint64_t> steps_;                         // one bit per point: a job is due there
  std::vector<Extra> extras_;                                // by point; empty: none
  std::array<std::vector<std::int64_t>, kNumKinds> tables_;  // .. * C(m), by point and size; empty if no task has a
                                                             // table
  Wide overhead_load_ = 0;
  Wide magnitude_ = 0;  // upper bound of every `constant` and `per_sm`
};

// Demand of tasks that share a partition: indices into the set, at least one. The set and the points must outlive it.
Demand demand_of(const TaskSet& set, const TestPoints& points, const std::vector<std::uint32_t>& tasks);

}  // namespace tessera::realtime
