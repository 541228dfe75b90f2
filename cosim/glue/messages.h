// SPDX-License-Identifier: Apache-2.0
// What Verilator's run-time has said in this thread, and nobody has taken yet.
#pragma once

#include <string>

namespace tessera::cosim {

std::string& verilator_messages();

}  // namespace tessera::cosim
