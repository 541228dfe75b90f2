// SPDX-License-Identifier: Apache-2.0
// Most records belong to the current cycle and only need a short sort; announced ones wait in a heap.
#include "model/record/record_log.h"

#include <algorithm>
#include <stdexcept>

namespace tessera::record {
namespace {

bool canonical_greater(const Record& a, const Record& b) { return canonical_less(b, a); }

}  // namespace

void RecordLog::add_sink(ISink* sink) {
  all_sinks_.push_back(sink);
  sinks_.push_back(sink);
  if (sink->wants_per_tb()) per_tb_sinks_.push_back(sink);
  wants_held_ = wants_held_ || sink->wants_held();
}

void RecordLog::accept(Cycle now, const Record& record) {
  if (now < now_ || record.cycle < now) throw std::logic_error("record log: a record of the past");
  if (now > now_) advance_to(now);
  if (record.cycle == now) {
    current_.push_back(record);
    return;
  }
  ahead_.push_back(record);
  std::push_heap(ahead_.begin(), ahead_.end(), canonical_greater);
}

// Delivers everything before `now`, one cycle after the other; afterwards current_ is empty.
void RecordLog::advance_to(Cycle now) {
  while (!current_.empty() || (!ahead_.empty() && ahead_.front().cycle < now)) {
    if (current_.empty()) now_ = ahead_.front().cycle;
    while (!ahead_.empty() && ahead_.front().cycle == now_) {
      std::pop_heap(ahead_.begin(), ahead_.end(), canonical_greater);
      current_.push_back(ahead_.back());
      ahead_.pop_back();
    }
    std::sort(current_.begin(), current_.end(), canonical_less);
    for (const Record& record : current_) deliver(record);
    current_.clear();
  }
  drop_done_sinks();
  now_ = now;
}

void RecordLog::drop_done_sinks() {
  const auto is_done = [](const ISink* sink) { return sink->is_done(); };
  sinks_.erase(std::remove_if(sinks_.begin(), sinks_.end(), is_done), sinks_.end());
  per_tb_sinks_.erase(std::remove_if(per_tb_sinks_.begin(), per_tb_sinks_.end(), is_done), per_tb_sinks_.end());
}

void RecordLog::deliver(const Record& record) const {
  for (ISink* sink : is_per_tb(record.kind) ? per_tb_sinks_ : sinks_) sink->consume(record);
}

void RecordLog::finish(Cycle end) {
  advance_to(end + 1);
  ahead_.clear();
  for (ISink* sink : all_sinks_) sink->finish(end);
}

}  // namespace tessera::record
