// SPDX-License-Identifier: Apache-2.0
// The ledger of loops, its complaints among the others, and where on the machine loops go on.
#include "verification/log_check/gloop_checks.h"

#include "model/record/metrics/gloop_metrics.h"

namespace tessera::verification::log_check {

using record::Kind;
using record::Record;

GloopChecks::GloopChecks(const Ledger& ledger, Complaints& complaints) : ledger_(ledger), complaints_(complaints) {
  if (ledger_.facts.gloop.is_empty()) return;
  loops_.emplace(ledger_.facts.gloop,
                 [this](record::gloop_check::Rule rule, const Record& record, const std::string& what) {
                   complaints_.fail(record, "{} ({})", what, to_string(rule));
                 });
}

void GloopChecks::visit(const Record& record) {
  if (record::is_of_gloop(record.kind)) complaints_.require(loops_.has_value(), record, "no kernel is event-driven");
  if (!loops_) return;
  loops_->visit(record);
  if (record.kind != Kind::kLoopResumed) return;
  const std::optional<Resident>& resident = ledger_.sms[record.sm].slots[record.slot];
  complaints_.require(resident && resident->launch == record.launch && resident->tb == record.tb, record,
                      "its thread block is not there");
}

void GloopChecks::finish() {
  if (loops_) loops_->finish();
}

}  // namespace tessera::verification::log_check
