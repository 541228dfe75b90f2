// SPDX-License-Identifier: Apache-2.0
// The clock, and the way back to the transaction-level half.
#include "platform/clocked/free_running_engine.h"

#include "model/spec/spec.h"

namespace tessera::platform {

FreeRunningEngine::FreeRunningEngine(const sc_core::sc_module_name& name, const spec::Spec& spec,
                                     record::RecordLog& log, tlm_model::IEngineListener& listener, Waveform* waveform,
                                     const rtl_model::SchedulerFactory& make_scheduler)
    : sc_module(name),
      time_(spec.gpu.clock_hz * spec.scheduler.tbs_per_cycle),
      clock_ratio_(spec.scheduler.tbs_per_cycle),
      listener_(listener),
      clk_("clk"),
      core_(spec, log, waveform, make_scheduler) {
  core_.engine().bind_clock(clk_);
  core_.engine().add_watcher(this);
  SC_HAS_PROCESS(FreeRunningEngine);
  SC_METHOD(drive_clock);
}

// The rising edge that begins a cycle, and a falling one a picosecond later.
void FreeRunningEngine::drive_clock() {
  if (clk_.read()) {
    clk_.write(false);
  } else if (time_.now() == next_edge_) {
    clk_.write(true);
    ++next_edge_;
    return next_trigger(sc_core::sc_time(1, sc_core::SC_PS));
  }
  if (next_edge_ / clock_ratio_ < end_) next_trigger(time_.until(next_edge_));
}

// Kernels that are done in this cycle, and what loops ask for, are reported in it.
void FreeRunningEngine::watch(const rtl_model::ClockCount&) {
  core_.collect_done();
  for (const tlm_model::LoopRequest& request : core_.take_loop_requests()) listener_.loop_requested(request);
  for (const tlm_model::KernelDone& kernel : core_.take_done()) listener_.kernel_done(kernel);
}

}  // namespace tessera::platform
