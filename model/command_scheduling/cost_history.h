// SPDX-License-Identifier: Apache-2.0
// Prediction of a group's cost from earlier groups of the same shape ([K11] 5.3; docs/concepts/readings.md, TimeGraph).
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <set>

#include "model/base/time.h"
#include "model/command_scheduling/group_key.h"

namespace tessera::command_scheduling {

class CostHistory {
 public:
  // `max_records` >= 1; the least recently used record is evicted.
  explicit CostHistory(std::size_t max_records);
  CostHistory(const CostHistory&) = delete;  // records point at each other
  CostHistory& operator=(const CostHistory&) = delete;

  struct Prediction {
    Cycle cost = 0;  // hit: the record's mean; miss: the largest mean of all records, 0 without records
    bool is_hit = false;
  };
  // A hit counts as a use of the record.
  Prediction predict(const GroupKey& key);
  // The group is done. A miss inserts a record; a hit adds to its record or, after a change of context, to the impact
  // of context changes. What counts is whether a record exists now.
  void learn(const GroupKey& key, bool was_switched, Cycle actual);
  // Mean of (actual - the record's mean) after a change of context, rounded towards zero; 0 before the first.
  std::int64_t switch_impact() const;
  std::size_t size() const { return records_.size(); }

 private:
  struct Record {
    std::uint64_t sum = 0;
    std::uint64_t count = 0;
    std::list<const GroupKey*>::iterator use;
    Cycle mean() const { return sum / count; }
  };
  using Records = std::map<GroupKey, Record>;

  void insert(const GroupKey& key, Cycle actual);
  void add(Record& record, Cycle actual);
  void make_room();

  std::size_t max_records_;
  Records records_;
  std::list<const GroupKey*> uses_;  // least recently used first
  std::multiset<Cycle> means_;       // of all records: the largest is the last
  std::int64_t impact_sum_ = 0;
  std::int64_t impact_count_ = 0;
};

}  // namespace tessera::command_scheduling
