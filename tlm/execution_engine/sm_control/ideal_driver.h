// SPDX-License-Identifier: Apache-2.0
// The SM driver of the ideal engine with one kernel per SM: everything that arrives in a cycle is handled in it, and a
// preempted SM gives up all of its thread blocks.
#pragma once

#include "tlm/execution_engine/sm_control/i_sm_driver.h"
#include "tlm/execution_engine/sm_control/issue_rounds.h"
#include "tlm/execution_engine/sm_control/sm_exits.h"
#include "tlm/execution_engine/sm_control/sm_parts.h"

namespace tessera::tlm_model {

class IdealDriver final : public ISmDriver {
 public:
  explicit IdealDriver(SmParts& parts);

  void set_scheduler(const spec::SchedulerSpec& scheduler) override { owners_.set_scheduler(scheduler); }
  void decision_began(Cycle) override {}
  void decision_over(Cycle) override {}
  void kernel_activated(KsrId) override {}
  void assign(SmId id, KsrId ksr, Cycle now) override;
  void reserve(SmId id, KsrId next, Cycle now) override;
  void retarget(SmId id, KsrId next, Cycle now) override;
  void evict(spec::TechniqueKind how, Cycle now) override;
  void run_ends(Cycle before) override;
  void timer_fired(SmId id, Cycle now) override;
  Cycle next_issue() const override { return rounds_.next(); }
  void issue_due(Cycle now) override;
  bool is_any_sm_changing_hands() const override { return !owners_.are_settled(); }
  bool is_any_sm_used() const override { return tables_.is_any_sm_used(); }
  const policy::IVictimPort* victim_port() const override { return nullptr; }

 private:
  friend class IssueRounds;

  // Answers from SMs.
  void tb_over(const TbEnd& end);
  void set_up_done(SmId id, Cycle now);
  void contexts_are_in(SmId id, Cycle now);
  void tbs_have_left(SmId id, Cycle now);
  void preemption_done(SmId id, std::uint64_t bytes_saved, Cycle now);

  // SMs change hands.
  void begin_to_empty(SmId id, Cycle now);
  void set_up(SmId id, KsrId ksr, Cycle now);
  void run(SmId id, Cycle now);
  void release(SmId id, Cycle now);

  // Slots are filled.
  void fill(SmId id, Cycle now);
  void restore(SmId id, Cycle now);
  void issue_in_round(SmId id, Cycle now);
  bool wants_issue(SmId id) const;
  bool is_unused(SmId id) const;  // it runs, holds no TB, and is not reserved
  std::uint64_t free_slots(SmId id) const;
  std::uint64_t refilled_slots(SmId id) const;

  const spec::FrameworkSpec& framework_;
  bool comes_back_spread_;  // evicted TBs, as they were spread over SMs
  policy::SchedulingTables& tables_;
  SmArray& array_;
  SmOwners& owners_;
  TbSupply& supply_;
  SmExits exits_;
  IssueRounds rounds_;
};

}  // namespace tessera::tlm_model
