// SPDX-License-Identifier: Apache-2.0
// One row a kind.
#include "tlm/driver/driver_factory.h"

#include <algorithm>
#include <stdexcept>

#include "model/spec/spec.h"
#include "tlm/driver/pass_through.h"
#include "tlm/driver/timegraph.h"

namespace tessera::tlm_model {

Cycle tick_of(const spec::Spec& spec) {
  const bool has_ticks =
      spec.driver.kind == spec::DriverKind::kTimegraph && spec.driver.invocation == spec::Invocation::kTick;
  return has_ticks ? std::max<Cycle>(1, Clock(spec.gpu.clock_hz).cycles_in(spec.driver.tick)) : 0;
}

std::unique_ptr<IDriver> make_driver(const spec::Spec& spec, GpuPort& gpu, InterruptService& interrupts,
                                     record::RecordLog& log) {
  switch (spec.driver.kind) {
    case spec::DriverKind::kPassThrough:
      return std::make_unique<PassThrough>(spec, gpu, interrupts);
    case spec::DriverKind::kTimegraph:
      return std::make_unique<TimegraphDriver>("u_timegraph", spec, gpu, interrupts, log);
  }
  throw std::invalid_argument("no such driver");
}

}  // namespace tessera::tlm_model
