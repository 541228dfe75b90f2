// SPDX-License-Identifier: Apache-2.0
#include "model/command_scheduling/task_table.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "model/command_scheduling/admission.h"
#include "model/spec/spec.h"

namespace tessera::command_scheduling {
namespace {

constexpr std::uint32_t kLowestPriority = 0;

Accounting accounting_of(spec::Accounting accounting) {
  switch (accounting) {
    case spec::Accounting::kContinuous:
      return Accounting::kContinuous;
    case spec::Accounting::kMeasured:
      return Accounting::kMeasured;
    case spec::Accounting::kAtCompletion:
      break;
  }
  return Accounting::kAtCompletion;
}

class TaskPlanner {
 public:
  explicit TaskPlanner(const spec::Spec& spec)
      : spec_(spec), driver_(spec.driver), clock_(spec.gpu.clock_hz), admission_(spec.driver.limit_percent) {
    table_.tasks.resize(spec.processes.size());
  }

  TaskTable plan() {
    std::vector<std::uint32_t> order(spec_.processes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
      return spec_.processes[a].start < spec_.processes[b].start;
    });
    for (const std::uint32_t process : order) open(process);
    return std::move(table_);
  }

 private:
  void open(std::uint32_t process) {
    PlannedTask& task = table_.tasks[process];
    // 1. Its line of the specification; without one: lowest priority, Background.
    const spec::TimegraphEntry* const entry = entry_of(process);
    if (entry == nullptr) return put_into_background(task, process);
    task.parameters.dispatch = entry->dispatch == spec::GroupDispatch::kHt ? Dispatch::kHt : Dispatch::kPrt;
    task.parameters.priority = entry->priority.value_or(driver_.default_priority);
    task.parameters.is_foreground_aware = !entry->priority;
    // 2. Its reserve.
    switch (entry->reservation) {
      case spec::Reservation::kNone:
        return;
      case spec::Reservation::kBackground:
        task.parameters.reserve = background(process);
        return;
      case spec::Reservation::kPosterior:
      case spec::Reservation::kApriori:
        break;
    }
    task.parameters.reserve = reserve_of(*entry, process);
    if (task.parameters.reserve) return;
    // 3. One that is not admitted goes into the background.
    task.was_refused = true;
    put_into_background(task, process);
  }

  // A process's own name goes before its application's.
  const spec::TimegraphEntry* entry_of(std::uint32_t process) const {
    const spec::TimegraphEntry* of_application = nullptr;
    for (const spec::TimegraphEntry& entry : driver_.entries) {
      if (entry.name == spec_.processes[process].name) return &entry;
      if (entry.name == spec_.applications[spec_.processes[process].application].name) of_application = &entry;
    }
    return of_application;
  }

  void put_into_background(PlannedTask& task, std::uint32_t process) {
    task.parameters.priority = kLowestPriority;
    task.parameters.is_foreground_aware = false;
    task.parameters.reserve = background(process);
  }

  ReserveId background(std::uint32_t process) {
    if (!background_) {
      background_ = add("background", driver_.background_capacity, driver_.background_period, false, process);
    }
    return *background_;
  }

  // None: it is not admitted.
  std::optional<ReserveId> reserve_of(const spec::TimegraphEntry& entry, std::uint32_t process) {
    const bool is_shared = !entry.shared_reserve.empty();
    if (const auto known = shared_.find(entry.shared_reserve); known != shared_.end()) return known->second;
    const Cycle capacity = cycles(entry.capacity);
    const Cycle period = std::max(capacity, cycles(entry.period));
    if (!admission_.admit(capacity, period)) return std::nullopt;
    const std::string name = is_shared ? "@" + entry.shared_reserve : spec_.processes[process].name;
    const bool is_apriori = entry.reservation == spec::Reservation::kApriori;
    const ReserveId id = add(name, entry.capacity, entry.period, is_apriori, process);
    if (is_shared) shared_.emplace(entry.shared_reserve, id);
    return id;
  }

  ReserveId add(const std::string& name, Picoseconds capacity, Picoseconds period, bool is_apriori,
                std::uint32_t first_member) {
    ReserveParameters parameters;
    parameters.capacity = cycles(capacity);
    parameters.period = cycles(period);
    parameters.phase = clock_.cycles_in(spec_.processes[first_member].start);
    parameters.enforces_apriori = is_apriori;
    table_.reserves.push_back({name, parameters});
    return ReserveId(table_.reserves.size() - 1);
  }

  Cycle cycles(Picoseconds time) const { return std::max<Cycle>(1, clock_.cycles_in(time)); }

  const spec::Spec& spec_;
  const spec::DriverSpec& driver_;
  Clock clock_;
  Admission admission_;
  std::map<std::string, ReserveId> shared_;  // by name
  std::optional<ReserveId> background_;
  TaskTable table_;
};

}  // namespace

TimeGraphParameters parameters_of(const spec::DriverSpec& driver) {
  TimeGraphParameters parameters;
  parameters.accounting = accounting_of(driver.accounting);
  parameters.max_online = driver.max_online;
  parameters.has_online_list_per_engine = driver.online_scope == spec::OnlineScope::kEngine;
  parameters.lets_higher_join = driver.joins == spec::Joins::kHigherPriority;
  parameters.max_history_records = driver.history_records;
  parameters.has_history_per_task = driver.history_scope == spec::HistoryScope::kProcess;
  return parameters;
}

TaskTable make_task_table(const spec::Spec& spec) { return TaskPlanner(spec).plan(); }

}  // namespace tessera::command_scheduling
