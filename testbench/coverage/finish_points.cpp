// SPDX-License-Identifier: Apache-2.0
// The cycle in which a kernel's last TB done is taken: where that TB was, and what else the kernel had in hand.
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): every second word here

class FinishPoints final : public ICoverGroup {
 public:
  explicit FinishPoints(Coverage& coverage) : coverage_(coverage) {}

  void sample(const CycleView& now) override {
    if (!now.takes(SmEventKind::kTbDone)) return;
    const std::uint32_t sm = now.in.sm_event.sm;
    const std::uint32_t ksr = now.tables.smst.row(sm).ksr;
    const KsrRow& kernel = now.tables.ksrt.row(ksr);
    if (kernel.outstanding != 1 || kernel.remaining != 0) return;
    sample_its_sm(now, sm);
    for (std::uint32_t other = 0; other < now.params.num_sms; ++other) {
      if (other != sm) sample_other(now, other, ksr);
    }
    coverage_.hit_if(with_write_, now.has_write());
    coverage_.hit_if(with_tokens_, now.writes(ControlRegister::kTokens) && now.in.control.context == kernel.context);
    coverage_.hit_if(with_policy_, now.writes(ControlRegister::kPolicy));
    coverage_.hit_if(with_command_, now.in.command.valid);
    coverage_.hit_if(last_of_context_, now.tables.context_table.row(kernel.context).kernels == 1);
    coverage_.hit_if(last_of_all_, now.tables.active_queue.size() == 1);
    coverage_.hit_if(queue_full_, now.tables.active_queue.is_full());
  }

 private:
  // The SM that held the last TB.
  void sample_its_sm(const CycleView& now, std::uint32_t sm) {
    const SmPhase phase = now.phases[sm];
    coverage_.hit_if(on_trap_pending_, phase == SmPhase::kTrapPending);
    coverage_.hit_if(on_trapped_, phase == SmPhase::kTrapped);
    coverage_.hit_if(on_draining_, phase == SmPhase::kDraining);
    coverage_.hit_if(on_restoring_, now.probe.is_restoring(sm));
    coverage_.hit_if(on_reserved_restoring_, phase == SmPhase::kReservedFilling);
    coverage_.hit_if(with_its_trap_, now.sends(SmControlKind::kTrap, sm));
  }
  void sample_other(const CycleView& now, std::uint32_t sm, std::uint32_t ksr) {
    const SmRow& row = now.tables.smst.row(sm);
    const SmPhase phase = now.phases[sm];
    coverage_.hit_if(reserved_for_it_, phase >= SmPhase::kReservedInSetUp && row.next == ksr);
    if (row.ksr != ksr) return;
    const bool is_set_up_due = now.sends(SmControlKind::kSetup, sm);
    coverage_.hit_if(in_set_up_, phase == SmPhase::kSetUp);
    coverage_.hit_if(set_up_withheld_, phase == SmPhase::kSetUp && is_set_up_due);
    coverage_.hit_if(reserved_in_set_up_, phase == SmPhase::kReservedInSetUp);
    coverage_.hit_if(reserved_set_up_withheld_, phase == SmPhase::kReservedInSetUp && is_set_up_due);
    coverage_.hit_if(other_trapped_, phase == SmPhase::kTrapped);
    coverage_.hit_if(other_trap_pending_, phase == SmPhase::kTrapPending);
    coverage_.hit_if(other_restoring_, phase == SmPhase::kFilling);
  }

  Coverage& coverage_;
  const Coverage::Id reserved_for_it_ = coverage_.add("finish.sm_reserved_for_it", "SMs are reserved for it");
  const Coverage::Id on_trap_pending_ = coverage_.add("finish.on_trap_pending", "its last SM was to be trapped");
  const Coverage::Id on_trapped_ = coverage_.add("finish.on_trapped", "its last TB ends on a trapped SM");
  const Coverage::Id on_draining_ = coverage_.add("finish.on_draining", "its last TB ends on an SM that is drained");
  const Coverage::Id on_restoring_ =
      coverage_.add("finish.on_restoring", "its last TB ends before the restore done was taken");
  const Coverage::Id on_reserved_restoring_ =
      coverage_.add("finish.on_reserved_restoring", "the same on an SM that is reserved");
  const Coverage::Id with_its_trap_ = coverage_.add("finish.with_its_trap", "the trap of its last SM is sent");
  const Coverage::Id in_set_up_ = coverage_.add("finish.sm_in_set_up", "another of its SMs is in set-up");
  const Coverage::Id set_up_withheld_ =
      coverage_.add("finish.set_up_withheld", "a set-up for it would be sent in that cycle");
  const Coverage::Id reserved_in_set_up_ =
      coverage_.add("finish.reserved_sm_in_set_up", "another of its SMs is in set-up, and reserved");
  const Coverage::Id reserved_set_up_withheld_ =
      coverage_.add("finish.reserved_set_up_withheld", "the set-up of a reserved SM of it would be sent in that cycle");
  const Coverage::Id other_trapped_ = coverage_.add("finish.other_sm_trapped", "another of its SMs was trapped empty");
  const Coverage::Id other_trap_pending_ =
      coverage_.add("finish.other_sm_trap_pending", "another of its SMs is empty, and to be trapped");
  const Coverage::Id other_restoring_ =
      coverage_.add("finish.other_sm_restoring", "another of its SMs is empty, and its restore done was not taken");
  const Coverage::Id with_write_ = coverage_.add("finish.with_write", "with a control write");
  const Coverage::Id with_tokens_ = coverage_.add("finish.with_tokens_write", "with a tokens write to its context");
  const Coverage::Id with_policy_ = coverage_.add("finish.with_policy_write", "with a policy write");
  const Coverage::Id with_command_ = coverage_.add("finish.with_command", "with a command");
  const Coverage::Id last_of_context_ = coverage_.add("finish.last_of_context", "its context has no other kernel");
  const Coverage::Id last_of_all_ = coverage_.add("finish.last_of_all", "no other kernel is active");
  const Coverage::Id queue_full_ = coverage_.add("finish.queue_was_full", "the active queue was full");
};

}  // namespace

std::unique_ptr<ICoverGroup> finish_points(Coverage& coverage) { return std::make_unique<FinishPoints>(coverage); }

}  // namespace tessera::testbench
