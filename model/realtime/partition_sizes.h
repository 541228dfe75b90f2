// SPDX-License-Identifier: Apache-2.0
// What sizes partitions may have, and which fit a GPU together: any that add up to it, or those of a preset.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/realtime/partition.h"
#include "model/spec/partition_preset.h"

namespace tessera::realtime {

class PartitionSizes {
 public:
  PartitionSizes(std::uint32_t num_sms, const std::optional<spec::PresetSpec>& preset)
      : num_sms_(num_sms), preset_(preset) {}

  std::uint32_t largest() const;
  // The smallest one that has so many SMs, at most the largest.
  std::uint32_t at_least(std::uint32_t num_sms) const;
  // What a partition of that size takes of the GPU: SMs, or slices, and of as many slices the fewest of memory.
  std::uint64_t cost(std::uint32_t size) const;
  bool fit(const std::vector<Partition>& partitions) const;
  std::uint32_t slices(std::uint32_t size) const { return size / preset_->slice_sms; }  // mig

 private:
  bool has_slices() const { return preset_ && preset_->kind == spec::PresetKind::kMig; }

  std::uint32_t num_sms_;
  std::optional<spec::PresetSpec> preset_;
};

}  // namespace tessera::realtime
