// SPDX-License-Identifier: Apache-2.0
// A workload of [G16] 5.2 alone, or two instances of it, and how long a run takes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "campaign/reproduction.h"

namespace tessera::campaign::g16 {

using Change = std::function<void(spec::Spec&)>;

struct Scenario {
  std::string name;         // two of the same name are one simulation
  std::string application;  // of a process of the experiment
  std::uint32_t instances = 1;
  Change change = {};  // last of all
};

// The experiment that it is.
spec::Spec spec_of(const spec::Spec& base, const Scenario& scenario);

struct Outcome {
  std::vector<double> seconds;  // of a run, by instance
  std::uint64_t suspensions = 0;
  double io_while_suspended = 0;  // share of the I/O requests' time
  Effort effort = {};
  std::vector<std::string> faults = {};
};

// In the order of the scenarios. Throws Interrupted.
std::vector<Outcome> run(const Request& request, const std::vector<Scenario>& scenarios);

}  // namespace tessera::campaign::g16
