// SPDX-License-Identifier: Apache-2.0
// How long may an SM's event wait for the core? It does one job at a time (docs/hardware/timing.md 6): takes one event
// a job, and other jobs come before and between them. Where TBs end one a cycle for a while, as they were issued, it
// falls behind by hundreds of cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>

#include "model/base/time.h"
#include "model/record/record.h"
#include "model/spec/spec.h"
#include "verification/agreement/step_times.h"

namespace tessera::verification {

// Cycles on the links of each SM (docs/hardware/timing.md 3.11).
class LinkDelays {
 public:
  explicit LinkDelays(const spec::Spec& spec) : links_(spec.gpu.framework.link_cycles) {}

  Cycle up(std::uint16_t sm) const { return links_.up.empty() ? 0 : links_.up[sm]; }
  Cycle down(std::uint16_t sm) const { return links_.down.empty() ? 0 : links_.down[sm]; }
  Cycle round_trip(std::uint16_t sm) const { return up(sm) + down(sm); }
  Cycle longest_round_trip() const;
  // Of what happens at an SM, with the cycle in which the core may hear of it.
  record::Record at_core(const record::Record& record) const;

 private:
  const spec::LinkSpec& links_;
};

// A bound from the log alone, a little too long, since a log shows neither the port nor every walk.
class EventPort {
 public:
  // On the ideal engine no event waits.
  EventPort(const spec::Spec& spec, CoreKind core);

  // As the core hears of them, about in the order of the log.
  void consume(const record::Record& record);
  // No event so far waits in this SM cycle or later.
  Cycle free_at() const { return (free_at_ + ratio_ - 1) / ratio_; }

 private:
  void take(Cycle due);
  void hold_back(Cycle now, Cycle core_cycles);

  bool is_one_job_;
  Cycle ratio_;  // core cycles in an SM cycle
  Cycle set_up_cycles_;
  LinkDelays links_;
  Cycle free_at_ = 0;            // core cycles
  std::multiset<Cycle> set_up_;  // when SMs will be: events without a record
};

}  // namespace tessera::verification
