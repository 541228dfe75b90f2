// SPDX-License-Identifier: Apache-2.0
// What each static partition did (docs/partitions.md): how busy its SMs were, what ran and was preempted there.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::record {

// Of each SM and each process, the index of its partition; SMs in none have the number behind the last one.
struct PartitionFacts {
  std::uint32_t num_partitions = 0;
  std::vector<std::uint32_t> of_sm{};
  std::vector<std::uint32_t> of_process{};

  bool is_empty() const { return num_partitions == 0; }
  std::uint32_t num_sms(std::uint32_t partition) const;
};

PartitionFacts make_partition_facts(const spec::Spec& spec);  // empty under other policies

struct PartitionResult {
  std::uint64_t busy_sm_cycles = 0;
  std::uint64_t kernels = 0;      // that finished
  std::uint64_t preemptions = 0;  // of its SMs, that were done
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PartitionResult, busy_sm_cycles, kernels, preemptions)

class PartitionCounter {
 public:
  explicit PartitionCounter(PartitionFacts facts);

  void consume(const Record& record);
  // By partition.
  const std::vector<PartitionResult>& result() const { return result_; }

 private:
  PartitionResult* of_sm(const Record& record);

  PartitionFacts facts_;
  std::vector<PartitionResult> result_;
};

}  // namespace tessera::record
