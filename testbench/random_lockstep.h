// SPDX-License-Identifier: Apache-2.0
// Random lockstep of all configurations, in processes of their own: shards of a configuration and a seed each, which do
// not depend on the number of processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cosim/core_builder.h"
#include "testbench/lockstep_bench.h"

namespace tessera::testbench {

// A core in gates, in the place of the Verilog.
struct Netlist {
  cosim::Elaboration elaboration;
  std::filesystem::path file;
};

struct RandomLockstep {
  std::uint64_t seed = 1;           // of the first shard of each configuration; the next has the next
  Cycle active_cycles = 7'500'000;  // of all configurations together
  std::vector<Configuration> configurations;
  unsigned num_workers = 1;
  cosim::Variant variant;
  std::vector<std::filesystem::path> verilog_files;  // instead of rtl.f
  std::vector<Netlist> netlists;                     // by configuration; empty: the Verilog
  bool keeps_waves = true;
  std::string folder = ".";     // for the waveform of a failure
  std::string coverage_folder;  // with Variant::has_coverage: for Verilator's counts, a file a shard
  std::function<bool()> is_interrupted = [] { return false; };
  std::function<void(std::size_t done, std::size_t total)> on_progress = [](std::size_t, std::size_t) {};
};

struct ConfigurationResult {
  std::string configuration;
  LockstepCounts counts;
  std::vector<Coverage::Point> points;
  std::optional<Failure> failure;  // of the shard with the lowest seed
};

// Builds the cores that are not there yet; throws cosim::BuildError if one cannot be.
std::vector<ConfigurationResult> run_random_lockstep(const RandomLockstep& options);

// Points of all configurations: met if it was in any.
std::vector<Coverage::Point> all_points(const std::vector<ConfigurationResult>& results);

}  // namespace tessera::testbench
