// SPDX-License-Identifier: Apache-2.0
// The situations of a core that shall have been met: sampled once a cycle, from its pins and rtl_model's registers.
#pragma once

#include <memory>
#include <vector>

#include "testbench/coverage/coverage.h"
#include "testbench/coverage/cycle_view.h"
#include "testbench/model_core.h"

namespace tessera::testbench {

// A group of coverpoints. Which ones it has does not depend on the core's parameters.
class ICoverGroup {
 public:
  virtual ~ICoverGroup() = default;
  // A core has come out of reset.
  virtual void reset(const rtl_model::Params&) {}
  virtual void sample(const CycleView& now) = 0;
};

std::unique_ptr<ICoverGroup> table_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> sm_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> search_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> policy_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> finish_points(Coverage& coverage);
std::unique_ptr<ICoverGroup> pin_points(Coverage& coverage);

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
  Coverage coverage_;
  std::vector<std::unique_ptr<ICoverGroup>> groups_;
  std::vector<Coverage::Id> reset_in_state_;  // by SearchState
  Coverage::Id reset_in_second_walk_;

  const ModelCore* core_ = nullptr;
  RegisterProbe probe_;
  std::uint32_t policy_ = 0;
  CycleBefore before_;
  SearchView search_;
  std::vector<SmPhase> phases_;
};

}  // namespace tessera::testbench
