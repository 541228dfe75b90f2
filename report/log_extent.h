// SPDX-License-Identifier: Apache-2.0
// Whether a log has all of its run, or was ended at its size limit. Its last record does not tell: a run may end after
// it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "model/record/record.h"

namespace tessera::report {

class LogExtent {
 public:
  void consume(const record::Record& record);
  // What the summary counts is in the log, and the log tells what became of every kernel.
  bool is_all_of(const nlohmann::ordered_json& summary) const;

 private:
  std::uint64_t num_runs_ = 0;
  std::uint64_t num_invocations_ = 0;
  std::uint64_t num_preemptions_ = 0;
  std::unordered_set<std::uint32_t> open_launches_;
};

}  // namespace tessera::report
