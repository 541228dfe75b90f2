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

// Of one of the two cores.
class ICoreCoverage {
 public:
  virtual ~ICoreCoverage() = default;
  // `core` has come out of reset.
  virtual void reset(const ModelCore& core) = 0;
  // A cycle that differs from the one before, with the core's registers before its edge.
  virtual void sample(const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out,
                      const Scoreboard& board) = 0;
  // The core is reset now, in the midst of whatever it does.
  virtual void sample_reset() = 0;
  virtual const Coverage& points() const = 0;
};

// Of the core that the machine is made of.
std::unique_ptr<ICoreCoverage> core_coverage();

class CoreCoverage final : public ICoreCoverage {
 public:
  CoreCoverage();

  void reset(const ModelCore& core) override;
  void sample(const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out,
              const Scoreboard& board) override;
  void sample_reset() override;
  const Coverage& points() const override { return coverage_; }

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
