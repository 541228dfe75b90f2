// SPDX-License-Identifier: Apache-2.0
// Real-time tasks that share a GPU's SMs ([Z21] 3, 4): each a kernel that is released repeatedly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::realtime {

using Nanoseconds = std::int64_t;
__extension__ typedef __int128 Wide;  // sums of products are exact

enum class TaskKind : std::uint8_t { kCompute, kMemory };
inline constexpr std::size_t kNumKinds = 2;

// Denominators of b and of factors of contention, which are rational.
inline constexpr std::int64_t kTailParts = 50;
inline constexpr std::int64_t kFactorParts = 1000;

struct Task {
  std::string name;
  TaskKind kind = TaskKind::kCompute;
  Nanoseconds period = 0;    // T > 0
  Nanoseconds deadline = 0;  // D, 0 < D <= T, from the release
  // Its time alone on m SMs: work / m + tail (a and b in [Z21] 7.1) ..
  Nanoseconds work = 0;
  std::int64_t tail_parts = 0;  // b in 1 / kTailParts ns
  // .. or, for a measured kernel, table[m - 1]. A table holds all sizes up to the machine's.
  std::vector<Nanoseconds> table{};
  // What a preempting scheduler adds, independent of m: to the task's own time; and the time for which its
  // non-preempted thread blocks can block others (drain).
  Nanoseconds overhead = 0;
  std::int64_t blocking_parts = 0;  // in 1 / kTailParts ns, times the factor of contention
};

// The paper's tail: b = a / 50 (compute) or a / 10 (memory), [Z21] 7.1.
constexpr std::int64_t paper_tail_parts(TaskKind kind, Nanoseconds work) {
  return kind == TaskKind::kCompute ? work * (kTailParts / 50) : work * (kTailParts / 10);
}

// k: slowdown of a task, in 1 / kFactorParts, if another of its kind is in its partition ([Z21] 4.2, 7.1).
struct Contention {
  std::array<std::int64_t, kNumKinds> factor{1200, 2300};  // by kind

  std::int64_t of(TaskKind kind, bool has_conflict) const {
    return has_conflict ? factor[static_cast<std::size_t>(kind)] : kFactorParts;
  }
};

struct TaskSet {
  std::vector<Task> tasks;
  std::uint32_t num_sms = 0;  // of the GPU
  Contention contention{};
};

// The least common multiple of the periods; 0 if it exceeds the range of Nanoseconds.
Nanoseconds hyperperiod(const std::vector<Task>& tasks);

// Denominator of exact products of b and factors of contention.
inline constexpr Wide kParts = Wide{kTailParts} * kFactorParts;

// The factors of tasks (indices into the set, in their order) that share a partition: a task is in conflict if another
// of its kind is there ([Z21] 4.2).
std::vector<std::int64_t> factors_in(const TaskSet& set, const std::vector<std::uint32_t>& tasks);

// C(m) with its factor and overhead, times kParts * m: a whole number.
Wide scaled_time(const Task& task, std::int64_t factor, std::uint32_t num_sms);

// Load on one SM over one hyperperiod, in 1 / kParts ns: C(1) of each job.
Wide load(const Task& task, std::int64_t factor, Nanoseconds hyperperiod);
// Capacity of `num_sms` SMs, in the same unit.
constexpr Wide capacity(std::uint32_t num_sms, Nanoseconds hyperperiod) { return kParts * num_sms * hyperperiod; }

}  // namespace tessera::realtime
