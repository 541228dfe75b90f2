// SPDX-License-Identifier: Apache-2.0
// The partitions of each SM.
#include "model/spec/spec.h"

namespace tessera::spec {

std::vector<std::uint32_t> partition_of_sms(const Spec& spec) {
  std::vector<std::uint32_t> partitions(spec.gpu.num_sms, static_cast<std::uint32_t>(spec.partitions.size()));
  for (auto id = static_cast<std::uint32_t>(spec.partitions.size()); id-- > 0;) {
    for (const std::uint32_t sm : spec.partitions[id].sms) partitions.at(sm) = id;
  }
  return partitions;
}

std::vector<SmSet> sms_of_partitions(const Spec& spec) {
  std::vector<SmSet> sets;
  for (const PartitionSpec& partition : spec.partitions) {
    SmSet& sms = sets.emplace_back();
    for (const std::uint32_t sm : partition.sms) sms.set(sm);
  }
  return sets;
}

SmSet shared_sms(const Spec& spec) {
  SmSet seen;
  SmSet shared;
  for (const SmSet& sms : sms_of_partitions(spec)) {
    shared = shared | (seen & sms);
    seen = seen | sms;
  }
  return shared;
}

bool has_masks(const Spec& spec) { return is_partitioned(spec.scheduler) && shared_sms(spec).any(); }

std::uint32_t sms_of_rounding(const Spec& spec) {
  const std::uint32_t num_sms = spec.gpu.num_sms;
  if (spec.preset->kind == PresetKind::kMig) {
    const bool is_listed = !spec.preset->is_hypothetical && spec.gpu.mig;
    return num_sms - (is_listed ? spec.gpu.mig->instances.back().sms : kMigSlices * spec.preset->slice_sms);
  }
  std::uint32_t rounding = 0;
  for (const PartitionSpec& client : spec.partitions) {
    rounding += static_cast<std::uint32_t>(client.sms.size()) - sms_of_share(client.share, num_sms);
  }
  return rounding;
}

}  // namespace tessera::spec
