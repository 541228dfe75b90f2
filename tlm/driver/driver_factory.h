// SPDX-License-Identifier: Apache-2.0
// The driver that a Spec asks for.
#pragma once

#include <memory>

#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "tlm/driver/i_driver.h"
#include "tlm/driver/interrupt_service.h"
#include "tlm/driver/rpc_memory.h"

namespace tessera::tlm_model {

// How often the driver looks for completions itself; 0: it has interrupts.
Cycle tick_of(const spec::Spec& spec);

// While a module is being constructed: a driver may be one. All of its arguments outlive it.
std::unique_ptr<IDriver> make_driver(const spec::Spec& spec, GpuPort& gpu, InterruptService& interrupts, RpcMemory& rpc,
                                     record::RecordLog& log);

}  // namespace tessera::tlm_model
