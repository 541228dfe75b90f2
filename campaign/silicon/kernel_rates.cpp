// SPDX-License-Identifier: Apache-2.0
// Pairs the records of each launch.
#include "campaign/silicon/kernel_rates.h"

#include "campaign/silicon/run_times.h"
#include "model/spec/spec.h"

namespace tessera::campaign {

KernelRateSink::KernelRateSink(const spec::Spec& spec, std::uint16_t process)
    : clock_(spec.gpu.clock_hz),
      process_(process),
      rates_(spec.applications.at(spec.processes.at(process).application).kernels.size()) {}

void KernelRateSink::consume(const record::Record& record) {
  if (record.process != process_) return;
  if (record.kind == record::Kind::kKernelActivated) {
    active_since_[record.launch] = record.cycle;
  } else if (record.kind == record::Kind::kKernelFinished) {
    const auto found = active_since_.find(record.launch);
    const double us = us_of(record.cycle - found->second, clock_);
    rates_.at(record.kernel).push_back(static_cast<double>(record.value) / us);
    active_since_.erase(found);
  }
}

}  // namespace tessera::campaign
