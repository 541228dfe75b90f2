// SPDX-License-Identifier: Apache-2.0
// What a sweep file asks for, but for the values of its axes, which only Sweep (sweep.h) can put into an experiment.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tessera::spec {

enum class SweepMode { kGrid, kZip };       // every combination of the axes' values, or their n-th ones together
enum class SweepCost { kStorage, kSynth };  // bits, or bits and gates
enum class DecisionTime { kSpecified, kMeasured };  // of decisions: as the Spec says, or as its core would take
enum class CorePolicies { kAll, kOwn };             // of the core that is synthesised
enum class Better { kMin, kMax };

struct SweepAxis {
  std::string name;
  std::vector<std::string> keys;    // that its values set, as --set names them
  std::vector<std::string> labels;  // of its values
};

// One diagram; x, y, series and facets are names of columns (sweep_columns.h) or axes.
struct SweepPlot {
  std::string name;  // of its files
  std::string title;
  std::string x, y;
  std::string series, facets;                // an axis each: a colour, or a panel, for each of its values; or empty
  std::map<std::string, std::string> where;  // axis -> the label that is shown
  bool is_log_x = false;
  bool is_log_y = false;
  std::optional<Better> pareto_x, pareto_y;  // both or none: what is better
};

struct SweepSlurm {
  std::string partition;  // empty: the cluster's own
  std::uint32_t time_limit_min = 60;
  std::uint32_t memory_mb = 0;  // of a task; 0: as the cluster has it
  std::uint32_t points_per_task = 10;
  std::uint32_t max_tasks = 0;  // at a time; 0: as many as the cluster lets run
};

struct SweepLimits {
  std::uint32_t time_s = 3600;  // of one point
  std::uint32_t memory_mb = 0;  // of one point; 0: none
};

struct SweepSpec {
  std::string name;
  SweepMode mode = SweepMode::kGrid;
  std::vector<SweepAxis> axes;
  std::vector<std::uint64_t> seeds;  // empty: that of the base
  std::vector<std::string> metrics;  // columns that the summary shows
  SweepCost cost = SweepCost::kStorage;
  DecisionTime decision_time = DecisionTime::kSpecified;
  CorePolicies core_policies = CorePolicies::kAll;
  std::uint32_t target_mhz = 250;  // what the core's gates are sized for
  bool keeps_timelines = false;
  SweepLimits limits;
  SweepSlurm slurm;
  std::vector<SweepPlot> plots;
};

}  // namespace tessera::spec
