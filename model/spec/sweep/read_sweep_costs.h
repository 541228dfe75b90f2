// SPDX-License-Identifier: Apache-2.0
// What the points of a sweep may cost, and what is told of their hardware.
// Internal to model/spec.
#pragma once

#include "model/spec/mapping_reader.h"
#include "model/spec/sweep/sweep_spec.h"

namespace tessera::spec {

// The keys beside `limits` and `slurm`.
void read_costs(MappingReader& reader, SweepSpec& sweep);
void read_limits(MappingReader reader, SweepSpec& sweep);
void read_slurm(MappingReader reader, SweepSpec& sweep);

}  // namespace tessera::spec
