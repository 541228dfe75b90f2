// SPDX-License-Identifier: Apache-2.0
// Releases and ends, paired by run.
#include "model/record/metrics/frames.h"

namespace tessera::record {

void FrameCounter::run_released(const Record& record) {
  ++result_.released;
  open_[record.run] = {record.cycle, record.cycles};
}

// In the cycle of its release the start is told first, so that this is not the place to look for it.
void FrameCounter::run_started(const Record& record) {
  started_ = record.run;
  skip_until(record.run);
}

void FrameCounter::run_ended(const Record& record) {
  const auto open = open_.find(record.run);
  if (open == open_.end()) return;  // check_log's concern
  ++result_.ended;
  responses_.add(record.cycle - open->second.released);
  if (is_late(open->second, record.cycle)) ++result_.missed;
  open_.erase(open);
}

// Runs start in order: one that has been passed over never will.
void FrameCounter::skip_until(std::uint32_t run) {
  while (!open_.empty() && open_.begin()->first < run) {
    ++result_.skipped;
    ++result_.missed;
    open_.erase(open_.begin());
  }
}

void FrameCounter::finish(Cycle end) {
  for (const auto& [run, open] : open_) {
    const bool is_skipped = skips_ && (!started_ || run > *started_);  // it waits for nothing
    if (is_skipped) ++result_.skipped;
    if (is_skipped || is_late(open, end)) ++result_.missed;
  }
  result_.response = stats_of(responses_);
  result_.p50 = responses_.percentile(50);
  result_.p95 = responses_.percentile(95);
}

}  // namespace tessera::record
