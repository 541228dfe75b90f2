// SPDX-License-Identifier: Apache-2.0
// The driver's own record says it.
#include "campaign/silicon/suspensions.h"

#include "campaign/silicon/run_times.h"
#include "model/spec/spec.h"

namespace tessera::campaign {

SuspensionSink::SuspensionSink(const spec::Spec& spec, std::uint16_t process)
    : clock_(spec.gpu.clock_hz), process_(process) {}

void SuspensionSink::consume(const record::Record& record) {
  if (record.kind != record::Kind::kTaskStopped || record.process != process_) return;
  took_.push_back(us_of(record.cycles, clock_));
}

}  // namespace tessera::campaign
