// SPDX-License-Identifier: Apache-2.0
// What a kernel that arrives waits for: from the call, with which each run of its process begins, to the start of the
// run's first thread block, and to the end of the run.
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "model/base/time.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::campaign {

class ArrivalSink : public record::ISink {
 public:
  ArrivalSink(const spec::Spec& spec, std::uint16_t process);

  bool wants_per_tb() const override { return true; }
  void consume(const record::Record& record) override;

  // A run each, us.
  const std::vector<double>& to_first_block() const { return to_first_block_; }
  const std::vector<double>& to_end() const { return to_end_; }

 private:
  const Clock clock_;
  const std::uint16_t process_;
  std::unordered_set<std::uint32_t> launches_;  // of the process, that have not finished
  Cycle called_ = 0;
  std::optional<Cycle> first_block_;  // of the run, once it has started
  std::vector<double> to_first_block_;
  std::vector<double> to_end_;
};

}  // namespace tessera::campaign
