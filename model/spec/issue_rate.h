// SPDX-License-Identifier: Apache-2.0
// How fast the dispatcher gives out thread blocks over the whole GPU: exact, in integers, also below one a cycle.
#pragma once

#include <cstdint>

#include "model/base/time.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// `tbs` thread blocks in `cycles` SM cycles, in lowest terms.
struct IssueRate {
  std::uint64_t tbs = 1;
  std::uint64_t cycles = 1;
};

// Of the ideal engine: `framework.tb_issue_mhz`, else `scheduler.tbs_per_cycle`.
IssueRate issue_rate(const Spec& spec);

// The smallest part of a cycle in which the turns of shared SMs' dispatcher can be told, of all sizes of thread blocks:
// so many are a cycle. 0: it is too small to count in.
std::uint64_t parts_of_a_cycle(const GpuSpec& gpu);

// Hands out turns, one after another. Time is kept as a cycle and a fraction of it, so that no product overflows.
class IssueTurns {
 public:
  // What a thread block takes of the dispatcher: whole cycles, and a numerator over the rate's `tbs`.
  struct Step {
    Cycle cycles = 0;
    std::uint64_t fraction = 0;
  };

  explicit IssueTurns(const IssueRate& rate) : rate_(rate), one_(step(1)) {}

  // Of something that takes as long as `weight` thread blocks.
  Step step(std::uint64_t weight) const {
    return {weight * rate_.cycles / rate_.tbs, weight * rate_.cycles % rate_.tbs};
  }
  // When it is free.
  Cycle next() const { return cycle_; }
  // The first cycle, not before `earliest`, in which the dispatcher is free; it is busy then for the step.
  Cycle claim(Cycle earliest) { return claim(earliest, one_); }
  Cycle claim(Cycle earliest, const Step& step) {
    if (earliest > cycle_) {
      cycle_ = earliest;
      fraction_ = 0;
    }
    const Cycle claimed = cycle_;
    cycle_ += step.cycles;
    fraction_ += step.fraction;
    if (fraction_ >= rate_.tbs) {
      fraction_ -= rate_.tbs;
      ++cycle_;
    }
    return claimed;
  }

 private:
  IssueRate rate_;
  Step one_;
  Cycle cycle_ = 0;  // when it is free
  std::uint64_t fraction_ = 0;
};

}  // namespace tessera::spec
