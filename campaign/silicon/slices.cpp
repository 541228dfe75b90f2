// SPDX-License-Identifier: Apache-2.0
// A slice begins with a thread block of another context than the one before.
#include "campaign/silicon/slices.h"

#include "campaign/silicon/run_times.h"
#include "model/spec/spec.h"

namespace tessera::campaign {

using record::Kind;

SliceSink::SliceSink(const spec::Spec& spec)
    : clock_(spec.gpu.clock_hz), pipeline_drain_(spec.gpu.framework.pipeline_drain_cycles) {}

void SliceSink::consume(const record::Record& record) {
  switch (record.kind) {
    case Kind::kKernelArrived:
      process_of_[record.launch] = record.process;
      return;
    case Kind::kTbIssued:
    case Kind::kTbRestored:
    case Kind::kTbRestarted:
      return start(record);
    case Kind::kTbFinished:
    case Kind::kTbFlushed:
      return stop(record.cycle);
    case Kind::kPreemptionRequested:  // what is in flight still executes
      if (record.technique == record::Technique::kContextSwitch) stop(record.cycle + pipeline_drain_);
      return;
    default:
      return;
  }
}

void SliceSink::start(const record::Record& record) {
  const std::uint16_t process = process_of_.at(record.launch);
  if (slice_ && slice_->process == process) return;
  if (slice_ && slice_->stopped && !is_first_) {
    periods_.push_back(us_of(record.cycle - slice_->begun, clock_));
    runs_.push_back(us_of(*slice_->stopped - slice_->begun, clock_));
    nobody_runs_.push_back(us_of(record.cycle - *slice_->stopped, clock_));
  }
  is_first_ = !slice_;
  slice_ = Slice{process, record.cycle, std::nullopt};
}

void SliceSink::stop(Cycle cycle) {
  if (slice_) slice_->stopped = cycle;
}

}  // namespace tessera::campaign
