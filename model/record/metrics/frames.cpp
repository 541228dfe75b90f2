// SPDX-License-Identifier: Apache-2.0
// Releases and ends, paired by run.
#include "model/record/metrics/frames.h"

#include <algorithm>

#include "model/record/numbers.h"

namespace tessera::record {

void FrameCounter::run_released(const Record& record) {
  ++result_.released;
  open_[record.run] = {record.cycle, number::deadline(record)};
}

// Told before the end, in the same cycle, of the run ahead of it. Those between the two will never start.
void FrameCounter::run_started(const Record& record) {
  const std::uint32_t first = started_ ? *started_ + 1 : 0;
  for (auto open = open_.lower_bound(first); open != open_.end() && open->first < record.run;) {
    ++result_.skipped;
    ++result_.missed;
    open = open_.erase(open);
  }
  started_ = record.run;
}

void FrameCounter::run_ended(const Record& record, bool is_killed) {
  const auto open = open_.find(record.run);
  if (open == open_.end()) return;  // check_log's concern
  const bool has_deadline = open->second.deadline != 0;
  if (is_killed ? has_deadline : is_late(open->second, record.cycle)) ++result_.missed;
  ++(is_killed ? result_.killed : result_.ended);
  if (!is_killed) responses_.add(record.cycle - open->second.released);
  open_.erase(open);
}

void FrameCounter::finish(Cycle end) {
  std::uint64_t num_open_late = 0;
  for (const auto& [run, open] : open_) {
    const bool is_skipped = skips_ && (!started_ || run > *started_);  // it waits for nothing
    if (is_skipped) ++result_.skipped;
    const bool is_open_late = !is_skipped && is_late(open, end);
    if (is_skipped || is_open_late) ++result_.missed;
    if (is_open_late) ++num_open_late;
    if (is_open_late) result_.worst = std::max(result_.worst, end - open.released);
  }
  result_.judged = result_.ended + result_.skipped + result_.killed + num_open_late;
  result_.response = stats_of(responses_);
  result_.worst = std::max(result_.worst, result_.response.max);
  result_.p50 = responses_.percentile(50);
  result_.p95 = responses_.percentile(95);
}

}  // namespace tessera::record
