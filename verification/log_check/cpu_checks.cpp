// SPDX-License-Identifier: Apache-2.0
// The ledger of cores, its complaints among the others.
#include "verification/log_check/cpu_checks.h"

namespace tessera::verification::log_check {

using record::Record;

CpuChecks::CpuChecks(const record::CpuFacts& facts, Complaints& complaints) : complaints_(complaints) {
  if (facts.is_empty()) return;
  cores_.emplace(facts, [this](record::cpu_check::Rule rule, const Record& record, const std::string& what) {
    complaints_.fail(record, "{} ({})", what, to_string(rule));
  });
}

void CpuChecks::visit(const Record& record) {
  if (!record::is_of_cpu(record.kind)) return;
  if (complaints_.require(cores_.has_value(), record, "the host has no cores")) cores_->visit(record);
}

}  // namespace tessera::verification::log_check
