// SPDX-License-Identifier: Apache-2.0
// The dispatcher of SMs that kernels share, as GPUs have it (docs/concepts/shared_sms.md): thread blocks of any kernel
// go where they find room, breadth first; one line of kernels, in which nobody overtakes who waits. No kernel has an
// SM, and what runs is taken off only when the whole GPU goes to another context.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/sm_set.h"
#include "model/policy/dispatch_line.h"
#include "model/policy/kept_turn.h"
#include "model/spec/issue_rate.h"
#include "tlm/execution_engine/sm_control/i_sm_driver.h"
#include "tlm/execution_engine/sm_control/sm_exits.h"
#include "tlm/execution_engine/sm_control/sm_parts.h"
#include "tlm/execution_engine/tb_dispatcher/holdings.h"
#include "tlm/execution_engine/tb_dispatcher/sm_room.h"

namespace tessera::tlm_model {

class TbDispatcher final : public ISmDriver {
 public:
  explicit TbDispatcher(SmParts& parts);

  void set_scheduler(const spec::SchedulerSpec& scheduler) override;
  void decision_began(Cycle) override {}
  void decision_over(Cycle now) override;
  void kernel_activated(KsrId ksr) override;
  void turn_seen(const policy::SeenTurn& turn, Cycle now) override;
  void evict(spec::TechniqueKind how, Cycle now) override;
  // No policy gives SMs to kernels, or takes any: these throw.
  void assign(SmId id, KsrId ksr, Cycle now) override;
  void reserve(SmId id, KsrId next, Cycle now) override;
  void retarget(SmId id, KsrId next, Cycle now) override;

  void run_ends(Cycle before) override;
  void timer_fired(SmId id, Cycle now) override;
  Cycle next_issue() const override { return next_issue_; }
  void issue_due(Cycle now) override;

  bool is_any_sm_changing_hands() const override { return leaving_.any() || returning_.any(); }
  bool is_any_sm_used() const override;
  std::uint32_t num_contexts_away(KsrId ksr) const override;
  const policy::IVictimPort* victim_port() const override { return nullptr; }

 private:
  struct Choice {
    KsrId kernel = kNoKsr;
    SmId sm = kNoSm;
  };
  // A thread block of a context that has lost its turn: where it was, and will be again.
  struct Away {
    KsrId kernel{};
    std::uint32_t slot = 0;
    TbHandle handle;
  };
  using AwayFromSms = std::vector<std::vector<Away>>;  // by SM

  // Placing: tb_dispatcher.cpp
  void take_places_back(Cycle now);
  Choice choose();
  SmId sm_with_room(KsrId kernel, const SmSet& open);
  void place(const Choice& choice, Cycle now);
  bool may_run(KsrId kernel) const;
  bool has_work() const;
  void plan(Cycle earliest);
  void wake(Cycle now);
  void tb_over(const TbEnd& end);
  // Slices: tb_dispatcher_slices.cpp
  void have_left(SmId id, Cycle now);
  void restored(SmId id, Cycle now);
  void bring_back(ContextId context, Cycle now);
  bool is_empty(SmId id) const { return array_.sm(id).occupied == 0; }

  static std::uint32_t bit(SmId id) { return static_cast<std::uint32_t>(index(id)); }

  const spec::GpuSpec& gpu_;
  bool is_partitioned_;
  policy::SchedulingTables& tables_;
  SmArray& array_;
  SmOwners& owners_;
  SmExits exits_;
  policy::DispatchLine line_;
  SmRoom room_;
  Holdings holdings_;
  spec::IssueTurns turns_;
  std::vector<spec::IssueTurns::Step> steps_;  // by class of thread blocks
  std::vector<SmSet> may_fit_;                 // by KSR: SMs on which one more may find room
  SmSet all_sms_;
  std::uint32_t next_sm_ = 0;  // from where on an SM is looked for
  bool is_blocked_ = true;     // nobody in the line finds room
  Cycle next_issue_ = kNever;
  Cycle none_waits_from_ = 0;  // from when on no kernel waits for room; kNever: one does
  // Slices of the whole GPU.
  bool takes_turns_;
  policy::SeenTurn turn_;
  spec::TechniqueKind eviction_ = spec::TechniqueKind::kContextSwitch;
  SmSet leaving_;                  // SMs that are being emptied
  SmSet returning_;                // SMs whose contexts come back
  std::vector<AwayFromSms> away_;  // by context
};

}  // namespace tessera::tlm_model
