// SPDX-License-Identifier: Apache-2.0
// The machine's engine, `framework.engine`: using a feature that it lacks is a mistake.
// Internal to model/spec.
#pragma once

#include "model/spec/readers.h"

namespace tessera::spec {

// The parts of the experiment that depend on the engine.
struct EngineReaders {
  MappingReader gpu;
  MappingReader scheduler;
  MappingReader baseline;
};

// `tb_issue_cycles` of a GPU that was read without a mistake: the default is the engine's minimum at the clock ratio; a
// lower value is a mistake.
void read_issue_latency(MappingReader gpu, std::uint32_t clock_ratio, GpuSpec& spec);

// Reads that for scheduler and baseline, then reports everything that the engine does not support. All of `cores` must
// be able to run it; the clocked ones are the serialised engine. `is_scheduler_good`: its partitions could be read.
void read_engine(EngineReaders readers, Cores cores, bool is_scheduler_good, Spec& spec);

}  // namespace tessera::spec
