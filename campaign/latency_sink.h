// SPDX-License-Identifier: Apache-2.0
// What one process waits for when SMs are preempted for its kernels, and what that wait is made of.
#pragma once

#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "model/record/metrics/histogram.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::campaign {

// Sums over preemptions, in cycles. They add up to the sum of `total`.
struct LatencyParts {
  std::uint64_t decision = 0;  // from the policy's invocation to the preemption's request
  std::uint64_t restore = 0;   // context switch: until a restore that the SM was in the middle of has ended
  std::uint64_t trap = 0;      // context switch: pipeline drain and trap entry
  std::uint64_t movement = 0;  // context switch: the bytes at the whole bandwidth of the memory channel
  std::uint64_t channel = 0;   // context switch: what the transfer took beyond that, since others have their share
  std::uint64_t drain = 0;     // drain: until the last thread block of the SM has finished
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LatencyParts, decision, restore, trap, movement, channel, drain)

// Preemptions that ended with the SM handed to the process; those that were retargeted away are not among them.
struct LatencyResult {
  record::Histogram total;  // from the policy's invocation to the SM's hand-over
  LatencyParts parts;
  std::uint64_t requested = 0;  // SMs reserved for the process; a kernel may end before it gets all of them

  void merge(const LatencyResult& other);
};
void to_json(nlohmann::json& json, const LatencyResult& result);
void from_json(const nlohmann::json& json, LatencyResult& result);

class LatencySink : public record::ISink {
 public:
  LatencySink(const spec::Spec& spec, std::uint16_t process);

  bool wants_per_tb() const override { return false; }
  void consume(const record::Record& record) override;
  const LatencyResult& result() const { return result_; }

 private:
  struct Preemption {  // of an SM, while it lasts
    std::uint64_t reserved_for = 0;
    Cycle invoked = 0;
    Cycle requested = 0;
    Cycle restored = 0;  // the end of a restore that it had to wait for; else as requested
    Cycle save_started = kNever;
    bool is_counted = false;  // among the requested
  };
  void reserved(Preemption& preemption, std::uint64_t launch);
  void done(const record::Record& record);

  const Clock clock_;
  const std::uint64_t bytes_per_second_;
  const std::uint16_t process_;
  std::unordered_set<std::uint64_t> launches_;  // of the process, that have not finished
  std::vector<Preemption> by_sm_;
  Cycle invoked_ = 0;
  LatencyResult result_;
};

}  // namespace tessera::campaign
