// SPDX-License-Identifier: Apache-2.0
// Random lockstep, kept: what the unmutated core was given and what it did in every cycle. A mutant that gets the same
// inputs is in lockstep with it until its outputs differ first, since the surroundings look at outputs alone.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/i_verilated_core.h"
#include "model/base/time.h"
#include "testbench/configurations.h"

namespace tessera::testbench {

struct Recording {
  static constexpr std::size_t kStepsBetweenSnapshots = 64;
  struct Step {
    rtl_model::SchedulerInputs in;
    rtl_model::SchedulerOutputs out;  // of the next cycle
  };
  struct Episode {
    cosim::Straps straps;
    rtl_model::SchedulerOutputs first;  // after reset
    std::vector<Step> steps;
    std::vector<rtl_model::CoreSnapshot> registers;  // after each kStepsBetweenSnapshots-th step
  };
  std::vector<Episode> episodes;

  std::uint64_t num_cycles() const;
};

// What is compared: all but words of memories, and `remaining`, of which one has a part: they show when they are read.
void read_registers(cosim::IVerilatedCore& core, rtl_model::CoreSnapshot& snapshot);

// So many cycles or some more, from the first episodes of a seed, rtl/ against rtl_model: the begin of each, since a
// mutant is rather found by another profile than by more of the same. Throws std::runtime_error if these two differ.
Recording record(const Configuration& configuration, std::uint64_t seed, std::uint64_t cycles);

}  // namespace tessera::testbench
