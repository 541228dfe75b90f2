// SPDX-License-Identifier: Apache-2.0
// One simulation of one machine, from Spec to results.
#pragma once

#include <functional>
#include <vector>

#include "model/record/metrics/metrics.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"
#include "model/workload/kernel_times.h"
#include "platform/machine_options.h"

namespace tessera::platform {

// Runs in this process, which therefore cannot run another simulation. `listeners` also receive the record log.
record::RunResult simulate(const spec::Spec& spec, const std::vector<record::ISink*>& listeners,
                           const std::function<bool()>& is_interrupted, const MachineOptions& options = {});
// As above; `times` are the Spec's kernel times, computed once for many simulations.
record::RunResult simulate(const spec::Spec& spec, const workload::KernelTimes& times,
                           const std::vector<record::ISink*>& listeners, const std::function<bool()>& is_interrupted,
                           const MachineOptions& options = {});

}  // namespace tessera::platform
