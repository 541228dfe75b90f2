// SPDX-License-Identifier: Apache-2.0
// Creates the driver that a Spec specifies.
#pragma once

#include <memory>

#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "tlm/driver/i_driver.h"
#include "tlm/driver/interrupt_service.h"
#include "tlm/driver/rpc_memory.h"

namespace tessera::tlm_model {

// Period at which the driver polls for completions, in cycles; 0: it uses interrupts.
Cycle tick_of(const spec::Spec& spec);

// Call during construction of a module, since a driver may itself be a module. All arguments must outlive the driver.
std::unique_ptr<IDriver> make_driver(const spec::Spec& spec, GpuPort& gpu, InterruptService& interrupts, RpcMemory& rpc,
                                     record::RecordLog& log);

}  // namespace tessera::tlm_model
