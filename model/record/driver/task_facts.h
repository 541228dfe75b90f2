// SPDX-License-Identifier: Apache-2.0
// Facts needed to interpret the records of a driver that stops tasks (XSched, GCAPS).
#pragma once

#include <cstdint>
#include <vector>

#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::record {

struct TaskFacts {
  struct Task {
    std::uint32_t priority = 0;
    std::uint32_t threshold = 0;  // xsched, like what follows
    std::uint32_t batch = 0;
    std::uint32_t level = 0;
  };
  std::vector<Task> tasks;    // by process; empty: the driver stops none
  bool has_run_list = false;  // gcaps
  bool has_weights = false;   // xsched: turns by weights, not by priorities
  bool has_outsider = false;  // xsched: somebody else suspends tasks too

  bool is_empty() const { return tasks.empty(); }
};

TaskFacts make_task_facts(const spec::Spec& spec);

constexpr bool is_of_tasks(Kind kind) { return kind >= Kind::kLaunchesDone && kind <= Kind::kLaunchHandedOver; }

}  // namespace tessera::record
