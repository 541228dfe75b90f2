// SPDX-License-Identifier: Apache-2.0
// Durations of each kernel's thread blocks, fitted so that the kernel alone takes its specified time
// (docs/concepts/readings.md, Time of a TB).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/spec/spec_fwd.h"
#include "model/workload/kernel_model.h"

namespace tessera::workload {

// Under kernel_time: TB durations are scaled until the kernel alone on the empty machine, overheads and whole
// waves included, takes its kernel_time from its arrival to its last TB. Under time_per_tb, or when the kernel has no
// kernel_time: its tb_time, literally. A persistent kernel never ends; an event-driven one ends when its callbacks do.
// An application with `in_flight_share` has its own way to its times (recorded_traffic.h): std::logic_error.
// Fits are cached for the process and its workers (kernel_fits.h).
// `is_interrupted` is polled between steps of some milliseconds; once it returns true, the result is not valid.
using IsInterrupted = std::function<bool()>;
TbTime tb_time(const spec::Spec& spec, const spec::KernelSpec& kernel, const IsInterrupted& is_interrupted = {});

// Mean time of a kernel alone on the empty machine over some draws, in cycles.
Cycle cycles_alone(const spec::Spec& spec, const spec::KernelSpec& kernel, const TbTime& time);

// tb_time() for every kernel of a Spec, computed once.
class KernelTimes {
 public:
  explicit KernelTimes(const spec::Spec& spec, const IsInterrupted& is_interrupted = {});
  TbTime of(std::uint32_t application, std::uint32_t kernel) const { return times_[application][kernel]; }

 private:
  std::vector<std::vector<TbTime>> times_;
};

}  // namespace tessera::workload
