// SPDX-License-Identifier: Apache-2.0
// One row a kind.
#include "tlm/driver/driver_factory.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "model/record/checks/gloop_monitor.h"
#include "model/spec/spec.h"
#include "tlm/driver/gcaps.h"
#include "tlm/driver/gloop.h"
#include "tlm/driver/pass_through.h"
#include "tlm/driver/timegraph.h"
#include "tlm/driver/xsched.h"

namespace tessera::tlm_model {
Cycle tick_of(const spec::Spec& spec) {
  const bool has_ticks =
      spec.driver.kind == spec::DriverKind::kTimegraph && spec.driver.invocation == spec::Invocation::kTick;
  return has_ticks ? std::max<Cycle>(1, Clock(spec.gpu.clock_hz).cycles_in(spec.driver.tick)) : 0;
}

std::unique_ptr<IDriver> make_driver(const spec::Spec& spec, GpuPort& gpu, InterruptService& interrupts, RpcMemory& rpc,
                                     record::RecordLog& log) {
  const bool has_loops = record::GloopMonitor::is_wanted(spec);
  const auto refuse_loops = [has_loops](const char* driver) {
    if (has_loops) throw std::invalid_argument(std::string(driver) + " does not support event-driven kernels");
  };
  switch (spec.driver.kind) {
    case spec::DriverKind::kPassThrough:
      if (has_loops) break;  // somebody has to launch them again and serve their files
      return std::make_unique<PassThrough>(spec, gpu, interrupts);
    case spec::DriverKind::kGloop:
      break;
    case spec::DriverKind::kTimegraph:
      refuse_loops("TimeGraph");
      return std::make_unique<TimegraphDriver>("u_timegraph", spec, gpu, interrupts, log);
    case spec::DriverKind::kXsched:
      refuse_loops("XSched");
      return std::make_unique<XschedDriver>("u_xsched", spec, gpu, interrupts, log);
    case spec::DriverKind::kGcaps:
      refuse_loops("GCAPS");
      return std::make_unique<GcapsDriver>(spec, gpu, interrupts, log);
  }
  return std::make_unique<GloopDriver>("u_gloop", spec, gpu, interrupts, rpc, log);
}

}  // namespace tessera::tlm_model
