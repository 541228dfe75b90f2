// SPDX-License-Identifier: Apache-2.0
// Records by partition.
#include "model/record/metrics/partitions.h"

#include "model/spec/spec.h"

namespace tessera::record {

PartitionFacts make_partition_facts(const spec::Spec& spec) {
  PartitionFacts facts;
  if (!spec::is_partitioned(spec.scheduler)) return facts;
  facts.sms = spec::sms_of_partitions(spec);
  for (const spec::ProcessSpec& process : spec.processes) facts.of_process.push_back(process.partition);
  return facts;
}

PartitionCounter::PartitionCounter(const PartitionFacts& facts)
    : of_sm_(SmSet::kMax), of_process_(facts.of_process), result_(facts.sms.size()) {
  for (std::uint32_t id = 0; id < facts.sms.size(); ++id) {
    facts.sms[id].for_each([&](std::uint32_t sm) { of_sm_[sm].push_back(id); });
  }
}

void PartitionCounter::consume(const Record& record) {
  if (result_.empty()) return;
  switch (record.kind) {
    case Kind::kSmBusy:
      for (const std::uint32_t id : of_sm_.at(record.sm)) result_[id].busy_sm_cycles += record.cycles;
      return;
    case Kind::kPreemptionDone:
      for (const std::uint32_t id : of_sm_.at(record.sm)) ++result_[id].preemptions;
      return;
    case Kind::kKernelFinished:
      ++result_.at(of_process_.at(record.process)).kernels;
      return;
    default:
      return;
  }
}

}  // namespace tessera::record
