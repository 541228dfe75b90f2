// SPDX-License-Identifier: Apache-2.0
// Who runs beside whom under which driver for how long, and the frame rates that come of it: what every figure of [K11]
// 6 is made of.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "campaign/reproduction.h"

namespace tessera::campaign::k11 {

// A reserve of TimeGraph; none: nothing is enforced.
struct Budget {
  spec::Reservation kind = spec::Reservation::kNone;
  double capacity_us = 0;
  double period_us = 0;
  std::string shared = {};  // the name of a reserve that several have
};

struct Task {
  std::string application;  // a process of the experiment
  std::uint32_t priority = 0;
  spec::GroupDispatch dispatch = spec::GroupDispatch::kPrt;
  Budget budget = {};
  std::string name = {};  // empty: the application's
};

using Change = std::function<void(spec::Spec&)>;

struct Scenario {
  std::string name;  // two of the same name are one simulation
  std::vector<Task> tasks;
  bool has_timegraph = false;
  Change change = {};                       // last of all
  std::vector<std::string> overrides = {};  // of the experiment: another machine
};

// The experiment that it is.
spec::Spec spec_of(const spec::Spec& base, const Scenario& scenario, Picoseconds time);

// What came of a process.
struct TaskOutcome {
  std::vector<double> frames;  // when they ended, s
  std::uint64_t released = 0;  // where it has releases
  std::uint64_t missed = 0;
  std::uint64_t groups = 0;  // under TimeGraph
  double gpu_s = 0;
  double predicted_s = 0;  // of predicted groups: what was charged
  double error_s = 0;      // of these: sum of |charged - predicted|
  std::uint64_t predicted_groups = 0;
  std::uint64_t well_predicted = 0;
};

struct Outcome {
  std::vector<TaskOutcome> tasks;  // as in the scenario
  double time_s = 0;
  Effort effort = {};
  std::vector<std::string> faults = {};

  // Frames a second, after a tenth of the time.
  double rate(std::size_t task = 0) const;
  // The frame rate in successive stretches of so many seconds, whole ones only.
  std::vector<double> rates(std::size_t task, double stretch_s) const;
};

// The simulations of some figures. A figure is asked for twice: first for the scenarios that it wants, which are empty
// then, and after run() for what came of them.
class Batch {
 public:
  explicit Batch(const Request& request);

  const Outcome& of(const Scenario& scenario);
  void run(Reproduction& to);

  Picoseconds time() const { return time_; }

 private:
  const Request* request_;
  Picoseconds time_;
  std::map<std::string, std::pair<Scenario, Outcome>> scenarios_;
  bool has_run_ = false;
};

}  // namespace tessera::campaign::k11
