// SPDX-License-Identifier: Apache-2.0
// Total load of a task set on a GPU ([Z21] 5, Lemma 1; 7.2).
#pragma once

#include <vector>

#include "model/realtime/partition.h"
#include "model/realtime/task_set.h"

namespace tessera::realtime {

// Lemma 1: without contention, the load already exceeds the number of SMs, so no partitioning is feasible.
bool is_overloaded(const TaskSet& set);

// The GPU as a single partition ("1G"). As printed: the load, contention included, is at most the number of SMs, which
// is only necessary. The sound test (accepts_1g): the demand of all tasks fits all SMs.
bool accepts_1g_as_printed(const TaskSet& set);
bool accepts_1g(const TaskSet& set);  // throws std::length_error as TestPoints does

// The load of a set in SMs, for reports: without contention, with contention among all tasks, or as partitioned.
double load_without_contention(const TaskSet& set);
double load_with_contention(const TaskSet& set);  // as if all tasks shared one partition
double load_of(const TaskSet& set, const std::vector<Partition>& partitions);

}  // namespace tessera::realtime
