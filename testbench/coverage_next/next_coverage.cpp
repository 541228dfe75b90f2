// SPDX-License-Identifier: Apache-2.0
// Follows the engine from job to job for the coverpoints.
#include "testbench/coverage_next/next_coverage.h"

#include <vector>

namespace tessera::testbench::next_core {
namespace {

using Phase = NextEngine::Phase;

class NextCoverage final : public ICoreCoverage {
 public:
  NextCoverage() {
    for (const auto& make : {move_job_points, sm_job_points, next_search_points, next_token_points, next_pin_points}) {
      groups_.push_back(make(coverage_));
    }
  }

  void reset(const ModelCore& core) override {
    model_ = &core;
    core_ = &core.next_scheduler();
    job_ = {};
    in_before_ = {};
    phase_before_ = Phase::kPick;
    state_before_ = NextSearch::State::kIdle;
    for (const auto& group : groups_) group->reset();
  }

  void sample(const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out,
              const Scoreboard& board) override {
    follow_job(out);
    const NextCycleView now{model_->params(), in, out, *core_, board, job_, in_before_, state_before_};
    for (const auto& group : groups_) group->sample(now);
    if (job_.is_over) job_ = {};
    in_before_ = in;
    phase_before_ = core_->engine().phase();
    state_before_ = core_->search().state();
  }

  void sample_reset() override {
    for (const auto& group : groups_) group->sample_reset(*core_);
  }
  const Coverage& points() const override { return coverage_; }

 private:
  void follow_job(const rtl_model::SchedulerOutputs& out) {
    const NextEngine& engine = core_->engine();
    const Phase phase = engine.phase();
    if (phase == Phase::kLoad && !engine.is_visit_b()) judge(engine);
    if (phase == Phase::kLoad && engine.job() == NextEngine::Job::kAssign) judge(engine);  // it has no visit A
    if (phase == Phase::kLoad && phase_before_ == Phase::kRow && is_second_visit_) job_.has_visit_b = true;
    is_second_visit_ = phase == Phase::kWrite || (is_second_visit_ && phase == Phase::kRow);
    if (phase == Phase::kBurst) out.dispatch.valid || has_handles() ? ++job_.num_tbs : ++job_.num_carries;
    job_.is_over = phase == Phase::kPick && phase_before_ != Phase::kPick;
    job_.is_rejected = job_.is_over && phase_before_ == Phase::kCalc;
    job_.job = engine.job();
    if (out.kernel_done.valid) job_.finishes = true;
  }
  bool has_handles() const { return job_.job == NextEngine::Job::kIssue && job_.owner_has_handles; }

  void judge(const NextEngine& engine) {
    const rtl_model_next::Tables& tables = core_->tables();
    if (engine.job() <= NextEngine::Job::kDeal) return;  // of no SM
    const std::uint32_t sm = engine.sm();
    const rtl_model_next::SmFlags& flags = tables.smst.flags;
    job_.sm = tables.smst.row(sm);
    job_.is_active = flags.active.has(sm);
    job_.is_trapped = flags.trapped.has(sm);
    job_.is_restoring = flags.restoring.has(sm);
    job_.is_draining = flags.drains.has(sm);
    if (job_.sm.ksr == rtl_model_next::kNone) return;
    job_.owner_is_fresh = tables.ksrt.is_fresh(job_.sm.ksr);
    job_.owner_has_handles = tables.ksrt.has_handles(job_.sm.ksr);
  }

  Coverage coverage_;
  std::vector<std::unique_ptr<INextCoverGroup>> groups_;
  const ModelCore* model_ = nullptr;
  const rtl_model_next::TsrScheduler* core_ = nullptr;
  JobView job_;
  rtl_model::SchedulerInputs in_before_;
  Phase phase_before_ = Phase::kPick;
  bool is_second_visit_ = false;
  NextSearch::State state_before_ = NextSearch::State::kIdle;
};

}  // namespace

std::unique_ptr<ICoreCoverage> next_core_coverage() { return std::make_unique<NextCoverage>(); }

}  // namespace tessera::testbench::next_core
