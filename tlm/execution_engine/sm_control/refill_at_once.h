// SPDX-License-Identifier: Apache-2.0
// The ideal engine's refill: a thread block that ends is followed by its kernel's next one after the issue latency.
#pragma once

#include "tlm/execution_engine/sm_array/sm_array.h"
#include "tlm/execution_engine/sm_control/tb_supply.h"

namespace tessera::tlm_model {

// A rule of SmArray::run_ends(). `kContended`: kernels slow each other down.
template <bool kContended>
struct RefillAtOnce {
  static constexpr bool kPaces = false;
  static constexpr bool kStretches = kContended;
  TbSupply& supply;
  Cycle issue_cycles;

  void over(const TbEnd&) const {}
  Cycle start_of_next(const TbEnd& end, const Sm& sm, const KernelRun& kernel) const {
    if (!has_slot(sm.refill, end.slot) || !kernel.has_fresh()) return kNever;
    return supply.claim(end.cycle + issue_cycles);
  }
  Cycle duration_of_next(const TbEnd& end, const KernelRun& kernel) const {
    return kContended ? supply.duration_of_next(kernel, end.sm) : kernel.next_duration;
  }
};

}  // namespace tessera::tlm_model
