// SPDX-License-Identifier: Apache-2.0
// Follows the engine from job to job for the coverpoints.
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using Phase = JobEngine::Phase;

}  // namespace

CoreCoverage::CoreCoverage() {
  for (const auto& make : {move_job_points, sm_job_points, walk_points, burst_points, flush_points, search_points,
                           token_points, debt_points, linger_points, link_points, turn_points, slice_end_points,
                           pin_points, lane_entry_points, lane_row_points}) {
    groups_.push_back(make(coverage_));
  }
}

void CoreCoverage::reset(const ModelCore& core) {
  model_ = &core;
  core_ = &core.scheduler();
  job_ = {};
  in_before_ = {};
  phase_before_ = Phase::kPick;
  state_before_ = Search::State::kIdle;
  for (const auto& group : groups_) group->reset();
}

void CoreCoverage::sample(const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out,
                          const Scoreboard& board) {
  follow_job(out);
  const CycleView now{model_->params(), in, out, *core_, board, job_, in_before_, state_before_};
  for (const auto& group : groups_) group->sample(now);
  if (job_.is_over) job_ = {};
  in_before_ = in;
  phase_before_ = core_->engine().phase();
  state_before_ = core_->search().state();
}

void CoreCoverage::sample_reset() {
  for (const auto& group : groups_) group->sample_reset(*core_);
}

void CoreCoverage::follow_job(const rtl_model::SchedulerOutputs& out) {
  const JobEngine& engine = core_->engine();
  const Phase phase = engine.phase();
  if (phase == Phase::kLoad && !engine.is_visit_b()) judge(engine);
  if (phase == Phase::kLoad && phase_before_ == Phase::kRow && is_second_visit_) job_.has_visit_b = true;
  is_second_visit_ = phase == Phase::kWrite || (is_second_visit_ && phase == Phase::kRow);
  if (engine.job() == JobEngine::Job::kAssign) {
    if (out.events.moved) ++job_.num_given;  // in the cycle before
  } else if (phase == Phase::kBurst) {
    out.dispatch.valid || has_handles() ? ++job_.num_tbs : ++job_.num_carries;
  }
  job_.is_over = phase == Phase::kPick && phase_before_ != Phase::kPick;
  job_.is_rejected = job_.is_over && phase_before_ == Phase::kCalc;
  job_.job = engine.job();
  if (out.kernel_done.valid) job_.finishes = true;
}

void CoreCoverage::judge(const JobEngine& engine) {
  const rtl_model::Tables& tables = core_->tables();
  const JobEngine::Job job = engine.job();
  const bool is_take = job == JobEngine::Job::kReserve || job == JobEngine::Job::kRetarget;
  const std::uint32_t sm = engine.sm();
  if (is_take) {
    job_.is_of_foreign = core_->search().offered() != nullptr && core_->search().offered()->victim == rtl_model::kNone;
    job_.finds_no_sm = sm == rtl_model::kNone;
  }
  const bool is_of_one_sm = job > JobEngine::Job::kAssign && job != JobEngine::Job::kEvict;
  if (!is_of_one_sm || sm == rtl_model::kNone) return;
  const rtl_model::SmFlags& flags = tables.smst.flags;
  job_.sm = tables.smst.row(sm);
  job_.is_active = flags.active.has(sm);
  job_.is_trapped = flags.trapped.has(sm);
  job_.is_restoring = flags.restoring.has(sm);
  job_.is_draining = flags.drains.has(sm);
  const std::uint32_t claimant = tables.smst.claimant(sm);
  job_.is_own = is_take && claimant != rtl_model::kNone &&
                tables.ksrt.traits(claimant).partition == std::uint32_t{tables.smst.row(sm).partition};
  if (job_.sm.ksr == rtl_model::kNone) return;
  job_.owner_is_fresh = tables.ksrt.is_fresh(job_.sm.ksr);
  job_.owner_has_handles = tables.ksrt.has_handles(job_.sm.ksr);
  flags.set_up_pending.for_each([&](std::uint32_t other) {
    const rtl_model::SmRow& row = tables.smst.row(other);
    if (row.ksr != job_.sm.ksr) return;
    job_.owner_awaits_set_up = job_.owner_awaits_set_up || row.state == rtl_model::SmState::kRunning;
    job_.owner_awaits_reserved = job_.owner_awaits_reserved || row.state == rtl_model::SmState::kReserved;
  });
}

}  // namespace tessera::testbench
