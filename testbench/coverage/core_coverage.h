// SPDX-License-Identifier: Apache-2.0
// The situations of a core that shall have been met (docs/hardware/timing.md): sampled once a cycle, from its pins and
// the registers of its clocked model.
#pragma once

#include <memory>
#include <vector>

#include "testbench/coverage/coverage.h"
#include "testbench/coverage/job_view.h"
#include "testbench/model_core.h"

namespace tessera::testbench {

// A group of coverpoints. Which ones it has does not depend on the core's parameters.
class ICoverGroup {
 public:
  virtual ~ICoverGroup() = default;
  // A core has come out of reset.
  virtual void reset() {}
  virtual void sample(const CycleView& now) = 0;
  virtual void sample_reset(const rtl_model::TsrScheduler&) {}
};

std::unique_ptr<ICoverGroup> move_job_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> sm_job_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> walk_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> burst_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> flush_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> search_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> token_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> debt_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> linger_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> link_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> turn_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> slice_end_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> pin_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> lane_entry_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> lane_row_points(Coverage& coverage);

class CoreCoverage {
 public:
  CoreCoverage();

  // `core` has come out of reset.
  void reset(const ModelCore& core);
  // A cycle that differs from the one before, with the core's registers before its edge.
  void sample(const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out, const Scoreboard& board);
  // The core is reset now, in the midst of whatever it does.
  void sample_reset();
  const Coverage& points() const { return coverage_; }

 private:
  void follow_job(const rtl_model::SchedulerOutputs& out);
  bool has_handles() const { return job_.job == JobEngine::Job::kIssue && job_.owner_has_handles; }
  void judge(const JobEngine& engine);

  Coverage coverage_;
  std::vector<std::unique_ptr<ICoverGroup>> groups_;
  const ModelCore* model_ = nullptr;
  const rtl_model::TsrScheduler* core_ = nullptr;
  JobView job_;
  rtl_model::SchedulerInputs in_before_;
  JobEngine::Phase phase_before_ = JobEngine::Phase::kPick;
  bool is_second_visit_ = false;
  Search::State state_before_ = Search::State::kIdle;
};

}  // namespace tessera::testbench
