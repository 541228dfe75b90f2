// SPDX-License-Identifier: Apache-2.0
// The record log: takes records from the models as they happen and hands them to sinks in canonical order.
// Only the current cycle's records and those emitted ahead of time are kept, to restore the order.
#pragma once

#include <vector>

#include "model/record/record.h"

namespace tessera::record {

class RecordLog {
 public:
  // Sinks must outlive the log's last call; add them before the first record.
  void add_sink(ISink* sink);

  // Emitters need not build per-TB records while this is false.
  bool wants_per_tb() const { return !per_tb_sinks_.empty(); }
  // Nor records of what kernels hold of SMs while this is.
  bool wants_held() const { return wants_held_; }

  // `now` never decreases from call to call, and no record lies before it; throws std::logic_error otherwise.
  void emit(Cycle now, const Record& record) {
    if (is_per_tb(record.kind) && !wants_per_tb()) return;
    accept(now, record);
  }

  // Delivers the remaining records and finishes the sinks. Records of cycle `end` describe the state at the end
  // (kSmBusy, kKernelLeft) and are kept; later ones did not happen and are dropped.
  void finish(Cycle end);

 private:
  void accept(Cycle now, const Record& record);
  void advance_to(Cycle now);
  void deliver(const Record& record) const;
  void drop_done_sinks();

  std::vector<ISink*> all_sinks_;  // all that will be finished
  std::vector<ISink*> sinks_;      // those that still want records
  std::vector<ISink*> per_tb_sinks_;
  bool wants_held_ = false;
  Cycle now_ = 0;
  std::vector<Record> current_;  // of cycle now_, in order of arrival
  std::vector<Record> ahead_;    // later ones: a heap, the earliest on top
};

}  // namespace tessera::record
