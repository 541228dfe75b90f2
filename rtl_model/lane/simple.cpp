// SPDX-License-Identifier: Apache-2.0
// Stage R: which entries are simple, when one has to wait for the engine, and what it does (docs/hardware/timing.md
// 6.7, 3. to 5.).
#include "rtl_model/lane/refill_lane.h"

namespace tessera::rtl_model {

// ---- simple --------------------------------------------------------------------------------------------------

bool RefillLane::is_simple(const LaneEntry& entry) const {
  switch (entry.kind) {
    case LaneEntryKind::kTbDone:
      return is_refill(entry) || is_counted(entry);
    case LaneEntryKind::kSetupDone:
      return is_answer(entry);
    case LaneEntryKind::kIssue:
      return may_get_tb(entry.sm) && tables_.ksrt.refills(entry.ksr);
    case LaneEntryKind::kRestoreDone:
    case LaneEntryKind::kPreempted:
      return false;
  }
  return false;
}

// The slot of a TB that is done gets the next one.
bool RefillLane::is_refill(const LaneEntry& done) const {
  const Smst& smst = tables_.smst;
  const bool goes_on = smst.flags.active.has(done.sm) && !smst.flags.restoring.has(done.sm);
  const bool is_running = smst.row(done.sm).state == SmState::kRunning;
  return goes_on && is_running && tables_.ksrt.refills(done.ksr) && !params_.issues_in_rounds;
}

// The slot stays free, and the SM stays whose it is.
bool RefillLane::is_counted(const LaneEntry& done) const {
  const Smst& smst = tables_.smst;
  const SmRow& row = smst.row(done.sm);
  if (!smst.flags.active.has(done.sm) || smst.flags.restoring.has(done.sm)) return false;
  const bool is_last = row.running <= 1;
  if (row.state == SmState::kReserved) return !is_last;
  if (row.state != SmState::kRunning) return false;
  if (!smst.flags.issuable.has(done.sm)) return !is_last;
  return tables_.ksrt.refills(done.ksr) && params_.issues_in_rounds;
}

// Of the last set-up, by an SM that its kernel still needs.
bool RefillLane::is_answer(const LaneEntry& done) const {
  const Smst& smst = tables_.smst;
  const bool is_current = tables_.set_up_tags.is_current(done.sm, done.tag) && !smst.flags.set_up_pending.has(done.sm);
  return is_current && smst.row(done.sm).state == SmState::kRunning && smst.flags.issuable.has(done.sm);
}

bool RefillLane::may_get_tb(std::uint32_t sm) const {
  const SmFlags& flags = tables_.smst.flags;
  const bool is_running = tables_.smst.row(sm).state == SmState::kRunning;
  return is_running && flags.active.has(sm) && flags.issuable.has(sm) && !flags.full.has(sm) &&
         !flags.restoring.has(sm);
}

bool RefillLane::is_filled_by(const LaneEntry& issue) const {
  return tables_.smst.row(issue.sm).running + 1 == tables_.ksrt.row(issue.ksr).tbs_per_sm;
}

// ---- stalled -------------------------------------------------------------------------------------------------

bool RefillLane::is_stalled(const LaneEntry& entry, const JobEngine& engine) {
  using Phase = JobEngine::Phase;
  using Job = JobEngine::Job;
  const Phase phase = engine.phase();
  const Job job = engine.job();
  if (phase == Phase::kPick) return false;
  if (job == Job::kEvict) return true;
  if (phase == Phase::kFind) return false;
  if (engine.sm() == entry.sm) return true;
  if (phase == Phase::kSm || job == Job::kTrap || job == Job::kSetUp) return false;
  // The engine's own use of the row's ports and of the dispatch pins: an entry that goes writes three cycles later.
  if (phase == Phase::kRow) return true;
  const bool may_have_burst = job == Job::kTbDone || job == Job::kIssue || job == Job::kAssign;
  if (may_have_burst && phase != Phase::kWrite) return true;
  return engine.ksr() != kNone && engine.ksr() == entry.ksr;
}

// ---- what it does --------------------------------------------------------------------------------------------

RefillLane::SmStep RefillLane::sm_step(const LaneEntry& entry) const {
  const std::uint32_t running = tables_.smst.row(entry.sm).running;
  if (entry.kind == LaneEntryKind::kSetupDone) return {true, false, running, false};
  if (entry.kind == LaneEntryKind::kIssue) return {false, true, running + 1, is_filled_by(entry)};
  if (is_refill(entry)) return {};
  return {false, true, running - 1, false};
}

RefillLane::Counted RefillLane::counted(const LaneEntry& entry) const {
  if (entry.kind == LaneEntryKind::kSetupDone) return {};
  const bool is_running = tables_.smst.row(entry.sm).state == SmState::kRunning;
  TbCount step{false, -1, is_running ? +1 : 0};
  if (entry.kind == LaneEntryKind::kIssue) {
    step = {true, +1, -1};
  } else if (is_refill(entry)) {
    step = {true, 0, 0};
  }
  return {true, entry.sm, entry.ksr, step};
}

void RefillLane::step_sm() {
  Smst& smst = tables_.smst;
  if (sm_step_.activates) {
    smst.flags.active.set(r_q_.sm);
    tables_.set_up_tags.answer(r_q_.sm, r_q_.tag);
  }
  if (!sm_step_.counts) return;
  smst.set_running(r_q_.sm, sm_step_.running);
  smst.flags.full.set(r_q_.sm, sm_step_.is_full);
}

}  // namespace tessera::rtl_model
