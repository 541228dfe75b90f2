// SPDX-License-Identifier: Apache-2.0
// Many task sets on the machine under many schemes. A set is refuted where the analysis rejects it or a job misses its
// deadline; that none did in a hyperperiod proves nothing, so the others are called "not refuted".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "campaign/reproduction.h"
#include "campaign/z21/machine_runs.h"
#include "stats/estimate.h"

namespace tessera::campaign::z21 {

inline constexpr std::uint32_t kMachineTasks = 50;

// Runs what was asked for, once, side by side. `of` is called twice: before run(), for what is wanted, and after it.
class Survival {
 public:
  // `num_sets` of each cell.
  Survival(const Request& request, std::uint32_t num_sets);

  // The sets of a total utilisation: the same ones whatever the scheme and the conditions.
  const std::vector<MachineOutcome>& of(const Scheme& scheme, const Conditions& conditions, std::uint32_t utilisation);
  void run(Reproduction& to);  // throws Interrupted

  std::uint32_t num_sets() const { return num_sets_; }
  std::string measurements_csv() const;  // a row a set and cell, after run()

 private:
  struct Cell {
    Scheme scheme;
    Conditions conditions;
    std::uint32_t utilisation = 0;
    std::vector<MachineOutcome> sets;
  };
  MachineOutcome run_one(const Cell& cell, const std::string& name, std::uint32_t index) const;

  const Request* request_;
  spec::Spec base_;
  std::uint32_t num_sets_;
  std::map<std::string, Cell> cells_;
  bool has_run_ = false;
};

// Per cent that are not refuted.
stats::Estimate survivors(const std::vector<MachineOutcome>& sets);

// Where the curve of survivors falls below a half, between two points; the last point where it does not, and 0 where it
// begins below.
double half_survive(const std::vector<campaign::Point>& curve);

std::string to_string(const Conditions& conditions);

}  // namespace tessera::campaign::z21
