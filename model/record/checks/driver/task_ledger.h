// SPDX-License-Identifier: Apache-2.0
// Replays the records of a driver that stops tasks (XSched, GCAPS) on a ledger of launches and suspensions, and reports
// what is impossible. Used by the full-log check and by the monitor of a run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/record/driver/task_facts.h"
#include "model/record/record.h"

namespace tessera::record::task_check {

// kLaunches: never more launches on the GPU than the threshold, and none of a suspended task is handed over.
// kStops: nothing of a task begins once it is stopped. kChoice: who is suspended, as priorities, weights or the run
// list say.
enum class Rule : std::uint8_t { kLaunches, kStops, kChoice };
using Complain = std::function<void(Rule rule, const Record& record, const std::string& what)>;

class Ledger {
 public:
  Ledger(TaskFacts facts, Complain complain);

  // In canonical order; records that are not the driver's and not those of kernels are ignored.
  void visit(const Record& record);
  void finish();

 private:
  struct Task {
    std::uint64_t in_flight = 0;
    std::uint64_t awaited = 0;  // completions before the next launch
    bool is_ready = false;
    std::optional<Cycle> suspended;  // since
    bool is_halted = false;
    bool is_stopped = false;
  };

  void take(Task& task, const Record& record);
  void launches_done(Task& task, const Record& record);
  void handed_over(Task& task, const Record& record);
  void suspended(Task& task, const Record& record);
  void stopped(Task& task, const Record& record);
  void begins(const Record& record);
  void judge_choice();
  void require(bool holds, Rule rule, const Record& record, const std::string& what) {
    if (!holds) complain_(rule, record, what);
  }
  // Of a suspended task: whether the record counts from its suspension.
  void require_duration(const Task& task, const Record& record);

  TaskFacts facts_;
  Complain complain_;
  std::vector<Task> tasks_;
  std::optional<Record> last_;     // of the driver, in the cycle that is read
  bool was_list_updated_ = false;  // in that cycle
};

}  // namespace tessera::record::task_check
