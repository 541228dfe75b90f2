// SPDX-License-Identifier: Apache-2.0
// The contents of a sweep file and its base, read once for all points.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/spec/loader.h"
#include "model/spec/references.h"
#include "model/spec/sweep/condition.h"
#include "model/spec/sweep/read_sweep.h"
#include "model/spec/sweep/sweep.h"

namespace tessera::spec {

// Properties that a process has in at least one point of the sweep.
struct ProcessTraits {
  bool has_releases = false;
  bool is_event_driven = false;  // it has an event-driven kernel
};

struct Sweep::Content {
  std::filesystem::path path;        // of the sweep
  std::filesystem::path experiment;  // paths are relative to it
  SweepFile file;
  Node base;
  std::vector<Override> fixed;
  std::vector<Condition> conditions;
  std::map<std::string, std::string> key_of;  // name in a condition -> dotted key
  mutable DocumentCache cache;

  Cores cores() const { return file.spec.cost == SweepCost::kSynth ? Cores::kBoth : Cores::kTlm; }

  void read_base(Report& report);
  void add_overrides(const std::vector<std::string>& texts, Report& report);
  void reject_repeated_keys(Report& report) const;
  void read_conditions(Report& report);
  void learn_names();
  void check_process_columns(const std::map<std::string, ProcessTraits>& processes, Report& report) const;

  std::size_t num_combinations() const;
  std::vector<Override> overrides_of(const SweepPoint& point) const;
  Node tree_of(const SweepPoint& point, Report& report) const;
  bool keeps(const SweepPoint& point, const Node& tree, Report& report) const;
  std::optional<ConditionValue> look_up(const std::string& name, const SweepPoint& point, const Node& tree,
                                        std::map<std::string, std::string>& leaves) const;
};

}  // namespace tessera::spec
