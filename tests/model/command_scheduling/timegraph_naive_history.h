// SPDX-License-Identifier: Apache-2.0
// The history of costs by the simplest means, for TimeGraph's oracle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/command_scheduling/cost_history.h"

namespace tessera::command_scheduling::test {

// Records in order of use; everything is searched.
class NaiveHistory {
 public:
  explicit NaiveHistory(std::size_t max_records) : max_records_(max_records) {}
  CostHistory::Prediction predict(const GroupKey& key) {
    Cycle worst = 0;
    for (std::size_t n = 0; n < records_.size(); ++n) {
      worst = std::max(worst, records_[n].mean());
      if (records_[n].key != key) continue;
      std::rotate(records_.begin() + static_cast<std::ptrdiff_t>(n),
                  records_.begin() + static_cast<std::ptrdiff_t>(n) + 1, records_.end());
      return {records_.back().mean(), true};
    }
    return {worst, false};
  }
  void learn(const GroupKey& key, bool was_switched, Cycle actual) {
    for (Record& record : records_) {
      if (record.key != key) continue;
      if (was_switched) {
        impact_sum_ += static_cast<std::int64_t>(actual) - static_cast<std::int64_t>(record.mean());
        ++num_impacts_;
      } else {
        record.costs.push_back(actual);
      }
      return;
    }
    if (records_.size() == max_records_) records_.erase(records_.begin());
    records_.push_back({key, {actual}});
  }
  std::int64_t impact() const { return num_impacts_ == 0 ? 0 : impact_sum_ / num_impacts_; }

 private:
  struct Record {
    GroupKey key;
    std::vector<Cycle> costs;
    Cycle mean() const {
      Cycle sum = 0;
      for (const Cycle cost : costs) sum += cost;
      return sum / costs.size();
    }
  };
  std::size_t max_records_;
  std::vector<Record> records_;
  std::int64_t impact_sum_ = 0;
  std::int64_t num_impacts_ = 0;
};

}  // namespace tessera::command_scheduling::test
