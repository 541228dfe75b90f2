// SPDX-License-Identifier: Apache-2.0
// What SMs are told: trap, set-up, TBs (docs/hardware/timing.md 6.4, 6.5).
#include "rtl_model/job_engine/job_engine.h"

namespace tessera::rtl_model {

// ---- trap and set-up -----------------------------------------------------------------------------------------

// The ring shall have room for all TBs of the SM.
bool JobEngine::is_trap_rejected() const {
  return running_ > 0 && std::uint64_t{row_.preempted} + row_.promised + running_ > params_.ptbq_depth;
}

void JobEngine::calc_trap() {
  if (has_row()) row_.promised.add(running_);
}

void JobEngine::write_trap() {
  SmFlags& flags = tables_.smst.flags;
  if (has_row()) tables_.ksrt.write_promised(ksr_, row_.promised);
  flags.trap_pending.clear(sm_);
  flags.active.clear(sm_);
  flags.trapped.set(sm_);
  sm_control_ = {true, sm_, SmControlKind::kTrap};
}

void JobEngine::calc_set_up() { page_table_ = tables_.contexts.row(tables_.ksrt.traits(ksr_).context).page_table; }

void JobEngine::write_set_up() {
  tables_.smst.flags.set_up_pending.clear(sm_);
  sm_control_ = {true,
                 sm_,
                 SmControlKind::kSetup,
                 tables_.ksrt.traits(ksr_).context,
                 page_table_,
                 row_.descriptor,
                 tables_.set_up_tags.send(sm_)};
}

// ---- issue ---------------------------------------------------------------------------------------------------

void JobEngine::calc_issue() {
  issues_handles_ = row_.preempted != 0;
  issues_fresh_ = !issues_handles_;
}

// A cycle of BURST. Returns whether it is the last.
bool JobEngine::burst() {
  if (carries_) {
    carries_ = false;
    return is_burst_over_;
  }
  issues_handles_ ? burst_handle() : burst_fresh();
  return is_burst_over_ && !carries_;
}

void JobEngine::burst_handle() {
  const TbHandle& handle = tables_.ptbq.at(ksr_, row_.head);
  row_.head = tables_.ptbq.after(row_.head);
  row_.preempted.add(-1);
  row_.covered.add(-1);
  ++running_;
  is_burst_over_ =
      row_.preempted == 0 || running_ == row_.tbs_per_sm || (comes_back_spread_ && running_ >= row_.saved_per_sm);
  dispatch_ = {true, sm_, true, is_burst_over_, handle.tb, handle.stack_pointer};
}

// It is on the pins in its own cycle of BURST: those of the coming one, if a TB is chosen in it.
void JobEngine::show_fresh() {
  if (phase_ == Phase::kBurst && issues_fresh_ && !carries_) dispatch_ = {true, sm_, false, false, row_.next_tb, 0};
}

void JobEngine::burst_fresh() {
  carries_ = row_.next_tb % 256 == 255 || row_.remaining % 256 == 0;
  row_.next_tb.add(+1);
  row_.remaining.add(-1);
  row_.outstanding.add(+1);
  row_.covered.add(-1);
  ++running_;
  const bool is_one = job_ == Job::kTbDone || params_.is_breadth_first;
  is_burst_over_ = is_one || row_.remaining == 0 || running_ == row_.tbs_per_sm;
}

void JobEngine::write_issue() {
  tables_.smst.set_running(sm_, running_);
  if (running_ == row_.tbs_per_sm) tables_.smst.flags.full.set(sm_);
  if (issues_handles_) tables_.smst.flags.restoring.set(sm_);
}

}  // namespace tessera::rtl_model
