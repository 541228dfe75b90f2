// SPDX-License-Identifier: Apache-2.0
// The simulations of [Z21] 7.2: random task sets, each partitioned in several ways. No machine is simulated.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/reproduction.h"
#include "model/realtime/partitioning.h"

namespace tessera::campaign::z21 {

// What a task set is put to.
enum Way : std::size_t { kSmsIna, kSmsAct, kBfIna, kBfAct, k1gAsPrinted, k1gSound, kBfLiteral };
inline constexpr std::array<const char*, 7> kWayNames{
    "SMS/INA", "SMS/ACT", "BF/INA", "BF/ACT", "1G as printed", "1G sound", "BF/INA, Definition 4 as printed"};
inline constexpr std::array<Way, 4> kHeuristics{kSmsIna, kSmsAct, kBfIna, kBfAct};

inline constexpr std::uint32_t kFewTasks = 50;    // Figures 5 and 6
inline constexpr std::uint32_t kManyTasks = 200;  // Figures 7 and 8
inline constexpr std::uint32_t kLeastUtilisation = 2;
inline constexpr std::uint32_t kMostUtilisation = 68;
inline constexpr std::uint32_t kUtilisationStep = 2;

// What came of a task set in one way.
struct Answer {
  bool is_accepted = false;
  double load = 0;                   // in SMs, contention included, as partitioned
  std::uint32_t num_partitions = 0;  // 0: rejected before a merge was tried
  std::uint32_t num_pairs = 0;       // of a compute and a memory task
  std::uint64_t merges_tried = 0;
  std::uint64_t task_tests = 0;
};

struct SetOutcome {
  double least_load = 0;        // without contention
  double most_load = 0;         // in a single partition
  std::vector<Answer> answers;  // by Way; the last is missing where it is not asked for
};

// The task sets of one total utilisation.
struct Point {
  std::uint32_t num_tasks = 0;
  std::uint32_t utilisation = 0;
  std::vector<SetOutcome> sets;
};

// Sets have numbers of their own at each point.
std::uint64_t set_number(std::uint32_t utilisation, std::uint32_t index);

// Set `index` of a point, on the GPU of the experiment and from its seed, in all ways.
// `most_of_a_task`: no task has a larger utilisation; none: no limit.
SetOutcome outcome_of(const spec::Spec& base, std::uint32_t num_tasks, std::uint32_t utilisation, std::uint32_t index,
                      std::optional<std::uint32_t> most_of_a_task = {});

using Points = std::vector<Point>;  // by utilisation
// Variants of the figures: UUniFast-Discard with a limit to a task's utilisation, which [Z21] 7.1 does not print.
struct Limit {
  const char* variant;
  std::uint32_t most_of_a_task;
};
inline constexpr Limit kLimits[] = {{"tasks-up-to-5", 5}, {"tasks-up-to-4", 4}};
// None: as configured, or a variant of something else.
std::optional<std::uint32_t> limit_of(const std::string& variant);

class Study {
 public:
  // With so many tasks each. Sets are answered side by side; the order is the same for any number of workers.
  Study(const Request& request, const std::vector<std::uint32_t>& nums_tasks);

  std::uint32_t num_sms() const { return num_sms_; }
  const Points& points(std::uint32_t num_tasks) const;  // throws std::out_of_range
  std::string measurements_csv() const;                 // a row a set and way

 private:
  std::uint32_t num_sms_;
  std::vector<Points> points_;
};

// ---- what figures are made of
// ----------------------------------------------------------------------------------------

std::size_t accepted(const Point& point, Way way);
stats::Estimate rate(const Point& point, Way way);  // accepted sets, per cent
// The mean of something over the sets that the way accepts.
stats::Estimate mean_of_accepted(const Point& point, Way way,
                                 const std::function<double(const SetOutcome&, const Answer&)>& value);
const Point& at(const Points& points, std::uint32_t utilisation);  // throws std::out_of_range

// Of the sets of all points those that one way accepts and another does not, and the other way round.
struct Discordance {
  std::size_t only_first = 0;
  std::size_t only_second = 0;
  // Points where the second accepts significantly more (McNemar's test, 95 %, not corrected for so many points).
  std::size_t points_for_second = 0;

  std::string text(Way first, Way second) const;
};
Discordance compare(const Points& points, Way first, Way second);

}  // namespace tessera::campaign::z21
