// SPDX-License-Identifier: Apache-2.0
// The latency of each preemption, split into what the time was spent on.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "model/record/record.h"

namespace tessera::record {

// In GPU cycles; `wait` + `movement` + `channel` are the latency of summary.json, from request to done.
struct Preemption {
  Cycle requested = 0;
  std::uint16_t sm = 0;
  Technique technique = Technique::kNone;
  std::uint32_t victim = 0;       // launches
  std::uint32_t beneficiary = 0;  // kNoNumber: none, its context has lost the turn
  std::optional<Cycle> decision;  // before the request: since the policy was invoked; none: the log does not tell
  Cycle wait = 0;  // context switch: until the save starts (the pipeline drains, the trap is entered); drain: all of it
  Cycle movement = 0;  // of the save: its bytes at the whole memory's bandwidth
  Cycle channel = 0;   // the rest of the save: the SM has a share of that bandwidth only
  std::uint64_t bytes = 0;

  Cycle latency() const { return wait + movement + channel; }
};

// Fed with the records of a log in their order.
class PreemptionSplitter {
 public:
  PreemptionSplitter(std::uint32_t num_sms, double bytes_per_cycle);

  // The preemption that is done with this record, if any.
  std::optional<Preemption> consume(const Record& record);

 private:
  struct Open {
    std::optional<Cycle> decision;
    std::optional<Cycle> save_started;
    std::uint32_t beneficiary = kNoNumber;
  };

  void policy_decided(Cycle cycle);
  std::optional<Cycle> decision_until(Cycle request) const;
  Preemption split(const Record& done, const Open& open) const;

  double bytes_per_cycle_;
  std::vector<Open> sms_;
  std::deque<Cycle> invoked_;  // decisions under way or waiting for their turn
  std::optional<Cycle> last_decided_;
  Cycle last_invoked_ = 0;  // of that one
};

}  // namespace tessera::record
