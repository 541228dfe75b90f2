// SPDX-License-Identifier: Apache-2.0
// How long the thread blocks of each kernel run, so that the kernel alone takes its time
// (docs/concepts/readings.md, Time of a TB).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/spec/spec_fwd.h"
#include "model/workload/kernel_model.h"

namespace tessera::workload {

// Under kernel_time: TB durations are scaled until the kernel alone on the empty machine, overheads and whole
// waves included, takes its kernel_time from its arrival to its last TB. Under time_per_tb, or when the kernel
// states no kernel_time: its tb_time, literally. A persistent kernel never ends, and an event-driven one
// as its callbacks say.
// What has been fitted is kept for the process and its workers (kernel_fits.h).
// `is_interrupted` is asked between steps, which take milliseconds; once it says so, the time is none to be used.
using IsInterrupted = std::function<bool()>;
TbTime tb_time(const spec::Spec& spec, const spec::KernelSpec& kernel, const IsInterrupted& is_interrupted = {});

// The mean over some draws of how long a kernel takes alone on the empty machine, in cycles.
Cycle cycles_alone(const spec::Spec& spec, const spec::KernelSpec& kernel, const TbTime& time);

// The above for every kernel of a Spec, worked out once.
class KernelTimes {
 public:
  explicit KernelTimes(const spec::Spec& spec, const IsInterrupted& is_interrupted = {});
  TbTime of(std::uint32_t application, std::uint32_t kernel) const { return times_[application][kernel]; }

 private:
  std::vector<std::vector<TbTime>> times_;
};

}  // namespace tessera::workload
