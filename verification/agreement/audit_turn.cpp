// SPDX-License-Identifier: Apache-2.0
// A kept turn in a log: whose it is, and that all SMs are taken away together when it passes, as they shall be.
#include <fmt/format.h>

#include <algorithm>

#include "model/record/numbers.h"
#include "model/spec/names.h"
#include "model/spec/policies.h"
#include "verification/agreement/decision_audit.h"

namespace tessera::verification {

using record::Kind;
using record::Record;

bool DecisionAudit::is_eviction(const Record& record) {
  return record.kind == Kind::kPreemptionRequested && record::number::reserved_for(record) == record::kNoNumber;
}

void DecisionAudit::turn_changed(const Record& record) {
  if (record.kind == Kind::kTurnBegan) {
    turn_.owner = ContextId(record.process);
    turn_.gives_sms = turn_.activates_owner = true;
    is_turn_on_its_way_ = false;
  } else if (record.kind == Kind::kTurnPassed) {
    const bool waits =
        spec::switches_gpu(spec_.scheduler) && spec_.processes[record.process].slice_end == spec::SliceEnd::kWait;
    is_turn_on_its_way_ = true;
    turn_.gives_sms = waits;
    turn_.activates_owner = !waits;
  } else {
    return;
  }
  if (!invocations_.empty()) seen_.push_back(tables_);
  last_disturbance_ = std::max(last_disturbance_, record.cycle);
}

spec::TechniqueKind DecisionAudit::technique_of_eviction() const {
  const spec::TechniqueKind technique = spec_.scheduler.technique;
  switch (spec_.processes[index(turn_.owner)].slice_end) {
    case spec::SliceEnd::kDrain:
      return spec::TechniqueKind::kDrain;
    case spec::SliceEnd::kContextSwitch:
      return technique == spec::TechniqueKind::kFlush ? technique : spec::TechniqueKind::kContextSwitch;
    case spec::SliceEnd::kTechnique:
    case spec::SliceEnd::kWait:
      break;
  }
  return technique;
}

void DecisionAudit::evict(const Record& requested) {
  const SmId sm{requested.sm};
  ++report_.steps;
  ++report_.moves[fmt::format("evicted {}", launches_[requested.launch].process)];
  if (!is_turn_kept_ || turn_.takes_sms_away) fault(requested, "SMs do not change hands all at once");
  if (turn_.gives_sms) fault(requested, "the turn has not passed");
  const std::string expected(spec::to_string(technique_of_eviction()));
  if (to_string(requested.technique) != expected) fault(requested, fmt::format("not by {}", expected));
  count_coming(sm);
  tables_.evict(sm);
  seen_.clear();
  span_begin_ = requested.cycle;
}

void DecisionAudit::check_eviction(const Batch& batch) {
  const auto evicted = std::find_if(batch.begin(), batch.end(), is_eviction);
  if (evicted == batch.end()) return;
  const auto& smst = tables_.smst();
  const auto runs = [](const policy::SmEntry& sm) { return sm.status == policy::SmStatus::kRunning; };
  const auto left = std::find_if(smst.begin(), smst.end(), runs);
  if (left != smst.end()) fault(*evicted, fmt::format("but SM {} stays", left - smst.begin()));
}

}  // namespace tessera::verification
