// SPDX-License-Identifier: Apache-2.0
// Random task sets for TimeGraph's core: all parameters, small numbers, so that everything meets everything.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "tests/model/command_scheduling/timegraph_bench.h"

namespace tessera::command_scheduling::test {

class RandomTaskSet {
 public:
  explicit RandomTaskSet(std::mt19937_64& random) : random_(random) {
    // 1. The scheduler.
    parameters.accounting = static_cast<Accounting>(below(3));
    parameters.max_online = static_cast<std::uint32_t>(1 + below(3));
    parameters.has_online_list_per_engine = is(3);
    parameters.lets_higher_join = is(3);
    parameters.max_history_records = 1 + below(4);
    parameters.has_history_per_task = is(2);
    interrupt_delay = below(3);
    // 2. Reserves.
    for (std::uint64_t n = below(3); n > 0; --n) reserves.push_back({4 + below(27), 10 + below(51), below(21), is(2)});
    // 3. Tasks; about half of the keys are shared.
    for (std::uint64_t n = 1 + below(4); n > 0; --n) {
      tasks.push_back({is(2) ? Dispatch::kHt : Dispatch::kPrt, static_cast<std::uint32_t>(below(3)), is(2), {}});
      if (!reserves.empty() && !is(4)) tasks.back().reserve = ReserveId(below(reserves.size()));
      scripts.emplace_back();
      for (std::uint64_t groups = 1 + below(4); groups > 0; --groups) scripts.back().push_back(step());
    }
  }
  std::optional<TaskId> any_task_or_none() {
    const std::uint64_t task = below(tasks.size() + 1);
    return task == tasks.size() ? std::nullopt : std::optional(TaskId(task));
  }
  bool is(std::uint64_t one_in) { return below(one_in) == 0; }
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  TimeGraphParameters parameters;
  Cycle interrupt_delay = 0;
  std::vector<ReserveParameters> reserves;
  std::vector<TaskParameters> tasks;
  std::vector<Script> scripts;

 private:
  Step step() {
    Step step;
    step.from = static_cast<Step::From>(below(3));
    step.delay = 1 + below(20);
    step.duration = 1 + below(30);
    step.key = {below(2) == 0 ? below(3) : random_()};
    step.engines = static_cast<std::uint8_t>(1 + below(3));
    return step;
  }
  std::mt19937_64& random_;
};

}  // namespace tessera::command_scheduling::test
