// SPDX-License-Identifier: Apache-2.0
// Force-included in every file of a Verilated core: replaces the output and the fatal exit of Verilator's run-time,
// which would otherwise write to standard output and abort.
#pragma once

namespace tessera::cosim {

[[gnu::format(printf, 1, 2)]] int print_verilator_message(const char* format, ...);

}  // namespace tessera::cosim

#define VL_PRINTF ::tessera::cosim::print_verilator_message
#define VL_USER_STOP   // vl_stop() and vl_fatal() are in cosim/glue/verilator_hooks.cpp
#define VL_USER_FATAL  //
