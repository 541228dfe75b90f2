// SPDX-License-Identifier: Apache-2.0
// Events that fall inside a running decision: there two models may see different tables, and both be right.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/record/record.h"

namespace tessera::verification {

struct Decision {
  Cycle begin = 0;
  Cycle end = kNever;
};

struct InnerEvent {
  record::Record record;  // kPolicyInvoked: a tick of the policy's timer
  Decision decision;
};

// A span of cycles in which a difference came about: since the engine was empty, from the arrival on, to what was late.
struct Span {
  Cycle since = 0;
  Cycle from = 0;
  Cycle before = kNever;
};

class InnerEvents {
 public:
  // `ticks`: of the policy's timer inside decisions, which no record shows.
  explicit InnerEvents(const std::vector<record::Record>& records, const std::vector<Cycle>& ticks = {});

  bool any() const { return !events_.empty(); }
  // The first one from Span::from on, else the last one before it: what is nearest to the beginning explains most.
  const InnerEvent* find(const Span& span) const;

 private:
  void note_events(const std::vector<record::Record>& records, const std::vector<Decision>& decisions);
  void note_ticks(const std::vector<Cycle>& ticks, const std::vector<Decision>& decisions);

  std::vector<InnerEvent> events_;  // in order of time
};

// "tlm, cycle 7: tb_finished sm 0 launch 3 tb 5 during the decision from 5 to 9"
std::string describe(const char* log, const InnerEvent& event);

}  // namespace tessera::verification
