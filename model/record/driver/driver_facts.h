// SPDX-License-Identifier: Apache-2.0
// Facts needed to interpret the records of a driver that holds groups back: its tasks, their reserves, and its rules,
// in cycles.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/command_scheduling/task_table.h"
#include "model/record/driver/task_facts.h"
#include "model/record/numbers.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::record {

struct DriverFacts {
  command_scheduling::TaskTable plan;  // no tasks: the driver holds nothing back
  command_scheduling::Accounting accounting = command_scheduling::Accounting::kAtCompletion;
  std::uint32_t max_online = 256;
  bool has_online_list_per_engine = false;
  bool lets_higher_join = false;
  bool has_ticks = false;
  std::vector<bool> keeps_order;  // by process: its groups complete in the order of submission; false with several
                                  // streams

  TaskFacts stops;  // of a driver that stops tasks instead

  bool is_empty() const { return plan.tasks.empty(); }
  std::optional<std::size_t> reserve_of(std::uint16_t process) const;
};

// Empty unless the driver is of kind timegraph; `stops` is unless it is xsched or gcaps.
DriverFacts make_driver_facts(const spec::Spec& spec);

constexpr bool is_of_driver(Kind kind) { return kind >= Kind::kGroupDone && kind <= Kind::kDriverInvoked; }

// Signed budget of a kBudgetReplenished record.
constexpr std::int64_t budget_of(const Record& replenished) {
  return static_cast<std::int64_t>(number::budget(replenished)) - static_cast<std::int64_t>(number::debt(replenished));
}
constexpr void set_budget(Record& replenished, std::int64_t budget) {
  number::budget(replenished) = budget > 0 ? static_cast<std::uint64_t>(budget) : 0;
  number::debt(replenished) = budget < 0 ? static_cast<std::uint64_t>(-budget) : 0;
}

}  // namespace tessera::record
