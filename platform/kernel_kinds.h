// SPDX-License-Identifier: Apache-2.0
// Which kind a kernel is, measured on the machine ([Z21] 3.1, Definition 1): memory intensive if, beyond some number of
// SMs, more of them do not improve its time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/spec/application_spec.h"
#include "model/spec/spec_fwd.h"
#include "platform/kernel_scaling.h"

namespace tessera::platform {

// On 1, 2, .. all SMs of the machine, in ns.
using TimesOverSms = std::vector<realtime::Nanoseconds>;

struct KindOfKernel {
  std::string application;
  std::string kernel;
  TimesOverSms times;
  TimesOverSms without_memory;
  std::uint32_t levels_off = 0;  // the fewest SMs on which it takes no more than 1/50 longer than on all
  spec::KernelKind kind{};
};

// Memory intensive: what the last quarter of the SMs gains is less than half of what it gains without memory. A kernel
// whose grid does not use those SMs gains nothing either way, and is compute intensive.
spec::KernelKind kind_of(const TimesOverSms& times, const TimesOverSms& without_memory);

// Of all kernels that end, in the order of the applications. `spec`: under loaded_latency. Throws std::runtime_error as
// measure_scaling() does.
std::vector<KindOfKernel> measure_kinds(const spec::Spec& spec, unsigned num_workers,
                                        const std::function<bool()>& is_interrupted,
                                        const std::function<void(std::size_t done, std::size_t total)>& on_progress);

}  // namespace tessera::platform
