// SPDX-License-Identifier: Apache-2.0
// A core of given sizes at work: its Verilog parameters, and the cycles its decisions take.
#pragma once

#include "cosim/elaboration.h"
#include "model/record/metrics/metrics.h"
#include "model/spec/spec.h"
#include "model/spec/synthesis_spec.h"

namespace tessera::synthesis {

cosim::Elaboration elaboration_of(const spec::CoreSpec& core);

// Processes of all priorities with kernels that differ in length and size, so that SMs are claimed and taken all the
// time. Thread blocks are counted in SMs, so that machines of all sizes are as busy.
spec::Spec busy_experiment(const spec::CoreSpec& core, spec::PolicyKind policy);

// Decisions of the clocked model in that experiment. Runs in this process, which therefore cannot simulate again.
struct Decisions {
  record::CycleStats first;   // from invocation to the first move, of those that moved something
  record::CycleStats steady;  // until nothing was left to do
};
Decisions simulate_decisions(const spec::CoreSpec& core, spec::PolicyKind policy);

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Decisions, first, steady)

}  // namespace tessera::synthesis
