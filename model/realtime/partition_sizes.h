// SPDX-License-Identifier: Apache-2.0
// Possible sizes of partitions, and whether they fit a GPU together: any sizes with a sufficient sum, or those of a
// preset.
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
  // The smallest size of at least `num_sms` SMs; at most the largest size.
  std::uint32_t at_least(std::uint32_t num_sms) const;
  // Share of the GPU that a partition of this size takes: SMs, or slices and, for that many slices, the fewest memory
  // slices.
  std::uint64_t cost(std::uint32_t size) const;
  bool fit(const std::vector<Partition>& partitions) const;
  std::uint32_t slices(std::uint32_t size) const { return size / preset_->slice_sms; }  // mig

 private:
  bool has_slices() const { return preset_ && preset_->kind == spec::PresetKind::kMig; }

  std::uint32_t num_sms_;
  std::optional<spec::PresetSpec> preset_;
};

}  // namespace tessera::realtime
