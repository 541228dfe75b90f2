// SPDX-License-Identifier: Apache-2.0
// Is everything that a driver that holds groups back says of itself what command scheduling decides, on what the log
// says that it was told? Judges a log by itself: two drivers that decide differently were then told different things.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/command_scheduling/timegraph.h"
#include "model/record/driver/driver_facts.h"
#include "model/record/record.h"
#include "model/spec/spec.h"
#include "verification/agreement/group_shapes.h"

namespace tessera::verification {

struct DriverReport {
  Cycle tick = 0;                  // between two looks of the driver; 0: interrupts tell it
  Cycle interrupt = 0;             // from one to the look
  std::uint32_t measured_sms = 0;  // charges are SM cycles over this; 0: wall time
  std::uint64_t decisions = 0;     // groups submitted and suspended, budgets replenished
  std::uint64_t num_faults = 0;
  std::vector<std::string> faults;  // the first only: what follows from it would be others
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DriverReport, tick, interrupt, measured_sms, decisions, num_faults, faults)

// Told are arrivals and completions, where `accounting: measured` also what a group used. All else must be to the cycle
// what model/command_scheduling makes of that: order, suspensions, predictions, charges, budgets, doorbells.
class DriverAudit final : public record::ISink, private command_scheduling::ITimeGraphObserver {
 public:
  // The Spec must outlive this object. Without a driver that holds groups back nothing is judged.
  explicit DriverAudit(const spec::Spec& spec);

  bool wants_per_tb() const override { return false; }
  void consume(const record::Record& record) override;
  void finish(Cycle end) override;
  const DriverReport& report() const { return report_; }

 private:
  using TaskId = command_scheduling::TaskId;
  using GroupId = command_scheduling::GroupId;
  struct Task {
    GroupShapes shapes;
    bool is_waiting = false;
    std::vector<GroupId> online;
    bool has_just_arrived = false;
  };

  void judge_cycle();
  bool may_run(Cycle now);
  bool replay();
  bool complete(const record::Record& done);
  bool arrive(const record::Record& arrived);
  void compare();
  void change_focus();
  Cycle arrival_cycles(std::uint16_t process) const;
  record::Record& expect(record::Kind kind);
  record::Record& expect(record::Kind kind, TaskId task, GroupId group);
  void fault(const record::Record& record, const std::string& what);

  void on_arrived(Cycle now, TaskId task, GroupId group, Cycle predicted) override;
  void on_suspended(Cycle now, TaskId task, GroupId group) override;
  void on_submitted(Cycle now, TaskId task, GroupId group, Cycle predicted) override;
  void on_completed(Cycle now, TaskId task, GroupId group, Cycle charged) override;
  void on_replenished(Cycle now, command_scheduling::ReserveId reserve, std::int64_t budget) override;

  const spec::Spec& spec_;
  record::DriverFacts facts_;
  Clock clock_;
  Cycle tick_ = 0;  // 0: it has none
  command_scheduling::TimeGraph core_;
  std::vector<Task> tasks_;
  std::size_t next_focus_ = 0;
  std::vector<record::Record> cycle_;     // what the log says of one
  std::vector<record::Record> expected_;  // and what it should say
  Cycle told_ = 0;
  bool is_lost_ = false;
  DriverReport report_;
};

}  // namespace tessera::verification
