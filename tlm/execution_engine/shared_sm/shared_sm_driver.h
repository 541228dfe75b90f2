// SPDX-License-Identifier: Apache-2.0
// The SM driver of the ideal engine with techniques that choose victims ([S16]): each thread block of an SM leaves in
// its own way (chimera), and places that become free go to a second kernel while the rest keeps running (dual_kernel).
// The cheapest SM is taken, and the cheapest set of thread blocks leaves first.
#pragma once

#include <optional>

#include "tlm/execution_engine/shared_sm/move_queue.h"
#include "tlm/execution_engine/shared_sm/victim_choice.h"
#include "tlm/execution_engine/sm_control/i_sm_driver.h"
#include "tlm/execution_engine/sm_control/issue_rounds.h"

namespace tessera::tlm_model {

class SharedSmDriver final : public ISmDriver {
 public:
  explicit SharedSmDriver(SmParts& parts);

  void set_scheduler(const spec::SchedulerSpec& scheduler) override;
  void decision_began(Cycle at) override;
  void decision_over(Cycle now) override;
  void kernel_activated(KsrId ksr) override { sms_.finished_tbs(ksr) = {}; }
  void assign(SmId id, KsrId ksr, Cycle now) override;
  void reserve(SmId id, KsrId next, Cycle now) override;
  void retarget(SmId id, KsrId next, Cycle now) override;
  void evict(spec::TechniqueKind how, Cycle now) override;
  void run_ends(Cycle before) override;
  void timer_fired(SmId id, Cycle now) override;
  Cycle next_issue() const override { return rounds_.next(); }
  void issue_due(Cycle now) override;
  bool is_any_sm_changing_hands() const override;
  bool is_any_sm_used() const override { return tables_.is_any_sm_used(); }
  const policy::IVictimPort* victim_port() const override { return &choice_; }

 private:
  friend class IssueRounds;

  // ---- the way out: shared_sm_exits.cpp
  void plan(SmId id, Cycle now);
  void choose_sets(SmId id, Cycle now);
  bool choose_set(SmId id, Cycle now);
  void request_more(SmId id, Cycle now);
  void plan_soon(SmId id, Cycle now);
  void ask_again(SmId id, Cycle now);
  void carry_out(SmId id, const preemption::SetPlan& plan, Cycle now);
  void escalate(SmId id, Cycle now);
  void time_escalation(SmId id, Cycle now);
  std::uint64_t draining_victims(SmId id) const;
  void flush_victims(SmId id, std::uint64_t slots, Cycle now);
  void step_moves(SmId id, Cycle now);
  void saved(SmId id, const MoveQueue::Over& over, Cycle now);
  void restored(SmId id, Cycle now);
  void victim_left(SmId id, std::uint32_t slot, preemption::Exit way, Cycle now);
  void handles_are_back(KsrId victim, Cycle now);

  // ---- what is free then: shared_sm_places.cpp
  void tbs_gone(SmId id, Cycle now);
  void grant_positions(SmId id, Cycle now);
  bool has_room_for(SmId id, KsrId guest) const;
  void note_granted(SmId id, std::uint32_t position, std::uint32_t num_tbs, KsrId to, Cycle now);
  void note_cancelled(SmId id, Cycle now);
  void request_done(SmId id, Cycle now);
  void all_gone(SmId id, Cycle now);
  void pass_to_guest(SmId id, Cycle now);
  void return_to_owner(SmId id, Cycle now);

  // ---- the way in: shared_sm_issue.cpp
  struct RefillPlaces;  // a rule of SmArray::run_ends()
  void tb_over(const TbEnd& end);
  void kernel_is_over(KsrId ksr, Cycle now);
  void release(SmId id, Cycle now);
  void set_up(SmId id, KsrId ksr, Cycle now);
  void set_up_is_over(SmId id, Cycle now);
  void fill_all(SmId id, Cycle now);
  void fill_owner(SmId id, Cycle now);
  void fill_grant(SmId id, Grant& grant, Cycle now);
  bool may_owner_issue(SmId id) const;
  std::optional<Place> free_place(SmId id) const;
  std::optional<Cycle> send(SmId id, Place place, KsrId ksr, Cycle earliest);
  void note_refill(SmId id);

  // ---- breadth first: shared_sm_breadth_first.cpp
  void spread(KsrId guest, Cycle now);
  SmId next_in_round(KsrId guest, Cycle now) const;
  bool is_planned(KsrId guest) const;
  bool is_any_behind(KsrId guest, std::size_t places) const;
  void issue_in_round(SmId id, Cycle now);
  bool wants_issue(SmId id) const;
  bool is_unused(SmId id) const;
  std::uint64_t free_slots(SmId id) const { return sms_.free_slots(id); }

  const spec::Spec& spec_;
  policy::SchedulingTables& tables_;
  EventTree& timers_;
  record::RecordLog& log_;
  SmArray& array_;
  SmOwners& owners_;
  TbSupply& supply_;
  SharedSms sms_;
  MoveQueue moves_;
  VictimChoice choice_;
  IssueRounds rounds_;
  bool is_deciding_ = false;  // the policy may reserve further SMs
};

}  // namespace tessera::tlm_model
