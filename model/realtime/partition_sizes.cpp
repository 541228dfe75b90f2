// SPDX-License-Identifier: Apache-2.0
#include "model/realtime/partition_sizes.h"

namespace tessera::realtime {
namespace {

// More than the memory slices of two instances: slices decide first.
constexpr std::uint64_t kSliceCost = 64;

}  // namespace

std::uint32_t PartitionSizes::largest() const {
  return has_slices() ? spec::kMigSlices * preset_->slice_sms : num_sms_;
}

std::uint32_t PartitionSizes::at_least(std::uint32_t num_sms) const {
  if (!preset_) return num_sms;
  if (!has_slices()) return spec::in_pairs(num_sms, num_sms_);
  for (const spec::MigSize& size : spec::kMigSizes) {
    if (size.slices * preset_->slice_sms >= num_sms) return size.slices * preset_->slice_sms;
  }
  return largest();
}

std::uint64_t PartitionSizes::cost(std::uint32_t size) const {
  if (!has_slices()) return size;
  return kSliceCost * slices(size) + spec::memory_slices_of(slices(size));
}

bool PartitionSizes::fit(const std::vector<Partition>& partitions) const {
  std::uint32_t sms = 0;
  std::uint32_t memory = 0;
  for (const Partition& partition : partitions) {
    sms += partition.num_sms;
    if (has_slices()) memory += spec::memory_slices_of(slices(partition.num_sms));
  }
  const bool are_few = !preset_ || has_slices() || partitions.size() <= spec::kMaxMpsClients;
  return are_few && sms <= largest() && memory <= spec::kMigMemorySlices;
}

}  // namespace tessera::realtime
