// SPDX-License-Identifier: Apache-2.0
// Finds decisions and what falls into them.
#include "verification/agreement/inner_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/record/kind_info.h"

namespace tessera::verification {

using record::Kind;
using record::Record;

namespace {

// A decision may begin in the cycle in which the last one ends; its policy_invoked then comes before that one's
// policy_decided in the log.
std::vector<Decision> decisions_of(const std::vector<Record>& records) {
  std::vector<Decision> decisions;
  std::size_t num_ended = 0;
  for (const Record& record : records) {
    if (record.kind == Kind::kPolicyInvoked) decisions.push_back({record.cycle, kNever});
    const bool ends = record.kind == Kind::kPolicyDecided && num_ended < decisions.size();
    if (ends) decisions[num_ended++].end = record.cycle;
  }
  return decisions;
}

// A drain that is cancelled for an owner with nothing left to run releases the SM at once.
bool is_released_by_policy(const std::vector<Record>& records, std::size_t released) {
  for (std::size_t i = released; i < records.size() && records[i].cycle == records[released].cycle; ++i) {
    if (records[i].kind == Kind::kPreemptionRetargeted && records[i].sm == records[released].sm) return true;
  }
  return false;
}

// Does the record change the tables that the policy searches, other than by the policy's own doing?
bool is_from_outside(const std::vector<Record>& records, std::size_t i) {
  switch (records[i].kind) {
    case Kind::kTbFinished:
    case Kind::kRestoreDone:
    case Kind::kKernelFinished:
    case Kind::kKernelArrived:
    case Kind::kTurnPassed:
    case Kind::kTurnBegan:
    case Kind::kTbRestarted:
    case Kind::kTbIssued:  // an SM is refilled, or its set-up is over
      return true;
    case Kind::kPreemptionDone:
      return records[i].cycles > 0;  // not within the request itself
    case Kind::kSmReleased:
      return !is_released_by_policy(records, i);
    default:
      return false;
  }
}

// "tb_finished sm 0 launch 3 tb 5"
std::string describe(const Record& record) {
  if (record.kind == Kind::kPolicyInvoked) return "the policy's timer ticks";
  const record::KindInfo& info = record::kind_info(record.kind);
  std::string text(info.name);
  if (info.has(record::kFieldProcess)) text += fmt::format(" process {}", record.process);
  if (info.has(record::kFieldKernel)) text += fmt::format(" kernel {}", record.kernel);
  if (info.has(record::kFieldRun)) text += fmt::format(" run {}", record.run);
  if (info.has(record::kFieldSm)) text += fmt::format(" sm {}", record.sm);
  if (info.has(record::kFieldLaunch)) text += fmt::format(" launch {}", record.launch);
  if (info.has(record::kFieldTb)) text += fmt::format(" tb {}", record.tb);
  return text;
}

}  // namespace

InnerEvents::InnerEvents(const std::vector<Record>& records, const std::vector<Cycle>& ticks) {
  const std::vector<Decision> decisions = decisions_of(records);
  note_events(records, decisions);
  note_ticks(ticks, decisions);
}

void InnerEvents::note_events(const std::vector<Record>& records, const std::vector<Decision>& decisions) {
  std::size_t next = 0;  // the first decision that is not over
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Cycle now = records[i].cycle;
    while (next < decisions.size() && decisions[next].end < now) ++next;
    if (next == decisions.size()) return;
    if (decisions[next].begin < now && is_from_outside(records, i)) events_.push_back({records[i], decisions[next]});
  }
}

void InnerEvents::note_ticks(const std::vector<Cycle>& ticks, const std::vector<Decision>& decisions) {
  for (const Cycle tick : ticks) {
    const auto during = std::partition_point(decisions.begin(), decisions.end(),
                                             [tick](const Decision& decision) { return decision.end < tick; });
    if (during == decisions.end() || during->begin >= tick) continue;
    Record record;
    record.kind = Kind::kPolicyInvoked;
    record.cycle = tick;
    events_.push_back({record, *during});
  }
  std::stable_sort(events_.begin(), events_.end(),
                   [](const InnerEvent& a, const InnerEvent& b) { return a.record.cycle < b.record.cycle; });
}

const InnerEvent* InnerEvents::find(const Span& span) const {
  const auto first = std::partition_point(events_.begin(), events_.end(),
                                          [&](const InnerEvent& event) { return event.record.cycle < span.from; });
  if (first != events_.end() && first->record.cycle < span.before) return &*first;
  if (first == events_.begin()) return nullptr;
  const InnerEvent& last = *(first - 1);
  return last.record.cycle >= span.since && last.record.cycle < span.before ? &last : nullptr;
}

std::string describe(const char* log, const InnerEvent& event) {
  const Decision& decision = event.decision;
  const std::string end = decision.end == kNever ? "the end of the log" : fmt::format("{}", decision.end);
  return fmt::format("{}, cycle {}: {} during the decision from {} to {}", log, event.record.cycle,
                     describe(event.record), decision.begin, end);
}

}  // namespace tessera::verification
