// SPDX-License-Identifier: Apache-2.0
// The engine of the machine, `framework.engine`: what it cannot do is a mistake.
// Internal to model/spec.
#pragma once

#include "model/spec/readers.h"

namespace tessera::spec {

// Where the experiment says what it asks of the engine.
struct EngineReaders {
  MappingReader gpu;
  MappingReader scheduler;
  MappingReader baseline;
};

// `tb_issue_cycles` of a GPU that was read without a mistake: not given, it is the least that its engine can do at the
// clock ratio; less is a mistake.
void read_issue_latency(MappingReader gpu, std::uint32_t clock_ratio, GpuSpec& spec);

// That, under the scheduler and under the baseline; then a mistake for each thing that the engine does not have. All of
// `cores` are to run it: those with a clock are the serialised engine. `is_scheduler_good`: its partitions could be
// read.
void read_engine(EngineReaders readers, Cores cores, bool is_scheduler_good, Spec& spec);

}  // namespace tessera::spec
