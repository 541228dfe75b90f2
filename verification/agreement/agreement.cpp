// SPDX-License-Identifier: Apache-2.0
// By how much a turnaround may differ; the rest is the comparison's.
#include "verification/agreement/agreement.h"

#include <algorithm>

#include "verification/agreement/comparison.h"

namespace tessera::verification {

using record::Record;

namespace {

constexpr Cycle kMinTolerance = 64;
constexpr Cycle kToleranceDivisor = 1000;

}  // namespace

Cycle turnaround_tolerance(Cycle turnaround) { return std::max(kMinTolerance, turnaround / kToleranceDivisor); }

Agreement compare_logs(const std::vector<Record>& tlm, const std::vector<Record>& clocked, const LogFindings& of_tlm,
                       const LogFindings& of_clocked) {
  return Comparison(tlm, clocked, of_tlm, of_clocked)();
}

}  // namespace tessera::verification
