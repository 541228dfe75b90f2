// SPDX-License-Identifier: Apache-2.0
// Forced into every file of a Verilated core: what Verilator's run-time says, and how it gives up, is ours, since it
// would write to standard output and abort.
#pragma once

namespace tessera::cosim {

[[gnu::format(printf, 1, 2)]] int print_verilator_message(const char* format, ...);

}  // namespace tessera::cosim

#define VL_PRINTF ::tessera::cosim::print_verilator_message
#define VL_USER_STOP   // vl_stop() and vl_fatal() are in cosim/glue/verilator_hooks.cpp
#define VL_USER_FATAL  //
