// SPDX-License-Identifier: Apache-2.0
// TimeGraph's core beside a GPU that takes groups one after the other, and tasks with scripts: enough for the timelines
// of [K11] Figures 5 and 6. Nothing takes time but groups, and the handler that sees their ends later.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/command_scheduling/timegraph.h"

namespace tessera::campaign::k11 {

// A group arrives at a time, so long after the call before it returned, or after the group before it was done.
struct TimelineStep {
  enum class From { kTime, kReturn, kDone };
  From from = From::kTime;
  Cycle delay = 0;
  Cycle duration = 0;
};

struct TimelineTask {
  std::string name;
  command_scheduling::TaskParameters parameters;
  std::vector<TimelineStep> script;
};

struct TimelineSpan {
  std::string task;
  Cycle begin = 0;
  Cycle end = 0;
};

struct TimelineBudget {
  Cycle time = 0;
  std::int64_t budget = 0;
};

struct Timeline {
  std::vector<TimelineSpan> spans;      // in order of submission
  std::vector<TimelineBudget> budgets;  // of a single reserve: each change
};

// A reserve, if there is one, is that of all tasks. `is_known`: every duration has been predicted exactly from the
// start. Until `end`.
Timeline run_timeline(std::vector<TimelineTask> tasks, Cycle handler_delay, Cycle end,
                      const std::optional<command_scheduling::ReserveParameters>& reserve = {}, bool is_known = false);

std::string spans_text(const Timeline& timeline);    // "MP 0-4, HP 5-8"
std::string budgets_text(const Timeline& timeline);  // "20 at 20, -30 at 80"

}  // namespace tessera::campaign::k11
