// SPDX-License-Identifier: Apache-2.0
// Records by partition.
#include "model/record/metrics/partitions.h"

#include <algorithm>
#include <utility>

#include "model/spec/spec.h"

namespace tessera::record {

std::uint32_t PartitionFacts::num_sms(std::uint32_t partition) const {
  return static_cast<std::uint32_t>(std::count(of_sm.begin(), of_sm.end(), partition));
}

PartitionFacts make_partition_facts(const spec::Spec& spec) {
  PartitionFacts facts;
  if (spec.scheduler.policy != spec::PolicyKind::kStaticPartition) return facts;
  facts.num_partitions = static_cast<std::uint32_t>(spec.partitions.size());
  facts.of_sm = spec::partition_of_sms(spec);
  for (const spec::ProcessSpec& process : spec.processes) facts.of_process.push_back(process.partition);
  return facts;
}

PartitionCounter::PartitionCounter(PartitionFacts facts) : facts_(std::move(facts)), result_(facts_.num_partitions) {}

void PartitionCounter::consume(const Record& record) {
  if (result_.empty()) return;
  switch (record.kind) {
    case Kind::kSmBusy:
      if (PartitionResult* const own = of_sm(record); own != nullptr) own->busy_sm_cycles += record.cycles;
      return;
    case Kind::kPreemptionDone:
      if (PartitionResult* const own = of_sm(record); own != nullptr) ++own->preemptions;
      return;
    case Kind::kKernelFinished:
      ++result_.at(facts_.of_process.at(record.process)).kernels;
      return;
    default:
      return;
  }
}

PartitionResult* PartitionCounter::of_sm(const Record& record) {
  const std::uint32_t partition = facts_.of_sm.at(record.sm);
  return partition < result_.size() ? &result_[partition] : nullptr;
}

}  // namespace tessera::record
