// SPDX-License-Identifier: Apache-2.0
// The line in which kernels wait for places on SMs that all of them share (docs/concepts/shared_sms.md): the most
// urgent first, then first come.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/ids.h"
#include "model/policy/scheduling_tables.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::policy {

class DispatchLine {
 public:
  // What is urgent, the scheduler says. The tables must outlive this object.
  DispatchLine(const spec::SchedulerSpec& scheduler, const SchedulingTables& tables);

  // An active kernel with thread blocks to place; and one that has none any more.
  void enter(KsrId kernel);
  void leave(KsrId kernel);
  // Registers may have been written that say what is urgent.
  void sort();
  void set_scheduler(const spec::SchedulerSpec& scheduler);

  const std::vector<KsrId>& kernels() const { return kernels_; }
  bool is_empty() const { return kernels_.empty(); }

 private:
  // Larger: it goes first.
  std::uint64_t urgency(KsrId kernel) const;
  bool is_ahead(KsrId a, KsrId b) const;

  enum class By : std::uint8_t { kArrival, kPriority, kDeadline };
  static By order_of(const spec::SchedulerSpec& scheduler);

  const SchedulingTables& tables_;
  By by_;
  std::uint64_t next_number_ = 0;
  std::vector<std::uint64_t> number_;  // by KSR: in the order in which they entered
  std::vector<KsrId> kernels_;
};

}  // namespace tessera::policy
