// SPDX-License-Identifier: Apache-2.0
// Keeps the whole log in memory, for tests and for the full-log check.
#pragma once

#include <vector>

#include "model/record/record.h"

namespace tessera::record {

class MemorySink : public ISink {
 public:
  explicit MemorySink(bool wants_per_tb = true) : wants_per_tb_(wants_per_tb) {}

  bool wants_per_tb() const override { return wants_per_tb_; }
  bool wants_held() const override { return true; }
  void consume(const Record& record) override { records_.push_back(record); }
  void finish(Cycle end) override { end_ = end; }

  const std::vector<Record>& records() const { return records_; }
  Cycle end() const { return end_; }

 private:
  bool wants_per_tb_;
  std::vector<Record> records_;
  Cycle end_ = 0;
};

}  // namespace tessera::record
