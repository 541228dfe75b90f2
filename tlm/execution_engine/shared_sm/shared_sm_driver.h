// SPDX-License-Identifier: Apache-2.0
// The SM driver of techniques that choose victims ([S16]): thread blocks of an SM leave each in its own way (chimera),
// and places that become free go to a second kernel while the rest runs on (dual_kernel). The SM that costs least is
// taken, and the set of thread blocks that costs least goes first.
#pragma once

#include <optional>
#include <vector>

#include "model/policy/i_victim_port.h"
#include "model/preemption/drain_estimate.h"
#include "model/preemption/victim_selection.h"
#include "model/preemption/victim_sets.h"
#include "model/workload/occupancy_pace.h"
#include "tlm/execution_engine/shared_sm/shared_sm.h"
#include "tlm/execution_engine/sm_driver.h"

namespace tessera::tlm_model {

class SharedSmDriver final : public SmDriver, private policy::IVictimPort {
 public:
  SharedSmDriver(const spec::Spec& spec, policy::SchedulingTables& tables, EventTree& timers, record::RecordLog& log,
                 record::InvariantMonitor* monitor, PagedMemory* context_bytes);

  const policy::IVictimPort* victim_port() const override { return this; }

  void kernel_activated(KsrId ksr, LaunchId id, const KernelLaunch& launch, Cycle now) override;
  void assign(SmId id, KsrId ksr, Cycle now) override;
  void reserve(SmId id, KsrId next, Cycle now) override;
  void retarget(SmId id, KsrId next, Cycle now) override;
  void run_completions(Cycle before) override;
  void timer_fired(SmId id, Cycle now) override;
  bool is_any_sm_changing_hands() const override;
  void set_scheduler(const spec::SchedulerSpec& scheduler) override;
  void decision_began(Cycle at) override;
  void decision_over(Cycle now) override;

  const SharedSm& shared(SmId id) const { return shared_[index(id)]; }

 private:
  // ---- the port: shared_sm_victims.cpp
  SmId choose(const SmSet& candidates, KsrId next) const override;
  bool takes_more(KsrId next) const override;
  // What it costs if an SM is taken for a kernel now: the first set where there are several.
  preemption::SetCost offer(SmId id, KsrId next) const;
  std::vector<preemption::TbStatus> status_of(SmId id, Cycle now) const;
  preemption::TbStatus status_of_tb(SmId id, std::uint32_t slot, std::optional<std::uint64_t> cpi, Cycle now) const;
  preemption::SwitchPrice price_of(SmId id, Cycle now) const;
  preemption::SetPlan plan_all(SmId id, Cycle wanted_from, Cycle now) const;
  struct PositionPlan {
    std::uint32_t position = 0;
    preemption::SetPlan plan;
  };
  std::optional<PositionPlan> plan_position(SmId id, KsrId guest, Cycle wanted_from, Cycle now) const;
  preemption::Spare spare_of(SmId id, KsrId guest) const;
  Cycle wanted_from(KsrId next) const;
  Cycle limit_left(Cycle wanted_from, Cycle now) const;
  Cycle leaves_in(SmId id, std::uint32_t slot, Cycle now) const;
  Cycle remaining_of(const ContextMove& move, Cycle now) const;
  Cycle moving_cycles(const ContextMove& move) const;
  bool fits_configuration(SmId id, KsrId guest) const;
  std::int64_t uncovered_need(KsrId guest, SmId without) const;
  std::int64_t places_promised(SmId id, KsrId guest) const;

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
  void save_victims(SmId id, std::uint64_t slots, Cycle now);
  void flush_victims(SmId id, std::uint64_t slots, Cycle now);
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

  // ---- contexts on the move: shared_sm_moves.cpp
  void step_moves(SmId id, Cycle now);
  bool step_move(SmId id, ContextMove& move, Cycle now);  // false: it is over
  bool is_its_turn(const SharedSm& sm, const ContextMove& move) const;
  void freeze_victims(SmId id, ContextMove& move, Cycle now);
  void start_moving(SmId id, ContextMove& move, Cycle now);
  void move_is_over(SmId id, const ContextMove& move, Cycle now);
  void time_coupled_moves();
  void saved(SmId id, const ContextMove& move, Cycle now);
  void restored(SmId id, const ContextMove& move, Cycle now);
  void forget_slot(SmId id, std::uint32_t slot);
  std::uint64_t num_restoring(KsrId ksr) const override;
  bool has_per_tb_price() const { return spec_.scheduler.switch_pricing == spec::SwitchPricing::kPerTb; }

