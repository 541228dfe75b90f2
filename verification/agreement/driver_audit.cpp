// SPDX-License-Identifier: Apache-2.0
// Replays what the driver was told, a cycle at a time.
#include "verification/agreement/driver_audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/record/kind_info.h"
#include "model/record/numbers.h"

namespace tessera::verification {

using record::Kind;
using record::kNoIndex;
using record::Record;
namespace number = record::number;

namespace cs = command_scheduling;

namespace {

std::string describe_driver_record(const Record& record) {
  std::string text(record::kind_info(record.kind).name);
  if (record.kind == Kind::kBudgetReplenished) return text + fmt::format(" reserve {}", number::reserve(record));
  if (record.process != kNoIndex) text += fmt::format(" process {} group {}", record.process, number::group(record));
  return text;
}

std::string numbers_of(const Record& record) { return fmt::format("{} cycles, {} bytes", record.cycles, record.bytes); }

bool is_same(const Record& a, const Record& b) {
  return !record::canonical_less(a, b) && !record::canonical_less(b, a);
}

}  // namespace

DriverAudit::DriverAudit(const spec::Spec& spec)
    : spec_(spec),
      facts_(record::make_driver_facts(spec)),
      clock_(spec.gpu.clock_hz),
      core_(cs::parameters_of(spec.driver), this),
      is_lost_(facts_.is_empty()) {
  if (is_lost_) return;
  report_.interrupt = std::max<Cycle>(1, clock_.cycles_in(spec.host.interrupt));
  if (facts_.accounting == cs::Accounting::kMeasured) report_.measured_sms = spec.gpu.num_sms;
  if (facts_.has_ticks) tick_ = std::max<Cycle>(1, clock_.cycles_in(spec.driver.tick));
  report_.tick = tick_;
  for (const cs::PlannedReserve& reserve : facts_.plan.reserves) core_.add_reserve(reserve.parameters);
  for (std::size_t i = 0; i < spec.processes.size(); ++i) {
    core_.add_task(facts_.plan.tasks[i].parameters);
    const std::uint32_t application = spec.processes[i].application;
    tasks_.push_back({GroupShapes(spec.applications[application], application), false, {}, false});
  }
}

void DriverAudit::consume(const Record& record) {
  if (is_lost_ || !record::is_of_driver(record.kind)) return;
  if (!cycle_.empty() && cycle_.front().cycle != record.cycle) judge_cycle();
  cycle_.push_back(record);
}

void DriverAudit::finish(Cycle) {
  if (!is_lost_ && !cycle_.empty()) judge_cycle();
}

// What happens in a cycle is looked at in the next one.
void DriverAudit::judge_cycle() {
  told_ = cycle_.front().cycle - 1;
  if (may_run(told_) && replay()) compare();
  cycle_.clear();
}

bool DriverAudit::may_run(Cycle now) {
  if (tick_ != 0 && now % tick_ != 0) {
    fault(cycle_.front(), fmt::format("no tick of {} cycles", tick_));
  } else if (tick_ == 0 && core_.next_replenishment() < now) {
    fault(cycle_.front(), fmt::format("a replenishment was due at cycle {}", core_.next_replenishment()));
  }
  return !is_lost_;
}

bool DriverAudit::replay() {
  expected_.clear();
  for (Task& task : tasks_) task.has_just_arrived = false;
  change_focus();
  // Completions are in order of groups; those of one process in the order of the log.
  std::vector<Record> told;
  std::copy_if(cycle_.begin(), cycle_.end(), std::back_inserter(told),
               [](const Record& each) { return each.kind == Kind::kGroupDone; });
  std::stable_sort(told.begin(), told.end(),
                   [](const Record& a, const Record& b) { return number::group(a) < number::group(b); });
  if (!std::all_of(told.begin(), told.end(), [this](const Record& done) { return complete(done); })) return false;
  core_.replenish(told_);
  for (const Record& record : cycle_) {
    if (record.kind == Kind::kGroupArrived && !arrive(record)) return false;
  }
  core_.dispatch(told_);
  return true;
}

void DriverAudit::change_focus() {
  const std::vector<spec::Focus>& focus = spec_.driver.focus;
  for (; next_focus_ < focus.size() && clock_.cycles_in(focus[next_focus_].at) <= told_; ++next_focus_) {
    core_.set_foreground(TaskId(focus[next_focus_].process));
  }
}

bool DriverAudit::complete(const Record& done) {
  std::vector<GroupId>* const online = done.process < tasks_.size() ? &tasks_[done.process].online : nullptr;
  const auto group = online == nullptr ? std::vector<GroupId>::iterator()
                                       : std::find(online->begin(), online->end(), number::group(done));
  if (online == nullptr || group == online->end()) {
    fault(done, "it is not on the GPU");
    return false;
  }
  online->erase(group);
  core_.complete(told_, number::group(done),
                 facts_.accounting == cs::Accounting::kMeasured ? number::charged(done) : 0);
  return true;
}

bool DriverAudit::arrive(const Record& arrived) {
  if (arrived.process >= tasks_.size() || tasks_[arrived.process].is_waiting) {
    fault(arrived, "another one of its process waits");
    return false;
  }
  Task& task = tasks_[arrived.process];
  task.is_waiting = task.has_just_arrived = true;
  const GroupShape shape = task.shapes.next();
  core_.arrive(told_, TaskId(arrived.process), shape.key, shape.engines);
  return true;
}

// As sets: a log has an order of its own within a cycle.
void DriverAudit::compare() {
  cycle_.erase(std::remove_if(cycle_.begin(), cycle_.end(),
                              [](const Record& each) { return each.kind == Kind::kDriverInvoked; }),
               cycle_.end());
  std::sort(expected_.begin(), expected_.end(), record::canonical_less);
  std::sort(cycle_.begin(), cycle_.end(), record::canonical_less);
  for (std::size_t i = 0; i < std::max(cycle_.size(), expected_.size()); ++i) {
    const bool is_missing = i >= cycle_.size();
    const bool is_too_much = i >= expected_.size();
    if (!is_missing && !is_too_much && is_same(cycle_[i], expected_[i])) {
      const Kind kind = cycle_[i].kind;
      report_.decisions += kind != Kind::kGroupDone && kind != Kind::kGroupArrived;
      continue;
    }
    const std::string wanted =
        is_too_much ? "nothing" : describe_driver_record(expected_[i]) + ", " + numbers_of(expected_[i]);
    if (is_missing) return fault(expected_[i], "the driver decides so, and the log lacks it");
    return fault(cycle_[i], numbers_of(cycle_[i]) + ", where the driver decides: " + wanted);
  }
}

void DriverAudit::fault(const Record& record, const std::string& what) {
  is_lost_ = true;
  ++report_.num_faults;
  report_.faults.push_back(fmt::format("cycle {}: {}: {}", record.cycle, describe_driver_record(record), what));
}

// ---- what the core says ----------------------------------------------------------------------------------------

Record& DriverAudit::expect(Kind kind) {
  Record& record = expected_.emplace_back();
  record.cycle = told_ + 1;
  record.kind = kind;
  return record;
}

Record& DriverAudit::expect(Kind kind, TaskId task, GroupId group) {
  Record& record = expect(kind);
  record.process = static_cast<std::uint16_t>(task);
  number::group(record) = group;
  return record;
}

void DriverAudit::on_arrived(Cycle, TaskId task, GroupId group, Cycle predicted) {
  number::predicted(expect(Kind::kGroupArrived, task, group)) = predicted;
}

void DriverAudit::on_suspended(Cycle, TaskId task, GroupId group) { expect(Kind::kGroupSuspended, task, group); }

void DriverAudit::on_completed(Cycle, TaskId task, GroupId group, Cycle charged) {
  number::charged(expect(Kind::kGroupDone, task, group)) = charged;
}

// Its doorbell waits for the code that decided so: of its arrival, or of the handler (docs/concepts/drivers.md,
// TimeGraph).
void DriverAudit::on_submitted(Cycle, TaskId id, GroupId group, Cycle predicted) {
  const auto process = static_cast<std::uint16_t>(id);
  Task& task = tasks_[process];
  const bool is_arrival = task.has_just_arrived && tick_ == 0;
  const Cycle cost = is_arrival ? arrival_cycles(process) : clock_.cycles_in(spec_.driver.completion);
  Record& submitted = expect(Kind::kGroupSubmitted, id, group);
  number::predicted(submitted) = predicted;
  number::until_doorbell(submitted) = std::max<Cycle>(1, cost) - 1;
  task.is_waiting = false;
  task.online.push_back(group);
}

Cycle DriverAudit::arrival_cycles(std::uint16_t process) const {
  const auto reserve = facts_.reserve_of(process);
  const bool predicts = reserve && facts_.plan.reserves[*reserve].parameters.enforces_apriori;
  return clock_.cycles_in(spec_.driver.arrival) + (predicts ? clock_.cycles_in(spec_.driver.prediction) : 0);
}

void DriverAudit::on_replenished(Cycle, cs::ReserveId reserve, std::int64_t budget) {
  Record& replenished = expect(Kind::kBudgetReplenished);
  number::reserve(replenished) = static_cast<std::uint64_t>(reserve);
  record::set_budget(replenished, budget);
}

}  // namespace tessera::verification
