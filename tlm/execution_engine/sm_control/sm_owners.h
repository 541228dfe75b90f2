// SPDX-License-Identifier: Apache-2.0
// Owners of the SMs: SMs are set up for a kernel, reserved for another one, handed over and released ([T14] 3.3, 3.4).
#pragma once

#include <cstdint>
#include <vector>

#include "model/policy/scheduling_tables.h"
#include "model/record/record_log.h"
#include "model/spec/scheduler_spec.h"
#include "tlm/execution_engine/sm_array/sm_array.h"
#include "tlm/execution_engine/sm_control/context_table.h"
#include "tlm/execution_engine/sm_control/sm_owner.h"

namespace tessera::tlm_model {

// Reports to the scheduler; the caller clears both.
struct DriverReport {
  bool wants_policy = false;    // an SM became idle, a save completed, or a kernel finished
  std::vector<KsrId> finished;  // kernels whose last TB is done; their KSRs are not freed yet
};

class SmOwners {
 public:
  SmOwners(const spec::Spec& spec, policy::SchedulingTables& tables, SmArray& array, record::RecordLog& log);

  const SmOwner& sm(SmId id) const { return sms_[index(id)]; }
  SmOwner& sm(SmId id) { return sms_[index(id)]; }
  const std::vector<SmOwner>& sms() const { return sms_; }
  ContextTable& context_table() { return context_table_; }
  bool is_reserved(SmId id) const { return tables_.sm(id).status == policy::SmStatus::kReserved; }

  // Its technique applies to later preemptions.
  void set_scheduler(const spec::SchedulerSpec& scheduler);
  spec::TechniqueKind technique() const { return technique_; }
  bool keeps_turn() const { return keeps_turn_; }

  // The SM is its new owner's.
  void take_over(SmId id, KsrId ksr);
  // It is set up for that from this cycle on.
  void set_up_begins(SmId id, Cycle now);
  // The guest becomes the owner; the SM is already set up.
  void pass(SmId id, KsrId ksr, Cycle now);
  void reserve(SmId id, KsrId next, Cycle now);
  // Returns true if this cancels a drain, so that the owner keeps the SM.
  bool retarget(SmId id, KsrId next, Cycle now);
  // The SM is to be emptied for nobody. One that is being emptied already goes on as it does.
  void evict(SmId id, spec::TechniqueKind technique, Cycle now);
  // Beginning and end of a preemption; `next` may be kNoKsr.
  void preemption_requested(SmId id, KsrId next, Cycle now);
  void preemption_done(SmId id, std::uint64_t bytes_saved, Cycle now);
  void release(SmId id, Cycle now);
  // The kernel's last TB is done: calls `release` for its SMs that are not reserved, lowest first.
  template <typename Release>
  void kernel_is_over(KsrId ksr, Cycle now, Release release);
  // True if no SM is changing hands: none is reserved, and each is idle or running.
  bool are_settled() const;

  DriverReport& report() { return report_; }
  // Records how its slots were used since the last such record.
  void report_use(SmId id, Cycle now);
  // At the end of the simulation, reports what is still open. `num_saved(ksr)`: number of its contexts in memory.
  template <typename NumSaved>
  void finish(Cycle end, NumSaved num_saved);

  record::Record about(record::Kind kind, SmId id, Cycle at) const;
  record::Record about_preemption(record::Kind kind, SmId id, Cycle at) const;

 private:
  void own(SmId id, KsrId ksr);
  void begin_meter(SmId id, Cycle now);
  void report_use(SmId id, Cycle now, Cycle to_come);
  void report_left(KsrId ksr, std::uint64_t num_saved, Cycle end);
  Cycle cycles_to_come(SmId id, Cycle now) const;

  const spec::Spec& spec_;
  policy::SchedulingTables& tables_;
  SmArray& array_;
  record::RecordLog& log_;
  ContextTable context_table_;
  spec::TechniqueKind technique_;
  bool keeps_turn_;
  bool counts_slots_;
  std::vector<SmOwner> sms_;
  DriverReport report_;
};

template <typename Release>
void SmOwners::kernel_is_over(KsrId ksr, Cycle now, Release release) {
  report_.finished.push_back(ksr);
  report_.wants_policy = true;
  const KernelLaunch& launch = array_.kernel(ksr).launch;
  if (launch.loops != nullptr) array_.require_loops().kernel_finished(launch, now);
  // They hold none of its TBs any more; a set-up in progress is abandoned.
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const policy::SmEntry& entry = tables_.smst()[i];
    if (entry.status == policy::SmStatus::kRunning && entry.ksr == ksr) release(SmId(i));
  }
}

template <typename NumSaved>
void SmOwners::finish(Cycle end, NumSaved num_saved) {
  for (std::size_t i = 0; i < sms_.size(); ++i) report_use(SmId(i), end, cycles_to_come(SmId(i), end));
  for (const KsrId ksr : tables_.active_queue()) report_left(ksr, num_saved(ksr), end);
}

}  // namespace tessera::tlm_model
