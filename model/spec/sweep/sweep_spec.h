// SPDX-License-Identifier: Apache-2.0
// The contents of a sweep file except the values of its axes, which only Sweep (sweep.h) can apply to an experiment.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tessera::spec {

enum class SweepMode { kGrid, kZip };       // every combination of the axes' values, or their n-th ones together
enum class SweepCost { kStorage, kSynth };  // bits, or bits and gates
enum class DecisionTime { kSpecified, kMeasured };  // of decisions: from the Spec, or as the core would take
enum class CorePolicies { kAll, kOwn };             // of the core that is synthesised
enum class Better { kMin, kMax };

struct SweepAxis {
  std::string name;
  std::vector<std::string> keys;    // keys that its values set, in the notation of --set
  std::vector<std::string> labels;  // of its values
};

// One diagram; x, y, series and facets are names of columns (sweep_columns.h) or axes.
struct SweepPlot {
  std::string name;  // of its files
  std::string title;
  std::string x, y;
  std::string series, facets;                // one axis each, or empty: a colour, or a panel, per value
  std::map<std::string, std::string> where;  // axis -> label of the value that is shown
  bool is_log_x = false;
  bool is_log_y = false;
  std::optional<Better> pareto_x, pareto_y;  // both or none: which direction is better
};

struct SweepSlurm {
  std::string partition;  // empty: the cluster's default
  std::uint32_t time_limit_min = 60;
  std::uint32_t memory_mb = 0;  // per task; 0: the cluster's default
  std::uint32_t points_per_task = 10;
  std::uint32_t max_tasks = 0;  // at a time; 0: the cluster's limit
};

struct SweepLimits {
  std::uint32_t time_s = 3600;  // of one point
  std::uint32_t memory_mb = 0;  // of one point; 0: none
};

struct SweepSpec {
  std::string name;
  SweepMode mode = SweepMode::kGrid;
  std::vector<SweepAxis> axes;
  std::vector<std::uint64_t> seeds;  // empty: the base's seed
  std::vector<std::string> metrics;  // columns that the summary shows
  SweepCost cost = SweepCost::kStorage;
  DecisionTime decision_time = DecisionTime::kSpecified;
  CorePolicies core_policies = CorePolicies::kAll;
  std::uint32_t target_mhz = 250;  // clock for which the core's gates are sized
  bool keeps_timelines = false;
  SweepLimits limits;
  SweepSlurm slurm;
  std::vector<SweepPlot> plots;
};

}  // namespace tessera::spec
