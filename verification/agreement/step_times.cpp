// SPDX-License-Identifier: Apache-2.0
// Latencies by the Spec and by the contract of the core (docs/hardware/timing.md 5, 6).
#include "verification/agreement/step_times.h"

#include "model/spec/core_cycles.h"
#include "model/spec/policies.h"
#include "model/spec/search_cycles.h"

namespace tessera::verification {

using record::Kind;

bool does_one_job(const spec::Spec& spec, CoreKind core) {
  return core == CoreKind::kClocked || spec::has_one_job_engine(spec);
}

StepTimes::StepTimes(const spec::Spec& spec, CoreKind core)
    : is_one_job_(does_one_job(spec, core)),
      ratio_(spec.scheduler.tbs_per_cycle),
      search_(is_one_job_ ? spec::walk_core_cycles(spec) : spec::search_core_cycles(spec)),
      activation_(is_one_job_ ? spec::activation_core_cycles(spec) : spec::given_activation_cycles(spec)) {
  if (spec::is_partitioned(spec.scheduler)) num_others_ = spec.partitions.size();
  if (!is_one_job_) return;
  begin_ = 1;
  scan_ = spec.gpu.framework.num_command_buffers + spec::kScanBeyond;
  job_wait_ = spec::longest_job_core_cycles(spec) - 1;
}

Cycle StepTimes::least(Kind step, std::uint32_t searches) const {
  if (step == Kind::kKernelActivated) return activation_;
  const Cycle found = begin_ + search_ * searches;
  if (!is_one_job_ || step == Kind::kPolicyDecided) return found;
  const Cycle job = 1 + spec::kToWrite;
  return step == Kind::kSmSetUp ? found + job : found + job + spec::kVisitCycles;
}

bool StepTimes::fits(Kind step, std::uint32_t searches, Cycle sm_cycles) const {
  const Cycle taken = sm_cycles * ratio_;
  const auto is_about = [&](Cycle expected) {
    const Cycle wait = step == Kind::kPolicyDecided ? 0 : job_wait_;
    return taken + ratio_ > expected && taken < expected + wait + ratio_;
  };
  const Cycle expected = least(step, searches);
  if (step != Kind::kKernelActivated) {
    // Steps about others take one search or two, and so does the last one that finds nothing.
    const Cycle last = step == Kind::kPolicyDecided && num_others_ > 0 ? 1 : 0;
    for (Cycle others = 0; others <= num_others_; ++others) {
      for (Cycle second = 0; second <= others + last; ++second) {
        const Cycle before = others * (begin_ + search_) + second * search_;
        if (is_about(expected + before) || is_about(expected + before + scan_)) return true;
      }
    }
  }
  // A command that comes in the cycle in which a search begins may have to wait for its end.
  if (step != Kind::kKernelActivated) return is_about(expected) || is_about(expected + scan_);
  const Cycle in_vain = begin_ + search_;
  return is_about(expected) || is_about(expected + in_vain) || is_about(expected + 2 * in_vain) ||
         (scan_ != 0 && is_about(expected + in_vain + scan_));
}

}  // namespace tessera::verification
