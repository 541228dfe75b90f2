// SPDX-License-Identifier: Apache-2.0
// The registers of static partitions, which are there where the engine has these.
#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "tlm/front_end/front_end.h"

namespace tessera::tlm_model {

bool FrontEnd::has_partitions() const {
  return spec::any_orders_by(spec::PolicyOrder::kPartition, framework_.which_core());
}

const std::uint64_t* FrontEnd::partition_register(std::uint64_t offset) const {
  const auto entry = [offset](std::uint64_t base) { return (offset - base) / 8; };
  if (offset < reg::kSmPartition || offset >= reg::kSmCycles || !has_partitions()) return nullptr;
  if (offset < reg::kPartition) {
    return entry(reg::kSmPartition) < sm_partition_.size() ? &sm_partition_[entry(reg::kSmPartition)] : nullptr;
  }
  return entry(reg::kPartition) < contexts_.size() ? &contexts_[entry(reg::kPartition)].partition : nullptr;
}

// That of an SM goes to the engine; that of a context is taken along by launches.
void FrontEnd::write_partition(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival) {
  const std::uint64_t allowed = (std::uint64_t{1} << partition_id_bits(spec_.gpu.num_sms)) - 1;
  const std::uint64_t number = ((*partition_register(offset) & ~mask) | (value & mask)) & allowed;
  if (offset >= reg::kPartition) {
    contexts_[(offset - reg::kPartition) / 8].partition = number;
    return;
  }
  const std::uint64_t sm = (offset - reg::kSmPartition) / 8;
  sm_partition_[sm] = number;
  framework_.write(SetPartition{SmId(sm), PartitionId(number)}, arrival);
}

std::uint64_t FrontEnd::mask_word(std::uint64_t offset) const {
  const std::uint64_t at = offset - reg::kPartitionMask;
  return masks_[at / reg::kMaskStride].word(static_cast<std::uint32_t>(at % reg::kMaskStride / 8));
}

// Bits of SMs that there are not stay 0.
void FrontEnd::write_mask(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival) {
  const std::uint64_t at = offset - reg::kPartitionMask;
  SmSet& sms = masks_[at / reg::kMaskStride];
  sms.set_word(static_cast<std::uint32_t>(at % reg::kMaskStride / 8), (mask_word(offset) & ~mask) | (value & mask));
  for (std::uint32_t sm = spec_.gpu.num_sms; sm < SmSet::kMax; ++sm) sms.clear(sm);
  framework_.write(SetMask{PartitionId(at / reg::kMaskStride), sms}, arrival);
}

}  // namespace tessera::tlm_model
