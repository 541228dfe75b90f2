// SPDX-License-Identifier: Apache-2.0
// Read-only queries for the choice of victims ([S16] 3.3): the state of an SM's thread blocks, the cost of a context
// switch, and the cheapest set of victims.
#pragma once

#include <optional>
#include <vector>

#include "model/policy/i_victim_port.h"
#include "model/preemption/victim_selection.h"
#include "tlm/execution_engine/shared_sm/move_queue.h"

namespace tessera::tlm_model {

class VictimChoice final : public policy::IVictimPort {
 public:
  VictimChoice(SmParts& parts, const SharedSms& sms, const MoveQueue& moves);

  void set_scheduler(const spec::SchedulerSpec& scheduler);
  void decision_began(Cycle at) { decision_began_ = at; }

  // The cheapest SM; among equals the one with the lowest number.
  SmId choose(const SmSet& candidates, KsrId next) const override;
  bool takes_more(KsrId next) const override;

  // All TBs of an SM's owner.
  preemption::SetPlan plan_all(SmId id, Cycle wanted_from, Cycle now) const;
  // The guest's position with the cheapest victims; empty if none is left.
  struct PositionPlan {
    std::uint32_t position = 0;
    preemption::SetPlan plan;
  };
  std::optional<PositionPlan> plan_position(SmId id, KsrId guest, Cycle wanted_from, Cycle now) const;
  // The draining TBs that are not expected to end within the limit; and how they leave instead.
  std::uint64_t late(SmId id, std::uint64_t draining, Cycle wanted_from, Cycle now) const;
  preemption::SetPlan plan_late(SmId id, std::uint64_t late, Cycle wanted_from, Cycle now) const;
  // The last cycle at which `num_tbs` TBs could still be switched within the limit; kNever: it has passed.
  Cycle last_call(SmId id, std::uint32_t num_tbs, Cycle wanted_from, Cycle now) const;

  // Since when a kernel that gets an SM now has wanted it.
  Cycle wanted_from(KsrId next) const;
  bool fits_configuration(SmId id, KsrId guest) const;
  // The guest's TBs for which there is neither a free slot on its own SMs nor a place promised on another SM.
  std::int64_t uncovered_need(KsrId guest, SmId without) const;

 private:
  preemption::SetCost offer(SmId id, KsrId next) const;
  std::vector<preemption::TbStatus> status_of(SmId id, Cycle now) const;
  preemption::TbStatus status_of_tb(SmId id, std::uint32_t slot, std::optional<std::uint64_t> cpi, Cycle now) const;
  preemption::SwitchPrice price_of(SmId id, Cycle now) const;
  preemption::Spare spare_of(SmId id, KsrId guest) const;
  Cycle limit_left(Cycle wanted_from, Cycle now) const;
  Cycle leaves_in(SmId id, std::uint32_t slot, Cycle now) const;
  std::int64_t places_promised(SmId id, KsrId guest) const;

  const spec::Spec& spec_;
  const policy::SchedulingTables& tables_;
  const SmArray& array_;
  const SmOwners& owners_;
  const SharedSms& sms_;
  const MoveQueue& moves_;
  Cycle limit_;
  bool is_breadth_first_;
  bool takes_all_ = false;  // exclusive_scope: all
  Cycle decision_began_ = 0;
};

}  // namespace tessera::tlm_model
