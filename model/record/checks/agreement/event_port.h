// SPDX-License-Identifier: Apache-2.0
// How long may an SM's event wait for the clocked core? A core takes one event a core cycle, and none in the cycle of a
// move, of an internal event, or while a pipelined walk checks its outcome (docs/timing.md, 3.3). Where TBs end one a
// cycle for a while, as they were issued, the core falls behind by hundreds of cycles. One that does one job at a time
// (docs/timing_next.md 6) takes one a job, and other jobs come before and between them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "model/base/time.h"
#include "model/record/checks/agreement/step_times.h"
#include "model/record/record.h"
#include "model/spec/spec.h"

namespace tessera::record {

// A bound from the log alone, a little too long, since a log shows neither the port nor every walk.
class EventPort {
 public:
  // At transaction level no event waits.
  EventPort(const spec::Spec& spec, CoreKind core);

  // In the order of the log.
  void consume(const Record& record);
  // No event so far waits in this SM cycle or later.
  Cycle free_at() const { return (free_at_ + ratio_ - 1) / ratio_; }

 private:
  void take(Cycle due) { free_at_ = std::max(free_at_, due * ratio_) + event_cycles_; }
  void consume_jobs(const Record& record);
  void step(Cycle now, Cycle moves);
  void hold_back(Cycle now, Cycle core_cycles);

  bool is_one_job_;
  bool has_port_;
  bool is_pipelined_;
  Cycle ratio_;         // core cycles in an SM cycle
  Cycle event_cycles_;  // until the next one is taken
  Cycle search_cycles_;
  Cycle set_up_cycles_;
  Cycle free_at_ = 0;         // core cycles, as search_cycles_
  std::deque<Cycle> set_up_;  // when SMs will be: events without a record
  bool is_deciding_ = false;
  Cycle last_step_ = 0;
};

}  // namespace tessera::record
