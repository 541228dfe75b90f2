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

std::uint64_t parts_of_a_cycle(const GpuSpec& gpu) {
  constexpr Uint128 kMost = Uint128{1} << 62;
  Uint128 parts = 1;
  for (const DispatchClass& size : gpu.framework.dispatcher) {
    const std::uint64_t of_size = size.tb_issue_hz / std::gcd(size.tb_issue_hz, gpu.clock_hz);
    parts = parts / std::gcd(static_cast<std::uint64_t>(parts), of_size) * of_size;
    if (parts > kMost) return 0;
  }
  return static_cast<std::uint64_t>(parts);
}

}  // namespace tessera::spec
