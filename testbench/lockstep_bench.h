// SPDX-License-Identifier: Apache-2.0
// Random lockstep: rtl_model and a Verilog core get the same inputs in every cycle, and shall do the same. Episodes,
// each from a reset with a profile of its own, follow one another; a seed determines them all.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cosim/history.h"
#include "cosim/i_verilated_core.h"
#include "testbench/agents/surroundings.h"
#include "testbench/configurations.h"
#include "testbench/coverage/core_coverage.h"
#include "testbench/model_core.h"

namespace tessera::testbench {

// The first cycle that went wrong.
struct Failure {
  std::string configuration;
  std::uint64_t seed = 0;
  std::uint64_t episode = 0;  // of that seed
  Cycle cycle = 0;            // of that episode
  std::string what;           // the signal and its two values, or the rule that a core broke
  std::vector<std::string> history;
  std::string wave;  // the file, if one was kept
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Failure, configuration, seed, episode, cycle, what, history, wave)

struct LockstepCounts {
  std::uint64_t cycles = 0;         // those included that were skipped, since nothing happens in them
  std::uint64_t active_cycles = 0;  // a core not idle, or an input valid
  std::uint64_t episodes = 0;
  std::uint64_t resets = 0;     // in the midst of things
  std::uint64_t kernels = 0;    // finished
  std::uint64_t turns = 0;      // kept ones, that have begun
  std::uint64_t switches = 0;   // to them from another context
  std::uint64_t snapshots = 0;  // register for register
};

class LockstepBench {
 public:
  // `core` is made of the configuration's sizes.
  LockstepBench(const Configuration& configuration, std::unique_ptr<cosim::IVerilatedCore> core);

  // Episodes of a seed, until so many active cycles are over or `is_interrupted`.
  std::optional<Failure> run(std::uint64_t seed, Cycle active_cycles, const std::function<bool()>& is_interrupted = {});
  std::optional<Failure> run_episode(std::uint64_t seed, std::uint64_t episode);
  // The next episode leaves a waveform of the cycles from `from` on; the core was built with one.
  void keep_wave(const std::string& path, Cycle from);

  const LockstepCounts& counts() const { return counts_; }
  const Coverage& coverage() const { return coverage_.points(); }
  cosim::IVerilatedCore& core() { return *core_; }

 private:
  struct Episode;
  struct Wave {
    std::string path;
    Cycle from = 0;
    bool is_open = false;
  };
  void reset(const Profile& profile);
  bool is_over(Episode& episode) const;
  void cycle(Episode& episode);
  void rest(Episode& episode);
  void start_late(Episode& episode, std::uint32_t ksr);
  void compare(Episode& episode);
  void compare_registers(Episode& episode);
  void sample_wave(Cycle now);
  void close_wave(Cycle now);

  Configuration configuration_;
  ModelCore model_;
  std::unique_ptr<cosim::IVerilatedCore> core_;
  CoreCoverage coverage_;
  LockstepCounts counts_;
  cosim::History history_;
  rtl_model::SchedulerInputs in_;
  rtl_model::CoreSnapshot of_model_, of_core_;
  std::optional<Wave> wave_;
};

}  // namespace tessera::testbench
