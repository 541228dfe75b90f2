// SPDX-License-Identifier: Apache-2.0
// The SMs under techniques that choose victims: the state of each and its free room.
#pragma once

#include <cstdint>
#include <vector>

#include "model/preemption/drain_estimate.h"
#include "model/preemption/victim_sets.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/shared_sm/shared_sm.h"
#include "tlm/execution_engine/sm_control/sm_parts.h"

namespace tessera::tlm_model {

class SharedSms {
 public:
  explicit SharedSms(SmParts& parts);

  SharedSm& at(SmId id) { return sms_[index(id)]; }
  const SharedSm& at(SmId id) const { return sms_[index(id)]; }
  const std::vector<SharedSm>& all() const { return sms_; }
  Choice& choice(SmId id, std::uint32_t slot) { return choices_[index(id)][slot]; }
  const Choice& choice(SmId id, std::uint32_t slot) const { return choices_[index(id)][slot]; }
  preemption::FinishedTbs& finished_tbs(KsrId ksr) { return finished_tbs_[index(ksr)]; }  // of its launch
  const preemption::FinishedTbs& finished_tbs(KsrId ksr) const { return finished_tbs_[index(ksr)]; }

  // Sets the SM's timer to the earliest event that it waits for.
  void retime(SmId id);

  bool has_per_tb_price() const { return parts_.spec.scheduler.switch_pricing == spec::SwitchPricing::kPerTb; }
  bool is_dual(SmId id) const { return parts_.owners.sm(id).technique == spec::TechniqueKind::kDualKernel; }
  bool is_active(SmId id) const;  // its owner
  // An SM moves one batch at a time; with switch_pricing: per_tb, contexts move independently of each other.
  bool is_its_turn(const SharedSm& sm, const QueuedMove& move) const {
    return has_per_tb_price() || &move == &sm.moves.front();
  }

  std::uint64_t owners_slots(SmId id) const { return parts_.array.sm(id).occupied & ~at(id).guest_slots; }
  std::uint64_t free_slots(SmId id) const;      // for either kernel
  std::uint32_t num_coming(SmId id) const;      // granted places whose TBs have not arrived
  std::uint32_t threads_in_use(SmId id) const;  // by both kernels
  preemption::TbSize size_of(KsrId ksr) const;
  preemption::SmRoom room_of(SmId id) const;
  // Positions, in units of `size`, that are granted or occupied by TBs of either kernel.
  std::uint64_t positions_in_use(SmId id, const preemption::TbSize& size, std::uint32_t num_positions) const;
  // Checks that the ranges are disjoint and within the SM.
  void check_sharing(SmId id) const;

  record::Record about_tb(record::Kind kind, SmId id, std::uint32_t slot, Cycle at) const;

 private:
  SmParts& parts_;
  std::vector<SharedSm> sms_;
  std::vector<std::vector<Choice>> choices_;           // by SM and slot, for TBs that are leaving
  std::vector<preemption::FinishedTbs> finished_tbs_;  // by KSR
};

}  // namespace tessera::tlm_model
