// SPDX-License-Identifier: Apache-2.0
// The registers of a kept turn, one of each kind a context.
#include "tlm/front_end/front_end.h"

namespace tessera::tlm_model {

const std::uint64_t* FrontEnd::turn_register(std::uint64_t offset) const {
  const auto context = [&](std::uint64_t base) {
    const std::uint64_t id = (offset - base) / 8;
    return offset >= base && id < contexts_.size() ? &contexts_[id] : nullptr;
  };
  if (const ContextRegisters* const listed = context(reg::kListed)) return &listed->is_listed;
  if (const ContextRegisters* const ends = context(reg::kSliceEnd)) return &ends->slice_end;
  return nullptr;
}

void FrontEnd::write_turn(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival) {
  const auto merged = [&](std::uint64_t old, std::uint64_t writable) {
    return ((old & ~mask) | (value & mask)) & writable;
  };
  if (offset >= reg::kListed) {
    const auto id = static_cast<ContextId>((offset - reg::kListed) / 8);
    std::uint64_t& is_listed = contexts_[index(id)].is_listed;
    is_listed = merged(is_listed, 1);
    return framework_.tell(SetListed{id, is_listed != 0}, arrival);
  }
  const auto id = static_cast<ContextId>((offset - reg::kSliceEnd) / 8);
  std::uint64_t& slice_end = contexts_[index(id)].slice_end;
  slice_end = merged(slice_end, 3);
  framework_.write(SetSliceEnd{id, static_cast<spec::SliceEnd>(slice_end)}, arrival);
}

}  // namespace tessera::tlm_model
