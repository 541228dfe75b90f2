// SPDX-License-Identifier: Apache-2.0
// Metrics of static partitions (docs/concepts/partitions.md): how busy their SMs were, what ran and was preempted
// there.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "model/base/sm_set.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::record {

struct PartitionFacts {
  std::vector<SmSet> sms{};                 // by partition
  std::vector<std::uint32_t> of_process{};  // index of the process's partition
};

PartitionFacts make_partition_facts(const spec::Spec& spec);  // empty under other policies

// An SM in several partitions counts for each of them.
struct PartitionResult {
  std::uint64_t busy_sm_cycles = 0;
  std::uint64_t kernels = 0;      // that finished
  std::uint64_t preemptions = 0;  // completed, on its SMs
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PartitionResult, busy_sm_cycles, kernels, preemptions)

class PartitionCounter {
 public:
  explicit PartitionCounter(const PartitionFacts& facts);

  void consume(const Record& record);
  // By partition.
  const std::vector<PartitionResult>& result() const { return result_; }

 private:
  std::vector<std::vector<std::uint32_t>> of_sm_;  // by SM, the partitions that have it
  std::vector<std::uint32_t> of_process_;
  std::vector<PartitionResult> result_;
};

}  // namespace tessera::record
