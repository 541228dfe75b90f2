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
    : spec_(spec),
      is_one_job_(does_one_job(spec, core)),
      ratio_(spec.scheduler.tbs_per_cycle),
      activation_(is_one_job_ ? spec::activation_core_cycles(spec) : spec::given_activation_cycles(spec)) {
  if (spec::is_partitioned(spec.scheduler)) num_others_ = spec.partitions.size();
  if (!is_one_job_) return;
  begin_ = 1;
  scan_ = spec.gpu.framework.num_command_buffers + spec::kScanBeyond;
  job_wait_ = spec::longest_job_core_cycles(spec) - 1;
}

Cycle StepTimes::search(std::size_t num_kernels) const {
  return is_one_job_ ? spec::walk_core_cycles(spec_, num_kernels) : spec::search_core_cycles(spec_);
}

Cycle StepTimes::longest_search() const { return search(spec_.gpu.framework.num_ksrs); }

Cycle StepTimes::least(Kind step, std::size_t num_kernels) const {
  if (step == Kind::kKernelActivated) return activation_;
  const Cycle found = begin_ + search(num_kernels);
  if (!is_one_job_ || step == Kind::kPolicyDecided) return found;
  if (step == Kind::kSmSetUp) return found + 1 + spec::kAssignToFirst;
  return found + 1 + spec::kToWrite + spec::kVisitCycles;
}

bool StepTimes::fits(Kind step, const Around& around, Cycle sm_cycles) const {
  const Cycle taken = sm_cycles * ratio_;
  const auto takes = [&](Cycle expected, Cycle wait) {
    return taken + ratio_ > expected && taken < expected + wait + ratio_;
  };
  // 1. Another SM of an assign follows in the next core cycle, or at once.
  if (step == Kind::kSmSetUp && around.may_be_of_it && takes(is_one_job_ ? 1 : 0, 0)) return true;
  // 2. Else a step begins, after an assign when its job is over.
  const Cycle rest_of_assign =
      is_one_job_ && around.follows_assign ? spec::kAssignBeyondSms - spec::kAssignToFirst + 1 : 0;
  const auto is_about = [&](Cycle expected) {
    return takes(rest_of_assign + expected, step == Kind::kPolicyDecided ? 0 : job_wait_);
  };
  const Cycle expected = least(step, around.num_kernels);
  const Cycle in_vain = begin_ + search(around.num_kernels);
  if (step != Kind::kKernelActivated) {
    for (Cycle others = 0; others <= num_others_; ++others) {
      const Cycle before = others * in_vain;
      if (is_about(expected + before) || is_about(expected + before + scan_)) return true;
    }
    return false;
  }
  // A command that comes in the cycle in which a search begins may have to wait for its end.
  return is_about(expected) || is_about(expected + in_vain) || is_about(expected + 2 * in_vain) ||
         (scan_ != 0 && is_about(expected + in_vain + scan_));
}

}  // namespace tessera::verification
