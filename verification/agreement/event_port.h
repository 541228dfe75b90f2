// SPDX-License-Identifier: Apache-2.0
// How long may an SM's event wait for the core? It does one job at a time (docs/hardware/timing.md 6): takes one event
// a job, and other jobs come before and between them. Where TBs end one a cycle for a while, as they were issued, it
// falls behind by hundreds of cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "model/base/time.h"
#include "model/record/record.h"
#include "model/spec/spec.h"
#include "verification/agreement/step_times.h"

namespace tessera::verification {

// A bound from the log alone, a little too long, since a log shows neither the port nor every walk.
class EventPort {
 public:
  // On the ideal engine no event waits.
  EventPort(const spec::Spec& spec, CoreKind core);

  // In the order of the log.
  void consume(const record::Record& record);
  // No event so far waits in this SM cycle or later.
  Cycle free_at() const { return (free_at_ + ratio_ - 1) / ratio_; }

 private:
  void take(Cycle due);
  void hold_back(Cycle now, Cycle core_cycles);

  bool is_one_job_;
  Cycle ratio_;  // core cycles in an SM cycle
  Cycle set_up_cycles_;
  Cycle free_at_ = 0;         // core cycles
  std::deque<Cycle> set_up_;  // when SMs will be: events without a record
};

}  // namespace tessera::verification
