// SPDX-License-Identifier: Apache-2.0
// The history table: integer sums and counts, the least recently used record makes room.
#include "model/command_scheduling/cost_history.h"

#include <utility>

namespace tessera::command_scheduling {

CostHistory::CostHistory(std::size_t max_records) : max_records_(max_records) {}

CostHistory::Prediction CostHistory::predict(const GroupKey& key) {
  const auto found = records_.find(key);
  if (found == records_.end()) return {means_.empty() ? 0 : *means_.rbegin(), false};
  uses_.splice(uses_.end(), uses_, found->second.use);
  return {found->second.mean(), true};
}

// Whether there is a record now decides, not whether there was one when the group arrived.
void CostHistory::learn(const GroupKey& key, bool was_switched, Cycle actual) {
  const auto found = records_.find(key);
  if (found == records_.end()) {
    insert(key, actual);
  } else if (was_switched) {
    impact_sum_ += static_cast<std::int64_t>(actual) - static_cast<std::int64_t>(found->second.mean());
    ++impact_count_;
  } else {
    add(found->second, actual);
  }
}

std::int64_t CostHistory::switch_impact() const { return impact_count_ == 0 ? 0 : impact_sum_ / impact_count_; }

void CostHistory::insert(const GroupKey& key, Cycle actual) {
  make_room();
  const auto record = records_.try_emplace(key, Record{actual, 1, {}}).first;
  record->second.use = uses_.insert(uses_.end(), &record->first);
  means_.insert(actual);
}

void CostHistory::add(Record& record, Cycle actual) {
  auto mean = means_.extract(means_.find(record.mean()));
  record.sum += actual;
  ++record.count;
  mean.value() = record.mean();
  means_.insert(std::move(mean));
}

void CostHistory::make_room() {
  if (records_.size() < max_records_) return;
  const auto oldest = records_.find(*uses_.front());
  means_.erase(means_.find(oldest->second.mean()));
  uses_.pop_front();
  records_.erase(oldest);
}

}  // namespace tessera::command_scheduling
