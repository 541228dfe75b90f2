// SPDX-License-Identifier: Apache-2.0
// A rate in lowest terms.
#include "model/spec/issue_rate.h"

#include <numeric>

#include "model/spec/spec.h"

namespace tessera::spec {

IssueRate issue_rate(const Spec& spec) {
  const std::uint64_t issue_hz = spec.gpu.framework.tb_issue_hz;
  if (issue_hz == 0) return {spec.scheduler.tbs_per_cycle, 1};
  const std::uint64_t common = std::gcd(issue_hz, spec.gpu.clock_hz);
  return {issue_hz / common, spec.gpu.clock_hz / common};
}

}  // namespace tessera::spec
