// SPDX-License-Identifier: Apache-2.0
// Counts the SM cycles of contexts from the pins of any scheduler core. It is outside the core, like the slice timer.
#pragma once

#include "model/base/sm_usage.h"
#include "rtl_model/base/clocked_module.h"
#include "rtl_model/interfaces/clock_count.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/scheduler/scheduler_module.h"

namespace tessera::rtl_model {

class UsageCounter final : public ClockedModule {
 public:
  UsageCounter(const sc_core::sc_module_name& name, std::uint32_t num_contexts, const ClockCount& clock,
               const UsagePins& pins)
      : ClockedModule(name), clock_(clock), pins_(pins), usage_(num_contexts) {
    at_level(kLevel, [this] { comb(); });
  }

  // Updated in the cycle of the pulse instead of at its end, since in the next cycle a host may read before or after
  // the edge.
  void comb() {
    if (pins_.valid) usage_.freed(ContextId(pins_.context), pins_.freed, clock_.sm);
  }
  void seq() override {}
  // SM cycles before SM cycle `now`.
  std::uint64_t sm_cycles(ContextId context, Cycle now) const { return usage_.sm_cycles(context, now); }

  void list_signals(ISignalSink&) const override {}

  static constexpr unsigned kLevel = SchedulerModule::kOutputsLevel + 1;

 private:
  const ClockCount& clock_;
  const UsagePins& pins_;
  SmUsage usage_;
};

}  // namespace tessera::rtl_model
