// SPDX-License-Identifier: Apache-2.0
// A driver that holds groups back, drawn for an experiment that has all the rest: each key of TimeGraph, lines of its
// specification for some processes and applications, and groups in programs.
#pragma once

#include <cstdint>

#include "model/base/time.h"
#include "model/spec/spec_fwd.h"
#include "verification/random/draws.h"

namespace tessera::verification {

// What differs with the size of the experiments.
struct RandomDriverRanges {
  Picoseconds shortest_tick = 1'000;         // each tick leaves records
  Picoseconds longest_period = 300'000'000;  // of reserves
  std::uint32_t num_streams = 4;             // that groups are put into
};

void add_random_driver(Draws& draw, const RandomDriverRanges& ranges, spec::Spec& spec);
// Up to three command groups in each program.
void add_random_groups(Draws& draw, const RandomDriverRanges& ranges, spec::Spec& spec);

}  // namespace tessera::verification