  // ---- the way in: shared_sm_issue.cpp
  void complete_tb(SmId id, std::uint32_t slot, Cycle now);
  void finish_kernel(KsrId ksr, Cycle now) override;
  void release(SmId id, Cycle now) override;
  void owner_set_up(SmId id, KsrId ksr, Cycle now);
  void set_up_is_over(SmId id, Cycle now);
  void fill_all(SmId id, Cycle now);
  void fill_owner(SmId id, Cycle now);
  void fill_grant(SmId id, Grant& grant, Cycle now);
  bool may_owner_issue(SmId id) const;
  struct Place {
    std::uint32_t slot = 0;
    std::uint32_t position = 0;
  };
  std::optional<Place> free_place(SmId id) const;
  std::optional<std::uint32_t> free_slot(SmId id) const;
  std::optional<Cycle> issue_tb(SmId id, KsrId ksr, Place place, Cycle earliest);
  void start_fresh(SmId id, KsrId ksr, std::uint32_t slot, Cycle earliest);
  void start_flushed(SmId id, KsrId ksr, std::uint32_t slot, const TbHandle& handle, Cycle start);
  void await_restore(SmId id, KsrId ksr, std::uint64_t slots, Cycle last_issue);
  void note_refill(SmId id);
  void place_tb(SmId id, Place place);

  // ---- breadth first: shared_sm_breadth_first.cpp
  void spread(KsrId guest, Cycle now);
  SmId next_in_round(KsrId guest, Cycle now) const;
  bool is_planned(KsrId guest) const;
  bool is_any_behind(KsrId guest, std::size_t places) const;
  static bool awaits_plan(const SharedSm& sm);
  static std::size_t num_places(const SharedSm& sm);  // of its guest, one that it has been asked for among them
  void issue_breadth_first(SmId id, Cycle now) override;
  bool wants_issue(SmId id) const override;
  bool is_unused(SmId id) const override;
  std::uint64_t free_slots(SmId id) const override;

  // ---- speed that hangs on occupancy: shared_sm_pace.cpp
  bool is_paced(SmId id, std::uint32_t slot) const;
  workload::Pace pace_of(SmId id, std::uint32_t slot) const;
  void note_start(SmId id, std::uint32_t slot, Cycle cycles, Cycle start, Cycle ran_for);
  void change_pace(SmId id, Cycle now);
  Cycle remaining_work(SmId id, std::uint32_t slot, Cycle now) const override;
  Cycle ran_for(SmId id, std::uint32_t slot, Cycle now) const;

  void retime(SmId id);
  KsrId tenant(SmId id, std::uint32_t slot) const {
    return (shared_[index(id)].guest_slots >> slot & 1) != 0 ? shared_[index(id)].guest : sms_[index(id)].ksr;
  }
  record::Record about_tb(record::Kind kind, SmId id, std::uint32_t slot, Cycle at) const;
  void emit_of(record::Kind kind, SmId id, std::uint32_t slot, Cycle at, std::uint64_t bytes = 0);
  preemption::TbSize size_of(KsrId ksr) const;
  preemption::SmRoom room_of(SmId id) const;
  std::uint64_t positions_in_use(SmId id, const preemption::TbSize& size, std::uint32_t num_positions) const;
  std::uint32_t threads_in_use(SmId id) const;
  std::uint32_t num_coming(SmId id) const;  // places granted whose TBs are not there
  bool is_active(SmId id) const;            // its owner
  bool is_dual(SmId id) const { return sms_[index(id)].technique == spec::TechniqueKind::kDualKernel; }
  void check_sharing(SmId id) const;

  std::vector<SharedSm> shared_;
  std::vector<preemption::FinishedTbs> finished_tbs_;  // by KSR: of its launch
  std::vector<std::uint32_t> slot_position_;           // by leaf
  std::vector<Choice> slot_choice_;                    // by leaf: of a TB that is leaving
  std::vector<workload::PacedWork> slot_work_;         // by leaf: of a TB whose speed changes
  Cycle limit_;
  bool takes_all_ = false;     // exclusive_scope: all
  bool is_any_paced_ = false;  // there has been a kernel whose speed changes
  bool is_deciding_ = false;   // the policy may reserve further SMs
};

}  // namespace tessera::tlm_model
