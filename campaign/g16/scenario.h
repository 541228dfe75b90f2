// SPDX-License-Identifier: Apache-2.0
// A workload of [G16] 5.2 alone, two instances of it, or others on another machine; how long a run takes, and how soon
// kernels leave the GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "campaign/reproduction.h"

namespace tessera::campaign::g16 {

using Change = std::function<void(spec::Spec&)>;

struct Scenario {
  std::string name;
  std::string application;  // of a process of the experiment; empty: all processes as they are
  std::uint32_t instances = 1;
  Change change = {};                       // last of all
  std::vector<std::string> overrides = {};  // of the experiment: another machine
};

// The experiment that it is.
spec::Spec spec_of(const spec::Spec& base, const Scenario& scenario);

// What became of a process's event-driven kernels.
struct Session {
  std::uint64_t suspensions = 0;
  std::uint64_t killed = 0;
  std::uint64_t revoked = 0;  // its token was taken while its kernel stayed
  double yield_delay_us = 0;  // mean, from the word of the scheduler to the token's release
};

struct Outcome {
  std::vector<double> seconds;    // of a completed run, by process; 0: all of its runs were killed
  std::vector<Session> sessions;  // by process
  std::uint64_t suspensions = 0;  // of all of them
  double preemption_us = 0;       // mean, of an SM: from the request until it is done; effort tells how many
  double preemption_bytes = 0;    // mean, saved by it
  double io_while_suspended = 0;  // share of the I/O requests' time
  Effort effort = {};
  std::vector<std::string> faults = {};
};

// In the order of the scenarios. Throws Interrupted.
std::vector<Outcome> run(const Request& request, const std::vector<Scenario>& scenarios);

}  // namespace tessera::campaign::g16
