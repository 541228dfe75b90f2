// SPDX-License-Identifier: Apache-2.0
// The situations of the core that does one job at a time (docs/timing_next.md) that shall have been met: sampled once a
// cycle, from its pins and the registers of its clocked model.
#pragma once

#include <memory>

#include "testbench/coverage/core_coverage.h"
#include "testbench/coverage_next/job_view.h"

namespace tessera::testbench::next_core {

std::unique_ptr<ICoreCoverage> next_core_coverage();

// A group of coverpoints. Which ones it has does not depend on the core's parameters.
class INextCoverGroup {
 public:
  virtual ~INextCoverGroup() = default;
  virtual void reset() {}
  virtual void sample(const NextCycleView& now) = 0;
  virtual void sample_reset(const rtl_model_next::TsrScheduler&) {}
};

std::unique_ptr<INextCoverGroup> move_job_points(Coverage& coverage);
std::unique_ptr<INextCoverGroup> sm_job_points(Coverage& coverage);
std::unique_ptr<INextCoverGroup> next_search_points(Coverage& coverage);
std::unique_ptr<INextCoverGroup> next_token_points(Coverage& coverage);
std::unique_ptr<INextCoverGroup> next_pin_points(Coverage& coverage);

}  // namespace tessera::testbench::next_core
