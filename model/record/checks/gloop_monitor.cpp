// SPDX-License-Identifier: Apache-2.0
// Verdicts from the ledger's complaints.
#include "model/record/checks/gloop_monitor.h"

#include <algorithm>

#include "model/record/checks/place_of.h"
#include "model/spec/spec.h"

namespace tessera::record {

GloopMonitor::GloopMonitor(const spec::Spec& spec)
    : ledger_(make_gloop_facts(spec), [this](gloop_check::Rule rule, const Record& record, const std::string& what) {
        std::string& first = first_violation_[static_cast<std::size_t>(rule)];
        if (first.empty()) first = place_of(record) + ": " + what;
      }) {}

bool GloopMonitor::is_wanted(const spec::Spec& spec) {
  return std::any_of(spec.processes.begin(), spec.processes.end(), [&spec](const spec::ProcessSpec& process) {
    return process.application < spec.applications.size() &&
           spec.applications[process.application].has_event_driven_kernels();
  });
}

std::vector<std::pair<std::string, std::string>> GloopMonitor::verdicts() const {
  std::vector<std::pair<std::string, std::string>> verdicts;
  for (std::size_t i = 0; i < first_violation_.size(); ++i) {
    verdicts.emplace_back(to_string(static_cast<gloop_check::Rule>(i)),
                          first_violation_[i].empty() ? "ok" : first_violation_[i]);
  }
  return verdicts;
}

}  // namespace tessera::record
