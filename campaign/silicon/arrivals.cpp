// SPDX-License-Identifier: Apache-2.0
// Follows the runs of one process, and the thread blocks of its launches.
#include "campaign/silicon/arrivals.h"

#include "campaign/silicon/run_times.h"
#include "model/spec/spec.h"

namespace tessera::campaign {

using record::Kind;

ArrivalSink::ArrivalSink(const spec::Spec& spec, std::uint16_t process)
    : clock_(spec.gpu.clock_hz), process_(process) {}

void ArrivalSink::consume(const record::Record& record) {
  switch (record.kind) {
    case Kind::kRunStarted:
      if (record.process != process_) return;
      called_ = record.cycle;
      first_block_.reset();
      return;
    case Kind::kKernelArrived:
      if (record.process == process_) launches_.insert(record.launch);
      return;
    case Kind::kTbIssued:
      if (!first_block_ && launches_.count(record.launch) > 0) first_block_ = record.cycle;
      return;
    case Kind::kKernelFinished:
      launches_.erase(record.launch);
      return;
    case Kind::kRunEnded:
      if (record.process != process_ || !first_block_) return;  // a run without a kernel
      to_first_block_.push_back(us_of(*first_block_ - called_, clock_));
      to_end_.push_back(us_of(record.cycle - called_, clock_));
      return;
    default:
      return;
  }
}

}  // namespace tessera::campaign
